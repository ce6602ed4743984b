import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import numpy
from case import centres, check, finish, invoke, last, material, run, series, write_input

# Runs to the steady state, against solutions known in closed form; and when there is none.
LINE = {"left": {"type": "temperature", "value": 300.0},
        "right": {"type": "convection", "coefficient": 2.0, "ambient": 400.0}}


def case(cells, walls, time, **changes):
    return {"domain": {"size": [1.0, 1.0], "cells": cells}, "materials": material(),
            "initial": {"temperature": 310.0}, "boundary": walls, "time": {"steady": True, **time},
            "output": {"precision": "double"}, **changes}


def plate(folder, exact):
    return numpy.abs(last(folder) - exact).max()


# k = 1, L = 1: the flow is h (Ta - T0)/(1 + h L/k) = 66.67 W/m, and the profile straight.
X = centres(24, 1.0)
EXACT = 300.0 + 200.0 / 3.0 * X
for scheme, step in (("auto", "auto"), ("rkl2", 0.01), ("rkl2", 0.001), ("euler", "auto"),
                     ("euler", 2e-4)):
    for tolerance in (1e-4, 1e-7):
        folder = run("line", case([24, 1], LINE, {"tolerance": tolerance, "scheme": scheme, "step": step}))
        error = plate(folder, EXACT) / 100.0  # of the range, 300 K to 400 K
        # Not farther than asked for, and not nearer than the looks are apart: the factor is
        # exp(-0.5) or so for one, and two in a row are wanted.
        check(error <= tolerance, f"{scheme} {step}: {error:.2e} of the range left, {tolerance} asked for")
        check(error > 0.02 * tolerance, f"{scheme} {step}: {error:.2e} of the range left, too careful")
        flow = [series(folder, f"flow_{side}")[-1] for side in ("left", "right", "stored")]
        check(abs(flow[1] - 200.0 / 3.0) < 100 * tolerance * 200.0, f"flows {flow}")
        check(abs(flow[0] + flow[1] - flow[2]) < 1e-9, f"flows {flow} add up")
        check(abs(flow[2]) <= tolerance * abs(flow[1]), f"still stored {flow[2]}")
        check(numpy.isnan(series(folder, "flow_left")[0]), "there is no flow before the first look")

# The time at which it is found does not depend on the step (within the looks).
times = {step: series(run("line", case([24, 1], LINE, {"step": step})), "time")[-1]
         for step in (0.02, 0.002, 0.0002)}
check(max(times.values()) - min(times.values()) <= 2.01 * json.loads(
    invoke(["check", "--json", "line.cfg"]).stdout)["look_interval_s"], f"times {times}")

# Weak convection takes far longer than conduction: 1/(h) = 100 s for a body that evens out in 0.1 s.
folder = run("weak", case([8, 8], {"top": {"type": "convection", "coefficient": 0.01, "ambient": 350.0}},
                          {"tolerance": 1e-5}))
check(plate(folder, 350.0) < 1e-5 * 40.0, f"weak convection: {plate(folder, 350.0):.2e} K")

# A slow part behind insulation, a thousand times slower than the rest, is waited for.
SLOW = ({"name": "fast", "conductivity": 1.0, "density": 1.0, "heat_capacity": 1.0},
        {"name": "wool", "conductivity": 1e-3, "density": 1.0, "heat_capacity": 1e-3},
        {"name": "block", "conductivity": 1.0, "density": 1.0, "heat_capacity": 1.0})
folder = run("slow", case([20, 1], {"left": {"type": "temperature", "value": 300.0},
                                    "bottom": {"type": "insulated"}}, {"tolerance": 1e-5},
                          materials=SLOW, initial={"temperature": "x > 0.5 ? 400 : 300"},
                          geometry={"shapes": (
                              {"type": "rectangle", "from": [0.5, 0.0], "to": [0.6, 1.0], "material": "wool"},
                              {"type": "rectangle", "from": [0.6, 0.0], "to": [1.0, 1.0],
                               "material": "block"})}))
check(plate(folder, 300.0) < 1e-5 * 100.0, f"behind wool: {plate(folder, 300.0):.2e} K")

# Everything else that ties the level: loss, fixed cells, radiation.
folder = run("loss", case([5, 5], {}, {}, loss={"coefficient": 3.0, "ambient": 290.0},
                          sources=({"type": "uniform", "power_density": 30.0},)))
check(plate(folder, 300.0) < 3e-5, "loss: q/h above the surroundings")
check(abs(series(folder, "flow_loss")[-1] + 30.0) < 1e-3, f"loss {series(folder, 'flow_loss')[-1]} W/m")
folder = run("fixed", case([5, 1], {}, {}, fixed=(
    {"region": {"side": "left"}, "temperature": 300.0}, {"region": {"side": "right"}, "temperature": 340.0})))
