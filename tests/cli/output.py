"""What the program prints, and that run.cfg is an input file that gives the same results."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
from case import PROGRAM, check, finish, invoke

SMALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small.cfg")
# Some seconds of work, so that progress is shown.
LONG = ["--set", "domain.cells=[300,300]", "--set", "time.end=0.01"]


def contents(folder):
    """Everything in run.h5 that does not tell when and how it was made."""
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        return {name: file[name][...].tobytes() for name in file}


def is_json_object(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


for name in ("first", "again", "quiet", "json", "pipe", "full"):
    shutil.rmtree(name, ignore_errors=True)

# run.cfg runs again as it is.
probe = ["--set", 'output.probes=({name="a"; at=[0.3,0.7]; interval=0.001;})',
         "--set", 'title="Wärme, \\"heiß\\""', "--set", "run.steps_per_exchange=3"]
invoke(["run", SMALL, "--output", "first", *probe])
invoke(["run", "first/run.cfg", "--output", "again"])
check(contents("first") == contents("again"), "run.cfg gives the same results")
check(open("first/probes.csv", "rb").read() == open("again/probes.csv", "rb").read(),
      "run.cfg gives the same probes")
with open("first/run.cfg", encoding="utf-8") as a, open("again/run.cfg", encoding="utf-8") as b:
    lines = [(x, y) for x, y in zip(a, b) if x != y]
    check(len(lines) <= 1 and all("directory" in x for x, _ in lines),
          f"run.cfg of run.cfg differs in the directory alone: {lines}")
done = invoke(["compare", "first/run.h5", "again/run.h5", "--bitwise"])
check(done.stderr == "", "compare finds them equal")

# Quiet is quiet, and the log has it all the same.
done = invoke(["run", SMALL, "--output", "quiet", "--quiet"])
check(done.stdout == "" and done.stderr == "", f"--quiet prints nothing: {done.stdout}{done.stderr}")
with open("quiet/run.log", encoding="utf-8") as file:
    log = file.read()
for word in ("grid", "time", "ranks", "done", "energy balance", "residual"):
    check(word in log, f"run.log has a line about {word}")
for line in log.splitlines():
    check(line[4] == "-" and line[10] == "T" and line[19:22] == "Z  ",
          f"a line of run.log starts with a time in UTC: {line}")

# Where nothing passes a side the balance is of rounding alone, and no residual a share of it.
for precision in ("double", "single"):
    done = invoke(["run", SMALL, "--output", "closed", "--overwrite", "--set",
                   'boundary.left={ type = "insulated"; }', "--set", f"run.precision={precision}"])
    told = [line for line in done.stdout.splitlines() if line.startswith("  residual")]
    check(len(told) == 1 and told[0].endswith(" J/m (round-off)"), f"a closed box: {told}")
    done = invoke(["run", SMALL, "--output", "closed", "--overwrite", "--set", f"run.precision={precision}"])
    told = [line for line in done.stdout.splitlines() if line.startswith("  residual")]
    check(len(told) == 1 and told[0].endswith(" %)"), f"an open one: {told}")

# A terminal: one line that is redrawn, but not where control sequences are not known.
def on_terminal(kind, *arguments):
    reader, terminal = os.openpty()
    with subprocess.Popen([PROGRAM, "run", SMALL, "--output", "terminal", "--overwrite", *arguments], stdout=terminal,
                          stderr=subprocess.DEVNULL, env={**os.environ, "TERM": kind}) as process:
        os.close(terminal)
        said = b""
        try:
            while chunk := os.read(reader, 4096):
                said += chunk
        except OSError:  # the terminal is gone
            pass
        process.wait()
    os.close(reader)
    return said.decode()


check("\x1b[K" in on_terminal("xterm"), "a terminal's line is redrawn")
said = on_terminal("dumb")
check("\x1b" not in said and "100.0 %" in said, f"TERM=dumb: {said!r}")
check("\x1b[K" in on_terminal("dumb", "--progress", "bar"), "a bar that is asked for is drawn")

# What fails to start has no progress; one of a kind is no plural.
done = invoke(["run", SMALL, "--output", "terminal", "--overwrite", "--set", "initial.temperature=1/0"], 2)
check("GLUPS" not in done.stdout and "left" not in done.stdout, f"a failed start: {done.stdout}")
done = invoke(["run", SMALL, "--output", "terminal", "--overwrite", "--set", "output.interval=0.0"])
check("2 snapshots, 0 probe rows, 1 checkpoint in" in done.stdout, f"one checkpoint: {done.stdout}")

# Progress for tools: one object a line, the last at the end.
done = invoke(["run", SMALL, "--output", "json", "--progress", "json", *LONG])
lines = done.stdout.splitlines()
check(len(lines) >= 1 and all(map(is_json_object, lines)), f"JSON lines: {done.stdout}")
if lines:
    final = json.loads(lines[-1])
    check(final["percent"] == 100 and final["step"] == final["steps"] and
          abs(final["time_s"] - 0.01) < 1e-15, f"the last line is the end: {final}")

# Other JSON.
done = invoke(["check", SMALL, "--json"])
report = json.loads(done.stdout)
check(report["cells"] == [20, 20] and abs(report["step_limit_s"] - 6.25e-4) < 1e-12 and
      report["ranks"] == 2, f"check --json: {report}")
done = invoke(["check", SMALL, "--json", "--set", "domain.cells=[1,1]", "--ranks", "1"])
check(is_json_object(done.stdout), "check --json of what has no step limit")
done = invoke(["check", SMALL])
check("input" in done.stdout and "6.25" not in done.stderr, "check prints a summary")

# A reader that goes away does not end a run.
with subprocess.Popen([PROGRAM, "run", SMALL, "--output", "pipe", *LONG], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True) as process:
    process.stdout.close()
    message = process.stderr.read()
    code = process.wait()
check(code == 0, f"a run without reader ends well: {code} {message}")
with h5py.File("pipe/run.h5", "r") as file:
    check(file["time"][-1] == 0.01, "and comes to its end")

# Probes whose interval does not divide that of the snapshots: hit where the steps allow it, else told by check.
for interval, times in ((0.003, [0.0, 0.003, 0.006, 0.009]), (0.0031415, None)):
    every = ["--set", f'output.probes=({{name="a"; at=[0.3,0.7]; interval={interval};}})']
    said = invoke(["check", SMALL, *every]).stdout
    late = [line for line in said.splitlines() if line.startswith("probe ")]
    invoke(["run", SMALL, "--output", "probed", "--overwrite", "--quiet", *every])
    with open("probed/probes.csv", encoding="utf-8") as file:
        rows = [float(line.split(",")[0]) for line in file.readlines()[1:]]
    if times is not None:
        check(len(rows) == len(times) and all(abs(row - t) < 1e-15 for row, t in zip(rows, times)) and not late,
              f"every {interval} s: {rows}, {late}")
    else:
        after = [row - n * interval for n, row in enumerate(rows)]
        check(len(rows) == 4 and late and "a: no step" in late[0] and 0 < max(after) <
              float(late[0].split("less than ")[1].split()[0]), f"every {interval} s: {after}, {late}")

# Nor does a full disk behind standard output; where output is all there is, it is an error.
with open("/dev/full", "w", encoding="utf-8") as full:
    done = subprocess.run([PROGRAM, "run", SMALL, "--output", "full"], stdout=full,
                          stderr=subprocess.PIPE, text=True, check=False)
    check(done.returncode == 0, f"run > /dev/full: {done}")
    done = subprocess.run([PROGRAM, "check", SMALL], stdout=full, stderr=subprocess.PIPE, text=True,
                          check=False)
    check(done.returncode == 5 and "standard output" in done.stderr, f"check > /dev/full: {done}")
with h5py.File("full/run.h5", "r") as file:
    check(file["time"][-1] == 0.01, "and comes to its end too")

# The decimal comma of a locale changes no number; locales that are not there change nothing.
for locale in ("de_DE.UTF-8", "C.UTF-8", "nonsense"):
    environment = {"LC_ALL": locale, "LANG": locale}
    shutil.rmtree("again", ignore_errors=True)
    invoke(["run", "first/run.cfg", "--output", "again", "--quiet"], 0, environment)
    check(contents("first") == contents("again"), f"the same results under {locale}")
    check(open("first/probes.csv", "rb").read() == open("again/probes.csv", "rb").read(),
          f"the same probes.csv under {locale}")
    done = invoke(["check", SMALL, "--json"], 0, environment)
    again = {**json.loads(done.stdout), "free_bytes": report["free_bytes"]}  # others write too
    check(again == report, f"the same JSON under {locale}")
finish()
