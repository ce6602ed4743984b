import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import sink
from case import check, finish, run, series

# One rank with one step per exchange is the reference; every other way to run the same problem must
# give the same file contents: fields, energies and heats. Starts with full mantissas, because smooth
# ones can hide a wrong neighbour in the last bit.
BACKEND = sys.argv[1] if len(sys.argv) > 1 else "cpu"
ROUGH = "300+25*sin(1e4*x+7e3*y*y)+3*cos(9e5*x*y)"
WALLS = {
    "left": {"type": "temperature", "value": 371.3},
    "right": {"type": "convection", "coefficient": 30.0, "ambient": 250.0},
    "bottom": {"type": "flux", "value": 1500.0},
    "top": {"type": "insulated"},
}
AROUND_X = {**WALLS, "left": {"type": "periodic"}, "right": {"type": "periodic"}}
AROUND = {side: {"type": "periodic"} for side in WALLS}
FIXED = ({"region": {"side": "top"}, "temperature": 290.0},
         {"region": {"from": [0.02, 0.01], "to": [0.06, 0.05]}})
RANKS = (1, 2, 3, 4, 6)
DEPTHS = (1, 2, 5, 8)


def settings(cells, walls, fixed, precision, conductivity):
    return {
        "domain": {"size": [0.1, 0.1 * cells[1] / cells[0]], "cells": cells},
        "materials": ({"name": "m", "conductivity": conductivity, "density": 7000.0,
                       "heat_capacity": 450.0},),
        "initial": {"temperature": ROUGH}, "boundary": walls,
        **({"fixed": fixed} if fixed else {}),
        "time": {"end": 1.0, "step": "auto"},
        # 23 steps an interval or so: no multiple of any halo depth.
        "output": {"interval": 0.45, "precision": "double", "fields": sink.FIELDS},
        "run": {"precision": precision, "backend": BACKEND},
        "checkpoint": {"interval": 0.0},
    }


def contents(folder, names=()):
    return {name: series(folder, name).tobytes() for name in (*sink.NAMES, "residual", *names)}


def layouts(ranks, cells):
    return [(px, ranks // px) for px in range(1, ranks + 1)
            if ranks % px == 0 and px <= cells[0] and ranks // px <= cells[1]]


def step_for(cells):
    """Conductivity such that an interval has about 23 steps."""
    dx = 0.1 / cells[0]
    return 23 / 0.45 * dx * dx / 4 * 7000.0 * 450.0 * 0.9


def compare(name, case, cells, ways, names=()):
    reference = contents(run(name, case, "--ranks", "1", "--set", "run.steps_per_exchange=1"),
                         names)
    for (px, py), depth, transport, overlap in ways:
        way = (f"run.layout=[{px}, {py}]", f"run.steps_per_exchange={depth}",
               f"run.transport={transport}", f"run.overlap={overlap}")
        arguments = [word for setting in way for word in ("--set", setting)]
        got = contents(run(name, case, "--ranks", str(px * py), *arguments), names)
        for variable, data in reference.items():
            check(got[variable] == data, f"{name} {cells}: {variable} differs with {way}")


random.seed(20)
for precision in ("double", "single"):
    # Every rank count, layout and depth once, the one that is chosen too; transport and overlap take turns.
    cells = [31, 29]
    k = step_for(cells)
    turns = itertools.cycle(itertools.product(("ipc", "host"), ("on", "off")))
    ways = [(layout, depth, *next(turns)) for ranks in RANKS for layout in layouts(ranks, cells)
            for depth in (*DEPTHS, '"auto"')]
    compare("walls_" + precision, settings(cells, WALLS, None, precision, k), cells, ways)

    # Prime and tiny sizes, periodic and fixed cells: some of the ways each.
    for cells, walls, fixed in (([7, 5], WALLS, FIXED), ([1, 13], WALLS, None), ([13, 1], AROUND, None),
                                ([2, 2], AROUND, None), ([1, 1], WALLS, None), ([97, 3], AROUND_X, None),
                                ([23, 37], AROUND, FIXED), ([37, 23], AROUND_X, FIXED)):
        every = [(layout, depth, transport, overlap) for ranks in RANKS
                 for layout in layouts(ranks, cells) for depth in DEPTHS
                 for transport in ("ipc", "host") for overlap in ("on", "off")]
        ways = random.sample(every, min(len(every), 6))
        k = step_for(cells)
        conductivity = [k, 0.7 * k] if cells[0] == 37 else k
        compare("sizes_" + precision, settings(cells, walls, fixed, precision, conductivity), cells,
                ways)

# Everything at once.
sink.write_files(31, 29)
for precision in ("double", "single"):
    for periodic, by_cell in itertools.product((False, True), (False, True)):
        case = sink.settings(31, 29, precision, BACKEND, periodic, scale=step_for([31, 29]),
                             cells=by_cell)
        every = [(layout, depth, transport, overlap) for ranks in RANKS
                 for layout in layouts(ranks, [31, 29]) for depth in DEPTHS
                 for transport in ("ipc", "host") for overlap in ("on", "off")]
        compare("sink_" + precision, case, [31, 29], random.sample(every, 8))
        case = sink.settings(31, 29, precision, BACKEND, periodic, scale=20 * step_for([31, 29]),
                             scheme="rkl2", cells=by_cell)
        compare("super_" + precision, case, [31, 29], random.sample(every, 6))
        case = sink.settings(31, 29, precision, BACKEND, periodic, scale=step_for([31, 29]))
        for scheme in ("euler", "rkl2"):
            compare("steady_" + precision, sink.steady(case, scheme), [31, 29],
                    random.sample(every, 3), sink.STEADY_NAMES)

# Materials that conduct by kind of cell, in blocks that hold tiles of many steps and such that do not.
for precision in ("double", "single"):
    for cells, periodic, is_heated in (([131, 97], False, True), ([131, 97], True, False),
                                       ([97, 61], False, False), ([1033, 41], True, True)):
        sink.write_files(*cells)
        case = sink.by_kind(sink.settings(*cells, precision, BACKEND, periodic,
                                          scale=1.7 * step_for(cells)), is_heated)
        every = [(layout, depth, transport, overlap) for ranks in RANKS[:4]
                 for layout in layouts(ranks, cells) for depth in (3, 16, 32)
                 for transport in ("ipc", "host") for overlap in ("on", "off")]
        compare("kinds_" + precision, case, cells,
                [((1, 1), 32, "ipc", "on"), *random.sample(every, 4)])
finish()
