import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import centres, check, finish, last, orders, run

# A Gaussian spreads as sigma^2 = sigma0^2 + 2 a t along each axis (product of the two heat kernels);
# its peak falls to sigma0^2 / (sigma_x sigma_y). The domain is wide enough that walls do not matter.
S0, T = 0.1, 1.0
for ax, ay in ((0.01, 0.01), (0.01, 0.0025), (0.004, 0.01)):
    errors = []
    for n in (32, 64, 128):
        length = 2.0
        capacity = 4.0
        folder = run("gaussian", {
            "domain": {"size": [length, length], "cells": [n, n]},
            "materials": ({"name": "m", "conductivity": [ax * capacity, ay * capacity],
                           "density": 2.0, "heat_capacity": 2.0},),
            "initial": {"temperature": f"exp(-((x-1)^2+(y-1)^2)/(2*{S0}^2))"},
            "time": {"end": T, "safety": 0.5}, "output": {"precision": "double"},
        })
        sx, sy = numpy.sqrt(S0**2 + 2 * ax * T), numpy.sqrt(S0**2 + 2 * ay * T)
        c = centres(n, length) - 1.0
        exact = S0**2 / (sx * sy) * numpy.outer(numpy.exp(-c**2 / (2 * sy**2)),
                                                 numpy.exp(-c**2 / (2 * sx**2)))
        errors.append(numpy.abs(last(folder) - exact).max())
    order = orders(errors)
    check(errors[-1] < 2e-3, f"a = {ax}, {ay}: error {errors[-1]:.2e}")
    check(min(order) > 1.8, f"a = {ax}, {ay}: observed orders {order}, expected 2")
finish()
