"""What --resume accepts and what it refuses."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
from case import check, finish, invoke, series

SMALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small.cfg")
CHECKPOINTS = ["--set", "checkpoint.interval=0.004"]


def resume(folder, *arguments, expect=0):
    return invoke(["run", SMALL, "--output", folder, "--resume", *CHECKPOINTS, *arguments], expect)


def refused(text, *arguments):
    done = resume("half", *arguments, expect=2)
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and lines[0].startswith("isotherm: error: ") and text in lines[0],
          f"{arguments}: one line with {text!r}:\n{done.stderr}")


def results(folder):
    return [series(folder, name).tobytes() for name in ("time", "step", "temperature", "energy")]


for name in ("whole", "half", "none", "bare"):
    shutil.rmtree(name, ignore_errors=True)

# Without a checkpoint it is the start; a finished run stays as it is.
resume("whole", "--quiet")
whole = results("whole")
done = resume("whole")
check(results("whole") == whole, "a finished run that is resumed stays as it is")
check("nan" not in done.stdout and "field     0 to 0" not in done.stdout,
      f"and makes no claims about a field it has not seen:\n{done.stdout}")
names = [name for name in os.listdir("whole") if name.startswith("checkpoint-")]
check(1 <= len(names) <= 2, f"checkpoint.keep = 2: {names}")

# Half a run: the newest checkpoint of a finished one taken away.
shutil.copytree("whole", "half")
newest = max(names, key=lambda name: int(name[len("checkpoint-"):-len(".h5")]))
os.remove(os.path.join("half", newest))

# Another problem, named by its setting.
refused("boundary.left.value", "--set", "boundary.left.value=351.0")
refused("initial.temperature", "--set", "initial.temperature=300.0")
refused("domain.cells", "--set", "domain.cells=[20,21]")
refused("time.end", "--set", "time.end=0.003")  # a later one: tests/bits/extend.py
refused("run.precision", "--set", "run.precision=single")
refused("materials", "--set", "materials.[0].conductivity=1.1")
# Outputs would shift the steps that are already done.
refused("output.interval", "--set", "output.interval=0.0031")
refused("output.fields", "--set", 'output.fields=["temperature", "gradient"]')
refused("output.stride", "--set", "output.stride=[2, 1]")
refused("output.region", "--set", "output.region={from=[0, 0]; to=[0.5, 0.5];}")
refused("output.probes", "--set",
        'output.probes=({name="p"; at=[0.5,0.5]; interval=0.000714285714285714286;})')

# What may change does, and the end is the same to the last bit.
for change in (["--ranks", "1"], ["--ranks", "3"], ["--set", "run.steps_per_exchange=1"],
               ["--set", "run.transport=ipc"], ["--set", 'title="other"'],
               ["--set", "checkpoint.keep=5"], ["--set", "output.compression=none"],
               ["--set", "output.threads=3"]):
    shutil.rmtree("again", ignore_errors=True)
    shutil.copytree("half", "again")
    resume("again", "--quiet", *change)
    check(results("again") == whole, f"resumed with {change}")

# From a file without compression too, which stays one.
resume("bare", "--quiet", "--set", "output.compression=none")
os.remove(os.path.join("bare", newest))
resume("bare", "--quiet", "--set", "output.compression=small")
check(results("bare") == whole, "resumed with compression")

# Files that were moved away begin anew; what was computed is not lost.
def again(*missing):
    shutil.rmtree("again", ignore_errors=True)
    shutil.copytree("half", "again")
    for name in missing:
        os.remove(os.path.join("again", name))
    return resume("again", "--quiet")


done = again("run.h5", "run.vtkhdf")
check("isotherm: warning: again/run.h5 is gone: a new one begins at step" in done.stderr,
      f"the missing file is named: {done.stderr}")
for name in ("time", "step", "temperature", "energy"):
    tail = series("again", name)
    check(0 < len(tail) < len(series("whole", name)), f"{name}: {len(tail)} frames")
    check(tail.tobytes() == series("whole", name)[-len(tail):].tobytes(), f"{name} goes on")
done = resume("again")
check("nothing was left to do" in done.stdout, f"and the new file is complete:\n{done.stdout}")

# A series that is short, torn or damaged: the way out is told, and is one.
def unusable(text, damage):
    shutil.rmtree("again", ignore_errors=True)
    shutil.copytree("half", "again")
    damage(os.path.join("again", "run.h5"))
    done = resume("again", "--quiet", expect=5)
    check("again/run.h5: " in done.stderr and text in done.stderr and
          done.stderr.endswith("; restore it, or move it away and the resume begins a new one\n"),
          f"{text}: {done.stderr}")
    os.remove(os.path.join("again", "run.h5"))
    resume("again", "--quiet")
    check(series("again", "time")[-1] == series("whole", "time")[-1], f"{text}: and then it goes on")


def garble(path):
    with open(path, "r+b") as file:
        file.seek(1000)
        file.write(bytes(range(256)) * 20)


invoke(["run", SMALL, "--output", "none", "--quiet", "--set", "output.interval=0.01"])
with h5py.File("none/run.h5", "r+") as file:
    for name in file["temperature"].parent:
        if file[name].shape[:1] == (2,) and file[name].maxshape[0] is None:
            file[name].resize(1, axis=0)
unusable("holds 1 times, 2 are needed to go on", lambda path: shutil.copy("none/run.h5", path))
unusable("the file is cut short", lambda path: os.truncate(path, os.path.getsize(path) // 2))
unusable("checksum", garble)

# A damaged checkpoint is passed over with a warning, the one before is used.
shutil.rmtree("again", ignore_errors=True)
shutil.copytree("whole", "again")
with open(os.path.join("again", newest), "r+b") as file:
    file.seek(-1000, os.SEEK_END)
    byte = file.read(1)
    file.seek(-1000, os.SEEK_END)
    file.write(bytes([byte[0] ^ 1]))
done = resume("again", "--quiet")
check("isotherm: warning:" in done.stderr and newest in done.stderr,
      f"the damaged file is named: {done.stderr}")
check(results("again") == whole, "and the run still ends the same")
finish()
