import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import h5py
import numpy
from case import centres, check, finish, last, run, series

SOFT = {"name": "soft", "conductivity": 1.0, "density": 2.0, "heat_capacity": 0.5}
HARD = {"name": "hard", "conductivity": [10.0, 3.0], "density": 1.0, "heat_capacity": 4.0}
NONE = {"name": "none", "conductivity": 0.0, "density": 1.0, "heat_capacity": 1.0}


def case(cells, shapes, materials=(SOFT, HARD), **changes):
    return {"domain": {"size": [1.0, 1.0], "cells": cells}, "materials": materials,
            "geometry": {"shapes": shapes}, "initial": {"temperature": 0.0},
            "time": {"end": 8.0}, "output": {"precision": "double"}, **changes}


def rectangle(x0, x1, y0, y1, material="hard"):
    return {"type": "rectangle", "from": [x0, y0], "to": [x1, y1], "material": material}


# Slabs in series: the flux is dT / (l1/k1 + l2/k2), straight lines in each, exact for the harmonic
# mean where the interface lies on faces. k in y is another one.
for axis, k in ((0, 10.0), (1, 3.0)):
    sides = (("left", "right"), ("bottom", "top"))[axis]
    shape = rectangle(0.5, 1.0, 0.0, 1.0) if axis == 0 else rectangle(0.0, 1.0, 0.5, 1.0)
    cells = [20, 3] if axis == 0 else [3, 20]
    wall = 1.0 / (0.5 / 1.0 + 0.5 / k)  # flux for a difference of 1 K
    folder = run("series", case(cells, (shape,), boundary={
        sides[0]: {"type": "temperature", "value": 0.0},
        sides[1]: {"type": "temperature", "value": 1.0}}))
    line = last(folder)[1, :] if axis == 0 else last(folder)[:, 1]
    x = centres(20, 1.0)
    exact = numpy.where(x < 0.5, wall * x, 0.5 * wall + wall / k * (x - 0.5))
    check(numpy.abs(line - exact).max() < 1e-12, f"axis {axis}: {numpy.abs(line - exact).max():.2e}")
    heat = series(folder, "heat_" + sides[1])[-1]
    residual = series(folder, "residual")[-1]
    check(abs(residual) < 1e-12 * heat, f"axis {axis}: residual {residual:.2e}")

# A contact in series: 0.5 of each and R = 0.3, with a jump of R times the flux.
for sides, cells, k, shape in ((("left", "right"), [20, 3], 10.0, rectangle(0.5, 1.0, 0.0, 1.0)),
                               (("bottom", "top"), [3, 20], 3.0, rectangle(0.0, 1.0, 0.5, 1.0))):
    wall = 1.0 / (0.5 + 0.3 + 0.5 / k)
    folder = run("contact", case(cells, (shape,), boundary={
        sides[0]: {"type": "temperature", "value": 0.0},
        sides[1]: {"type": "temperature", "value": 1.0}},
        contacts=({"material": "hard", "beside": "soft", "resistance": 0.3},)))
    line = last(folder)[1, :] if cells[0] == 20 else last(folder)[:, 1]
    exact = numpy.where(x < 0.5, wall * x, 0.8 * wall + wall / k * (x - 0.5))
    check(numpy.abs(line - exact).max() < 1e-12, f"contact: {numpy.abs(line - exact).max():.2e}")

# Robin and flux at walls of either material: 0.5 m of each in series with 1/h.
folder = run("walls", case([20, 3], (rectangle(0.5, 1.0, 0.0, 1.0),), boundary={
    "left": {"type": "convection", "coefficient": 4.0, "ambient": 10.0},
    "right": {"type": "flux", "value": 3.0}}, time={"end": 80.0}))
line, x = last(folder)[1], centres(20, 1.0)
exact = 10.0 + 3.0 / 4.0 + numpy.where(x < 0.5, 3.0 * x, 1.5 + 0.3 * (x - 0.5))
check(numpy.abs(line - exact).max() < 1e-10, f"convection and flux: {numpy.abs(line - exact).max():.2e}")

