import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import PROGRAM, centres, check, finish, invoke, run, series, write_input

# Heat flux, gradient and material in snapshots, whole and reduced, against formulas of their own here:
# harmonic means of conductivities, contacts in series, and at the walls what their conditions say.
NX, NY = 31, 23
SIZE = (0.31, 0.115)
DX, DY = SIZE[0] / NX, SIZE[1] / NY
FIELDS = ["temperature", "heat_flux_x", "heat_flux_y", "gradient", "material"]
CONDUCTIVITY = numpy.array([[40.0, 40.0], [3.0, 11.0], [0.0, 0.0]])  # (material, axis)
CONTACT = 2e-3  # between the first two
CASE = {
    "domain": {"size": list(SIZE), "cells": [NX, NY]},
    "materials": (
        {"name": "base", "conductivity": 40.0, "density": 7000.0, "heat_capacity": 450.0},
        {"name": "grain", "conductivity": [3.0, 11.0], "density": 5000.0, "heat_capacity": 600.0},
        {"name": "void", "conductivity": 0.0, "density": 1.2, "heat_capacity": 1000.0}),
    "contacts": ({"material": "base", "beside": "grain", "resistance": CONTACT},),
    "geometry": {"shapes": (
        {"type": "rectangle", "from": [0.1, 0.0], "to": [0.2, 0.06], "material": "grain"},
        {"type": "rectangle", "from": [0.22, 0.05], "to": [0.28, 0.1], "material": "void"})},
    "initial": {"temperature": "300+40*sin(30*x)*cos(50*y)+200*x"},
    "boundary": {
        "left": {"type": "temperature", "value": "350+300*s+2*t"},
        "right": {"type": "convection", "coefficient": "90+100*s", "ambient": 280.0},
        "bottom": {"type": "flux", "value": "1500*(1+t)"},
        "top": {"type": "insulated"}},
    "time": {"end": 0.4},
    "output": {"interval": 0.1, "fields": FIELDS},
    "checkpoint": {"interval": 0.0},
}


def conductance(a, b, axis, d):
    """W/m2/K from cell to cell of materials a and b."""
    ka, kb = CONDUCTIVITY[a, axis], CONDUCTIVITY[b, axis]
    with numpy.errstate(divide="ignore"):
        resistance = d / 2 / ka + d / 2 / kb + numpy.where((a != b) & (a + b == 1), CONTACT, 0.0)
    return 1.0 / resistance


def walls(T, material, t):
    """Flux into the plate, W/m2, and slope of the temperature out of it, K/m, on each side."""
    x, y = centres(NX, SIZE[0]), centres(NY, SIZE[1])
    k = {side: CONDUCTIVITY[at, axis] for side, at, axis in (
        ("left", material[:, 0], 0), ("right", material[:, -1], 0), ("bottom", material[0], 1))}
    left = (350 + 300 * y + 2 * t - T[:, 0]) / (DX / 2)
    right = (280.0 - T[:, -1]) / (1 / (90 + 100 * y) + DX / 2 / k["right"])
    bottom = numpy.full(NX, 1500 * (1 + t))
    zero = numpy.zeros(NX)
    return {"left": (k["left"] * left, left), "right": (right, right / k["right"]),
            "bottom": (bottom, bottom / k["bottom"]), "top": (zero, zero)}


def expected(T, material, t, periodic=False):
    side = walls(T, material, t)
    fluxes, slopes = [], []
    for axis, d, low, high in ((0, DX, "left", "right"), (1, DY, "bottom", "top")):
        turned = T if axis == 0 else T.T
        of = material if axis == 0 else material.T
        rise = numpy.diff(turned, axis=1) / d
        flux = -conductance(of[:, :-1], of[:, 1:], axis, d) * d * rise
        ends = [(side[low][0], -side[low][1]), (-side[high][0], side[high][1])]
        if periodic and axis == 0:
            around = (turned[:, 0] - turned[:, -1]) / d
            ends = 2 * [(-conductance(of[:, -1], of[:, 0], axis, d) * d * around, around)]
        flux = numpy.column_stack((ends[0][0], flux, ends[1][0]))
        rise = numpy.column_stack((ends[0][1], rise, ends[1][1]))
        mean = [(faces[:, 1:] + faces[:, :-1]) / 2 for faces in (flux, rise)]
        fluxes.append(mean[0] if axis == 0 else mean[0].T)
        slopes.append(mean[1] if axis == 0 else mean[1].T)
    return {"heat_flux_x": fluxes[0], "heat_flux_y": fluxes[1],
            "gradient": numpy.hypot(slopes[0], slopes[1])}


