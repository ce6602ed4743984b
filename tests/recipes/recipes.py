import csv
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import PROGRAM, check, finish, run
from page import recipes
from skew import CELLS, PROBES, SETTINGS, SIZE, START, TIMES, X, Y, interpolate, same


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def python(text):
    names = {}
    try:
        exec(compile(text, "recipe", "exec"), names)
    except ImportError as error:
        skip(f"a Python module is missing: {error}")
    return names


def command(words, text=None):
    """Runs a command that reads `text`; its output."""
    if shutil.which(words[0]) is None:
        skip(f"{words[0]} is not installed")
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": path})
    check(done.returncode == 0, f"{words[0]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def shell(text, *needs):
    for need in needs:
        if shutil.which(need) is None:
            skip(f"{need} is not installed")
    return command(["bash", "-e", "-o", "pipefail"], text)


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], numpy.array(rows[1:], dtype=float)


def check_pictures(*names):
    for name in names:
        with open(name, "rb") as file:
            check(file.read(8) == b"\x89PNG\r\n\x1a\n", f"{name} is a PNG")


def check_isotherm(text, field):
    shell(text)
    with open("info.json", encoding="utf-8") as file:
        frames = json.load(file)["frames"]
    check([frame["time_s"] for frame in frames] == TIMES, f"times in info: {frames}")
    check([frame["max_K"] for frame in frames] == [f.max() for f in field], "max_K")
    check_pictures("last.png", "run-heat_left.png", "probes.png", *(f"frame-{k:04}.png" for k in range(len(TIMES))))
    names, cells = table("last.csv")
    check(names == ["x_m", "y_m", "temperature_K"], f"names of columns: {names}")
    same(cells[:, 0], numpy.tile(X, CELLS[1]), "x of the table")
    same(cells[:, 1], numpy.repeat(Y, CELLS[0]), "y of the table")
    same(cells[:, 2], field[-1].ravel(), "temperature of the table")
    same(numpy.fromfile("field.raw", "<f8"), field[2].ravel(), "raw numbers")


def check_xarray(text, field):
    names = python(text)
    data, last = names["run"], names["last"]
    same(data.time, TIMES, "time")
    same(data.x, X, "x")
    same(data.y, Y, "y")
    check(last.dims == ("y", "x"), f"dimensions: {last.dims}")
    units = [data[name].attrs["units"] for name in ("time", "x", "y", "temperature", "energy")]
    check(units == ["s", "m", "m", "K", "J/m"], f"units: {units}")
    same(data.temperature, field, "temperature")
    same(last.sel(x=0, y=1, method="nearest"), field[-1, -1, 0], "upper left corner")
    same(names["row"], field[-1, 3], "row in the middle")
    same(names["then"], field[2], "temperature at 0.002 s")
    same(names["mean"], field.mean(axis=(1, 2)), "mean", 1e-9)


def check_h5netcdf(text, field):
    names = python(text)
    same(names["run"].temperature, field, "temperature")
    same(names["point"], [interpolate(frame, 0.12, 0.03) for frame in field], "point", 1e-9)


def check_h5py(text, field):
    names = python(text)
    same(names["time"], TIMES, "time")
    same(names["x"], X, "x")
    same(names["y"], Y, "y")
    same(names["last"], field[-1], "last frame")
    unit = names["unit"]
    check((unit.decode() if isinstance(unit, bytes) else unit) == "K", f"unit: {unit}")
    check(numpy.all(numpy.diff(names["heat"]) > 0), "heat comes in through the left side")


def check_matplotlib(text, field):
    os.environ["MPLBACKEND"] = "Agg"
    names = python(text)
    image = names["image"]
    same(image.get_array(), field[-1], "what is shown last")
    same(image.get_extent(), (0, SIZE[0], 0, SIZE[1]), "extent", 1e-15)
    check(image.origin == "lower", "first row at the bottom")
    check_pictures("matplotlib.png")
    with open("film.gif", "rb") as file:
        check(file.read(6) == b"GIF89a", "film.gif is a GIF")


def check_pandas(text, field):
    probes = python(text)["probes"]
    check(list(probes.columns) == [name + "_K" for name, _, _ in PROBES], f"columns: {probes}")
    same(probes.index, numpy.arange(9) * 0.0005, "time", 1e-15)
    for (name, x, y), column in zip(PROBES, probes.columns):
        same(probes[column].iloc[::2], [interpolate(frame, x, y) for frame in field], name, 1e-9)


def check_numpy(text, field):
    shell("isotherm export run.h5 --format raw --time 0.002 -o field.raw")
    names = python(text)
    same(names["field"], field[2], "raw numbers")
    about = names["about"]
    check(float(about["time_s"]) == 0.002 and about["unit"] == "K", f"about: {about}")
    check((float(about["size_x_m"]), float(about["size_y_m"])) == SIZE, f"about: {about}")


