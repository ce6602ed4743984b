import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import math

import numpy
from case import centres, check, finish, last, material, orders, run, series

# Super time stepping. The discrete cosine mode decays as exp(-lambda t) with the known eigenvalue of
# the difference operator: what is left is the error in time alone.
N = 64
LAMBDA = 4 * N * N * math.sin(math.pi / (2 * N))**2


def mode(scheme, step, **changes):
    return run("mode", {
        "domain": {"size": [1.0, 1.0], "cells": [N, 3]}, "materials": material(),
        "initial": {"temperature": "cos(pi*x)"}, "time": {"end": 0.1, "scheme": scheme, "step": step},
        "output": {"precision": "double"}, **changes})


def error(folder):
    exact = numpy.cos(math.pi * centres(N, 1.0)) * math.exp(-LAMBDA * 0.1)
    return numpy.abs(last(folder)[1] - exact).max()


# The step limit of Euler is about dx^2/2 per axis, y being nine times as wide: 1.2e-4.
euler = [error(mode("euler", step)) for step in (1.0e-4, 0.5e-4)]
rkl2 = [error(mode("rkl2", step)) for step in (0.02, 0.01, 0.005)]
check(0.9 < orders(euler)[0] < 1.1, f"Euler: orders {orders(euler)}")
check(min(orders(rkl2)) > 1.8, f"RKL2: orders {orders(rkl2)}")

# 11 steps err less than Euler's 1000 and take 17 stages each: a reach of (17^2 + 17 - 2)/4 = 76 times
# the limit of Euler. At least 5 times fewer sweeps.
few = error(mode("rkl2", 0.1 / 11))
LIMIT = 1.0 / (2 * (N * N + 9))
stages = 3
while (stages**2 + stages - 2) / 4 * LIMIT < 0.1 / 11:
    stages += 2
check(few < euler[0] and 11 * stages * 5 <= 1000,
      f"{11 * stages} sweeps of RKL2 err by {few:.2e}, 1000 of Euler by {euler[0]:.2e}")

# Everything a step can have: heat is kept, sources come in whole.
SOFT = {"name": "soft", "conductivity": 1.0, "density": 2.0, "heat_capacity": 0.5}
HARD = {"name": "hard", "conductivity": [10.0, 3.0], "density": 1.0, "heat_capacity": 4.0}
folder = run("all", {
    "domain": {"size": [1.0, 1.0], "cells": [30, 20]}, "materials": (SOFT, HARD),
    "geometry": {"shapes": ({"type": "circle", "centre": [0.4, 0.5], "radius": 0.3,
                             "material": "hard"},)},
    "initial": {"temperature": "300+20*x-7*y"},
    "boundary": {"left": {"type": "temperature", "value": "310+20*t"},
                 "right": {"type": "convection", "coefficient": 4.0, "ambient": 290.0},
                 "top": {"type": "flux", "value": "30*s"}},
    "sources": ({"type": "uniform", "power_density": 50.0, "factor": "2*t"},),
    "time": {"end": 1.0, "scheme": "rkl2"}, "output": {"precision": "double", "interval": 0.3}})
heat = series(folder, "heat_sources")[-1]
check(abs(heat - 50.0) < 1e-10, f"source {heat:.9g} J/m")
check(abs(series(folder, "heat_top")[-1] - 15.0) < 1e-10, "flux")
scale = abs(series(folder, "heat_left")).max()
residual = abs(series(folder, "residual")).max() / scale
check(residual < 1e-12, f"residual {residual:.2e} of the heat")

# Steady state is the same as with Euler.
for scheme in ("euler", "rkl2"):
    folder = run("wall", {
        "domain": {"size": [1.0, 1.0], "cells": [20, 3]}, "materials": material(),
        "initial": {"temperature": 0.0}, "boundary": {
            "left": {"type": "temperature", "value": 1.0},
            "right": {"type": "convection", "coefficient": 1.0, "ambient": 3.0}},
        "time": {"end": 20.0, "scheme": scheme}, "output": {"precision": "double"}})
    wall = numpy.abs(last(folder)[1] - (1.0 + centres(20, 1.0))).max()
    check(wall < 1e-11, f"{scheme}: {wall:.2e} from steady")
finish()
