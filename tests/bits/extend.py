"""A finished run goes on to a later time.end: with --resume and the new end the files are those of one
run to there, to the last bit, or the resume is refused with the reason."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import numpy
from case import check, finish, invoke, material, run, series, write_input

NAMES = ("temperature", "time", "step", "energy", "heat_left", "heat_bottom", "heat_sources",
         "residual")


def case(end, interval, step="auto", scheme="euler", probe=0.005):
    """dx = 0.05, k = rho c = 1: the limit of forward Euler is 6.25e-4."""
    return {
        "domain": {"size": [1.0, 1.0], "cells": [20, 20]},
        "materials": material(),
        "initial": {"temperature": "300+25*sin(1e4*x+7e3*y*y)"},
        "boundary": {"left": {"type": "temperature", "value": "370+9*sin(40*t)"},
                     "bottom": {"type": "flux", "value": 30.0}},
        "sources": ({"type": "uniform", "power_density": 20.0, "factor": "1+t"},),
        "time": {"end": end, "step": step, "scheme": scheme},
        "output": {"interval": interval, "precision": "double",
                   "probes": ({"name": "a", "at": [0.3, 0.55], "interval": probe},)},
        "run": {"backend": "cpu", "ranks": 2},
    }


def probes(folder):
    with open(os.path.join(folder, "probes.csv"), encoding="utf-8") as file:
        return file.read()


def drop_newest_checkpoint(folder):
    names = [name for name in os.listdir(folder) if name.startswith("checkpoint-")]
    os.remove(os.path.join(folder, max(names, key=lambda name: int(name[11:-3]))))


def go_on(folder, settings, *arguments, expect=0):
    path = write_input("longer", settings)
    return invoke(["run", path, "--output", folder, "--quiet", "--resume", *arguments], expect)


def compare(about, folder, whole, extra=None):
    """`extra`: the time of the one frame that only the extended series has."""
    times = series(folder, "time")
    keep = numpy.ones(len(times), dtype=bool) if extra is None else times != extra
    check(extra is None or len(times) == keep.sum() + 1, f"{about}: the frame at {extra} s stays")
    for name in NAMES:
        check(series(folder, name)[keep].tobytes() == series(whole, name).tobytes(),
              f"{about}: {name}")
    check(probes(folder) == probes(whole), f"{about}: probes.csv")


def extends(about, before, after, extra=None, drop=False):
    run("whole", after)
    run("grown", before, "--set", "checkpoint.interval=0.015")
    if drop:
        drop_newest_checkpoint("grown")
    go_on("grown", after, "--ranks", "3")
    compare(about, "grown", "whole", extra)


def refuses(text, before, after):
    run("grown", before)
    held = series("grown").tobytes()
    done = go_on("grown", after, expect=2)
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and lines[0].startswith("isotherm: error: ") and text in lines[0],
          f"one line with {text!r}:\n{done.stderr}")
    check(series("grown").tobytes() == held, f"{text}: the results stay")


# 3 x 0.009 is not 0.027: what is at the old end has another time in the longer run.
for scheme in ("euler", "rkl2"):
    extends(f"{scheme}, by intervals", case(0.027, 0.009, scheme=scheme, probe=0.003),
            case(0.054, 0.009, scheme=scheme, probe=0.003))
extends("by intervals, a shorter one at the new end", case(0.02, 0.01), case(0.033, 0.01))
extends("from a checkpoint before the end", case(0.0253, 0.01), case(0.05, 0.01), drop=True)
# Steps of 5e-4 divide all of it.
extends("by steps", case(0.03, 0.0, 5e-4), case(0.05, 0.0, 5e-4), extra=0.03)
extends("by steps, from within an interval", case(0.025, 0.01, 5e-4), case(0.05, 0.01, 5e-4),
        extra=0.025)

refuses("took steps of", case(0.03, 0.0), case(0.0501, 0.0))
refuses("ends with a shorter interval", case(0.0253, 0.01), case(0.05, 0.01))
refuses("is at t = 0.03 s already", case(0.03, 0.01), case(0.02, 0.01))
finish()
