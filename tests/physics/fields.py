import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import h5py
import numpy
from case import centres, check, finish, invoke, last, orders, run, series, write_input

# Properties that differ from cell to cell, from files and expressions.
random = numpy.random.default_rng(5)
WALLS = {"left": {"type": "temperature", "value": 0.0}, "right": {"type": "temperature", "value": 1.0}}


def case(cells, k=1.0, density=1.0, heat_capacity=1.0, materials=(), **changes):
    first = {"name": "m", "conductivity": k, "density": density, "heat_capacity": heat_capacity}
    return {"domain": {"size": [1.0, 1.0], "cells": cells}, "materials": (first, *materials),
            "initial": {"temperature": 0.0}, "time": {"end": 1.0}, "output": {"precision": "double"},
            "run": {"backend": "cpu"}, **changes}


def text(name, field):
    with open(name, "w", encoding="utf-8") as file:
        file.write(f"# {field.shape[1]} {field.shape[0]}\n")
        for row in field:
            file.write(" ".join(map(repr, row.tolist())) + "\n")
    return {"file": name}


def hdf5(name, field):
    with h5py.File(name, "w") as file:
        file["k"] = field
    return {"file": name, "dataset": "/k"}


# Whatever layers a wall has, its flux is dT / sum(d/k): harmonic means make that exact cell by cell.
for axis, (cells, sides) in enumerate((([24, 3], ("left", "right")), ([3, 24], ("bottom", "top")))):
    layers = random.uniform(0.5, 5.0, 24)
    field = numpy.tile(layers, (3, 1)) if axis == 0 else numpy.tile(layers[:, None], (1, 3))
    walls = dict(zip(sides, WALLS.values()))
    flux = 1.0 / (1 / 24 / layers).sum()
    inside = numpy.cumsum(1 / 24 / layers) - 0.5 / 24 / layers
    for form in (text("layers.dat", field), hdf5("layers.h5", field)):
        folder = run("layers", case(cells, form, boundary=walls, time={"end": 8.0}))
        line = last(folder)[1, :] if axis == 0 else last(folder)[:, 1]
        error = numpy.abs(line - flux * inside).max()
        check(error < 1e-12, f"layers along axis {axis}: {error:.2e}")

# k = 1 + x between 0 and 1: T = ln(1 + x) / ln 2, to second order. In y it is another one.
errors = []
for n in (10, 20, 40):
    folder = run("graded", case([n, 2], ("1+x", "3"), boundary=WALLS, time={"end": 4.0}))
    errors.append(numpy.abs(last(folder)[0] - numpy.log1p(centres(n, 1.0)) / math.log(2)).max())
check(errors[-1] < 2e-4 and min(orders(errors)) > 1.9, f"graded: errors {errors}")
folder = run("turned", case([2, 40], ("3", "1+y"), time={"end": 4.0}, boundary=dict(
    zip(("bottom", "top"), WALLS.values()))))
check(numpy.abs(last(folder)[:, 0] - last(run("graded", case(
    [40, 2], ("1+x", "3"), boundary=WALLS, time={"end": 4.0})))[0]).max() < 1e-12, "graded along y")

# Numbers written as fields are the same problem, with everything that a problem can have.
hard = {"name": "hard", "conductivity": [10.0, 3.0], "density": 1.0, "heat_capacity": 4.0}
for scheme in ("euler", "rkl2"):
    shape = {"type": "circle", "centre": [0.4, 0.5], "radius": 0.3, "material": "hard"}
    both = [last(run("same", case(
        [20, 22], k, density, 0.5, (hard,), geometry={"shapes": (shape,)},
        contacts=({"material": "hard", "beside": "m", "resistance": 0.02},),
        boundary={"left": {"type": "convection", "coefficient": 9.0, "ambient": "40*t"},
                  "right": {"type": "flux", "value": "20*s"},
                  "top": {"type": "temperature", "value": "5*s"}},
        sources=({"type": "uniform", "power_density": 300.0, "region": {"material": "hard"}},
                 {"type": "gaussian", "power": 40.0, "radius": 0.1, "path": ([0.0, 0.6, 0.2],)}),
        loss={"coefficient": 7.0, "ambient": 11.0}, time={"end": 0.3, "scheme": scheme})))
        for k, density in ((1.0, 2.0), ("1+0*x", text("two.dat", numpy.full((22, 20), 2.0))))]
    # A step of its own, as the limit is found cell by cell; so only to the error of a step.
    check(numpy.abs(both[0] - both[1]).max() < (2e-3 if scheme == "euler" else 0.05) * both[0].max(),
          f"{scheme}: fields as numbers, {numpy.abs(both[0] - both[1]).max():.2e}")
    fixed_step = [last(run("same", case(
        [20, 22], k, 2.0, 0.5, (hard,), geometry={"shapes": (shape,)}, boundary=WALLS,
        time={"end": 0.02, "step": 5e-5 if scheme == "euler" else 1e-3, "scheme": scheme})))
        for k in (1.0, "1+0*x")]
    check(numpy.abs(fixed_step[0] - fixed_step[1]).max() < 1e-12, f"{scheme}: with the same step")