check(plate(folder, 300.0 + 10.0 * numpy.arange(5)) < 4e-5, "fixed cells at both ends")
folder = run("glow", case([4, 4], {"left": {"type": "radiation", "emissivity": 0.7, "ambient": 500.0}}, {},
                          sources=({"type": "uniform", "power_density": 2000.0},)))
wall = (500.0**4 + 2000.0 / (0.7 * 5.670374419e-8))**0.25
# All heat passes the half cell of 1/8 m between the wall and the first centre.
check(abs(last(folder)[:, 0].mean() - wall - 2000.0 / 8) < 1e-2,
      f"glowing wall: {last(folder)[:, 0].mean():.3f} K, wall {wall:.3f} K")
check(abs(series(folder, "flow_left")[-1] + 2000.0) < 1e-2, "all heat leaves by radiation")

# Fluxes that add up to 0: the level is that of the start, and the heat stays.
ZERO = {"left": {"type": "flux", "value": 30.0}, "right": {"type": "flux", "value": -10.0}}
for precision, share in (("double", 1e-6), ("single", 2e-4)):
    folder = run("zero", case([20, 1], ZERO, {}, run={"precision": precision},
                              sources=({"type": "uniform", "power_density": -20.0},)))
    field = last(folder)[0]
    # T'' = 20, T'(0) = -30, mean 310.
    exact = -30.0 * centres(20, 1.0) + 10.0 * centres(20, 1.0)**2
    exact += 310.0 - exact.mean()
    check(numpy.abs(field - exact).max() < share * 40.0,
          f"fluxes of sum 0, {precision}: {numpy.abs(field - exact).max():.2e} K off")
    check(abs(field.mean() - 310.0) < (1e-9 if precision == "double" else 2e-3),
          f"{precision}: mean {field.mean():.12g}")
folder = run("around", case([16, 1], {"left": {"type": "periodic"}, "right": {"type": "periodic"}}, {},
                            initial={"temperature": "300+20*sin(2*pi*x)"}))
check(plate(folder, 300.0) < 2e-5, "periodic: evens out")

# What has no steady state is refused before anything is written, and `check` says the same.
for settings, text in (
        (case([4, 4], {"top": {"type": "flux", "value": 3.0}}, {}), "gains 3 W per metre of depth for ever"),
        (case([4, 4], {}, {}, sources=({"type": "uniform", "power_density": -2.0},)), "gains -2 W"),
        (case([4, 4], {"top": {"type": "convection", "coefficient": 0.0, "ambient": 3.0},
                       "left": {"type": "flux", "value": 3.0}}, {}), "gains 3 W"),
        (case([4, 4], {"top": {"type": "temperature", "value": "300+t"}}, {}),
         "boundary.top.value: changes with time"),
        (case([4, 4], LINE, {}, sources=({"type": "uniform", "power_density": 1.0, "factor": "t"},)),
         "sources.[0].factor: changes with time"),
        (case([4, 4], LINE, {}, sources=({"type": "gaussian", "power": 1.0, "radius": 0.1,
                                          "path": ([0.0, 0.1, 0.1], [1.0, 0.2, 0.2])},)),
         "sources.[0].path: moves")):
    path = write_input("refused", settings)
    for command in (["check", path], ["run", path, "--output", "refused", "--quiet"]):
        done = invoke(command, expect=2)
        check(text in done.stderr, f"{command[0]}: {done.stderr}")
    check(not os.path.exists("refused"), "nothing is written")

# Not there in time: exit 3, with results and a checkpoint; a later end goes on to the same bits.
WHOLE = run("whole", case([24, 1], LINE, {}))
path = write_input("late", case([24, 1], LINE, {"end": 1.0}))
done = invoke(["run", path, "--output", "late", "--quiet", "--overwrite"], expect=3)
check("no steady state by t = " in done.stderr and done.stderr.count("isotherm: error:") == 1, done.stderr)
check(0.5 < series("late", "time")[-1] <= 1.0, f"not after time.end: {series('late', 'time')}")
check(len(series("late")) == 2, "the state at the end is there")
done = invoke(["run", path, "--output", "late", "--quiet", "--resume"], expect=3)
check("no steady state" in done.stderr, f"nothing is left to do, but it is not steady: {done.stderr}")
invoke(["run", path, "--output", "late", "--quiet", "--resume", "--set", "time.end=100"])
check(last("late").tobytes() == last(WHOLE).tobytes(), "a resumed search ends with the same bits")
before = series("late", "time").tobytes()
done = invoke(["run", path, "--output", "late", "--resume", "--set", "time.end=100"])
check("nothing was left to do" in done.stdout and series("late", "time").tobytes() == before,
      "a steady state that is reached stays")

