import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import check, finish, material, run, series

# Heat in = heat stored. With a known flux the heat through a side is flux x length x time; convection
# and a wall temperature must close the balance to round-off.
ALL = {
    "left": {"type": "temperature", "value": 400.0},
    "right": {"type": "convection", "coefficient": 30.0, "ambient": 250.0},
    "bottom": {"type": "flux", "value": 1500.0},
    "top": {"type": "insulated"},
}
settings = {
    "domain": {"size": [0.2, 0.1], "cells": [37, 23]}, "materials": material(k=50.0, capacity=3.5e6),
    "initial": {"temperature": "300+500*x"}, "boundary": ALL,
    # The last interval is shorter and has a step of its own.
    "time": {"end": 35.0}, "output": {"interval": 10.0, "precision": "double"},
}
folder = run("balance", settings)
time = series(folder, "time")
check(list(time) == [0.0, 10.0, 20.0, 30.0, 35.0], f"output times {time}")
energy = series(folder, "energy")
sides = {side: series(folder, "heat_" + side) for side in ALL}
check(numpy.allclose(sides["bottom"], 1500.0 * 0.2 * time, rtol=1e-12), "heat of a known flux")
check((sides["top"] == 0.0).all(), "no heat through an insulated side")
check(sides["left"][-1] > 0.0 and sides["right"][-1] < 0.0, "signs: hot wall heats, cool air cools")
gained = energy - energy[0]
came_in = sum(sides.values())
scale = max(abs(gained).max(), max(abs(s).max() for s in sides.values()))
check(numpy.abs(gained - came_in).max() < 1e-9 * scale,
      f"balance: {numpy.abs(gained - came_in).max() / scale:.2e} of the heat is missing")
check(numpy.abs(series(folder, "residual")).max() < 1e-10 * scale, "residual")
finish()
