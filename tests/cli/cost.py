import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke, write_input

# The estimated time counts what small grids and short runs spend it on, not the cells alone.
MATERIALS = tuple({"name": name, "conductivity": k, "density": 1.0, "heat_capacity": 1.0}
                  for name, k in (("a", 1.0), ("b", 0.5)))
CIRCLE = ({"type": "circle", "centre": [0.5, 0.5], "radius": 0.3, "material": "b"},)


def seconds(cells, steps, ranks=1, shapes=(), **changes):
    step = 1e-12
    settings = {"domain": {"size": [1.0, 1.0], "cells": [cells, cells]}, "materials": MATERIALS,
                "geometry": {"shapes": shapes}, "initial": {"temperature": 300.0},
                "time": {"end": steps * step, "step": step, **changes.pop("time", {})},
                "run": {"ranks": ranks, "backend": "cpu", **changes.pop("run", {})}, **changes}
    costs = json.loads(invoke(["check", write_input("cost", settings), "--json"]).stdout)
    check(costs["steps"] == steps, f"{costs['steps']} steps, expected {steps}")
    return costs["estimated_s"]


start = seconds(8, 1)
check(0.001 < start < 0.5, f"a run of one step of 8 x 8 cells starts too: {start} s")
million = seconds(8, 1000000)
check(0.05 < million < 5.0, f"a million steps of 64 cells take longer than their cells: {million} s")
check(abs(seconds(8, 2000000) - 2 * million + start) < 0.01 * million, "steps count once each")
large = seconds(2048, 1000)
check(0.3 < large < 10.0, f"a thousand steps of 2048 x 2048 cells: {large} s")
check(seconds(2048, 1000, ranks=1, shapes=CIRCLE) > 1.2 * large, "several materials")
check(seconds(64, 100000, ranks=2) > 1.5 * seconds(64, 100000), "two ranks exchange edges of a small grid")
check(seconds(64, 100000, ranks=2, run={"steps_per_exchange": 1}) > 2 * seconds(64, 100000, ranks=2),
      "the more often the longer")
check(seconds(2048, 1) > 2 * seconds(2048, 1, output={"compression": "none", "stride": [2, 2]}),
      "snapshots are written")
check(seconds(512, 1000, run={"precision": "single"}) < seconds(512, 1000), "single precision")
UNIFORM = ({"type": "uniform", "power_density": 1.0},)
SPOT = ({"type": "gaussian", "power": 1.0, "radius": 0.1, "path": ([0.0, 0.5, 0.5],)},)
MOVING = ({**SPOT[0], "path": ([0.0, 0.2, 0.5], [1.0, 0.8, 0.5])},)
with open("chip.flp", "w", encoding="utf-8") as file:
    file.write("core 0.5 0.5 0.1 0.1\n")
with open("chip.ptrace", "w", encoding="utf-8") as file:
    file.write("core\n1.0\n")
PLAN = ({"type": "floorplan", "floorplan": "chip.flp", "trace": "chip.ptrace", "interval": 1.0, "thickness": 1.0},)
zones = seconds(256, 10000, sources=UNIFORM)
for name, sources in (("a spot", SPOT), ("a floorplan", PLAN)):
    check(4 < seconds(256, 10000, sources=sources) / zones < 8, f"{name} makes a pass over memory each step")
check(seconds(64, 100000, sources=MOVING) > 1.5 * seconds(64, 100000, sources=SPOT), "spots that move are worked out")
stages = seconds(512, 1000, time={"scheme": "rkl2"})
check(stages > 3 * seconds(512, 1000), f"rkl2 has at least three stages: {stages} s")
finish()