def compare(folder, text, tolerance, periodic=False):
    material = series(folder, "material").astype(int)
    for frame, t in enumerate(series(folder, "time")):
        wanted = expected(series(folder)[frame].astype(float), material, t, periodic)
        for name, values in wanted.items():
            worst = abs(series(folder, name)[frame] - values).max() / abs(values).max()
            check(worst < tolerance, f"{text}: {name} at {t} s is off by {worst:.2e}")


# Double and single, and periodic in x.
whole = run("whole", CASE)
material = series(whole, "material")
check((material == 1).sum() == 10 * 12 and (material == 2).sum() == 6 * 10, "materials")
compare(whole, "double", 1e-12)
compare(run("narrow", CASE, "--set", "run.precision=single"), "single", 1e-12)
compare(run("file", CASE, "--set", "output.precision=single"), "single in the file", 1e-5)
around = {**CASE, "boundary": {**CASE["boundary"], "left": {"type": "periodic"},
                               "right": {"type": "periodic"}}}
compare(run("around", around), "periodic", 1e-12, True)

# Nothing goes into what does not conduct, and the wall lets through what it was told to.
void = material == 2
inner = void[1:-1, 1:-1] & void[:-2, 1:-1] & void[2:, 1:-1] & void[1:-1, :-2] & void[1:-1, 2:]
check(inner.any() and (series(whole, "heat_flux_x")[:, 1:-1, 1:-1][:, inner] == 0).all(),
      "no heat flows in the void")

# A straight temperature: Fourier's law, everywhere to the last cell. One material: no field of it
# unless it is asked for.
plain = {**{key: CASE[key] for key in ("domain", "time", "checkpoint")},
         "materials": CASE["materials"][:1], "initial": {"temperature": "300+200*x-70*y"},
         "boundary": {"left": {"type": "temperature", "value": "300-70*s"},
                      "right": {"type": "temperature", "value": "362-70*s"},
                      "bottom": {"type": "flux", "value": 40.0 * 70},
                      "top": {"type": "flux", "value": -40.0 * 70}},
         "output": {"fields": ["gradient", "heat_flux_y", "heat_flux_x"]}}
folder = run("straight", plain)
for name, value in (("heat_flux_x", -40.0 * 200), ("heat_flux_y", 40.0 * 70),
                    ("gradient", (200**2 + 70**2)**0.5)):
    check(abs(series(folder, name) - value).max() < 1e-6, f"straight: {name}")
with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
    check("temperature" not in file and "material" not in file, f"straight: {list(file)}")
said = invoke(["info", os.path.join(folder, "run.h5")]).stdout
check("fields    heat_flux_x, heat_flux_y, gradient" in said and "min [W/m2]" in said, said)
with h5py.File(os.path.join(run("one", plain, "--set", 'output.fields=["temperature", "material"]'),
                            "run.h5"), "r") as file:
    check((file["material"][...] == 0).all() and "gradient" not in file, "material of one")

# A bar on the way from 1000 K to what its end radiates (NAFEMS T2), at rest: the same flux in every cell,
# of which the end sends out all; with a conductivity that grows from cell to cell too.
SIGMA = 5.670374419e-8
for conductivity in (55.6, "30+600*x"):
    bar = {"domain": {"size": [0.1, 0.01], "cells": [20, 1]},
           "materials": ({"name": "bar", "conductivity": conductivity, "density": 7850.0, "heat_capacity": 460.0},),
           "initial": {"temperature": 1000.0},
           "boundary": {"left": {"type": "temperature", "value": 1000.0},
                        "right": {"type": "radiation", "emissivity": 0.98, "ambient": 300.0}},
           "time": {"steady": True, "tolerance": 1e-9},
           "output": {"precision": "double", "fields": ["temperature", "heat_flux_x"]}}
    folder = run("bar", bar)
    flux, end = series(folder, "heat_flux_x")[-1, 0], series(folder)[-1, 0, -1]
    k = 55.6 if conductivity == 55.6 else 30 + 600 * 0.0975
    wall = end - flux[-1] * 0.0025 / k
    check(flux.max() / flux.min() - 1 < 1e-6, f"bar: {flux}")
    check(abs(flux[-1] / (0.98 * SIGMA * (wall**4 - 300**4)) - 1) < 1e-6, f"bar: {flux[-1]} leaves at {wall} K")

