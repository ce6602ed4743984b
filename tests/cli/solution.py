"""Fields that are not finite, and domains at the edge of what makes sense."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy
from case import check, finish, invoke, last, material, run, series, write_input

CASE = {
    "domain": {"size": [1.0, 1.0], "cells": [20, 20]},
    "materials": material(),
    "initial": {"temperature": 300.0},
    "time": {"end": 0.01},
    "output": {"interval": 0.005, "precision": "double"},
    "run": {"backend": "cpu", "ranks": 2},
}


def refused(name, code, texts, settings, command="run"):
    """One line on stderr that holds the texts, and this exit code."""
    path = write_input(name, settings)
    done = invoke([command, path, *(["--output", name, "--overwrite"] if command == "run" else [])],
                  code)
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and lines[0].startswith("isotherm: error: ") and
          all(text in lines[0] for text in texts), f"{name}: one line with {texts}:\n{done.stderr}")


# Not finite at the start: an expression is a mistake in the input, a file is damaged.
refused("nan", 2, ["initial.temperature"], {**CASE, "initial": {"temperature": "sqrt(x-2)"}})
check(not os.path.exists("nan/run.h5"), "a run that cannot start leaves no results in the way")
refused("inf", 2, ["initial.temperature"], {**CASE, "initial": {"temperature": "exp(1e4*x)"}})
field = numpy.full((20, 20), 300.0)
field[7, 3] = numpy.nan
numpy.savetxt("nan.txt", field, header="20 20", comments="# ")
refused("nan_text", 5, ["initial.temperature", "nan.txt:9", "not a number"],
        {**CASE, "initial": {"temperature": {"file": "nan.txt"}}})
with h5py.File("nan.h5", "w") as file:
    file["field"] = field
refused("nan_hdf5", 5, ["initial.temperature", "nan.h5", "cell (3, 7)", "not finite"],
        {**CASE, "initial": {"temperature": {"file": "nan.h5", "dataset": "/field"}}})

# Not finite later: 1.5e308 + 1.5e308 overflows in the first step. Cell and time are named; frames
# before stay readable.
hot = {**CASE, "initial": {"temperature": "300 + 1.5e308*(x > 0.5)*(y > 0.5)"}}
refused("overflow", 3, ["cell (", "t = 0.005 s", "not finite"], hot)
refused("overflow_staged", 3, ["cell ("], {**hot, "run": {**CASE["run"], "transport": "ipc"}})
times = series("overflow", "time")
check(times.tolist() == [0.0], f"frames before the overflow stay: {times}")
check(numpy.isfinite(last("overflow")).all(), "they hold numbers")

# Single precision ends at 3.4e38.
refused("overflow_single", 3, ["cell (", "not finite"],
        {**CASE, "initial": {"temperature": "1e39*x"}, "run": {**CASE["run"], "precision": "single"}})

# No time: the start alone.
folder = run("no_time", {**CASE, "time": {"end": 0.0}})
check(series(folder, "time").tolist() == [0.0], "end = 0: one frame")
check((last(folder) == 300.0).all(), "end = 0: the start field")
folder = run("no_time_later", {**CASE, "time": {"start": 5.0, "end": 5.0}})
check(series(folder, "time").tolist() == [5.0], "end = start: one frame")

# Small domains.
one = {**CASE, "run": {"backend": "cpu"}}
folder = run("one_cell", {**one, "domain": {"size": [1.0, 1.0], "cells": [1, 1]}})
check((series(folder) == 300.0).all(), "one insulated cell keeps its temperature")
wall = {"left": {"type": "temperature", "value": 400.0}}
folder = run("one_cell_wall", {**one, "domain": {"size": [1.0, 1.0], "cells": [1, 1]},
                               "boundary": wall, "time": {"end": 1.0, "step": 0.25}, "output": {}})
# dT/dt = 2 (400 - T), half a cell to the wall: four Euler steps of 0.25 s halve the rest each.
check(abs(last(folder)[0, 0] - (400.0 - 100.0 / 16)) < 1e-9, f"one cell at a wall: {last(folder)}")
periodic = {side: {"type": "periodic"} for side in ("left", "right", "bottom", "top")}
folder = run("two_periodic", {**one, "domain": {"size": [1.0, 1.0], "cells": [2, 2]},
                              "boundary": periodic, "initial": {"temperature": "300 + 8*(x > 0.5)"}})
check(abs(last(folder).mean() - 304.0) < 1e-12, "2 x 2 periodic keeps its heat")
check(last(folder)[0, 1] < 308.0, "2 x 2 periodic conducts")
for cells, layout in (([7, 1], [7, 1]), ([1, 7], [1, 7]), ([7, 5], [3, 5])):
    lines = {**one, "domain": {"size": [1.0, 1.0], "cells": cells}, "boundary": wall}
    alone = last(run("line", lines))
    split = last(run("line_split", {**lines, "run": {"backend": "cpu", "layout": layout}}))
    check((alone == split).all(), f"{cells} cells in {layout} blocks")
finish()
