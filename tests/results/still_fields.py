import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import centres, check, finish, invoke, run, series

# What does not change with time and is in every run.h5: conductivities, heat capacity and the source, whole
# and reduced, against values of their own here.
NX, NY = 40, 30
SIZE = (0.2, 0.12)
DX, DY = SIZE[0] / NX, SIZE[1] / NY
X, Y = numpy.meshgrid(centres(NX, SIZE[0]), centres(NY, SIZE[1]))
STILLS = {"conductivity_x": "W/m/K", "conductivity_y": "W/m/K", "volumetric_heat_capacity": "J/m3/K",
          "source": "W/m3"}
rng = numpy.random.default_rng(3)
HEAT = rng.uniform(-1e5, 1e5, (NY, NX))
with h5py.File("heat.h5", "w") as file:
    file["q"] = HEAT
with open("chip.flp", "w", encoding="utf-8") as file:  # name, width, height, left, bottom
    file.write("core 0.05 0.04 0.01 0.02\n")
with open("chip.ptrace", "w", encoding="utf-8") as file:
    file.write("core\n8.0\n3.0\n")
CASE = {
    "domain": {"size": list(SIZE), "cells": [NX, NY]},
    "materials": (
        {"name": "base", "conductivity": 40.0, "density": 7000.0, "heat_capacity": 450.0},
        {"name": "grain", "conductivity": [3.0, 11.0], "density": 5000.0, "heat_capacity": 600.0}),
    "geometry": {"shapes": (
        {"type": "rectangle", "from": [0.1, 0.0], "to": [0.15, 0.06], "material": "grain"},)},
    "initial": {"temperature": 300.0},
    "sources": (
        {"type": "uniform", "power_density": 2e5, "region": {"from": [0.02, 0.02], "to": [0.06, 0.08]}},
        {"type": "uniform", "power_density": 3e4, "region": {"material": "grain"}, "factor": 0.5},
        {"type": "gaussian", "power": 70.0, "radius": 0.02, "path": ([0.0, 0.1, 0.05],)},
        {"type": "file", "file": "heat.h5", "dataset": "/q", "factor": 2.0},
        {"type": "floorplan", "floorplan": "chip.flp", "trace": "chip.ptrace", "interval": 1.0,
         "thickness": 1e-3}),
    "time": {"end": 0.5},
    "output": {"interval": 0.25},
    "checkpoint": {"interval": 0.0},
}
grain = (X > 0.1) & (X < 0.15) & (Y < 0.06)
EXPECTED = {
    "conductivity_x": numpy.where(grain, 3.0, 40.0),
    "conductivity_y": numpy.where(grain, 11.0, 40.0),
    "volumetric_heat_capacity": numpy.where(grain, 5000.0 * 600.0, 7000.0 * 450.0),
}


def source():
    """The gaussian's mean over a cell is near its value in the middle of 16 x 16 points."""
    q = 2e5 * ((X > 0.02) & (X < 0.06) & (Y > 0.02) & (Y < 0.08)) + 1.5e4 * grain + 2.0 * HEAT
    q += 8.0 / (0.05 * 0.04 * 1e-3) * ((X > 0.01) & (X < 0.06) & (Y > 0.02) & (Y < 0.06))
    fine_x, fine_y = centres(16 * NX, SIZE[0]), centres(16 * NY, SIZE[1])
    r2 = (fine_x[None, :] - 0.1)**2 + (fine_y[:, None] - 0.05)**2
    spot = 70.0 * 2 / (numpy.pi * 0.02**2) * numpy.exp(-2 * r2 / 0.02**2)
    return q + spot.reshape(NY, 16, NX, 16).mean(axis=(1, 3))


EXPECTED["source"] = source()


def look(folder, text, tolerance, part=(slice(None), slice(None))):
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        for name, unit in STILLS.items():
            held, wanted = file[name], EXPECTED[name][part]
            worst = abs(held[...] - wanted).max() / abs(wanted).max()
            check(worst < tolerance, f"{text}: {name} is off by {worst:.2e}")
            check(held.dtype == file["temperature"].dtype, f"{text}: {name} is {held.dtype}")
            check(held.attrs["units"] == unit.encode(), f"{text}: {name} in {held.attrs['units']}")
            check([dimension[0].name for dimension in held.dims] == ["/y", "/x"], f"{text}: scales of {name}")
            check(held.chunks is not None and held.fletcher32, f"{text}: {name} has checksums")


whole = run("whole", CASE)
look(whole, "whole", 1e-4)
look(run("ranks", CASE, "--set", "run.ranks=2"), "two ranks", 1e-4)
for name in STILLS:
    check(series("ranks", name).tobytes() == series(whole, name).tobytes(), f"{name} of two ranks")
look(run("single", CASE, "--set", "output.precision=single"), "single", 1e-4)
PART = ["--set", "output.region={from=[0.03, 0.01]; to=[0.17, 0.11];}", "--set", "output.stride=[3, 2]"]
for compression in ("none", "fast", "small"):
    part = run("part", CASE, *PART, "--set", f"output.compression={compression}")
    kept = (numpy.rint(series(part, "y") / DY - 0.5).astype(int)[:, None],
            numpy.rint(series(part, "x") / DX - 0.5).astype(int))
    look(part, compression, 1e-4, kept)
    for name in STILLS:
        check(series(part, name).tobytes() == series(whole, name)[kept].tobytes(), f"{compression}: {name}")