# Units, scales and netCDF dimensions of every field.
UNITS = {"temperature": "K", "heat_flux_x": "W/m2", "heat_flux_y": "W/m2", "gradient": "K/m"}
with h5py.File(os.path.join(whole, "run.h5"), "r") as file:
    for name, unit in UNITS.items():
        check(file[name].attrs["units"] == unit.encode(), f"{name}: {file[name].attrs['units']}")
        scales = [dimension[0].name for dimension in file[name].dims]
        check(scales == ["/time", "/y", "/x"], f"{name}: scales {scales}")
    check(file["temperature"].attrs["Attribute"] == b"Scalars", "VTK colours by the temperature")

# A part of the cells: the same values in the same places.
PART = ["--set", "output.region={from=[0.04, 0.02]; to=[0.26, 0.1];}", "--set", "output.stride=[3, 2]"]
columns = numpy.arange(4, 26, 3)  # centres from 0.045 to 0.255 m, every third
rows = numpy.arange(4, 20, 2)
for compression in ("none", "fast"):
    part = run("part", CASE, *PART, "--set", f"output.compression={compression}")
    for name in FIELDS:
        kept = series(whole, name)[..., rows[:, None], columns]
        check(series(part, name).tobytes() == kept.tobytes(), f"{compression}: {name} of the part")
    for name, numbers, d in (("x", columns, DX), ("y", rows, DY)):
        places = series(part, name)
        check(len(places) == len(numbers) and abs(places - (numbers + 0.5) * d).max() < 1e-15,
              f"places along {name}: {places}")
        check(abs(series(part, name + "_bnds") - numpy.column_stack((numbers, numbers + 1)) * d).max()
              < 1e-15, f"bounds along {name}")
    for name in ("energy", "heat_left", "heat_bottom", "step"):
        check(series(part, name).tobytes() == series(whole, name).tobytes(),
              f"{name} is of the whole plate")
with h5py.File(os.path.join(part, "run.vtkhdf"), "r") as file:
    root = file["VTKHDF"]
    check(list(root.attrs["WholeExtent"]) == [0, 8, 0, 8, 0, 0], f"{root.attrs['WholeExtent']}")
    check(numpy.allclose(root.attrs["Spacing"], [3 * DX, 2 * DY, 1], rtol=1e-14), "spacing")
    # VTK's cells have the kept ones in their middle.
    check(numpy.allclose(root.attrs["Origin"], [3 * DX, 3.5 * DY, 0], rtol=1e-14),
          f"origin {root.attrs['Origin']}")
    for name in FIELDS:
        check((root["CellData"][name][-1] == series(part, name).reshape((-1, 8, 8))[-1]).all(),
              f"{name} by way of run.vtkhdf")
    check(not root["Steps/CellDataOffsets/material"][...].any(), "the material has one time")

# The number of threads that sum and pack changes nothing: 3 chunks a field and room for 4 partial sums.
large = {**CASE, "domain": {"size": list(SIZE), "cells": [1301, 1103]}, "time": {"end": 1e-3},
         "output": {"fields": FIELDS}}
one = run("one", large, "--set", "output.threads=1")
for threads in (2, 5):
    many = run("many", large, "--set", f"output.threads={threads}")
    with h5py.File(os.path.join(one, "run.h5"), "r") as a, h5py.File(os.path.join(many, "run.h5"), "r") as b:
        check(a["temperature"].id.get_num_chunks() == 6, "3 chunks a frame")
        for name in a:
            check(a[name][...].tobytes() == b[name][...].tobytes(), f"{name} with {threads} threads")

