"""Files that are not what a command takes: the one line on stderr says what they are and what to do."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, invoke

SMALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli", "small.cfg")
EVERY = (["plot"], ["info"], ["export", "--format", "csv"])


def refused(text, *arguments, code=5):
    done = invoke([*arguments], code)
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and lines[0].startswith("isotherm: error: ") and text in lines[0],
          f"{arguments}: one line with {text!r}:\n{done.stderr}")


shutil.rmtree("advice", ignore_errors=True)
invoke(["run", SMALL, "--quiet", "--output", "advice"])
os.chdir("advice")
checkpoint, = [name for name in os.listdir() if name.startswith("checkpoint-")]
shutil.copy(checkpoint, "renamed.h5")
for command in EVERY:
    if command[0] != "info":
        for name in (checkpoint, "renamed.h5"):
            refused(f"{name}: is a checkpoint, which isotherm info shows", *command, name)
    refused("run.vtkhdf: is a view of run.h5 for ParaView; open the run.h5 beside it", *command, "run.vtkhdf")
refused("open the run.h5 beside it", "compare", "run.vtkhdf", "run.h5")
for share in (0.1, 0.5, 0.99):
    shutil.copy("run.h5", "cut.h5")
    os.truncate("cut.h5", int(share * os.path.getsize("run.h5")))
    for command in EVERY:
        refused("cut.h5: the file is cut short; copy it anew", *command, "cut.h5")

# A directory in the place of a result; nothing else is lost for it.
os.remove("run.vtkhdf")
os.mkdir("run.vtkhdf")
with open("run.h5", "rb") as file:
    before = file.read()
for command in ("run", "check"):
    refused("run.vtkhdf is a directory, which --overwrite does not remove; move it away", command, SMALL, "--output",
            ".", "--overwrite")
with open("run.h5", "rb") as file:
    check(file.read() == before, "run.h5 stays as it was")

for command in (["info", "run.h5"], ["devices"], ["check", SMALL], ["plot", "--help"]):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    check(done.returncode == 5 and
          done.stderr == "isotherm: error: standard output cannot be written: No space left on device\n",
          f"{command}: exit {done.returncode} {done.stderr}")
finish()
