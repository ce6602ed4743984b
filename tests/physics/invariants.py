import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import centres, check, finish, last, material, run, series


def bump(x="x", y="y"):
    return f"300+40*exp(-(({x}-0.3)^2/0.01+({y}-0.6)^2/0.03))+10*{x}*{y}"


def case(cells, start, **changes):
    settings = {
        "domain": {"size": [1.0, 1.0], "cells": cells}, "materials": material(capacity=3.0),
        "initial": {"temperature": start}, "time": {"end": 0.05},
        "output": {"precision": "double", "interval": 0.01},
    }
    settings.update(changes)
    return settings


# Insulated: the heat content stays, no new extremes appear.
folder = run("box", case([41, 29], bump()))
frames = series(folder)
sums = frames.sum(axis=(1, 2))
check(abs(sums[-1] / sums[0] - 1) < 1e-12, f"heat content changes by {sums[-1] / sums[0] - 1:.2e}")
energy = series(folder, "energy")
check(numpy.abs(energy / energy[0] - 1).max() < 1e-12, "energy of an insulated box stays")
check(abs(energy[0] - 3.0 * sums[0] / (41 * 29)) < 1e-9 * energy[0], "energy is sum rho c T dx dy")
maxima, minima = frames.max(axis=(1, 2)), frames.min(axis=(1, 2))
check((numpy.diff(maxima) <= 0).all() and (numpy.diff(minima) >= 0).all(), "maximum principle")

# Mirrored and transposed problems give mirrored and transposed fields.
field = last(folder)
mirrored = last(run("mirrored", case([41, 29], bump(x="(1-x)"))))
check(numpy.abs(mirrored[:, ::-1] - field).max() < 1e-10, "mirrored in x")
flipped = last(run("flipped", case([41, 29], bump(y="(1-y)"))))
check(numpy.abs(flipped[::-1, :] - field).max() < 1e-10, "mirrored in y")
transposed = last(run("transposed", case([29, 41], bump(x="y", y="x"))))
check(numpy.abs(transposed.T - field).max() < 1e-10, "transposed")

# One row of cells is the one-dimensional problem, whichever way it lies.
row = last(run("row", case([50, 1], "300+10*cos(3*pi*x)")))
column = last(run("column", case([1, 50], "300+10*cos(3*pi*y)")))
check(numpy.abs(row[0, :] - column[:, 0]).max() < 1e-11, "1 x N equals N x 1")

# Periodic: a shifted start gives a shifted field; the heat content stays.
periodic = {side: {"type": "periodic"} for side in ("left", "right", "bottom", "top")}
wave = "300+10*cos(2*pi*(x-SHIFT))*sin(4*pi*y)+5*cos(6*pi*(x-SHIFT))"
base = last(run("wave", case([40, 20], wave.replace("SHIFT", "0"), boundary=periodic)))
moved = last(run("moved", case([40, 20], wave.replace("SHIFT", "0.25"), boundary=periodic)))
check(numpy.abs(numpy.roll(base, 10, axis=1) - moved).max() < 1e-10, "periodic: shifted")
check(abs(base.mean() - 300) < 1e-10, "periodic: heat content stays")

# Fixed cells keep their value to the bit.
fixed = case([20, 20], bump(), fixed=({"region": {"side": "left"}, "temperature": 350.0},
                                    {"region": {"from": [0.5, 0.5], "to": [0.7, 0.6]}}))
start, end = series(run("fixed", fixed))[[0, -1]]
check((end[:, 0] == 350.0).all(), "the fixed side keeps its temperature")
x, y = centres(20, 1.0), centres(20, 1.0)
inside = ((x >= 0.5) & (x <= 0.7))[None, :] & ((y >= 0.5) & (y <= 0.6))[:, None]
check((start[inside] == end[inside]).all(), "fixed cells keep their start values")
check((start[~inside][:, None] != end[~inside][:, None]).any(), "free cells change")
finish()