# Commands on files with several fields, whole and reduced.
WHOLE, SOME = (os.path.join(folder, "run.h5") for folder in (whole, part))
invoke(["compare", WHOLE, WHOLE, "--bitwise"])
other = os.path.join(run("other", CASE, "--set", "output.fields=[\"temperature\", \"gradient\"]"), "run.h5")
check("differ" in invoke(["compare", WHOLE, other, "--bitwise"], 1).stdout, "fields are missing")
invoke(["compare", WHOLE, other])
invoke(["compare", WHOLE, other, "--field", "gradient"])
check(f"--field heat_flux_x: {other} holds no such field" in
      invoke(["compare", WHOLE, other, "--field", "heat_flux_x"], 2).stderr,
      "compare names the missing field")
said = invoke(["compare", WHOLE, other]).stdout
check(said.startswith("field     temperature\n"), said)
check("left out  heat_flux_x, heat_flux_y, gradient\n" in said or
      "left out  heat_flux_x, heat_flux_y, gradient, material\n" in said, said)
check("31 x 23 cells" in invoke(["compare", WHOLE, SOME], 2).stderr, "other cells are not compared")
moved = os.path.join(run("moved", CASE, *PART, "--set", "output.region.from=[0.045, 0.03]", "--set",
                         "output.region.to=[0.265, 0.11]"), "run.h5")
check("in other places" in invoke(["compare", SOME, moved], 2).stderr, "nor cells in other places")
with h5py.File("changed.h5", "w") as file, h5py.File(WHOLE, "r") as source:
    for name in source:
        source.copy(name, file)
    file["heat_flux_y"][-1, 2, 3] += 1.0
invoke(["compare", WHOLE, "changed.h5"])
invoke(["compare", WHOLE, "changed.h5", "--bitwise"], 1)
said = invoke(["compare", WHOLE, "changed.h5", "--bitwise"], 1).stdout
check("values    1 differ in their bits: heat_flux_y\n" in said, said)

# All that a file holds counts to the last bit, what is one number for each time too, and is named.
with h5py.File(WHOLE, "r") as file:
    numbers = [name for name in file if file[name].maxshape == (None,) and name != "time"]
    stills = [name for name in file if file[name].shape == (NY, NX)]
check({"step", "energy", "heat_left", "heat_loss", "residual"} <= set(numbers) and len(stills) == 4,
      f"{numbers}, {stills}")
for names in [[name] for name in numbers + stills] + [["energy", "heat_left"]]:
    shutil.copy(WHOLE, "wrong.h5")
    with h5py.File("wrong.h5", "r+") as file:
        for name in names:
            held = file[name][...]
            held.flat[1] = held.flat[1] + 1 if held.dtype.kind in "iu" else numpy.nextafter(held.flat[1], numpy.inf)
            del file[name]  # h5py writes no frame over one with a checksum
            file[name] = held
    said = invoke(["compare", WHOLE, "wrong.h5", "--bitwise"], 1).stdout
    text = f"values    {len(names)} differ in their bits: "
    found = [line[len(text):].split(", ") for line in said.splitlines() if line.startswith(text)]
    check(found and set(found[0]) == set(names) and said.endswith("different\n"), f"{names}: {said}")
    check(invoke(["compare", WHOLE, "wrong.h5"]).stdout.endswith("equal\n"), f"{names}: temperature alone")
said = invoke(["compare", WHOLE, "wrong.h5", "--field", "energy"], 1).stdout
check(said.startswith("field     energy\n") and "J/m" in said and "cell" not in said and "t = 0.1 s" in said, said)
invoke(["compare", WHOLE, "wrong.h5", "--field", "energy", "--tolerance", "1"])
invoke(["compare", WHOLE, "wrong.h5", "--field", "heat_top", "--bitwise"])
with h5py.File("wrong.h5", "r+") as file:
    del file["residual"]
said = invoke(["compare", WHOLE, "wrong.h5", "--bitwise"], 1).stdout
check("left out  residual\n" in said and "fields    1 in one of the files only" in said, said)
said = invoke(["compare", WHOLE, "changed.h5", "--field", "heat_flux_y"], 1).stdout
check("W/m2" in said and "cell (3, 2)" in said, said)

table = invoke(["export", SOME, "--format", "csv", "--field", "heat_flux_x", "-o", "-"]).stdout.split()
check(table[0] == "x_m,y_m,heat_flux_x_W_per_m2", table[0])
values = numpy.array([line.split(",") for line in table[1:]], dtype=float)
check(values[:, 2].tobytes() == series(part, "heat_flux_x")[-1].tobytes() and
      values[:8, 0].tobytes() == series(part, "x").tobytes() and
      values[::8, 1].tobytes() == series(part, "y").tobytes(), "the table")
