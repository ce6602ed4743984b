"""Signals: SIGUSR2 writes a checkpoint and goes on, however often it comes; SIGTERM, SIGUSR1, SIGINT
and the wall-time limit stop with one."""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, invoke, series

SMALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small.cfg")
RANKS = ["--ranks", "5", "--set", "run.steps_per_exchange=1", "--set", "run.overlap=on"]
LONG = ["--set", "time.end=20.0", "--set", "output.interval=5.0"]


def start(folder, *arguments):
    shutil.rmtree(folder, ignore_errors=True)
    process = subprocess.Popen([PROGRAM, "run", SMALL, "--quiet", "--output", folder,
                                *RANKS, *arguments], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:  # a first frame: all processes are there
            if series(folder, "time").size > 0:
                break
        except OSError:
            time.sleep(0.01)
    return process


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return file.read().split()
    except OSError:
        return []


def checkpoints(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("checkpoint-"))


shutil.rmtree("calm", ignore_errors=True)
invoke(["run", SMALL, "--quiet", "--output", "calm", *RANKS, *LONG])

# Requests faster than ranks can agree on them.
process = start("asked", *LONG)
sent = 0
deadline = time.monotonic() + 60
while process.poll() is None and time.monotonic() < deadline:
    process.send_signal(signal.SIGUSR2)
    sent += 1
    time.sleep(0.0005)
process.kill()  # where it hangs
message = process.communicate()[1]
check(process.returncode == 0, f"{sent} x SIGUSR2: exit {process.returncode} {message}")
check((series("asked") == series("calm")).all(), "checkpoints on request change nothing")
with open("asked/run.log", encoding="utf-8") as file:
    written = int(re.search(r"(\d+) checkpoints? in", file.read()).group(1))
check(2 <= written, f"{sent} requests: {written} checkpoints")

# A request that the end overtakes: the only rank is stopped in its first exchange of two, and agreement
# takes two exchanges.
def late(*arguments):
    shutil.rmtree("late", ignore_errors=True)
    process = subprocess.Popen([PROGRAM, "run", SMALL, "--quiet", "--output", "late", "--ranks", "1",
                                "--set", "run.steps_per_exchange=64", *arguments],
                               env={**os.environ, "ISOTHERM_FAULT": "receive:0:stop"},
                               stderr=subprocess.PIPE, text=True)
    rank = None
    deadline = time.monotonic() + 20
    while rank is None and time.monotonic() < deadline:
        time.sleep(0.01)
        for pid in children(process.pid):
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                name, _, state = file.read().rpartition(")")
            if "isotherm-r0" in name and state.split()[0] == "T":
                rank = int(pid)
    process.send_signal(signal.SIGUSR2)
    time.sleep(0.2)  # the launcher has taken it
    os.kill(rank, signal.SIGCONT)
    message = process.communicate(timeout=20)[1]
    check(process.returncode == 0, f"late SIGUSR2: exit {process.returncode} {message}")
    with open("late/run.log", encoding="utf-8") as file:
        return file.read()


check("SIGUSR2   came too late for a checkpoint of its own: the one at the end" in late(),
      "a late request is told")
check(len(checkpoints("late")) == 1, f"and the checkpoint is there: {checkpoints('late')}")
check("warning: SIGUSR2 came too late: the run ended before" in
      late("--set", "checkpoint.interval=0"), "also where there is none")

# Requests to stop.
for name in ("SIGTERM", "SIGUSR1", "SIGINT", "SIGHUP"):
    process = start("stopped", "--set", "time.end=1000.0")
    process.send_signal(getattr(signal, name))
    message = process.communicate(timeout=20)[1]
    check(process.returncode == 75, f"{name}: exit {process.returncode} {message}")
    check(message == "", f"{name} is no error: {message}")
    check(len(checkpoints("stopped")) == 1, f"{name}: {checkpoints('stopped')}")
process = start("stopped", "--set", "time.end=1000.0", "--set", "run.wall_time=1.5")
message = process.communicate(timeout=20)[1]
check(process.returncode == 75, f"wall time: exit {process.returncode} {message}")
check(len(checkpoints("stopped")) == 1, f"wall time: {checkpoints('stopped')}")

# A run that nohup started goes on when its terminal goes, and stops as others do.
signal.signal(signal.SIGHUP, signal.SIG_IGN)
process = start("stopped", "--set", "time.end=1000.0")
signal.signal(signal.SIGHUP, signal.SIG_DFL)
process.send_signal(signal.SIGHUP)
time.sleep(0.3)
check(process.poll() is None, "SIGHUP under nohup is ignored")
process.send_signal(signal.SIGTERM)
message = process.communicate(timeout=20)[1]
check(process.returncode == 75, f"SIGHUP under nohup, then SIGTERM: exit {process.returncode} {message}")


# A run that is lost says from where --resume goes on.
def lost(text, *arguments, fault="frame:writer:kill:4", code=4):
    done = invoke(["run", SMALL, "--quiet", "--output", "lost", "--set", "output.interval=0.001",
                   *arguments], code, {"ISOTHERM_FAULT": fault})
    check(text in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {text!r} in {done.stderr}")


shutil.rmtree("lost", ignore_errors=True)
EVERY = ["--set", "checkpoint.interval=0.002"]
lost("; there is no checkpoint yet, so --resume starts at the beginning")
lost("; --resume goes on from the checkpoint at t = 0.002 s", "--overwrite", *EVERY)
lost("; --resume goes on from the checkpoint at t = 0.002 s", "--resume", *EVERY, fault="frame:writer:kill:1")
lost("; --resume goes on from the checkpoint at t = 0.004 s", "--resume", *EVERY, fault="frame:writer:kill:3")
lost("; nothing was written yet, start it again with --overwrite", "--overwrite", fault="connect:0:kill")
lost("rank 1 was killed by signal 9 (Killed), by someone or because the machine ran out of memory; --resume "
     "goes on from the checkpoint at t = 0.004 s", "--resume", *EVERY, fault="connect:1:kill")

# Twice SIGINT ends at once.
process = start("stopped", "--set", "time.end=1000.0")
process.send_signal(signal.SIGSTOP)  # both arrive before it looks
process.send_signal(signal.SIGINT)
process.send_signal(signal.SIGCONT)
time.sleep(0.05)
process.send_signal(signal.SIGINT)
message = process.communicate(timeout=20)[1]
check(process.returncode in (75, 130), f"SIGINT twice: exit {process.returncode} {message}")
check(process.returncode == 75 or
      message == "isotherm: error: interrupted; there is no checkpoint yet, so --resume starts at the "
      "beginning\n" or "interrupted; --resume goes on from the checkpoint at t = " in message,
      f"SIGINT twice: {message}")
finish()
