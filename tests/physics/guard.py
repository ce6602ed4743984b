import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke, material, run, write_input

# What no solution does is told: leaving the range of start and surroundings, temperatures below 0 K,
# values that are not finite.


def case(**changes):
    return {"domain": {"size": [1.0, 1.0], "cells": [8, 8]}, "materials": material(),
            "initial": {"temperature": 300.0}, "time": {"end": 0.02, **changes.pop("time", {})},
            "output": {"precision": "double", "interval": 0.001}, "checkpoint": {"interval": 0.0},
            **changes}


def warnings(settings, *arguments, expect=0):
    done = invoke(["run", write_input("guard", settings), "--output", "guard", "--overwrite", "--quiet",
                   *arguments], expect)
    return done.stderr


# Beside two walls a corner cell has the weight 1 - 6 r; at the limit r = 1/4 it overshoots: with cells
# at 400 K and walls at 300 K it falls to 250 K in the first step, which the first output shows.
CORNER = case(initial={"temperature": "x < 0.125 && y < 0.125 ? 400 : 300"},
              boundary={"left": {"type": "temperature", "value": 300.0},
                        "bottom": {"type": "temperature", "value": 300.0}},
              time={"step": 0.00390625, "end": 0.0390625},
              output={"precision": "double", "interval": 0.00390625})
text = warnings(CORNER)
check("cell (0, 0) at x = 0.0625 m, y = 0.0625 m is 250 K at t = 0.00390625 s (step 1), less than" in text,
      f"overshoot: {text}")
check(text.count("warning") == 1, f"one line only: {text}")
check(warnings(CORNER, "--set", "time.safety=0.6", "--set", "time.step=auto") == "", "a shorter step")

# Whatever keeps within the range is quiet, whatever may leave it by right too.
HOT = {"left": {"type": "temperature", "value": 320.0}}
for settings in (
        case(boundary=HOT), case(boundary=HOT, time={"scheme": "rkl2"}),
        case(boundary=HOT, run={"precision": "single"}),
        case(boundary={"left": {"type": "temperature", "value": "300+100*s"}}),
        case(boundary={"left": {"type": "temperature", "value": "300+1e4*t"}}),
        case(boundary={"left": {"type": "flux", "value": 1e4}}),
        case(boundary={"left": {"type": "flux", "value": "-100*s"}}),
        case(boundary={"left": {"type": "convection", "coefficient": 9.0, "ambient": 200.0}}),
        case(boundary={"left": {"type": "radiation", "emissivity": 1.0, "ambient": 900.0}}),
        case(loss={"coefficient": 30.0, "ambient": 100.0}),
        case(sources=({"type": "uniform", "power_density": 1e4},)),
        case(sources=({"type": "uniform", "power_density": -1e4, "factor": "cos(t)"},)),
        case(fixed=({"region": {"side": "top"}, "temperature": 250.0},))):
    text = warnings(settings)
    check(text == "", f"{settings['boundary'] if 'boundary' in settings else settings}: {text}")

# Below 0 K: told once; refused where a side radiates, whose law needs absolute temperatures.
GLOW = {"left": {"type": "radiation", "emissivity": 1.0, "ambient": 300.0}}
for part in ({"initial": {"temperature": -20.0}},
             {"boundary": {"left": {"type": "temperature", "value": -20.0}}},
             {"boundary": {"left": {"type": "convection", "coefficient": 1.0, "ambient": -20.0}}},
             {"loss": {"coefficient": 1.0, "ambient": -20.0}},
             {"fixed": ({"region": {"side": "top"}, "temperature": -20.0},)}):
    text = warnings(case(**part))
    check("-20 K is below absolute zero" in text, f"{part}: {text}")
    shown = invoke(["check", "guard.cfg"]).stderr
    check("-20 K is below absolute zero" in shown, f"check of {part}: {shown}")
    both = {**part, "boundary": {**part.get("boundary", {}), "right": GLOW["left"]}}
    text = warnings(case(**both), expect=2)
    check("-20 K is below absolute zero; a plate that radiates needs" in text, f"{both}: {text}")
text = warnings(case(initial={"temperature": "x < 0.2 ? -5 : 10"}))
check("cell (0, 0) at x = 0.0625 m, y = 0.0625 m is -5 K at t = 0 s (step 0), below absolute" in text,
      f"start below 0 K: {text}")
text = warnings(case(initial={"temperature": "x < 0.2 ? -5 : 10"}, boundary=GLOW), expect=2)
check("cell (0, 0) starts at -5 K, below absolute zero" in text, f"start below 0 K with radiation: {text}")
text = warnings(case(boundary={"left": {"type": "radiation", "emissivity": 1.0, "ambient": "5-600*t"}}),
                expect=2)
check("radiation needs temperatures above 0 K" in text, f"surroundings that fall below 0 K: {text}")
text = warnings(case(boundary={**GLOW, "right": {"type": "temperature", "value": "s-5"}}), expect=2)
check("boundary: -4.9375 K is below absolute zero; a plate that radiates needs" in text, f"cold wall: {text}")
text = warnings(case(boundary={"left": {"type": "radiation", "emissivity": "1.5*s", "ambient": 5.0}}),
                expect=2)
check("it lies between 0 and 1" in text, f"emissivity above 1: {text}")

# What is not finite ends the run at the next output of any kind, with place and time.
HUGE = case(materials=material(1e-10),
            boundary={"left": {"type": "flux", "value": "t < 0.01 ? 0 : 9e300"}},
            output={"precision": "double", "probes": (
                {"name": "corner", "at": [0.01, 0.01], "interval": 0.001},)})
text = warnings(HUGE, expect=3)
check("probe corner at x = 0.01 m, y = 0.01 m is not finite at t = 0.011 s" in text, f"probe: {text}")
finish()
