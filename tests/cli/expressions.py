import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke

# What an expression makes of some cell, face or step that is not finite: check finds it where run does, and only
# there. Cells are 0.1 m wide, centres at 0.05, 0.15, ...; faces too.

HOT = '{ type = "temperature"; value = "%s"; }'


def case(initial="300.0", left=None, source=None, end=0.01, cells="[10, 10]", step=1e-3, size="[1.0, 1.0]",
         scheme="euler"):
    sides = f"boundary = {{ left = {left}; }};" if left else ""
    sources = ('sources = ( { type = "uniform"; power_density = 1.0; factor = "%s"; } );' % source) if source else ""
    with open("expression.cfg", "w", encoding="utf-8") as file:
        file.write(f"""domain = {{ size = {size}; cells = {cells}; }};
materials = ( {{ name = "a"; conductivity = 1.0; density = 1.0; heat_capacity = 1.0; }} );
initial = {{ temperature = {initial}; }};
{sides}
{sources}
time = {{ end = {end}; step = {step}; scheme = "{scheme}"; }};
run = {{ ranks = 1; backend = "cpu"; }};
""")


def found(name, where, **settings):
    """Both refuse it, with all the words of `where`."""
    case(**settings)
    for command in ("check", "run"):
        options = ["--output", "out", "--overwrite", "--quiet"] if command == "run" else []
        text = invoke([command, "expression.cfg", *options], expect=2).stderr
        check(text.count("\n") == 1 and all(words in text for words in where), f"{name}, {command}: {text}")


def fine(name, **settings):
    case(**settings)
    invoke(["check", "expression.cfg"])
    invoke(["run", "expression.cfg", "--output", "out", "--overwrite", "--quiet"])
    check(True, name)


# One cell inside, the last one, and the first.
INSIDE = "abs(x - %s) + abs(y - %s) < 0.01 ? sqrt(-1) : 300"
for i, j in ((3, 7), (9, 9), (0, 0), (9, 0)):
    expression = INSIDE % (f"0.{i}5", f"0.{j}5")
    found(f"cell ({i}, {j})", ["expression.cfg:3: initial.temperature: ", f'"{expression}" is not finite',
                               f"in cell ({i}, {j}), at x = 0.{i}5, y = 0.{j}5"], initial=f'"{expression}"')
found("infinite", ["initial.temperature", '"1/(x - 0.25)"', "in cell (2, 0), at x = 0.25, y = 0.05"],
      initial='"1/(x - 0.25)"')
# Below 0 K where a side radiates.
found("below absolute zero", ["initial.temperature", "cell (9, 0) starts at -"], initial='"90 - 100*x"',
      left='{ type = "radiation"; emissivity = 0.5; ambient = 300.0; }')
# On the edge of the domain there is no cell's centre.
fine("edge", initial='"300 + log(x) + log(1 - y)"')

# Along a side, in time, and both.
found("face", ["boundary.left.value", '"300 + sqrt(0.75 - s)"', "at s = 0.85, t = 0"], left=HOT % "300 + sqrt(0.75 - s)")
fine("end of a side", left=HOT % "300 + log(1 - s)")
found("time", ["boundary.left.value", '"300 + sqrt(0.0075 - t)"', "s = 0.05, t = 0.008"],
      left=HOT % "300 + sqrt(0.0075 - t)")
found("both", ["boundary.left.value", "at s = 0.95, t = 0.005"], left=HOT % "300 + sqrt(0.9549 - s - t)")
found("negative coefficient", ["the coefficient is -", "at s = 0.05 m, t = 0.006 s"],
      left='{ type = "convection"; coefficient = "0.0055 - t"; ambient = 300.0; }')
# The last step begins before the end, and nothing is asked for there; sources act in the middle of a step.
fine("end", left=HOT % "300 + log(0.01 - t)")
fine("between the last step and its middle", left=HOT % "300 + log(0.0092 - t)")
found("middle of a step", ["boundary.left.value", "at s = 0.05, t = 0.0095"], left=HOT % "300 + log(0.0092 - t)",
      scheme="rkl2")
found("source", ["sources.[0].factor", '"log(0.0095 - t)"', "at t = 0.0095"], source="log(0.0095 - t)")
fine("end of a source", source="log(0.0096 - t)")
fine("no step", left='{ type = "convection"; coefficient = "0.75 - s"; ambient = 300.0; }', end=0.0)

# More than a million cells: evenly spread, with the corners; what is found is true, and the rest is not claimed.
LARGE = {"cells": "[2000, 1000]", "size": "[2.0, 1.0]", "step": 1e-8, "end": 1e-8}
found("last corner", ["in cell (1999, 999), at x = 1.9995, y = 0.9995"],
      initial='"x > 1.9993 && y > 0.9993 ? sqrt(-1) : 300"', **LARGE)
found("corner", ["in cell (1999, 0), at x = 1.9995, y = 0.0005"],
      initial='"x > 1.9993 && y < 0.0007 ? sqrt(-1) : 300"', **LARGE)
case(initial='"300 + x"', **LARGE)
text = invoke(["check", "expression.cfg"]).stdout
line = [line for line in text.splitlines() if line.startswith("tried ")]
check(len(line) == 1 and "of 2e+06 places and times" in line[0], f"tried: {text}")
costs = json.loads(invoke(["check", "expression.cfg", "--json"]).stdout)
check(costs["expression_values"] == 2e6 and 0.9e6 < costs["expression_values_tried"] <= 1e6, f"json: {costs}")
case(initial='"300 + x"', cells="[1000, 1000]", size="[1.0, 1.0]", step=1e-8, end=1e-8)
check("tried " not in invoke(["check", "expression.cfg"]).stdout, "all cells of a million are tried")

finish()
