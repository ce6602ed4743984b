"""`isotherm plot --unit C`: the pictures are those of a file that holds degrees Celsius."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy
from case import check, finish, invoke, material, run
from picture import read_png

CASE = {"domain": {"size": [0.2, 0.1], "cells": [24, 12]}, "materials": material(k=1e-3),
        "initial": {"temperature": "283.15 + 400*x"},
        "boundary": {"left": {"type": "temperature", "value": 283.15},
                     "right": {"type": "temperature", "value": 363.15}},
        "time": {"end": 2.0},
        "output": {"interval": 1.0, "precision": "double",
                   "probes": ({"name": "a", "at": [0.03, 0.05], "interval": 0.25},
                              {"name": "b", "at": [0.17, 0.05], "interval": 0.25})}}


def shift(folder, to, by):
    """The same result in degrees Celsius, and `by` more."""
    os.makedirs(to, exist_ok=True)
    path = shutil.copy(os.path.join(folder, "run.h5"), os.path.join(to, "run.h5"))
    with h5py.File(path, "a") as file:
        file["temperature"][...] = file["temperature"][...] - 273.15 + by
        file["temperature"].attrs["units"] = numpy.bytes_("°C".encode())
    return path


def draw(*words):
    invoke(["plot", *words, "-o", "picture.png"])
    with open("picture.png", "rb") as file:
        return file.read()


kelvin = os.path.join(run("kelvin", CASE), "run.h5")
celsius = shift("kelvin", "celsius", 0)
plain = draw(kelvin)
check(draw(kelvin, "--unit", "K") == plain, "K is the default")
for words in ((), ("--contours", "6"), ("--line", "y=0.05"), ("--line", "x=0.1", "--range", "40,60"),
              ("--range", "20,80"), ("--middle", "37"), ("--time", "1"), ("--colormap", "ocean")):
    check(draw(kelvin, "--unit", "C", *words) == draw(celsius, *words), f"--unit C {words}")
    check(draw(kelvin, "--unit", "C", *words) != draw(kelvin, *words), f"--unit C {words}: another one than in K")
for file, unit in ((kelvin, ("--unit", "C")), (celsius, ())):
    invoke(["plot", file, "--time", "all", *unit, "-o", os.path.join(os.path.dirname(file), "all.png")])
for number in range(3):
    pair = [open(f"{folder}/all-{number:04d}.png", "rb").read() for folder in ("kelvin", "celsius")]
    check(pair[0] == pair[1], f"--time all, frame {number}")

# Degrees below zero do not mean the opposite of those above: no diverging colours.
below = {**CASE, "initial": {"temperature": "253.15 + 200*x"}, "boundary": {}}
check(draw(os.path.join(run("below", below), "run.h5"), "--unit", "C") ==
      draw(shift("below", "shifted", 0), "--colormap", "ember"), "frost is no opposite of warmth")

# What single precision makes of round numbers is taken for them: 273.15, 293.15, 373.15.
for value in (273.15, 293.15, 373.15):
    even = {**CASE, "initial": {"temperature": value}, "boundary": {}, "output": {"precision": "single"}}
    single = os.path.join(run("single", even), "run.h5")
    exact = shift("single", "exact", 0)
    with h5py.File(exact, "a") as file:
        data = numpy.full(file["temperature"].shape, round(value - 273.15))
        attributes = dict(file["temperature"].attrs)
        file["temperature"][...] = data
        check(attributes["units"] == "°C".encode(), f"units: {attributes}")
    check(draw(single, "--unit", "C") == draw(exact), f"{value} K in single precision")

# Probes: the same curves, but for the name of the axis on the left.
with open("kelvin/probes.csv", encoding="utf-8") as file:
    header, *rows = file.read().splitlines()
with open("celsius/probes.csv", "w", encoding="utf-8") as file:
    file.write(header + "\n")
    for row in rows:
        time, *values = row.split(",")
        file.write(",".join([time, *(repr(float(value) - 273.15) for value in values)]) + "\n")
os.makedirs("same", exist_ok=True)
pictures = []
for folder, unit in (("kelvin", ("--unit", "C")), ("celsius", ())):
    shutil.copy(os.path.join(folder, "probes.csv"), "same/probes.csv")  # its path is in the picture
    invoke(["plot", "same/probes.csv", *unit, "-o", "same/picture.png"])
    pictures.append(read_png("same/picture.png"))
check(pictures[0].shape == pictures[1].shape, "pictures of probes")
check((pictures[0][:, 40:] == pictures[1][:, 40:]).all(), "curves of probes")
check((pictures[0][:, :40] != pictures[1][:, :40]).any(), "the axis says degrees Celsius")

# What is no temperature is not converted, and no other unit is known.
for words, text in (((kelvin, "--field", "energy"), "--unit does nothing for energy, which is no temperature"),
                    ((kelvin, "--field", "conductivity_x"), "--unit does nothing for conductivity_x")):
    told = invoke(["plot", *words, "--unit", "C"], 2).stderr
    check(text in told and told.count("\n") == 1, f"{words}: {told}")
told = invoke(["plot", kelvin, "--unit", "F"], 2).stderr
check("--unit F: use K or C, degrees Celsius" in told, told)
finish()
