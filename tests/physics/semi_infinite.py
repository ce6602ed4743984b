import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import math

import numpy
from case import centres, check, finish, last, material, orders, run

# Semi-infinite solid at 0 with its wall at T0 from t = 0: T/T0 = erfc(x / (2 sqrt(a t))) (Carslaw and
# Jaeger, Conduction of Heat in Solids, 2.4). The far wall at 0.2 m is 10 diffusion lengths away.
A, T, X, LENGTH = 1e-5, 10.0, 0.01, 0.2
EXACT = math.erfc(X / (2 * math.sqrt(A * T)))
check(abs(EXACT - 0.4795001222) < 1e-10, "published value of the case")

for axis in (0, 1):
    errors = []
    for refinement in (1, 3, 9):
        n = 30 * refinement  # x = 0.01 is the centre of a cell on every grid
        cells, size, side = [3, 3], [0.03, 0.03], ("left", "bottom")[axis]
        cells[axis], size[axis] = n, LENGTH
        folder = run("wall", {
            "domain": {"size": size, "cells": cells}, "materials": material(k=A),
            "initial": {"temperature": 0.0},
            "boundary": {side: {"type": "temperature", "value": 1.0}},
            "time": {"end": T, "safety": 0.5}, "output": {"precision": "double"},
        })
        field = last(folder)
        line = field[1, :] if axis == 0 else field[:, 1]
        exact = numpy.array([math.erfc(x / (2 * math.sqrt(A * T))) for x in centres(n, LENGTH)])
        errors.append(numpy.abs(line - exact).sum() / n)
    at_x = abs(line[round(X / (LENGTH / n) - 0.5)] - EXACT)
    check(at_x < 2e-4, f"axis {axis}: error {at_x:.2e} at x = {X}")
    order = orders(errors, 3.0)
    check(min(order) > 1.8, f"axis {axis}: observed orders {order}, expected 2")
finish()