def check_vtk(text, field):
    try:
        import vtkmodules.vtkCommonCore as core
    except ImportError:
        skip("VTK's Python module is not installed (pip install vtk)")
    version = core.vtkVersion()
    if (version.GetVTKMajorVersion(), version.GetVTKMinorVersion()) < (9, 3):
        skip(f"VTK {version.GetVTKVersion()} is older than 9.3")
    names = python(text)
    reader, image = names["reader"], names["image"]
    same(names["times"], TIMES, "time")
    for time, frame in zip(TIMES, field):
        reader.UpdateTimeStep(time)
        values = reader.GetOutputDataObject(0).GetCellData().GetArray("temperature")
        shown = [values.GetValue(k) for k in range(values.GetNumberOfTuples())]
        same(shown, frame.ravel(), f"cells at {time} s")
    # The cell at a place: x to the right and y up.
    for i, j in ((0, 0), (CELLS[0] - 1, 0), (0, CELLS[1] - 1), (4, 5)):
        cell = image.FindCell((X[i], Y[j], 0.0), None, 0, 1e-9, vtk_reference(), [0] * 3, [0] * 4)
        value = image.GetCellData().GetArray("temperature").GetValue(cell)
        check(value == field[-1, j, i], f"cell at ({X[i]}, {Y[j]}): {value}")
    same(names["last"], field[-1], "last frame")
    same(image.GetBounds(), (0, SIZE[0], 0, SIZE[1], 0, 0), "bounds", 1e-15)


def vtk_reference():
    from vtkmodules.vtkCommonCore import reference
    return reference(0)


def octave(text, expressions):
    """The values of expressions after the recipe, as flat lists of numbers."""
    show = "".join(f'printf("%.17g ", {expression}); printf("\\n");\n' for expression in expressions)
    with open("recipe.m", "w", encoding="utf-8") as file:
        file.write(text + show)
    lines = command(["octave", "--no-gui", "--quiet", "--norc", "recipe.m"]).splitlines()
    check(len(lines) == len(expressions), f"Octave says {lines}")
    return [numpy.array(line.split(), dtype=float) for line in lines]


def check_octave(text, field):
    if "netcdf" not in command(["octave", "--no-gui", "--quiet", "--eval", "pkg list"]):
        skip("Octave's package netcdf is not installed (octave-netcdf)")
    shape, values, x, y, t, unit = octave("pkg load netcdf\n" + text,
                                          ("size(T)", "T", "x", "y", "t", "unit + 0"))
    check(list(shape) == [CELLS[0], CELLS[1], len(TIMES)], f"size(T) = {shape}")
    same(values, field.ravel(), "T, first index fastest")
    same(x, X, "x")
    same(y, Y, "y")
    same(t, TIMES, "t")
    check(bytes(int(c) for c in unit) == b"K", f"unit: {unit}")


def check_octave_hdf5(text, field):
    shape, values, corner = octave(text, ("size(T)", "T", "T(1, end, end)"))
    check(list(shape) == [CELLS[0], CELLS[1], len(TIMES)], f"size(T) = {shape}")
    same(values, field.ravel(), "T, first index fastest")
    same(corner, [field[-1, -1, 0]], "upper left corner")


def check_tools(text, field):
    output = shell(text, "ncdump", "h5dump", "h5repack")
    for part in ("double temperature(time, y, x)", 'temperature:units = "K"', 'x:units = "m"',
                 'time:units = "s"', "time = 0, 0.001, 0.002, 0.003, 0.004 ;"):
        check(part in output, f"ncdump says: {part}")
    first = output[output.index("(0,0,0):"):].split("\n")[0].split(":")[1].split(",")
    same(first, START[0, :3], "first three cells", 1e-3)
    with open("run.cdl", encoding="utf-8") as file:
        values = file.read().rpartition(" temperature =")[2].replace(";", "").replace("}", "")
    same(values.split(","), field.ravel(), "temperature in run.cdl")
    with h5py.File("packed.h5", "r") as file:
        same(file["temperature"], field, "temperature in packed.h5")


def check_text(text, field):
    hottest, mean = shell(text).splitlines()[-2:]
    j, i = numpy.unravel_index(field[-1].argmax(), field[-1].shape)
    same(hottest.split(","), (X[i], Y[j], field[-1, j, i]), "hottest cell")
    same(mean, field[-1, -1].mean(), "mean of the top row", 1e-3)
    with open("probe.csv", encoding="utf-8") as file:
        rows = [line.split(",") for line in file.read().splitlines()]
    same(rows[::2], [(t, interpolate(frame, *PROBES[0][1:])) for t, frame in zip(TIMES, field)],
         "first probe", 1e-9)


def check_gnuplot(text, field):
    shell("isotherm export run.h5 --format csv -o last.csv")
    # What gnuplot draws it can also say: place and value of each point.
    command(["gnuplot"], text.replace('set output "gnuplot.png"', 'set table "drawn.txt"'))
    command(["gnuplot"], text)
    check_pictures("gnuplot.png")
    drawn = numpy.loadtxt("drawn.txt", usecols=(0, 1, 2))
    same(drawn[:, 2], field[-1].ravel(), "values", 1e-3)
    same(drawn[:, 0], numpy.tile(X, CELLS[1]), "x", 1e-6)
    same(drawn[:, 1], numpy.repeat(Y, CELLS[0]), "y", 1e-6)


page, name = sys.argv[1:]
os.chdir(run("run", SETTINGS))
with h5py.File("run.h5", "r") as results:
    computed = results["temperature"][...]
same(computed[0], START, "the start", 1e-9)
globals()["check_" + name.replace("-", "_")](recipes(page)[name][1], computed)
finish()
