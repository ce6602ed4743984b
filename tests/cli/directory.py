"""The output directory: names, what is in the way, and two runs in one."""
import json
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


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def refused(code, text, *arguments):
    """One line on stderr that holds the text, and this exit code."""
    done = invoke(["run", SMALL, *arguments], code)
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and lines[0].startswith("isotherm: error: ") and text in lines[0],
          f"{arguments}: one line with {text!r}:\n{done.stderr}")


def checked(code, text, *arguments):
    """isotherm check shows the costs and ends as the run would."""
    done = invoke(["check", SMALL, *arguments], code)
    check("is valid" in done.stdout, f"check {arguments}: costs {done.stdout}")
    check(text in done.stderr if text else done.stderr == "",
          f"check {arguments}: {text!r} in\n{done.stderr}")


def works(directory, where=None):
    """A run into this directory, which is then found at `where`."""
    where = where or directory
    invoke(["run", SMALL, "--quiet", "--output", directory])
    check(os.path.isfile(os.path.join(where, "run.h5")), f"run.h5 is in {where!r}")
    check(series(where, "time").tolist() == [0.0, 0.005, 0.01], f"times of {where!r}")


for name in ("plain", "file", "odd", "long", "held"):
    remove(name)

# Results in the way.
works("plain")
before = open("plain/run.h5", "rb").read()
refused(2, "--overwrite", "--output", "plain")
refused(2, "holds results of an earlier run", "--output", "plain/")
checked(2, "holds results of an earlier run", "--output", "plain")
checked(0, "", "--output", "plain", "--overwrite")
checked(0, "", "--output", "plain", "--resume")
checked(5, "is in the way", "--output", "plain/run.h5/below")
checked(0, "", "--output", "nowhere/below")
check(not os.path.exists("nowhere"), "a check makes nothing")
refused(6, "of this machine's memory", "--output", "plain", "--overwrite", "--set",
        "domain.cells=[400000,400000]")
check(open("plain/run.h5", "rb").read() == before, "results in the way stay as they were")


def everything(folder):
    """All that lies there but the log, which says what was refused."""
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read() if name != "run.log" else b""
    return found


# Nothing is lost by a run that is refused, whenever that is.
held = everything("plain")
check(any(name.startswith("checkpoint-") for name in held), f"a checkpoint is there: {list(held)}")
with open("few.txt", "w", encoding="utf-8") as file:
    file.write("# 20 20\n" + "300\n" * 399)
HEAT = 'sources=({ type = "file"; file = "%s"; })'
for code, wrong in (
        (2, "initial.temperature=1/0"),
        (2, "initial.temperature=1/(x-0.325)"),  # one column of 20
        (5, 'initial.temperature={ file = "nowhere.h5"; }'),
        (5, f'initial.temperature={{ file = "{os.path.abspath("few.txt")}"; }}'),
        (5, f'sources=({{ type = "file"; file = "{os.path.abspath("few.txt")}"; }})')):
    done = invoke(["run", SMALL, "--quiet", "--output", "plain", "--overwrite", "--set", wrong], code)
    check(done.stderr.startswith("isotherm: error: "), f"{wrong}: {done.stderr}")
    check(everything("plain") == held, f"{wrong}: nothing is lost")
for rank in ("0", "1"):
    invoke(["run", SMALL, "--quiet", "--output", "plain", "--overwrite"], 4,
           {"ISOTHERM_FAULT": f"connect:{rank}:kill"})
    check(everything("plain") == held, f"rank {rank} is lost at the start: nothing else is")
invoke(["run", SMALL, "--quiet", "--output", "plain", "--overwrite"])
check(sorted(os.listdir("plain")) == sorted(set(os.listdir("plain"))), "names")
for result in ("run.h5", "run.vtkhdf", "run.cfg", "run.log"):
    check(os.path.isfile(os.path.join("plain", result)), f"{result} is there")