# A closed box keeps sum(rho c T) and ends at its mean; what sources give is found again.
density, capacity = random.uniform(1.0, 3.0, (2, 18, 20))
volumetric = density * capacity
start = {"temperature": "300+20*x-7*y"}
x, y = numpy.meshgrid(centres(20, 1.0), centres(18, 1.0))
box = case([20, 18], ("0.7+0.5*x*y", "1-0.4*x"), text("density.dat", density),
           text("capacity.dat", capacity), initial=start, time={"end": 8.0})
for scheme in ("euler", "rkl2"):
    box["time"]["scheme"] = scheme
    folder = run("box", box)
    energy, field = series(folder, "energy"), last(folder)
    check(abs(energy[-1] / energy[0] - 1) < 1e-12, f"{scheme}: energy of a closed box")
    check(abs(energy[0] - (volumetric * (300 + 20 * x - 7 * y)).mean()) < 1e-9, f"{scheme}: energy")
    mean = (volumetric * (300 + 20 * x - 7 * y)).sum() / volumetric.sum()
    check(numpy.abs(field - mean).max() < 1e-5, f"{scheme}: the box ends at its mean")
    folder = run("heated", dict(box, sources=(
        {"type": "uniform", "power_density": 9.0, "factor": "1+t"},
        {"type": "uniform", "power_density": 5.0, "region": {"from": [0.0, 0.0], "to": [0.5, 0.5]}}),
        boundary={"left": {"type": "temperature", "value": 310.0},
                  "top": {"type": "flux", "value": -3.0}}))
    heat = numpy.abs(series(folder, "heat_sources")[-1])
    check(abs(series(folder, "residual")[-1]) < 1e-9 * heat, f"{scheme}: residual")

# Without conduction each cell cools on its own: T = exp(-h t / (rho c)).
folder = run("cooling", case([20, 18], 0.0, text("density.dat", density),
                             text("capacity.dat", capacity), initial={"temperature": 1.0},
                             loss={"coefficient": 2.0, "ambient": 0.0}, time={"end": 1.0, "step": 1e-4}))
error = numpy.abs(last(folder) - numpy.exp(-2.0 / volumetric)).max()
check(error < 2e-4, f"cooling: {error:.2e}")


# The limit of a step is that of the worst cell: dt (diagonal + off-diagonal) = 2, worked out here.
def rate(k, c, axis, walls):
    n, d = k.shape[1 - axis], 1.0 / k.shape[1 - axis]
    k = k if axis == 0 else k.T
    between = 2 * k[:, 1:] * k[:, :-1] / (k[:, 1:] + k[:, :-1])
    total = numpy.zeros_like(k)
    total[:, 1:] += 2 * between
    total[:, :-1] += 2 * between
    total[:, 0] += walls[0](k[:, 0], d) * k[:, 0]
    total[:, -1] += walls[1](k[:, -1], d) * k[:, -1]
    total *= n * n
    return (total if axis == 0 else total.T) / c


def wall(k, d):
    return 2.0


def insulated(k, d):
    return 0.0


def convection(k, d):
    return 2 * 40.0 * d / (2 * k + 40.0 * d)


