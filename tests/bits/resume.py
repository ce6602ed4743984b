import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import numpy
from case import PROGRAM, check, finish, invoke, run, series, skip_without, write_input

# A run that is killed or stopped at any moment and resumed, on any number of ranks, ends with the
# same file contents as one that was not.
BACKEND = sys.argv[1] if len(sys.argv) > 1 else "cpu"
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 15
PRECISION = sys.argv[3] if len(sys.argv) > 3 else "double"
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 21
skip_without(BACKEND)
SCALE = 0.2 if BACKEND == "cuda" else 1.0  # there most of a run is its start
GONE_S = 3.0 if BACKEND == "cuda" else 1.0  # a killed process takes its GPU context down first
CASE = {
    "domain": {"size": [0.1, 0.1], "cells": [211, 199]},
    "materials": ({"name": "m", "conductivity": 40.0, "density": 7000.0, "heat_capacity": 450.0},),
    "initial": {"temperature": "300+25*sin(1e4*x+7e3*y*y)"},
    "boundary": {"left": {"type": "temperature", "value": 371.3},
                 "bottom": {"type": "flux", "value": 1500.0}},
    "time": {"end": 40.0 * SCALE},
    "output": {"interval": 3.0 * SCALE, "precision": "double",
               "fields": ["temperature", "heat_flux_x", "gradient"], "stride": [1, 2],
               "probes": ({"name": "a", "at": [0.03, 0.05], "interval": 0.5 * SCALE},)},
    "run": {"backend": BACKEND, "precision": PRECISION},
    "checkpoint": {"interval": "0.05 s wall"},
}
if len(sys.argv) > 5 and sys.argv[5] == "steady":
    CASE = {**CASE, "domain": {"size": [0.1, 0.1], "cells": [61, 57]}, "boundary": {"left": {"type": "temperature", "value": 371.3},
                                 "bottom": {"type": "flux", "value": 1500.0},
                                 "right": {"type": "radiation", "emissivity": 0.9, "ambient": 500.0}},
            "time": {"steady": True, "tolerance": 1e-3, "step": 0.5}}
    CASE["output"]["interval"] = 10.0
    CASE["output"]["probes"][0]["interval"] = 10.0
NAMES = ("temperature", "heat_flux_x", "gradient", "time", "step", "energy", "heat_left", "heat_bottom", "residual")


def contents(folder):
    with open(os.path.join(folder, "probes.csv"), encoding="utf-8") as file:
        probes = file.read()
    return {**{name: series(folder, name).tobytes() for name in NAMES}, "probes.csv": probes}


def is_alive(pid):
    """Not gone and no zombie: where process 1 reaps nothing, those stay and mean nothing."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def children(pid):
    """Ranks and writer, which have names of their own: a sanitizer has a child too when it looks for
    leaks, and waits for ever when that is killed."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            pids = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return [pid for pid in pids if name_of(pid).startswith("isotherm-")]


def wait_gone(pids, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not any(is_alive(pid) for pid in pids):
            return True
        time.sleep(0.01)
    return False


random.seed(SEED)
print("seed", SEED)
start = time.monotonic()
reference = contents(run("whole", CASE, "--ranks", "2"))
duration = time.monotonic() - start
times = numpy.frombuffer(reference["time"])
check((numpy.diff(times) > 0).all(), "times increase")

path = write_input("killed", CASE)
for trial in range(TRIALS):
    shutil.rmtree("killed", ignore_errors=True)
    history = []
    for attempt in range(3):
        ranks = random.choice((1, 2, 3, 4))
        process = subprocess.Popen([PROGRAM, "run", path, "--output", "killed", "--quiet", "--resume",
                                    "--ranks", str(ranks)], stderr=subprocess.PIPE, text=True)
        time.sleep(random.uniform(0.0, 0.8 * duration))
        group = [process.pid, *children(process.pid)]
        victim = random.choice(group)
        name = random.choice(("SIGKILL", "SIGKILL", "SIGTERM"))
        if name == "SIGTERM":
            victim = process.pid
        try:
            os.kill(victim, getattr(signal, name))
        except ProcessLookupError:
            pass
        killed_at = time.monotonic()
        message = process.communicate()[1]
        took = time.monotonic() - killed_at
        code = process.returncode
        history.append(f"{ranks} ranks, {name} to {'launcher' if victim == process.pid else 'child'}: {code}")
        if name == "SIGKILL":
            check(took < GONE_S, f"the run is gone after {took:.2f} s")
            expected = (-9, 0) if victim == process.pid else (4, 0)
            check(code in expected, f"exit {code} after SIGKILL: {message}")
            if code == 4:
                check(message.count("isotherm: error:") == 1, f"one line of error: {message}")
        else:
            # Before the launcher watches for it, SIGTERM ends it as it ends any program.
            check(code in (75, 0, -15), f"exit {code} after SIGTERM: {message}")
        check(wait_gone(group, GONE_S), "no process is left")
    invoke(["run", path, "--output", "killed", "--quiet", "--resume", "--ranks",
            str(random.choice((1, 2, 3)))])
    got = contents("killed")
    for name, data in reference.items():
        check(got[name] == data, f"trial {trial}: {name} differs after {history}")
    names = os.listdir("killed")
    check(not [name for name in names if "tmp" in name or name.startswith(".")],
          f"no temporary file is left: {names}")
invoke(["run", path, "--output", "killed", "--quiet", "--resume"])
check(contents("killed") == reference, "a finished run that is resumed stays as it is")
finish()
