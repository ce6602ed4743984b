import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy
from case import PROGRAM, check, finish, invoke, run, series, skip_without, write_input

# A run that is killed or stopped at any moment leaves a series that anyone can read, whose frames are those of
# the run that was not killed; resumed, on any number of ranks, it ends with the same file contents.
BACKEND = sys.argv[1] if len(sys.argv) > 1 else "cpu"
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 15
PRECISION = sys.argv[3] if len(sys.argv) > 3 else "double"
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 21
KIND = sys.argv[5] if len(sys.argv) > 5 else "plain"
LEAST_KILLS = int(sys.argv[6]) if len(sys.argv) > 6 else 0  # trials go on until so many runs were killed
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
if KIND == "frames":  # hardly anything but these: many kills come while one is written
    CASE["output"]["interval"] = 0.2 * SCALE
if KIND == "steady":
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


def look_at_rest(folder, whole, text):
    """What a kill left behind, as other programs read it: the number of frames, 0 without a file."""
    path = os.path.join(folder, "run.h5")
    if not os.path.exists(path):
        return 0
    if shutil.which("h5ls"):
        listed = subprocess.run(["h5ls", "-r", path], capture_output=True, text=True, check=False)
        check(listed.returncode == 0 and "/temperature" in listed.stdout, f"{text}: h5ls {listed}")
    try:
        with h5py.File(path, "r") as file:
            times = file["time"][...]
            check((numpy.diff(times) > 0).all(), f"{text}: times increase: {times}")
            places = numpy.searchsorted(whole["time"], times)
            check((whole["time"][places % len(whole["time"])] == times).all(), f"{text}: times: {times}")
            for name in NAMES:
                # What is behind the last time belongs to a frame that did not get into the file.
                held = numpy.array([file[name][frame] for frame in range(len(times))])
                check(len(times) == 0 or held.tobytes() == whole[name][places].tobytes(), f"{text}: {name}")
            return len(times)
    except (OSError, KeyError, IndexError) as error:
        check(False, f"{text}: {error}")
    return 0


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
whole = {name: series("whole", name) for name in NAMES}
check((numpy.diff(whole["time"]) > 0).all(), "times increase")

path = write_input("killed", CASE)
trial = kills = frames_seen = 0
while trial < TRIALS or kills < LEAST_KILLS:
    trial += 1
    shutil.rmtree("killed", ignore_errors=True)
    history = []
    for attempt in range(3):
        ranks = random.choice((1, 2, 3, 4))
        process = subprocess.Popen([PROGRAM, "run", path, "--output", "killed", "--quiet", "--resume",
                                    "--ranks", str(ranks)], stderr=subprocess.PIPE, text=True)
        time.sleep(random.uniform(0.0, 0.8 * duration))
        group = [process.pid, *children(process.pid)]
        victim = random.choice(group)
        name = random.choice(("SIGKILL", "SIGKILL", "SIGKILL" if LEAST_KILLS else "SIGTERM"))
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
        kills += code in (-9, 4)
        frames_seen += look_at_rest("killed", whole, f"trial {trial}, {history}")
    invoke(["run", path, "--output", "killed", "--quiet", "--resume", "--ranks",
            str(random.choice((1, 2, 3)))])
    got = contents("killed")
    for name, data in reference.items():
        check(got[name] == data, f"trial {trial}: {name} differs after {history}")
    names = os.listdir("killed")
    check(not [name for name in names if "tmp" in name or name.startswith(".")],
          f"no temporary file is left: {names}")
invoke(["run", path, "--output", "killed", "--quiet", "--resume"])
print(f"{kills} runs killed, {frames_seen} frames read after that")
check(frames_seen > 0, "some kill came after a frame")
check(contents("killed") == reference, "a finished run that is resumed stays as it is")
finish()