for trial in range(4):
    kx, ky = random.uniform(0.2, 5.0, (2, 18, 20))
    if trial > 1:  # then the worst cell lies at a wall, were that to count as a neighbour
        kx[:, -1] *= 30.0
        ky[-1] *= 30.0
    limit_case = case([20, 18], (text("kx.dat", kx), text("ky.dat", ky)), text("density.dat", density),
                      text("capacity.dat", capacity), loss={"coefficient": 90.0, "ambient": 0.0},
                      boundary={"left": WALLS["left"], "top": {
                          "type": "convection", "coefficient": 40.0, "ambient": 0.0}})
    rates = (rate(kx, volumetric, 0, (wall, insulated)) +
             rate(ky, volumetric, 1, (insulated, convection)) + 90.0 / volumetric)
    shown = json.loads(invoke(["check", write_input("limit", limit_case), "--json"]).stdout)
    limit = 2.0 / rates.max()
    check(abs(shown["step_limit_s"] / limit - 1) < 1e-12,
          f"limit {shown['step_limit_s']!r}, expected {limit!r}")
    check(shown["coefficients"] == "by cell", "check says that coefficients go by cell")
    limit_case["time"] = {"end": 1.0, "step": 1.001 * limit}
    done = invoke(["check", write_input("limit", limit_case)], expect=2)
    check("above the stability limit" in done.stderr, f"above the limit:\n{done.stderr}")

# Which material is where, as a field: a file, row 0 at the bottom or on top, and an expression.
which = random.integers(0, 2, (18, 20)).astype(float)
for form, expected in ((text("which.dat", which), which), (hdf5("which.h5", which), which),
                       ({**text("which.dat", which), "from_top": True}, which[::-1]),
                       ("x<0.5 ? 1 : 0", numpy.tile(centres(20, 1.0) < 0.5, (18, 1)))):
    folder = run("which", case([20, 18], materials=(hard,), geometry={"material": form}))
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        check((file["material"][...] == expected).all(), f"materials by {form}")
shown = invoke(["check", "which.cfg"]).stdout
check("k = 10, 3 W/m/K" in shown, f"check shows the materials:\n{shown}")
shown = invoke(["check", "box.cfg"]).stdout
low, high = volumetric.min(), volumetric.max()
check(f"rho c from {low:.6g} to {high:.6g} J/m3/K" in shown, f"and the range of the cells:\n{shown}")


# What does not fit is refused, with cell and place.
def refused(words, code, *arguments, **changes):
    done = invoke(["check", write_input("refused", case(*arguments, **changes))], expect=code)
    check(done.stderr.count("\n") == 1 and all(word in done.stderr for word in words),
          f"one line with {words}:\n{done.stderr}")


bad = numpy.ones((18, 20))
bad[4, 7] = -2.0
where = "refused.cfg:2: materials.[0]."
refused([where + "conductivity", "cell (7, 4) is -2"], 2, [20, 18], text("bad.dat", bad))
refused([where + "density", "cell (7, 4) is -2"], 2, [20, 18], 1.0, text("bad.dat", bad))
refused([where + "heat_capacity", "cell (0, 0) is 0;"], 2, [20, 18], 1.0, 1.0, "0*x")
refused([where + "conductivity", "bad.dat is of 20 x 18 cells"], 5, [20, 17], {"file": "bad.dat"})
refused([where + "conductivity", "nowhere.dat"], 5, [20, 18], {"file": "nowhere.dat"})
refused([where + "conductivity", "two, for x and y"], 2, [20, 18], ("1", "2", "3"))
refused([where + "density", "-1 is out of range"], 2, [20, 18], 1.0, -1.0)
refused(["geometry.material", "cell (7, 4) has -2", "0 to 1"], 2, [20, 18], materials=(hard,),
        geometry={"material": {"file": "bad.dat"}})
refused(["geometry.material", "cell (0, 0) has 0.5"], 2, [20, 18],
        geometry={"material": "0.5+0*x"})
refused(["geometry.material", "cell (3, 0) has 1", "0 to 0"], 2, [20, 18],
        geometry={"material": "x>0.16 && x<0.2 ? 1 : 0"})
finish()