# Properties by cell, and a source that begins from nothing: of the first step, which lies around its middle.
by_cell = {**CASE, "materials": (
    {"name": "base", "conductivity": ["20+100*x", "30+y"], "density": "7000*(1+x)", "heat_capacity": 450.0},),
    "geometry": {}, "sources": ({"type": "uniform", "power_density": 1e5, "factor": "t"},)}
folder = run("by_cell", by_cell, "--set", "time.step=0.001")
for name, wanted in (("conductivity_x", 20 + 100 * X), ("conductivity_y", 30 + Y),
                     ("volumetric_heat_capacity", 7000 * (1 + X) * 450), ("source", 1e5 * 0.0005 + 0 * X)):
    check(abs(series(folder, name) / wanted - 1).max() < 1e-12, f"by cell: {name}")

# Large and with several chunks; the number of threads changes nothing.
large = {**CASE, "domain": {"size": list(SIZE), "cells": [1301, 1103]}, "time": {"end": 1e-4}, "output": {},
         "sources": CASE["sources"][:1]}
one = run("one", large, "--set", "output.threads=1")
many = run("many", large, "--set", "output.threads=4")
with h5py.File("one/run.h5", "r") as a, h5py.File("many/run.h5", "r") as b:
    check(a["source"].id.get_num_chunks() == 3, f"{a['source'].id.get_num_chunks()} chunks")
    for name in STILLS:
        check(a[name][...].tobytes() == b[name][...].tobytes(), f"{name} by 1 and 4 threads")
    x, y = a["x"][...], a["y"][...][:, None]
    wanted = numpy.where((x > 0.1 - 1e-9) & (x < 0.15) & (y < 0.06 + 1e-9), 3.0, 40.0)
    check((a["conductivity_x"][...] == wanted).all(), "conductivity of many cells")

# One material and no source: no chunk is stored, whatever the size, and readers see the values.
plain = {**CASE, "materials": CASE["materials"][1:], "geometry": {}, "sources": ()}
for compression in ("none", "fast"):
    folder = run("plain", plain, "--set", f"output.compression={compression}")
    with h5py.File("plain/run.h5", "r") as file:
        check("source" not in file and "material" not in file, f"plain: {list(file)}")
        for name, value in (("conductivity_x", 3.0), ("conductivity_y", 11.0),
                            ("volumetric_heat_capacity", 3e6)):
            check(file[name].id.get_num_chunks() == 0 and (file[name][...] == value).all(), f"plain: {name}")
            check("_FillValue" not in file[name].attrs, f"plain: {name} is a value, not a missing one")
if shutil.which("ncdump"):
    shown = subprocess.run(["ncdump", "-v", "conductivity_y", "plain/run.h5"], capture_output=True, text=True,
                           check=True).stdout
    values = shown[shown.rindex("conductivity_y ="):].split("=")[1].strip(" \n;}").replace("\n", "").split(",")
    check(len(values) == NX * NY and {float(value) for value in values} == {11.0}, f"ncdump: {values[:5]}")

# Such a field is as good as another for the next run.
fed = {**plain, "materials": ({"name": "fed", "density": 5000.0, "heat_capacity": 600.0, "conductivity":
                               {"file": "plain/run.h5", "dataset": "/conductivity_y"}},)}
check((series(run("fed", fed), "conductivity_x") == 11.0).all(), "conductivity from a field that is stored nowhere")

# The view for ParaView, and the commands.
for folder in ("whole", "plain"):
    with h5py.File(f"{folder}/run.vtkhdf", "r") as file, h5py.File(f"{folder}/run.h5", "r") as results:
        for name in set(STILLS) & set(results):
            seen = file["VTKHDF/CellData"][name]
            check((seen[0] == results[name][...]).all(), f"{folder}: {name} by way of run.vtkhdf")
            check(not file["VTKHDF/Steps/CellDataOffsets"][name][...].any(), f"{folder}: one time of {name}")
said = invoke(["plot", "--field", "list", "whole/run.h5"]).stdout
check(all(any(line.split()[0] == name and unit in line for line in said.splitlines())
          for name, unit in STILLS.items()), said)
said = invoke(["info", "--field", "conductivity_y", "whole/run.h5"]).stdout
check("min [W/m/K]" in said and " 11 " in said, said)
invoke(["export", "whole/run.h5", "--field", "source", "--format", "csv", "-o", "source.csv"])
held = numpy.loadtxt("source.csv", delimiter=",", skiprows=1)[:, 2].reshape(NY, NX)
check((held == series(whole, "source")).all(), "source as CSV")
check("equal" in invoke(["compare", "--bitwise", "--field", "source", "whole/run.h5", "ranks/run.h5"]).stdout,
      "compare --field source")

# A resume that finds run.h5 gone begins a new one, with the same fields.
again = {**CASE, "checkpoint": {"interval": "0.25 s"}}
folder = run("again", again, "--set", "time.end=0.25")
before = {name: series(folder, name).tobytes() for name in STILLS}
os.remove("again/run.h5")
invoke(["run", "again.cfg", "--output", "again", "--quiet", "--resume"])
check(before == {name: series(folder, name).tobytes() for name in STILLS}, "fields of a file made by a resume")
finish()
