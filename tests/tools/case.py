"""Runs the program on small input files and reads what it wrote, with h5py: for tests.

A test is a script that makes claims with check() and ends with finish()."""
import math
import os
import shutil
import subprocess
import sys

import h5py
import numpy

PROGRAM = os.environ["ISOTHERM"]
failures = 0
claims = 0


def check(holds, text):
    global failures, claims
    claims += 1
    if not holds:
        failures += 1
        print("does not hold:", text)


def finish():
    print(f"{claims} claims, {failures} failed")
    sys.exit(1 if failures or not claims else 0)


def libconfig(value):
    """A Python value as libconfig text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, dict):
        return "{ " + " ".join(f"{k} = {libconfig(v)};" for k, v in value.items()) + " }"
    if isinstance(value, tuple):
        return "( " + ", ".join(libconfig(v) for v in value) + " )"
    return "[ " + ", ".join(libconfig(v) for v in value) + " ]"


def material(k=1.0, capacity=1.0):
    """One material with volumetric heat capacity `capacity`."""
    return ({"name": "m", "conductivity": k, "density": float(capacity), "heat_capacity": 1.0},)


def invoke(arguments, expect=0, environment=None):
    """Runs the program; returns the finished process with its output as text."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                          env={**os.environ, **(environment or {})}, check=False)
    if done.returncode != expect:
        check(False, f"isotherm {' '.join(arguments)}: exit {done.returncode}, expected {expect}\n"
                     f"{done.stdout}{done.stderr}")
    return done


def write_input(name, settings):
    path = name + ".cfg"
    with open(path, "w", encoding="utf-8") as file:
        for key, value in settings.items():
            file.write(f"{key} = {libconfig(value)};\n")
    return path


def run(name, settings, *arguments, expect=0, environment=None):
    """Runs a case into the folder `name`, replacing what was there; returns the folder."""
    path = write_input(name, settings)
    shutil.rmtree(name, ignore_errors=True)
    invoke(["run", path, "--output", name, "--quiet", *arguments], expect,
           environment)
    return name


def skip_without(backend):
    """Ends the test with 77 where the backend cannot run."""
    if backend == "cuda":
        shown = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True, check=False)
        if "GPU 0" not in shown.stdout:
            print("skipped: no GPU here\n" + shown.stdout + shown.stderr)
            sys.exit(77)


def series(folder, name="temperature"):
    """All frames of a variable of run.h5."""
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        return file[name][...]


def last(folder):
    return series(folder)[-1].astype(numpy.float64)


def centres(n, length):
    return (numpy.arange(n) + 0.5) * (length / n)


def orders(errors, ratio=2.0):
    """Observed orders of convergence between successive grids."""
    return [math.log(a / b, ratio) for a, b in zip(errors, errors[1:])]