invoke(["export", SOME, "--format", "raw", "--field", "gradient", "-o", "part.raw"])
with open("part.raw.txt", encoding="utf-8") as file:
    about = dict(line.strip().split(" = ") for line in file)
check(about["quantity"] == "gradient" and about["unit"] == "K/m" and
      abs(float(about["origin_x_m"]) - 3 * DX) < 1e-12 and
      abs(float(about["size_x_m"]) - 8 * 3 * DX) < 1e-12, f"{about}")
for command in (["export", "--format", "csv"], ["info"], ["compare", SOME]):
    check(command[0] == "compare" or "--field energy" in (said := invoke([*command, SOME, "--field", "energy"], 2).stderr) and
          "numbers over time" in said, f"{command[0]}: energy is no field: {said}")
    check("did you mean gradient" in (said := invoke([*command, SOME, "--field", "gradiant"], 2).stderr),
          f"{command[0]}: a field that is not there: {said}")

# Without --field the temperature, and a line that says which others there are.
said = invoke(["export", SOME, "--format", "csv", "-o", "part.csv"]).stdout
check(said.splitlines()[0] == "field     temperature; there are heat_flux_x, heat_flux_y, gradient too "
      "(--field)", said)
check("there" not in invoke(["export", SOME, "--format", "csv", "-o", "part.csv", "--field",
                             "temperature"]).stdout, "it was named")

# All commands find what other programs put there.
with h5py.File("changed.h5", "a") as file:
    file["wear"] = 3.5 * numpy.ones(file["temperature"].shape)
    file["wear"].attrs["units"] = "mm"
    file["wear"][-1, 1, 2] = 9.25
    file["zone"] = numpy.zeros(file["temperature"].shape[1:])
said = invoke(["info", "changed.h5", "--field", "wear"]).stdout
check("of wear" in said and "max [mm]" in said and "9.25" in said, said)
table = invoke(["export", "changed.h5", "--format", "csv", "--field", "wear", "-o", "-"]).stdout.split()
check(table[0] == "x_m,y_m,wear_mm" and sum(line.endswith(",9.25") for line in table) == 1, table[0])
check(invoke(["compare", "changed.h5", "changed.h5", "--field", "zone"]).stdout.endswith("equal\n"), "zone")
said = invoke(["info", SOME, "--field", "gradient"]).stdout
check("8 x 8 cells, 0.24 x 0.08 m from x = 0.03 m, y = 0.0175 m" in said and "K/m" in said, said)
check("choose 0.03 to 0.27" in invoke(["plot", SOME, "--line", "x=0.01"], 2).stderr, "a line outside")
for arguments in (["--field", "gradient"], ["--field", "material"],
                  ["--line", "y=0.05", "--field", "heat_flux_y"]):
    done = subprocess.run([PROGRAM, "plot", SOME, *arguments, "-o", "part.png"], capture_output=True,
                          text=True, check=False)
    check(done.returncode == 0 or "libpng" in done.stderr, f"plot {arguments}: {done}")

# Times that only one of two files has make them different, unless only the common ones are asked for.
fewer = os.path.join(run("fewer", plain, "--set", "output.interval=0.0"), "run.h5")
more = os.path.join(run("more", plain, "--set", f"output.interval={plain['time']['end'] / 4}"), "run.h5")
for a, b, count in ((fewer, more, "0 only in the first, 3 only in the second"),
                    (more, fewer, "3 only in the first, 0 only in the second")):
    said = invoke(["compare", a, b], 1).stdout
    check(count in said and "--common" in said and said.endswith("different\n"), said)
    invoke(["compare", a, b, "--bitwise"], 1)
    said = invoke(["compare", a, b, "--common", "--tolerance", "1e-6"]).stdout
    check("2 compared, " + count in said and said.endswith("equal\n"), said)

# A field read from a reduced file is of other cells than the domain.
start = {**plain, "initial": {"temperature": {"file": os.path.abspath(SOME), "dataset": "/temperature"}}}
check("8 x 8 cells" in invoke(["check", write_input("start", start)], 5).stderr,
      "a start from a part is refused")
finish()