# Space that is free, and output that does not fit: the disk's where the directory is or would be.
for folder in ("plain", "nowhere/below"):
    shown = json.loads(invoke(["check", SMALL, "--output", folder, "--json", "--overwrite"]).stdout)
    about = os.statvfs(".")
    free = about.f_bavail * about.f_frsize
    check(abs(shown["free_bytes"] - free) < 0.5 * free, f"{folder}: {shown['free_bytes']} bytes free, not {free}")
told = invoke(["check", SMALL, "--output", "nowhere"])
check(re.search(r"output +3 snapshots in nowhere, .* before compression, .*iB are free\n", told.stdout), told.stdout)
checked(0, "isotherm: warning: the snapshots take 72.8 TiB before compression and ", "--output", "nowhere", "--set",
        "output.interval=1e-9", "--set", "domain.cells=[1000,1000]")

# A file in the way.
with open("file", "w", encoding="utf-8") as file:
    file.write("text")
refused(5, "file is in the way", "--output", "file")
refused(5, "file is in the way", "--output", "file/below")
check(open("file", encoding="utf-8").read() == "text", "the file stays as it was")
os.remove("file")

# Names.
os.mkdir("odd")
for name in ("with space", "Wärmeleitung", 'quote"s', "back\\slash", "semi;colon, comma", "#1", "-x",
             "温度", "100%s%n"):
    works(os.path.join("odd", name))
os.chdir("odd")
works("./-dash")
works(os.path.join(os.getcwd(), "absolute"))
works("a/b/../c//d/", "a/c/d")
os.chdir("..")
shutil.rmtree("odd")

# Length: a name has at most 255 bytes, a path 4095.
works("long/" + "n" * 255)
deep = "long/" + "/".join(["d" * 59] * 5)
check(len(deep) > 300, "a path of 300 characters")
works(deep)
refused(5, "output.directory", "--output", "long/" + "n" * 300)
refused(2, "too long", "--output", "long/" + "/".join(["d" * 200] * 21))
shutil.rmtree("long")

# Closed standard streams: nothing that is said gets into a result, nothing is said twice.
def lines_of_log():
    with open("plain/run.log", encoding="utf-8") as log:
        return len(log.readlines())


for closed in (">&-", "<&- >&- 2>&-"):
    remove("plain")
    works("plain")
    said = lines_of_log()
    remove("plain")
    subprocess.run(["sh", "-c", f'exec "$0" run "$1" --output plain {closed}', PROGRAM, SMALL],
                   check=True)
    check(lines_of_log() == said, f"{closed}: {lines_of_log()} lines in run.log, {said} otherwise")
    check(series("plain", "time").tolist() == [0.0, 0.005, 0.01], f"times with {closed}")

# A limit of the size of files is an error like others, not a death by signal.
done = subprocess.run(["sh", "-c", 'ulimit -f 16; exec "$0" run "$1" --quiet --output plain --overwrite',
                       PROGRAM, SMALL], capture_output=True, text=True, check=False)
check(done.returncode in (5, 6) and "ulimit -f" in done.stderr,
      f"ulimit -f: exit {done.returncode} {done.stderr}")

# Two runs in one directory.
first = subprocess.Popen([PROGRAM, "run", SMALL, "--quiet", "--output", "held", "--set",
                          "time.end=100000"], stderr=subprocess.PIPE, text=True)
deadline = time.monotonic() + 20
while not os.path.exists("held/run.h5") and time.monotonic() < deadline:
    time.sleep(0.01)
for option in ([], ["--overwrite"], ["--resume"]):
    checked(2, f"in use by another run (process {first.pid})", "--output", "held", *option)
    refused(2, f"in use by another run (process {first.pid})", "--output", "held", *option)
check(first.poll() is None, "the first run is not disturbed")
first.send_signal(signal.SIGTERM)
message = first.communicate(timeout=20)[1]
check(first.returncode == 75, f"the first run stops when asked: {first.returncode} {message}")
invoke(["run", SMALL, "--quiet", "--output", "held", "--overwrite"])
finish()