# A closed box of two materials keeps its heat, and ends at sum(rho c T) / sum(rho c).
shapes = ({"type": "circle", "centre": [0.4, 0.5], "radius": 0.3, "material": "hard"},
          {"type": "polygon", "points": ([0.1, 0.1], [0.9, 0.1], [0.9, 0.3]), "material": "hard"},
          {"type": "ellipse", "centre": [0.5, 0.8], "radii": [0.4, 0.1], "material": "soft"})
folder = run("box", case([40, 40], shapes, initial={"temperature": "300+20*x-7*y"},
                         time={"end": 4.0}, output={"precision": "double", "interval": 0.05}))
energy = series(folder, "energy")
check(numpy.abs(energy / energy[0] - 1).max() < 1e-12, "energy of a closed box")
x, y = numpy.meshgrid(centres(40, 1.0), centres(40, 1.0))
hard = (x - 0.4)**2 + (y - 0.5)**2 <= 0.09
hard |= (y > 0.1) & (y < 0.1 + 0.25 * (x - 0.1)) & (x < 0.9)
hard &= ~(((x - 0.5) / 0.4)**2 + ((y - 0.8) / 0.1)**2 <= 1.0)
capacity = numpy.where(hard, 4.0, 1.0)
start = series(folder)[0]
mean = (capacity * start).sum() / capacity.sum()
with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
    check((file["material"][...] == hard).all(), "materials in run.h5")
    check(list(file["material"].attrs["flag_values"]) == [0, 1], "flag_values")
    check(file["material"].attrs["flag_meanings"] in ("soft hard", b"soft hard"), "flag_meanings")
check(abs(energy[0] - (capacity * start).mean()) < 1e-11 * energy[0], "rho c by shape")
check(numpy.abs(last(folder) - mean).max() < 1e-3, "the box ends at the mean")
frames = series(folder)
check((numpy.diff(frames.max(axis=(1, 2))) <= 1e-12).all(), "maximum principle")

# What does not conduct keeps its temperature and lets nothing through.
folder = run("void", case([20, 20], (rectangle(0.4, 0.6, 0.0, 1.0, "none"),), (SOFT, HARD, NONE),
                          initial={"temperature": "x<0.5 ? 1 : 2"},
                          boundary={"left": {"type": "temperature", "value": 5.0}}))
field = last(folder)
check((field[:, 8:10] == 1.0).all() and (field[:, 10:12] == 2.0).all(), "k = 0 keeps its start")
check((field[:, 12:] == 2.0).all(), "nothing passes k = 0")
check(numpy.abs(field[:, :8] - 5.0).max() < 1e-9, "before it the wall has its way")

# Mirrored and transposed geometry.
base = case([24, 18], (rectangle(0.1, 0.45, 0.2, 0.9), rectangle(0.6, 0.8, 0.1, 0.5, "iso")),
            (SOFT, {**HARD, "conductivity": 7.0}, {**SOFT, "name": "iso", "conductivity": 0.1}),
            initial={"temperature": "300+40*x*x+9*y"}, time={"end": 0.05})
field = last(run("geometry", base))
mirror = dict(base, geometry={"shapes": (rectangle(0.55, 0.9, 0.2, 0.9),
                                         rectangle(0.2, 0.4, 0.1, 0.5, "iso"))},
              initial={"temperature": "300+40*(1-x)^2+9*y"})
check(numpy.abs(last(run("mirror", mirror))[:, ::-1] - field).max() < 1e-10, "mirrored")
turned = dict(base, domain={"size": [1.0, 1.0], "cells": [18, 24]},
              geometry={"shapes": (rectangle(0.2, 0.9, 0.1, 0.45),
                                   rectangle(0.1, 0.5, 0.6, 0.8, "iso"))},
              initial={"temperature": "300+40*y*y+9*x"})
check(numpy.abs(last(run("turned", turned)).T - field).max() < 1e-10, "transposed")

# Fixed by material.
folder = run("fixed", case([20, 20], (rectangle(0.2, 0.4, 0.2, 0.4),),
                           fixed=({"region": {"material": "hard"}, "temperature": 7.0},)))
field = last(folder)
check((field[4:8, 4:8] == 7.0).all(), "a fixed material keeps its temperature")
check(numpy.abs(field - 7.0).max() < 1e-2, "and everything comes to it")
finish()
