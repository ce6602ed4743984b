import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import math

import numpy
from case import centres, check, finish, last, material, run

# A cosine at cell centres is an eigenvector of the five-point operator with insulated sides
# (Strang, "The Discrete Cosine Transform", SIAM Review 41, 1999), so forward Euler multiplies its
# amplitude by 1 - a dt lambda every step, to round-off.


def eigenvalue(k, m, nx, ny):
    return (4 * nx**2 * math.sin(k * math.pi / (2 * nx)) ** 2
            + 4 * ny**2 * math.sin(m * math.pi / (2 * ny)) ** 2)


check(abs(eigenvalue(1, 0, 32, 32) - 9.861679775) < 1e-9, "published eigenvalue for N = 32, k = 1")

for nx, ny, k, m in ((32, 32, 1, 0), (32, 32, 3, 2), (24, 17, 2, 5)):
    dt = 0.2 / (2 * (nx**2 + ny**2)) * 2
    steps = 100
    folder = run("mode", {
        "domain": {"size": [1.0, 1.0], "cells": [nx, ny]}, "materials": material(),
        "initial": {"temperature": f"cos({k}*pi*x)*cos({m}*pi*y)"},
        "time": {"end": steps * dt, "step": dt},
        "output": {"precision": "double"},
    })
    x, y = centres(nx, 1.0), centres(ny, 1.0)
    mode = numpy.outer(numpy.cos(m * math.pi * y), numpy.cos(k * math.pi * x))
    expected = (1 - dt * eigenvalue(k, m, nx, ny)) ** steps * mode
    error = numpy.abs(last(folder) - expected).max()
    check(error < 5e-14, f"mode {k}, {m} on {nx} x {ny} after {steps} steps: error {error:.2e}")
finish()
