"""A plate that looks different in every direction, so that nothing can turn it over unnoticed."""
import numpy

from case import check, material

# The start is 300 + 100 x + 1000 y^2, hotter to the right and far hotter to the top; then the left
# wall is heated, and 30 x 7 cells leave no room for mixed up axes.
CELLS, SIZE = (30, 7), (0.3, 0.1)
PROBES = (("left top", 0.02, 0.09), ("right", 0.28, 0.02))
TIMES = [0.0, 0.001, 0.002, 0.003, 0.004]
X = (numpy.arange(CELLS[0]) + 0.5) * SIZE[0] / CELLS[0]
Y = (numpy.arange(CELLS[1]) + 0.5) * SIZE[1] / CELLS[1]
START = 300 + 100 * X[None, :] + 1000 * Y[:, None]**2
SETTINGS = {
    "title": "Skew plate",
    "domain": {"size": list(SIZE), "cells": list(CELLS)},
    "materials": material(),
    "initial": {"temperature": "300 + 100*x + 1000*y^2"},
    "boundary": {"left": {"type": "temperature", "value": 350.0},
                 "bottom": {"type": "flux", "value": 100.0}},
    "time": {"end": 0.004},
    "output": {"interval": 0.001, "precision": "double",
               "probes": tuple({"name": name, "at": [x, y], "interval": 0.0005}
                               for name, x, y in PROBES)},
    "run": {"backend": "cpu"},
}


def same(a, b, text, most=0.0):
    a, b = numpy.asarray(a, dtype=float), numpy.asarray(b, dtype=float)
    check(a.shape == b.shape, f"{text}: shape {a.shape}, expected {b.shape}")
    if a.shape == b.shape:
        apart = numpy.abs(a - b).max()
        check(apart <= most, f"{text}: {apart} apart, at most {most}\n{a}\n{b}")


def interpolate(field, x, y):
    """Bilinear between the centres of the cells."""
    along = [numpy.interp(x, X, row) for row in field]
    return numpy.interp(y, Y, along)
