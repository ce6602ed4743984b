import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import centres, check, finish, last, material, run

# u = 1 + x^2 + c y^2 + b t with b = 2 + 2 c solves du/dt = laplace(u); its wall fluxes are constant:
# 0 at x = 0 and y = 0, 2 at x = 1, 2 c at y = 1. Differences of a quadratic are exact, at the walls
# too (a half cell on each side of the face), so the program must reproduce it to round-off.
C = 0.5
for nx, ny in ((16, 16), (12, 31)):
    for mirrored in (False, True):
        flux_x = {"type": "flux", "value": 2.0}
        flux_y = {"type": "flux", "value": 2.0 * C}
        start = "1+(1-x)^2+0.5*(1-y)^2" if mirrored else "1+x^2+0.5*y^2"
        sides = ({"left": flux_x, "bottom": flux_y} if mirrored
                 else {"right": flux_x, "top": flux_y})
        folder = run("manufactured", {
            "domain": {"size": [1.0, 1.0], "cells": [nx, ny]}, "materials": material(),
            "initial": {"temperature": start}, "boundary": sides,
            "time": {"end": 0.25}, "output": {"precision": "double"},
        })
        x, y = centres(nx, 1.0), centres(ny, 1.0)
        if mirrored:
            x, y = 1 - x, 1 - y
        exact = 1 + x[None, :]**2 + C * y[:, None]**2 + (2 + 2 * C) * 0.25
        error = numpy.abs(last(folder) - exact).max()
        check(error < 1e-12, f"{nx} x {ny}, mirrored {mirrored}: error {error:.2e}")
finish()
