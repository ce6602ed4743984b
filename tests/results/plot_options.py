"""What the options of `isotherm plot` and `compare` do, and that none is taken where it does nothing."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, invoke, material, run

LINE = {"domain": {"size": [1.0, 0.1], "cells": [40, 1]}, "materials": material(),
        "initial": {"temperature": "300+40*x+20*y"},
        "boundary": {"left": {"type": "temperature", "value": 300.0}}, "time": {"end": 0.001},
        "output": {"probes": ({"name": "a", "at": [0.5, 0.05], "interval": 0.0005},)}}


def picture(*arguments):
    invoke(["plot", *arguments, "-o", "picture.png"])
    with open("picture.png", "rb") as file:
        return file.read()


# Contours on grids of one or two rows, and of one or two columns: lines across the others.
for cells, size in (([40, 1], [1.0, 0.1]), ([40, 2], [1.0, 0.1]), ([1, 40], [0.1, 1.0]), ([2, 40], [0.1, 1.0]),
                    ([2, 2], [1.0, 1.0]), ([40, 3], [1.0, 0.1])):
    folder = run("thin", {**LINE, "domain": {"size": size, "cells": cells}, "boundary": {}, "output": {},
                          "initial": {"temperature": "300+40*x+40*y"}})
    file = os.path.join(folder, "run.h5")
    check(picture(file, "--contours", "5") != picture(file), f"contours on {cells}")

# What would do nothing is refused, and nothing is drawn.
folder = run("plain", {**LINE, "output": {**LINE["output"], "fields": ["temperature", "material"]}})
os.chdir(folder)
before = sorted(os.listdir())
OUTLINES = "--outlines belongs to a picture of a field"
for arguments, text in (
        (["probes.csv", "--field", "energy"], "--field does nothing for the curves of probes; leave it out"),
        (["probes.csv", "--time", "0.0005"], "--time does nothing for the curves of probes"),
        (["run.h5", "--probes", "probes.csv", "--time", "last"], "--time does nothing for the curves of probes"),
        (["probes.csv", "--line", "y=0.05"], "--line does nothing"),
        (["probes.csv", "--contours", "0"], "--contours does nothing"),
        (["probes.csv", "--outlines"], "--outlines does nothing"),
        (["probes.csv", "--colormap", "grey"], "--colormap does nothing"),
        (["probes.csv", "--middle", "300"], "--middle does nothing"),
        (["run.h5", "--line", "y=0.05", "--contours", "3"], "--contours does nothing for the values along a line"),
        (["run.h5", "--line", "y=0.05", "--middle", "300"], "--middle does nothing for the values along a line"),
        (["run.h5", "--line", "y=0.05", "--outlines"], OUTLINES),
        (["run.h5", "--field", "energy", "--contours", "3"],
         "--contours does nothing for energy, a number over time"),
        (["run.h5", "--field", "energy", "--time", "all"], "--time does nothing for energy"),
        (["run.h5", "--field", "energy", "--outlines"], OUTLINES),
        (["run.h5", "--field", "material", "--time", "0.0"],
         "--time does nothing for material, which is the same at all times"),
        (["run.h5", "--field", "material", "--contours", "3"],
         "--contours does nothing for material, which is of classes"),
        (["run.h5", "--time", "all", "-o", "-"], "-o -: standard output takes one time")):
    done = invoke(["plot", *arguments], 2)
    check(text in done.stderr and done.stderr.count("\n") == 1, f"plot {arguments}: {done.stderr}")
    check(sorted(os.listdir()) == before, f"plot {arguments}: {sorted(os.listdir())}")
for arguments in (["probes.csv", "--range", "250,350"], ["run.h5", "--probes", "probes.csv"],
                  ["run.h5", "--line", "y=0.05", "--time", "all", "--range", "250,350"],
                  ["run.h5", "--field", "material", "--outlines"], ["run.h5", "--field", "energy", "--range", "0,1"]):
    invoke(["plot", *arguments])
told = invoke(["compare", "run.h5", "run.h5", "--bitwise", "--tolerance", "1"], 2).stderr
check("give one of them" in told, f"compare --bitwise --tolerance: {told}")

# Standard output, as `export` has it.
for arguments in (["run.h5"], ["probes.csv"], ["run.h5", "--line", "y=0.05"]):
    done = subprocess.run([PROGRAM, "plot", *arguments, "-o", "-"], capture_output=True, check=False)
    invoke(["plot", *arguments, "-o", "file.png"])
    with open("file.png", "rb") as file:
        check(done.returncode == 0 and done.stdout == file.read() and done.stderr == b"",
              f"plot {arguments} -o -: exit {done.returncode}, {len(done.stdout)} bytes {done.stderr}")
check(not os.path.exists("-"), "no file is called -")
with open("/dev/full", "wb") as full:
    done = subprocess.run([PROGRAM, "plot", "run.h5", "-o", "-"], stdout=full, stderr=subprocess.PIPE, text=True,
                          check=False)
check(done.returncode == 5 and "No space left on device" in done.stderr, f"full: {done.returncode} {done.stderr}")
finish()
