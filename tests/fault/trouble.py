"""File systems and limits that stand in a run's way: one message that says what to do, the exit code of
the cause, checkpoints intact, and --resume goes on to the same bits once there is room.

trouble.py limits|mounts [sanitized]: `mounts` makes file systems of its own, in a user namespace."""
import glob
import os
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, invoke, material, series, write_input

LONG = {"time": {"end": 1000.0}, "output": {"interval": 0.02}}


def case(**changes):
    """20 frames and ten checkpoints, in all about 600 kB."""
    return write_input("case", {
        "domain": {"size": [1.0, 1.0], "cells": [60, 60]},
        "materials": material(),
        "initial": {"temperature": "300+25*sin(1e4*x+7e3*y*y)"},
        "boundary": {"left": {"type": "temperature", "value": 350.0}},
        "time": {"end": 0.02},
        "output": {"interval": 0.001, "precision": "double"},
        "checkpoint": {"interval": 0.002},
        "run": {"backend": "cpu", "ranks": 2},
        **changes})


def ends(about, code, text, arguments, limits=None):
    """The run ends with the code and one line that holds the text."""
    done = subprocess.run([PROGRAM, "run", *arguments, "--quiet"], capture_output=True, text=True,
                          preexec_fn=limits, timeout=100, check=False)
    errors = [line for line in done.stderr.splitlines() if line.startswith("isotherm: error: ")]
    check(done.returncode == code and len(errors) == 1 and text in errors[0],
          f"{about}: exit {done.returncode}, expected {code} and {text!r} in\n{done.stderr}")


def goes_on(about, folder, path):
    """With --resume to the same end as a run without trouble."""
    for name in os.listdir(folder):
        if name.endswith(".h5") and name.startswith("checkpoint-"):
            check("checksums all agree" in invoke(["info", os.path.join(folder, name)]).stdout,
                  f"{about}: {name} is intact")
    invoke(["run", path, "--quiet", "--output", folder, "--resume"])
    for name in ("temperature", "time", "energy", "residual"):
        check(series(folder, name).tobytes() == series("whole", name).tobytes(), f"{about}: {name}")
    left = [name for name in os.listdir(folder) if "new" in name or "journal" in name]
    check(left == [], f"{about}: {left} left behind")


def limit(what, most):
    return lambda: resource.setrlimit(what, (most, most))


def no_more_processes():
    """Root is above this limit."""
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def gone_while_running():
    """The directory is moved away, then put back: the run ends at its next frame, nothing is lost."""
    shutil.rmtree("moved", ignore_errors=True)
    shutil.rmtree("away", ignore_errors=True)
    path = case(**LONG)
    with subprocess.Popen([PROGRAM, "run", path, "--quiet", "--output", "moved"],
                          stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not glob.glob("moved/checkpoint-*.h5"):
            time.sleep(0.01)
        os.rename("moved", "away")
        message = process.communicate(timeout=60)[1]
    check(process.returncode == 5 and message.startswith("isotherm: error: ") and
          "moved" in message and "No such file or directory" in message,
          f"moved away: exit {process.returncode} {message}")
    steps = series("away", "step")
    check(len(steps) > 0 and (steps[1:] > steps[:-1]).all(), "moved away: run.h5 can be read")


def limits():
    path = case()
    shutil.rmtree("whole", ignore_errors=True)
    invoke(["run", path, "--quiet", "--output", "whole"])

    for kilobytes in (280, 400):  # shared memory needs 260
        shutil.rmtree("small", ignore_errors=True)
        ends(f"ulimit -f {kilobytes}", 5, "raise the limit of file sizes (ulimit -f)",
             [path, "--output", "small"],
             limit(resource.RLIMIT_FSIZE, kilobytes * 1024))
        goes_on(f"ulimit -f {kilobytes}", "small", path)

    refused = 0
    for most in range(3, 12):
        shutil.rmtree("few", ignore_errors=True)
        done = subprocess.run([PROGRAM, "run", path, "--quiet", "--output", "few"],
                              capture_output=True, text=True, timeout=100, check=False,
                              preexec_fn=limit(resource.RLIMIT_NOFILE, most))
        if done.returncode == 127:  # not even its libraries
            continue
        refused += done.returncode != 0
        check(done.returncode == 0 or done.returncode in (5, 6) and
              done.stderr.count("isotherm: error: ") == 1 and
              "Too many open files" in done.stderr,
              f"ulimit -n {most}: exit {done.returncode} {done.stderr}")
    check(0 < refused < 8, f"ulimit -n: {refused} are too few")

    os.makedirs("open", exist_ok=True)
    os.chmod("open", 0o777)
    if "sanitized" not in sys.argv:  # sanitizers take processes, and addresses by the terabyte
        ends("ulimit -u", 4, "raise the limit of processes (ulimit -u)",
             [path, "--output", "open/out", "--overwrite"], no_more_processes)
        ends("ulimit -v", 6, "cannot be had",
             [path, "--output", "none", "--set", "domain.cells=[9000,9000]", "--set",
              "time.end=1e-9"], limit(resource.RLIMIT_AS, 400 << 20))
    gone_while_running()


def mount(kind, where, options):
    subprocess.run(["mount", "-t", kind, "-o", options, "none", where], check=True)


def mounts():
    path = case()
    shutil.rmtree("whole", ignore_errors=True)
    invoke(["run", path, "--quiet", "--output", "whole"])
    os.makedirs("mnt", exist_ok=True)
    for kilobytes in (100, 150, 200, 300, 400, 500):
        mount("tmpfs", "mnt", f"size={kilobytes}k")
        ends(f"{kilobytes} kB", 5, "free space there or choose another directory",
             [path, "--output", "mnt/out"])
        subprocess.run(["mount", "-o", "remount,size=9m", "mnt"], check=True)
        goes_on(f"{kilobytes} kB", "mnt/out", path)
        subprocess.run(["umount", "mnt"], check=True)

    mount("tmpfs", "mnt", "size=9m")
    invoke(["run", path, "--quiet", "--output", "mnt/out"])
    subprocess.run(["mount", "-o", "remount,ro", "mnt"], check=True)
    for output in ("mnt/out", "mnt/other"):
        ends("read-only", 5, "choose a directory that you may write to",
             [path, "--overwrite", "--output", output])
        invoke(["check", path, "--overwrite", "--output", output], 5)

    # No room in /dev/shm, which is not used.
    mount("tmpfs", "/dev/shm", "size=4k")
    with open("/dev/shm/full", "wb") as file:
        file.write(bytes(4096))
    shutil.rmtree("small", ignore_errors=True)
    invoke(["run", path, "--quiet", "--output", "small"])
    goes_on("/dev/shm", "small", path)


if sys.argv[1] == "limits":
    limits()
elif os.environ.get("TROUBLE_INSIDE"):
    mounts()
else:
    wrap = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = subprocess.run([*wrap, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True,
                           text=True, check=False) if shutil.which("unshare") else None
    if probe is None or probe.returncode != 0:
        print("skipped: no file systems can be made here:", probe and probe.stderr)
        sys.exit(77)
    sys.exit(subprocess.run([*wrap, sys.executable, *sys.argv], check=False,
                            env={**os.environ, "TROUBLE_INSIDE": "1"}).returncode)
finish()
