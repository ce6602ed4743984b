import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import check, finish, invoke, run, series
from skew import CELLS, SETTINGS, SIZE, TIMES, same

# run.vtkhdf as the VTKHDF file format of VTK's documentation wants it, version 2.0, ImageData.


def check_view(folder, times, text):
    with h5py.File(os.path.join(folder, "run.vtkhdf"), "r") as file:
        root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        check(list(root.attrs["Version"]) == [2, 0], f"{text}: version")
        type_of = root.attrs.get_id("Type").get_type()
        check(root.attrs["Type"] == b"ImageData" and type_of.get_cset() == h5py.h5t.CSET_ASCII and
              not type_of.is_variable_str(), f"{text}: type {root.attrs['Type']}")
        check(list(root.attrs["WholeExtent"]) == [0, CELLS[0], 0, CELLS[1], 0, 0], f"{text}: extent")
        same(root.attrs["Origin"], [0, 0, 0], text + ": origin")
        spacing = root.attrs["Spacing"]
        same(spacing[:2] * CELLS, SIZE, text + ": spacing", 1e-15)
        same(root.attrs["Direction"], numpy.eye(3).ravel(), text + ": direction")
        check(steps.attrs["NSteps"] == times, f"{text}: {steps.attrs['NSteps']} times, not {times}")
        same(steps["CellDataOffsets/temperature"][...], numpy.arange(times), text + ": offsets")
        for group, name, target in ((steps, "Values", "/time"),
                                    (root["CellData"], "temperature", "/temperature")):
            link = group.get(name, getlink=True)
            check((link.filename, link.path) == ("run.h5", target), f"{text}: {name} is {link}")
        same(steps["Values"][...], series(folder, "time"), text + ": times")
        same(root["CellData/temperature"][...], series(folder), text + ": field")


folder = run("whole", SETTINGS)
check_view(folder, len(TIMES), "whole run")
shutil.rmtree("moved", ignore_errors=True)
shutil.move(folder, "moved")
check_view("moved", len(TIMES), "moved")

# A run that dies has no times in it that run.h5 lacks; going on from an earlier checkpoint cuts both.
settings = {**SETTINGS, "checkpoint": {"interval": 0.0015}}
folder = run("killed", settings, expect=4, environment={"ISOTHERM_FAULT": "frame:writer:kill:6"})
with h5py.File(os.path.join(folder, "run.vtkhdf"), "r") as file:
    frames = int(file["VTKHDF/Steps"].attrs["NSteps"])
check(0 < frames <= len(series(folder, "time")), f"{frames} times after the kill")
check_view(folder, frames, "killed")
invoke(["run", "killed.cfg", "--output", folder, "--quiet", "--resume"])
check_view(folder, len(TIMES), "resumed")
finish()
