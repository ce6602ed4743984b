import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import sink
from case import check, finish, run, series, skip_without

# The same file contents from GPUs as from a CPU rank. Arguments: backend, then which parts (default
# all): splits, sink, large, or delays=FROM-TO, the numbers of runs with work and hosts delayed at random.
BACKEND = sys.argv[1]
PARTS = sys.argv[2:] or ["splits", "sink", "large", "delays=0-50"]
skip_without(BACKEND)
SIDES = {
    "left": {"type": "temperature", "value": 371.3},
    "right": {"type": "convection", "coefficient": 30.0, "ambient": 250.0},
    "bottom": {"type": "flux", "value": 1500.0},
    "top": {"type": "insulated"},
}
NAMES = (*sink.NAMES, "residual")


def settings(precision, nx, ny, sides, fixed, conductivity=40.0):
    return {
        "domain": {"size": [0.1, 0.1 * ny / nx], "cells": [nx, ny]},
        "materials": ({"name": "m", "conductivity": conductivity, "density": 7000.0,
                       "heat_capacity": 450.0},),
        "initial": {"temperature": "300+25*sin(1e4*x+7e3*y*y)+3*cos(9e5*x*y)"},
        "boundary": sides, **({"fixed": fixed} if fixed else {}),
        "time": {"end": 61 * 0.9 * (0.1 / nx)**2 / 4 * 7000 * 450 / 40},
        "output": {"precision": "double", "fields": sink.FIELDS}, "run": {"precision": precision},
        "checkpoint": {"interval": 0.0},
    }


def contents(folder, case):
    names = NAMES if "fields" in case["output"] else ("temperature", "residual")
    return {name: series(folder, name).tobytes() for name in names}


def compare(reference, name, case, way, environment=None):
    words = [word for setting in way for word in ("--set", setting)]
    got = contents(run(name, case, "--backend", BACKEND, *words, environment=environment), case)
    for variable, data in reference.items():
        check(got[variable] == data, f"{name}: {variable} differs with {way}")


AROUND = {side: {"type": "periodic"} for side in SIDES}
FIXED = ({"region": {"side": "top"}, "temperature": 290.0},
         {"region": {"from": [0.02, 0.01], "to": [0.06, 0.05]}})


def cpu(case):
    return contents(run("cpu", case, "--backend", "cpu", "--ranks", "1"), case)


def splits(precision):
    """1 to 4 ranks on the GPUs there are, both transports, halo depths 1, 4 and 8."""
    case = settings(precision, 613, 389, SIDES, None)
    reference = cpu(case)
    for ranks in (1, 2, 3, 4):
        for depth in (1, 4, 8):
            for transport in ("ipc", "host") if ranks > 1 else ("ipc",):
                compare(reference, "gpu", case,
                        (f"run.ranks={ranks}", f"run.steps_per_exchange={depth}",
                         f"run.transport={transport}"))
    for sides, fixed in ((AROUND, None), (SIDES, FIXED)):
        case = settings(precision, 127, 61, sides, fixed)
        reference = cpu(case)
        for way in (("run.ranks=1",), ("run.ranks=4", "run.steps_per_exchange=5"),
                    ("run.layout=[2, 2]", "run.transport=host")):
            compare(reference, "gpu_small", case, way)


def everything(precision):
    """The kitchen sink."""
    sink.write_files(157, 93)
    for periodic, by_cell in itertools.product((False, True), (False, True)):
        for scheme, conductivity in (("euler", 25.0), ("rkl2", 500.0)):
            case = sink.settings(157, 93, precision, "auto", periodic, scale=conductivity,
                                 scheme=scheme, cells=by_cell)
            reference = cpu(case)
            for way in (("run.ranks=1",), ("run.ranks=1", "run.steps_per_exchange=1"),
                        ("run.ranks=4", "run.steps_per_exchange=5"), ("run.ranks=3",),
                        ("run.layout=[2, 2]", "run.transport=host")):
                compare(reference, "gpu_sink", case, way)
    for periodic, is_heated in itertools.product((False, True), (False, True)):
        case = sink.by_kind(sink.settings(157, 93, precision, "auto", periodic, scale=50.0),
                            is_heated)
        reference = cpu({**case, "run": {**case["run"], "steps_per_exchange": 1}})
        for way in (("run.ranks=1",), ("run.ranks=1", "run.steps_per_exchange=16"),
                    ("run.ranks=4", "run.steps_per_exchange=5"),
                    ("run.layout=[2, 1]", "run.transport=host")):
            compare(reference, "gpu_kinds", case, way)
    case = sink.settings(157, 93, precision, "auto", scale=500.0)
    for scheme in ("euler", "rkl2"):
        found = sink.steady(case, scheme)
        reference = cpu(found)
        for way in (("run.ranks=1",), ("run.layout=[2, 2]", "run.transport=host")):
            compare(reference, "gpu_steady", found, way)


def large(precision):
    """Grids large enough for the kernels that make many steps at once."""
    # The last column at the end of a 16-byte unit (2052) and within one (2053): two loops.
    for nx, sides, fixed, conductivity in (
            (2053, SIDES, None, 40.0), (2053, SIDES, FIXED, 40.0), (2053, AROUND, None, 40.0),
            (2053, SIDES, None, [40.0, 31.0]), (2052, SIDES, None, 40.0),
            (2052, SIDES, FIXED, [40.0, 31.0])):
        # Rows for each of 132 multiprocessors (kernels/cuda/pipeline/instance.cuh: pipeline_takes_shape).
        case = settings(precision, nx, 1100 if precision == "double" else 2450, sides, fixed, conductivity)
        del case["output"]["fields"]
        reference = cpu(case)
        for depth in (8, 12, 16, 18):
            compare(reference, "gpu_large", case,
                    ("run.ranks=1", f"run.steps_per_exchange={depth}"))
        compare(reference, "gpu_large", case, ("run.layout=[2, 1]", "run.steps_per_exchange=16"))
    case = settings(precision, 2053, 1330 if precision == "double" else 2450, SIDES, FIXED)
    del case["output"]["fields"]
    case["materials"] += ({"name": "n", "conductivity": 17.0, "density": 5000.0, "heat_capacity": 650.0},)
    case["geometry"] = {"shapes": ({"type": "circle", "centre": [0.05, 0.03], "radius": 0.02, "material": "n"},)}
    reference = cpu(case)
    for way in (("run.ranks=1",), ("run.ranks=1", "run.steps_per_exchange=8"),
                ("run.ranks=1", "run.steps_per_exchange=12"), ("run.ranks=1", "run.steps_per_exchange=18"),
                ("run.layout=[2, 1]",)):
        compare(reference, "gpu_large", case, way)


def delays(first, end):
    case = settings("double", 257, 193, SIDES, None)
    reference = cpu(case)
    for repeat in range(first, end):
        compare(reference, "delayed", case,
                (f"run.ranks={2 + repeat % 3}",
                 f"run.steps_per_exchange={(1, 3, 8)[repeat // 3 % 3]}",
                 "run.transport=" + ("ipc", "ipc", "host")[repeat % 3]),
                {"ISOTHERM_JITTER": str(repeat)})


for part in PARTS:
    if part.startswith("delays="):
        delays(*map(int, part[len("delays="):].split("-")))
    else:
        for each in ("double", "single"):
            {"splits": splits, "sink": everything, "large": large}[part](each)
finish()
