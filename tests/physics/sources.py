import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import math

import numpy
from case import centres, check, finish, last, material, orders, run, series


def case(cells, **changes):
    return {"domain": {"size": [1.0, 1.0], "cells": cells}, "materials": material(capacity=2.0),
            "initial": {"temperature": 0.0}, "time": {"end": 1.0},
            "output": {"precision": "double", "interval": 0.25}, **changes}


# u = 1 + x^2 + c y^2 + b t with the source f = rho c b - 2 k - 2 k c: differences of a quadratic are
# exact, so with its fluxes at the walls it comes out to round-off; with its temperatures at the walls,
# which change along the wall and in time, to second order.
B, C = 1.5, 0.5
F = 2.0 * B - 2.0 - 2.0 * C
flux = {"right": {"type": "flux", "value": 2.0}, "top": {"type": "flux", "value": 2.0 * C}}
errors = []
for n in (10, 20, 40):
    x, y = numpy.meshgrid(centres(n, 1.0), centres(n + 3, 1.0))
    exact = 1 + x**2 + C * y**2 + B
    start = {"temperature": "1+x^2+0.5*y^2"}
    source = ({"type": "uniform", "power_density": F},)
    field = last(run("flux", case([n, n + 3], initial=start, boundary=flux, sources=source)))
    check(numpy.abs(field - exact).max() < 1e-12, f"fluxes: {numpy.abs(field - exact).max():.2e}")
    walls = {"left": {"type": "temperature", "value": "1+0.5*s^2+1.5*t"},
             "right": {"type": "temperature", "value": "2+0.5*s^2+1.5*t"},
             "bottom": {"type": "temperature", "value": "1+s^2+1.5*t"},
             "top": {"type": "temperature", "value": "1.5+s^2+1.5*t"}}
    field = last(run("walls", case([n, n + 3], initial=start, boundary=walls, sources=source)))
    errors.append(numpy.abs(field - exact).max())
check(errors[-1] < 1e-3 and min(orders(errors)) > 1.7, f"temperatures: errors {errors}")

# The heat of every kind of source is its density times area times time, and all of it is found again
# in the temperature of an insulated plate.
with open("power.dat", "w", encoding="utf-8") as file:
    file.write("\n".join(str(k % 7) for k in range(200)) + "\n")
with open("table.csv", "w", encoding="utf-8") as file:
    file.write("t,factor\n0.2,0\n0.7,1\n0.7,3\n1.0,3\n")
SOURCES = {
    "everywhere": ({"type": "uniform", "power_density": 3.0}, 3.0),
    "region": ({"type": "uniform", "power_density": 3.0,
                "region": {"from": [0.2, 0.0], "to": [0.7, 0.4]}}, 3.0 * 0.5 * 0.4),
    "expression": ({"type": "uniform", "power_density": 3.0, "factor": "2*t"}, 3.0),
    "table": ({"type": "uniform", "power_density": 2.0, "factor": {"table": "table.csv"}},
              2.0 * (0.25 + 0.9)),
    "file": ({"type": "file", "file": "power.dat"}, sum(k % 7 for k in range(200)) / 200),
    "spot": ({"type": "gaussian", "power": 4.0, "radius": 0.05, "path": ([0.0, 0.5, 0.5],)}, 4.0),
    "moving": ({"type": "gaussian", "power": 4.0, "radius": 0.05,
                "path": ([0.0, 0.3, 0.3], [1.0, 0.7, 0.6]), "factor": 0.5}, 2.0),
}
for name, (source, heat) in SOURCES.items():
    folder = run(name, case([20, 10], sources=(source,)))
    found = series(folder, "heat_sources")[-1]
    check(abs(found - heat) < 1e-12 * heat + (3e-3 if name == "table" else 0.0),
          f"{name}: heat {found:.9g}, expected {heat:.9g}")
    gained = 2.0 * last(folder).mean()
    check(abs(gained - found) < 1e-12 * heat, f"{name}: {gained:.9g} in the plate")
    check(abs(series(folder, "residual")[-1]) < 1e-12 * heat, f"{name}: residual")

# (The jump of the table lies within a step.)

# Where the heat goes: a field from a file row by row from the bottom, a spot at its place.
folder = run("file", case([20, 10], materials=material(k=0.0), sources=(SOURCES["file"][0],)))
check(numpy.allclose(last(folder).ravel(), [k % 7 for k in range(200)], rtol=1e-13), "cells of a file")
spot = {"type": "gaussian", "power": 4.0, "radius": 0.2, "path": ([0.0, 0.55, 0.35],)}
folder = run("spot", case([40, 40], materials=material(k=0.0), sources=(spot,)))
x, y = numpy.meshgrid(centres(40, 1.0), centres(40, 1.0))
exact = 2 * 4.0 / (math.pi * 0.04) * numpy.exp(-2 * ((x - 0.55)**2 + (y - 0.35)**2) / 0.04)
check(numpy.abs(last(folder) - exact).max() < 0.02 * exact.max(), "shape of a spot")

# A moving spot along x is, on an infinite plate, exp(-U (r + xi) / 2a) / (2 pi k) K0: here only that
# the hottest place trails the spot and lies on its line.
path = {"type": "gaussian", "power": 4.0, "radius": 0.05, "path": ([0.0, 0.1, 0.5], [1.0, 0.9, 0.5])}
frames = series(run("trail", case([80, 40], materials=material(k=0.01), sources=(path,))))
for frame, t in zip(frames[1:], (0.25, 0.5, 0.75, 1.0)):
    j, i = numpy.unravel_index(frame.argmax(), frame.shape)
    check(j in (19, 20), f"hottest row {j}")
    check(0.0 < 0.1 + 0.8 * t - (i + 0.5) / 80 < 0.1, f"hottest column {i} at t = {t}")

# Linear loss: alone it is exponential; with conduction a fin, cosh(m (1 - x)) / cosh(m).
loss = {"coefficient": 6.0, "ambient": 20.0}
folder = run("cooling", case([4, 4], initial={"temperature": 100.0}, loss=loss,
                             time={"end": 1.0, "step": 1e-4}))
exact = 20.0 + 80.0 * math.exp(-3.0)
check(abs(last(folder)[0, 0] - exact) < 5e-3, f"cooling: {last(folder)[0, 0]:.5f}, exact {exact:.5f}")
lost = series(folder, "heat_loss")[-1]
check(abs(lost - 2.0 * (last(folder)[0, 0] - 100.0)) < 1e-9, f"heat lost: {lost:.6f}")
errors = []
for n in (10, 20, 40):
    folder = run("fin", case([n, 1], loss=loss, time={"end": 4.0}, boundary={
        "left": {"type": "temperature", "value": 120.0}}))
    m = math.sqrt(6.0)
    exact = 20.0 + 100.0 * numpy.cosh(m * (1 - centres(n, 1.0))) / math.cosh(m)
    errors.append(numpy.abs(last(folder)[0] - exact).max())
check(errors[-1] < 0.05 and min(orders(errors)) > 1.7, f"fin: errors {errors}")

# Convection whose surroundings change with time: a thin cell follows T' = h/(rho c d) (A(t) - T).
folder = run("weather", case([1, 1], materials=material(k=1e6, capacity=2.0), boundary={
    "left": {"type": "convection", "coefficient": 3.0, "ambient": "10*t"}},
    time={"end": 1.0, "step": 1e-4}))
rate = 1.5
exact = 10.0 * (1.0 - (1.0 - math.exp(-rate)) / rate)
check(abs(last(folder)[0, 0] - exact) < 1e-3, f"weather: {last(folder)[0, 0]:.5f}, exact {exact:.5f}")
finish()
