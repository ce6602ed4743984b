"""`isotherm compare` of files and of run directories: what it calls equal, and what it names."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
from case import check, finish, invoke, material, run

CASE = {"domain": {"size": [1.0, 1.0], "cells": [20, 16]}, "materials": material(),
        "initial": {"temperature": "300+40*x*y"},
        "boundary": {"left": {"type": "temperature", "value": 350.0}}, "time": {"end": 0.02},
        "output": {"interval": 0.01, "probes": ({"name": "a", "at": [0.3, 0.5], "interval": 0.005},)}}


def compare(*arguments, expect=0):
    return invoke(["compare", *arguments], expect).stdout


def copy(folder, name):
    shutil.rmtree(name, ignore_errors=True)
    shutil.copytree(folder, name)
    return name


def newest(folder):
    names = [name for name in os.listdir(folder) if name.startswith("checkpoint-")]
    return os.path.join(folder, max(names, key=lambda name: int(name[11:-3])))


one = run("one", CASE, "--ranks", "1")
two = run("two", {**CASE, "title": "two"}, "--ranks", "2", "--set", "run.steps_per_exchange=3")

# However the work is split, all three files are the same to the last bit.
told = compare(one, two, "--bitwise")
for part in ("run.h5: equal", "probes.csv: equal", os.path.basename(newest(one)) + ": equal"):
    check(part in told, f"{part!r} in\n{told}")
check(told.endswith("\nequal\n"), told)
compare(newest(one), newest(two), "--bitwise")
told = compare(os.path.join(one, "probes.csv"), os.path.join(two, "probes.csv"), "--bitwise")
check("probes    1 compared\ntimes     5 compared" in told, told)

# A probe that is a thousandth of a kelvin off.
other = copy(two, "other")
path = os.path.join(other, "probes.csv")
with open(path, encoding="utf-8") as file:
    lines = file.read().splitlines()
time, value = lines[3].split(",")
lines[3] = f"{time},{float(value) + 1e-3!r}"
with open(path, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
told = compare(one, other, "--bitwise", expect=1)
check("run.h5: equal" in told and "probes.csv: different" in told and ": a_K\n" in told, told)
check(f"in a_K at t = {float(time):.9g} s" in told, told)
compare(one, other, "--tolerance", "0.002")
compare(one, other, "--tolerance", "0.0005", expect=1)
compare(one, other, "--field", "temperature", "--bitwise")  # of run.h5 alone

# A file or times that only one has.
os.remove(path)
told = compare(one, other, expect=1)
check("probes.csv: only in the first directory, so they differ (--common)" in told, told)
told = compare(other, one, "--common")
check("probes.csv: only in the second directory\n" in told, told)
longer = run("longer", {**CASE, "time": {"end": 0.03}})
told = compare(one, longer, "--bitwise", expect=1)
check("3 compared, 0 only in the first, 1 only in the second" in told and "step, time" in told, told)
told = compare(one, longer, "--common", "--bitwise")
check("run.h5: equal" in told and ": of different times, left out\n" in told, told)
told = invoke(["compare", newest(one), newest(longer), "--common"], 2).stderr
check("have no time in common" in told, told)

# So do probes and datasets, unless what both have is asked for.
asked = run("asked", {**CASE, "output": {**CASE["output"], "fields": ("temperature", "gradient"), "probes": (
    *CASE["output"]["probes"], {"name": "b", "at": [0.7, 0.5], "interval": 0.005})}})
for words in ((one, asked), (asked, one)):
    told = compare(*words, "--bitwise", expect=1)
    check("probes.csv: different" in told and "run.h5: different" in told, told)
    check("left out  b_K\nprobes    1 in one of the files only, so the files differ (--common)\n" in told, told)
    check("left out  gradient\nfields    1 in one of the files only, so the files differ (--common)\n" in told, told)
    told = compare(*words, "--bitwise", "--common", expect=1)  # the settings in the checkpoints are others
    check("run.h5: equal" in told and "probes.csv: equal" in told and ": settings\n" in told, told)
    check("left out  b_K\nprobes    1 in one of the files only\n" in told, told)
    check("left out  gradient\nfields    1 in one of the files only\n" in told, told)
    tables = [os.path.join(folder, "probes.csv") for folder in words]
    compare(*tables, expect=1)
    compare(*tables, "--common", "--bitwise")
flux = run("flux", CASE, "--set", "output.fields=[\"heat_flux_x\", \"gradient\"]")
for words in ((asked, flux), (flux, asked)):  # without the field that stands first
    files = [os.path.join(folder, "run.h5") for folder in words]
    told = compare(*files, "--bitwise", "--common")
    check("field     gradient\n" in told and "temperature" in told and "heat_flux_x" in told, told)
    check("fields    2 in one of the files only\n" in told, told)
    compare(*files, "--bitwise", expect=1)

# One probe of several.
tables = [os.path.join(folder, "probes.csv") for folder in (one, asked)]
told = compare(*tables, "--field", "a", "--bitwise")
check(told.startswith("field     a_K\ntimes     5 compared") and "b_K" not in told, told)
told = invoke(["compare", *tables, "--field", "b"], 2).stderr
check("--field b: " + tables[0] + " holds no such probe; it has a_K" in told, told)

# Tables without a probe in common.
with open("others.csv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines).replace("a_K", "c_K") + "\n")
table = os.path.join(one, "probes.csv")
compare(table, "others.csv", expect=1)
told = invoke(["compare", table, "others.csv", "--common"], 2).stderr
check("have no probe in common" in told, told)
strange = copy(one, "strange")
shutil.copy("others.csv", os.path.join(strange, "probes.csv"))
told = compare(one, strange, "--common")
check("probes.csv: of different probes, left out\n" in told and told.count(": equal\n") == 2, told)
compare(one, strange, expect=1)

# Directories that have nothing in common are compared no more than such files.
os.makedirs("table", exist_ok=True)
shutil.copy("others.csv", os.path.join("table", "probes.csv"))
done = invoke(["compare", one, "table", "--common"], 2)
check("probes.csv: of different probes, left out\n" in done.stdout and "equal" not in done.stdout, done.stdout)
check(f"{one} and table have no time or probe in common" in done.stderr, done.stderr)
compare("table", "table", "--common")

# A part without a time in common hides none of the others.
apart = copy(one, "apart")
with open(os.path.join(apart, "probes.csv"), "w", encoding="utf-8") as file:
    file.write("\n".join([line for line in lines if not line[0].isdigit()] + ["1e9,300.0"]) + "\n")
told = compare(one, apart, expect=1)
check("probes.csv: different" in told and told.count(": equal\n") == 2, told)
told = compare(one, apart, "--common")
check("probes.csv: of different times, left out" in told and told.count(": equal\n") == 2, told)

# A resumed run leaves the checkpoint of one that was not stopped.
short = run("resumed", CASE)
invoke(["run", "longer.cfg", "--output", short, "--quiet", "--resume", "--set", "time.end=0.03"])
told = compare(short, longer, "--bitwise")
check(told.count(": equal\n") == 3, told)

# Another problem that comes to the same numbers; another precision is refused.
told = compare(newest(one), newest(run("problem", CASE, "--set", "materials.[0].name=\"z\"")), "--bitwise", expect=1)
check("values    1 differ in their bits: settings\n" in told, told)
single = run("single", CASE, "--set", "run.precision=\"single\"")
told = invoke(["compare", newest(one), newest(single)], 2).stderr
check("only checkpoints of the same precision can be compared" in told, told)

# Mistakes.
os.makedirs("empty", exist_ok=True)
for words, code, text in (((one, os.path.join(one, "run.h5")), 2, "one is a directory"),
                          ((one, "empty"), 2, "hold no run.h5, probes.csv or checkpoint of both"),
                          ((one, "nowhere"), 2, "one is a directory"),
                          ((one,), 2, "takes two files or directories, 1 given")):
    told = invoke(["compare", *words], code).stderr
    check(text in told and told.count("\n") == 1, f"{words}: {told}")
damaged = copy(two, "damaged")
with open(newest(damaged), "r+b") as file:
    file.seek(3000)
    file.write(b"x")
for words in ((one, damaged), (damaged, one)):
    done = invoke(["compare", *words, "--bitwise"], 5)
    check("are damaged; no other one was found: damaged: none of its 1 checkpoints can be used" in done.stderr,
          done.stderr)
    check(done.stdout.count(": equal\n") == 2, "the other results have been compared")
short = run("before", CASE, "--set", "time.end=0.01")
shutil.copy(newest(short), damaged)
left = os.path.basename(newest(short))
told = invoke(["compare", one, damaged], 5).stderr
check(f"are damaged; isotherm run --resume passes over it and goes on from {left}\n" in told, told)
told = invoke(["compare", newest(one), newest(damaged)], 5).stderr  # files by name
check(told.endswith("are damaged\n"), told)
# Nor does a resume use one that holds another step than that of its name, though it is intact.
renamed = copy(one, "renamed")
os.rename(newest(renamed), os.path.join(renamed, "checkpoint-999.h5"))
for words in ((one, renamed), (renamed, one)):
    done = invoke(["compare", *words, "--common"], 5)
    check("not the one of its name; no other one was found: renamed: none of its 1 " in done.stderr, done.stderr)
    check(done.stdout.count(": equal\n") == 2, done.stdout)
shutil.copy(newest(short), renamed)
told = invoke(["compare", renamed, one], 5).stderr
check(f"not the one of its name; isotherm run --resume passes over it and goes on from {left}\n" in told, told)
compare(newest(one), os.path.join(renamed, "checkpoint-999.h5"), "--bitwise")  # files by name

with h5py.File(newest(one)) as file:
    check("face_sum_left" in file and "values" in file, "what the balance is made of is in a checkpoint")
finish()
