import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import check, finish, invoke, last, material, orders, run, series, write_input

# Radiating sides, against equations solved here by other means: bisection and Runge-Kutta.
SIGMA = 5.670374419e-8


def wall(cell, ambient, emissivity, k, d):
    """The temperature W of a radiating face half a cell of width d from a centre at `cell`:
    2 k/d (cell - W) = emissivity sigma (W^4 - ambient^4), by bisection."""
    low, high = min(cell, ambient), max(cell, ambient)
    for _ in range(200):
        middle = 0.5 * (low + high)
        if 2 * k / d * (cell - middle) > emissivity * SIGMA * (middle**4 - ambient**4):
            low = middle
        else:
            high = middle
    return low


def cell_after(start, ambient, emissivity, k, d, capacity, time, steps=20000):
    """One cell with one radiating side, by Runge-Kutta's classic method."""
    def rate(t):
        return 2 * k / d * (wall(t, ambient, emissivity, k, d) - t) / (capacity * d)

    t, h = start, time / steps
    for _ in range(steps):
        a = rate(t)
        b = rate(t + 0.5 * h * a)
        c = rate(t + 0.5 * h * b)
        t += h / 6 * (a + 2 * b + 2 * c + rate(t + h * c))
    return t


def one_cell(side, start, ambient, k, scheme, step, precision="double", time=40.0):
    d, capacity = 0.01, 2e6
    size = [d, 0.3] if side in ("left", "right") else [0.3, d]
    cells = [1, 3] if side in ("left", "right") else [3, 1]
    return run("cell", {
        "domain": {"size": size, "cells": cells}, "materials": material(k, capacity),
        "initial": {"temperature": start},
        "boundary": {side: {"type": "radiation", "emissivity": 0.8, "ambient": ambient}},
        "time": {"end": time, "scheme": scheme, "step": step},
        "output": {"precision": "double"}, "run": {"precision": precision}})


# A half cell that hardly matters, and one whose wall is hundreds of kelvins cooler than its centre.
for k in (50.0, 0.5):
    for start, ambient in ((1500.0, 300.0), (300.0, 1400.0), (900.0, 0.0)):
        exact = cell_after(start, ambient, 0.8, k, 0.01, 2e6, 40.0, 2000)
        errors = {scheme: [abs(last(one_cell("left", start, ambient, k, scheme, step))[0, 0] - exact)
                           for step in steps]
                  for scheme, steps in (("euler", (0.5, 0.25)), ("rkl2", (5.0, 2.5, 1.25)))}
        name = f"k {k}, {start} K to {ambient} K"
        check(0.8 < orders(errors["euler"])[0] < 1.2, f"{name}: Euler {errors['euler']}")
        check(min(orders(errors["rkl2"])) > 1.7, f"{name}: RKL2 {errors['rkl2']}")
        check(errors["rkl2"][-1] < 2e-3 * abs(exact - start), f"{name}: {errors['rkl2'][-1]:.2e} K")
        single = last(one_cell("left", start, ambient, k, "rkl2", 1.25, "single"))[0, 0]
        check(abs(single - exact) < 3e-3 * abs(exact - start), f"{name}: single {single - exact:.2e} K")

# Every side does the same, and in both ways heat goes from hot to cold; the balance closes.
values = []
for side in ("left", "right", "bottom", "top"):
    folder = one_cell(side, 1500.0, 300.0, 5.0, "euler", 0.5)
    values.append(last(folder).ravel()[0])
    heat = series(folder, "heat_" + side)[-1]
    stored = series(folder, "energy")[-1] - series(folder, "energy")[0]
    check(heat < 0 and abs(heat - stored) < 1e-12 * abs(heat), f"{side}: heat {heat}, stored {stored}")
check(max(values) - min(values) < 1e-12 * values[0], f"four sides: {values}")
check((last(one_cell("top", 300.0, 1500.0, 5.0, "euler", 0.5)) > 300.0).all(), "a hot oven heats")
check((last(one_cell("top", 300.0, 300.0, 5.0, "euler", 0.5)) == 300.0).all(),
      "surroundings of the same temperature change nothing at all")

# A thick bar between a wall and radiation: at rest the profile is straight, so the face is met exactly
# on every grid when its own temperature radiates, not that of the cell half a cell away.
K, LENGTH = 1.5, 0.1
face = wall(1000.0, 300.0, 0.98, K, 2 * LENGTH)
for cells in (4, 8):
    folder = run("bar", {
        "domain": {"size": [LENGTH, LENGTH], "cells": [cells, 1]}, "materials": material(K, 1e4),
        "initial": {"temperature": f"1000-{(1000 - face) / LENGTH!r}*x+40*sin(30*x)"},
        "boundary": {"left": {"type": "temperature", "value": 1000.0},
                     "right": {"type": "radiation", "emissivity": 0.98, "ambient": 300.0}},
        "time": {"end": 2000.0, "scheme": "rkl2", "step": 10.0}, "output": {"precision": "double"}})
    x = (numpy.arange(cells) + 0.5) * LENGTH / cells
    error = numpy.abs(last(folder)[0] - (1000.0 + (face - 1000.0) * x / LENGTH)).max()
    check(error < 1e-7, f"bar of {cells} cells: {error:.2e} K")

# Emissivity and surroundings may change along a side and in time.
folder = run("varied", {
    "domain": {"size": [0.01, 0.02], "cells": [1, 2]}, "materials": material([5.0, 0.0], 2e6),
    "initial": {"temperature": 500.0},
    "boundary": {"right": {"type": "radiation", "emissivity": "s > 0.01 ? 0.9 : 0.3",
                           "ambient": "t < 10 ? 1200 : 100"}},
    "time": {"end": 20.0, "scheme": "rkl2", "step": 0.5}, "output": {"precision": "double"}})
for row, emissivity in enumerate((0.3, 0.9)):
    half = cell_after(500.0, 1200.0, emissivity, 5.0, 0.01, 2e6, 10.0, 500)
    exact = cell_after(half, 100.0, emissivity, 5.0, 0.01, 2e6, 10.0, 500)
    found = last(folder)[row, 0]
    check(abs(found - exact) < 1e-3 * abs(exact - 500.0) + 1e-3, f"row {row}: {found} K, not {exact}")

# The step limit counts d/dT of what the hottest wall sends out: 4 emissivity sigma T^3.
H = 4 * 0.8 * SIGMA * 1500.0**3
done = invoke(["check", "--json", write_input("limit", {
    "domain": {"size": [0.01, 1.0], "cells": [1, 1]}, "materials": material(50.0, 2e6),
    "initial": {"temperature": 1500.0},
    "boundary": {"left": {"type": "radiation", "emissivity": 0.8, "ambient": 300.0}},
    "time": {"end": 40.0}})])
share = 2 * H * 0.01 / (2 * 50.0 + H * 0.01)
limit = 2 / (50.0 * share / 0.01**2 / 2e6)
found = json.loads(done.stdout)["step_limit_s"]
check(abs(found - limit) < 1e-9 * limit, f"limit {limit:.9g} s, not {found:.9g} s")
finish()
