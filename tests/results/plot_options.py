"""What the options of `isotherm plot` and `compare` do, and that none is taken where it does nothing."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import check, finish, invoke, material, run

LINE = {"domain": {"size": [1.0, 0.1], "cells": [40, 1]}, "materials": material(),
        "initial": {"temperature": "300+40*x+20*y"},
        "boundary": {"left": {"type": "temperature", "value": 300.0}}, "time": {"end": 0.001},
        "output": {"probes": ({"name": "a", "at": [0.5, 0.05], "interval": 0.0005},)}}


def picture(*arguments):
    invoke(["plot", *arguments, "-o", "picture.png"])
    with open("picture.png", "rb") as file:
        return file.read()


# Contours on grids of one or two rows, and of one or two columns: lines across the others.
for cells, size in (([40, 1], [1.0, 0.1]), ([40, 2], [1.0, 0.1]), ([1, 40], [0.1, 1.0]), ([2, 40], [0.1, 1.0]),
                    ([2, 2], [1.0, 1.0]), ([40, 3], [1.0, 0.1])):
    folder = run("thin", {**LINE, "domain": {"size": size, "cells": cells}, "boundary": {}, "output": {},
                          "initial": {"temperature": "300+40*x+40*y"}})
    file = os.path.join(folder, "run.h5")
    check(picture(file, "--contours", "5") != picture(file), f"contours on {cells}")
finish()
