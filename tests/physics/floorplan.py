import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import check, finish, invoke, last, material, run, series, write_input

# Power of named blocks. HotSpot's own example: all heat of the trace arrives.
INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "inputs")
DATA = os.path.join(INPUTS, "data", "hotspot")
with open(os.path.join(DATA, "gcc.ptrace"), encoding="utf-8") as lines:
    rows = [line.split() for line in lines if line.strip()]
sums = numpy.array([sum(map(float, row)) for row in rows[1:]])
check(len(sums) == 100, "100 rows")
HOTSPOT = os.path.join(INPUTS, "hotspot_ev6.cfg")
invoke(["run", HOTSPOT, "--output", "ev6", "--overwrite", "--quiet", "--set", "domain.cells=[50,37]",
        "--set", "output.interval=0.01"])
heat = numpy.diff(series("ev6", "heat_sources")) * 1.5e-4 / 0.01
check(numpy.abs(heat / sums - 1).max() < 1e-9, f"row by row: {numpy.abs(heat / sums - 1).max():.2e}")
# Without loss all of it is found in the cells, although edges cut them.
invoke(["run", HOTSPOT, "--output", "closed", "--overwrite", "--quiet", "--set",
        "domain.cells=[50,37]", "--set", "loss.coefficient=0"])
gain = 2330.0 * 751.0 * (last("closed") - 318.15).mean() * 0.016**2 * 1.5e-4
check(abs(gain / (sums.sum() * 0.01) - 1) < 1e-11, f"{gain:.9g} J in the chip")
check(abs(series("closed", "residual")[-1] / series("closed", "heat_sources")[-1]) < 1e-11, "residual")
# Held for long the mean of the chip is where loss and power agree.
invoke(["run", HOTSPOT, "--output", "steady", "--overwrite", "--quiet", "--set", "domain.cells=[32,32]",
        "--set", "sources.[0].past_end=hold", "--set", "time.end=1.5"])
rise = (last("steady") - 318.15).mean()
check(abs(rise / (sums[-1] / (2.18e8 * 0.016**2 * 1.5e-4)) - 1) < 1e-9, f"steady: {rise:.6f} K")

FLP = "# a plan\n\na 0.5 0.35 0.0 0.1\nb 0.3 0.2 0.55 0.6\nb a 7.5\n"
TRACE = "b a\n2 10\n4 20\n"


def write(flp, trace):
    for name, text in (("a.flp", flp), ("a.ptrace", trace)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)


def case(end=1.0, **source):
    return {"domain": {"size": [1.0, 1.0], "cells": [10, 10]}, "materials": material(k=0.0),
            "initial": {"temperature": 0.0}, "time": {"end": end, "step": 0.03},
            "sources": ({"type": "floorplan", "floorplan": "a.flp", "trace": "a.ptrace",
                         "interval": 0.5, "thickness": 0.1, **source},), "run": {"backend": "cpu"},
            "output": {"precision": "double"}}


# Cell by cell: the share of a cell that the block covers.
write(FLP, TRACE)
field = last(run("cells", case()))
expected = numpy.zeros((10, 10))
expected[1:4, 0:5] = 1.0
expected[4, 0:5] = 0.5
expected *= (10 + 20) * 0.5 / (0.5 * 0.35 * 0.1)
part = numpy.array([0.5, 1.0, 1.0, 0.5])
expected[6:8, 5:9] += part * (2 + 4) * 0.5 / (0.3 * 0.2 * 0.1)
check(numpy.abs(field - expected).max() < 1e-9 * expected.max(), f"cells:\n{field}")
shifted = last(run("shifted", case(origin=[0.1, -0.1])))
check(numpy.abs(shifted[:-1, 1:] - field[1:, :-1]).max() < 1e-9 * expected.max(), "shifted by origin")

# Past its end: 12 and 24 W for 0.5 s each, then 1.25 s more.
for past_end, joules in (("hold", 18 + 1.25 * 24), ("repeat", 36 + 0.25 * 12), ("off", 18)):
    found = series(run("past", case(2.25, past_end=past_end)), "heat_sources")[-1] * 0.1
    check(abs(found / joules - 1) < 1e-12, f"{past_end}: {found:.9g} J, expected {joules}")


def refused(text, code, flp=FLP, trace=TRACE, **changes):
    write(flp, trace)
    done = invoke(["check", write_input("refused", case(**changes))], expect=code)
    check(done.stderr.count("\n") == 1 and text in done.stderr, f"{text!r}:\n{done.stderr}")


refused("past_end", 2, end=1.1)
refused("block b reaches", 2, origin=[0.2, 0.0])
refused("a.flp:4: \"x\" is not a number", 5, FLP.replace("0.55", "x"))
refused("a.flp:4: there is a block a already", 5, FLP.replace("\nb 0", "\na 0"))
refused("a.flp:3: block a is 0 x 0.35 m", 5, FLP.replace("a 0.5", "a 0"))
refused("a.flp:3: name, width, height, left and bottom are meant, not 4", 5, FLP.replace(" 0.1\n", "\n"))
refused("a.flp:3: block a has a heat capacity", 5, FLP.replace("0.0 0.1", "0.0 0.1 1 2"))
refused("a.flp:1: there is no block", 5, "# nothing\n")
refused("a.flp:1025: more than 1024 blocks", 5, "".join(f"b{n} 1 1 0 0\n" for n in range(1025)))
refused("a.ptrace:1: the floorplan has no block bb; did you mean", 5, trace=TRACE.replace("b a", "bb a"))
refused("a.ptrace:1: block b of the floorplan has no column", 5, trace="a\n1\n")
refused("a.ptrace:1: block b has two columns", 5, trace=TRACE.replace("b a", "b a b"))
refused("a.ptrace:3: holds 1 numbers, the header 2 names", 5, trace=TRACE.replace("4 20", "4"))
refused("a.ptrace:2: \"ten\" is not a number", 5, trace=TRACE.replace("10", "ten"))
refused("a.ptrace:1: there is no row", 5, trace="a b\n")
finish()