# An end before the first look at the state, which are 0.2 s apart here: the run ends there, and knows little.
for interval in (0.0, 0.3):
    early = ["--set", "time.end=0.001", "--set", f"output.interval={interval}", "--overwrite"]
    done = invoke(["run", path, "--output", "early", *early], expect=3)
    said = done.stdout + done.stderr
    check(series("early", "time").tolist() == [0.0, 0.001], f"time.end = 0.001: {series('early', 'time')}")
    check("inf" not in said and said.count("what is still to come is not known yet") == 3, f"too early:\n{said}")
told = invoke(["run", path, "--output", "early", "--resume", "--set", "output.interval=0.3"], 2).stderr
check("gives up before its first look" in told, f"and no other end goes on from there: {told}")

# Snapshots on the way; what check and the log say of it.
folder = run("way", case([24, 1], LINE, {}, output={"precision": "double", "interval": 0.5}))
found = series(folder, "time")
check(numpy.abs(found[:-1] - 0.5 * numpy.arange(len(found) - 1)).max() < 1e-12, f"snapshots at {found}")
shown = json.loads(invoke(["check", "--json", "way.cfg"]).stdout)
check(shown["steady"] and shown["scheme"] == "rkl2" and shown["tolerance"] == 1e-6, f"check: {shown}")
text = invoke(["run", "way.cfg", "--output", "way", "--overwrite"]).stdout
check("heat flows per metre of depth" in text and "still stored" in text and "steady    at t" in text, text)

# A thin cooling fin: across it heat leaves at once, along it slowly. The excess falls as cosh(m (L - x)) with
# m2 = 2 h/(k thickness) (Incropera, Fundamentals of Heat and Mass Transfer, case B of fins), and by
# m2 d2/24 as cells average over their thickness. A state that is looked at too often seems to stand still.
L, THICK, H, K = 0.1, 0.002, 30.0, 200.0
FIN = {"domain": {"size": [L, THICK], "cells": [200, 4]},
       "materials": ({"name": "fin", "conductivity": K, "density": 2700.0, "heat_capacity": 900.0},),
       "initial": {"temperature": 600.0},
       "boundary": {"left": {"type": "temperature", "value": 600.0},
                    **{side: {"type": "convection", "coefficient": H, "ambient": 300.0} for side in ("bottom", "top")}},
       "time": {"steady": True}, "output": {"precision": "double"}}
m = (2 * H / (K * THICK))**0.5
exact = 300 + 300 * numpy.cosh(m * (L - centres(200, L))) / numpy.cosh(m * L)
for precision, most in (("double", 0.02), ("single", 0.05)):
    for interval in (0.0, 0.5):
        folder = run("fin", FIN, "--set", f"run.precision={precision}", "--set", f"output.interval={interval}")
        apart = abs(last(folder).mean(axis=0) - exact).max()
        check(apart < most, f"fin in {precision}, snapshots every {interval} s: {apart:.3g} K apart")
        check(interval > 0 or series(folder, "step")[-1] < 2000, "not looked at too often")

CHIP = os.path.join(os.path.dirname(__file__), "..", "..", "inputs", "hotspot_ev6.cfg")
told = invoke(["check", CHIP, "--set", "time.steady=true", "--output", "none"], expect=2).stderr
check("sources.[0]: the powers of a floorplan change in time" in told, f"floorplan: {told}")

# What single precision cannot tell is told where many steps round between two looks.
WALL = os.path.join(os.path.dirname(__file__), "..", "..", "inputs", "iso10211_2.cfg")
for path, precision, tolerance, is_told in (
        (WALL, "single", 1e-6, True), (WALL, "single", 5e-5, True), (WALL, "single", 1e-4, False),
        (WALL, "double", 1e-6, False), ("fin.cfg", "single", 1e-6, False)):
    told = invoke(["check", path, "--set", f"run.precision={precision}", "--output", "none",
                   "--set", f"time.tolerance={tolerance}"]).stderr
    check(("is finer than single precision tells here" in told) == is_told and told.count("\n") == is_told,
          f"{path}, {precision}, {tolerance}: {told}")

# What was near enough is not for a smaller tolerance; a way cannot end before it is.
path = write_input("nearer", FIN)
shutil.rmtree("nearer", ignore_errors=True)
for tolerance in (1e-3, 1e-6):
    invoke(["run", path, "--output", "nearer", "--quiet", "--resume", "--set", f"time.tolerance={tolerance}"])
    apart = abs(last("nearer").mean(axis=0) - exact).max()
    check((apart < 0.02) == (tolerance == 1e-6), f"{apart:.3g} K apart with a tolerance of {tolerance}")
check("is not later" in invoke(["run", path, "--output", "nearer", "--resume", "--set", "time.end=50.0"], 2).stderr,
      "an end before the checkpoint")
check("checkpoint.interval" in invoke(["check", path, "--set", "checkpoint.interval=1e-30"], 2).stderr,
      "more checkpoints than can be counted")
finish()
