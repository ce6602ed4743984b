"""`isotherm plot --field` draws whatever run.h5 holds, also what other programs put there."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy
from case import check, finish, invoke, run
from picture import read_png
from skew import CELLS, SETTINGS, SIZE, TIMES


def plain_colours(picture, least):
    """The colours of at least so many pixels, but for black, white and grey."""
    colours, counts = numpy.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    return [tuple(map(int, colour)) for colour, count in zip(colours, counts)
            if count >= least and max(colour) - min(colour) > 8]


two = ({"name": "steel", "conductivity": 1.0, "density": 1.0, "heat_capacity": 1.0},
       {"name": "soft copper", "conductivity": 2.0, "density": 1.0, "heat_capacity": 1.0})
shapes = ({"type": "rectangle", "from": [0.0, 0.0], "to": [0.1, 0.1], "material": "soft copper"},)
folder = run("two", {**SETTINGS, "materials": two, "geometry": {"shapes": shapes}})
os.chdir(folder)
with h5py.File("run.h5", "a") as file:
    slope = numpy.linspace(-1, 1, CELLS[0])[None, None, :] * numpy.ones((len(TIMES), CELLS[1], 1))
    file["slope"] = slope * numpy.arange(len(TIMES))[:, None, None]
    file["slope"].attrs["units"] = "W/m2"
    file["porosity"] = numpy.linspace(0, 1, CELLS[0] * CELLS[1]).reshape(CELLS[1], CELLS[0])
    file["porosity_bnds"] = file["porosity"][...]  # CF: part of another variable
    file["transposed"] = numpy.zeros(CELLS)
    file["short"] = numpy.zeros(len(TIMES) - 1)
    file["text"] = "no numbers"
    file.create_group("group")

shown = invoke(["plot", "run.h5", "--field", "list"]).stdout.splitlines()
names = [line.split()[0] for line in shown]
check(names[0] == "temperature" and names[-6:] == ["material", "conductivity_x", "conductivity_y",
                                               "volumetric_heat_capacity", "slope", "porosity"],
      f"what can be drawn: {names}")
check(not {"x", "y", "time", "x_bnds", "nv", "transposed", "short", "text",
           "porosity_bnds"} & set(names),
      f"and nothing else: {names}")
check(shown[names.index("slope")].split()[1:] == ["(time,", "y,", "x)", "W/m2", "slope"],
      f"with shape and unit: {shown}")

# Every one of them makes a picture, named after it.
for name in names:
    path = "run.png" if name == "temperature" else f"run-{name}.png"
    check(invoke(["plot", "run.h5", "--field", name]).stdout == f"wrote {path}\n", f"{name}: {path}")
invoke(["plot", "run.h5", "--field", "slope", "--line", "y=0.05"])
check(os.path.exists("run-slope-line.png"), "a line of it too")

# Two materials, two colours; the left half is of the second.
picture = read_png("run-material.png")
colours = plain_colours(picture, 20000)
check(len(colours) == 2, f"colours of materials: {colours}")
columns = [numpy.nonzero((picture == colour).all(axis=2))[1] for colour in colours]
places = [numpy.median(column) for column in columns]
shares = [len(column) for column in columns]
check(max(shares) > 1.8 * min(shares), f"a third and two thirds of the plate: {shares}")
check(places[shares.index(min(shares))] < places[shares.index(max(shares))],
      "copper is on the left")

# Outlines of the materials over the temperature: an upright line at x = 0.1 m.
invoke(["plot", "run.h5", "-o", "plain.png"])
invoke(["plot", "run.h5", "--outlines", "-o", "outlined.png"])
drawn = (read_png("plain.png") != read_png("outlined.png")).any(axis=2)
rows, columns = numpy.nonzero(drawn)
area = (picture == colours[0]).all(axis=2) | (picture == colours[1]).all(axis=2)
across, up = numpy.nonzero(area.sum(axis=0) > 100)[0], numpy.nonzero(area.sum(axis=1) > 100)[0]
left, width, height = across[0], len(across), len(up)  # the frame may be elsewhere along y
edge = left + width * 0.1 / SIZE[0]
check(abs(columns + 0.5 - edge).max() < 3, f"up to {abs(columns + 0.5 - edge).max()} from the edge")
check(drawn[rows.min():rows.max() + 1, int(edge)].all() and rows.max() + 1 - rows.min() == height,
      "the whole edge")
check("belongs to a picture" in invoke(["plot", "run.h5", "--outlines", "--line", "y=0.05"], 2).stderr,
      "outlines of a line")
bare = os.path.join(run("bare", SETTINGS), "run.h5")
check("holds no material" in invoke(["plot", bare, "--outlines"], 2).stderr, "outlines without materials")

# All times have one range, which is even around 0: at the first time all is white but for the bar.
invoke(["plot", "run.h5", "--field", "slope", "--time", "all", "-o", "slope.png"])
first, final = (read_png(f"slope-{k:04}.png")[200:260, 60:700].astype(int) for k in (0, 4))
check((first.min(axis=2) > 240).mean() > 0.9, "nothing is white")
left, right = final[:, 60].mean(axis=0), final[:, -60].mean(axis=0)
check(left[2] > left[0] + 50 and right[0] > right[2] + 50, f"blue on the left {left}, red {right}")

# Before the first frame there is no temperature, but materials are known.
with h5py.File("run.h5", "a") as file:
    for name in ("time", "step", "temperature"):
        file[name].resize(0, axis=0)
check("holds no frame yet" in invoke(["plot", "run.h5"], 5).stderr, "no frame")
invoke(["plot", "run.h5", "--field", "material"])
finish()
