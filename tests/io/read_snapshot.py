"""Reads what write_asymmetric.c wrote the way users do, with h5py and the netCDF tools, and checks
values, coordinates, attributes, dimension scales and units by the netCDF-4 and CF-1.11 rules.

usage: read_snapshot.py WRITE_ASYMMETRIC
"""

import shutil
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped: needs h5py and numpy:", missing)
    sys.exit(77)

failures = 0


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        print("does not hold:", what)


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def check_values(file, precision):
    names = []
    file.id.links.iterate(lambda name: names.append(name.decode()), idx_type=h5py.h5.INDEX_CRT_ORDER)
    check(names == ["time", "nv", "y", "y_bnds", "x", "x_bnds", "temperature", "step", "energy",
                    "heat_left", "heat_right", "heat_bottom", "heat_top", "heat_fixed", "heat_sources",
                    "heat_loss", "residual"],
          "datasets in the order of creation: %s" % names)
    n, j, i = np.meshgrid(range(4), range(3), range(5), indexing="ij")
    t = file["temperature"]
    check(t.shape == (4, 3, 5), "temperature is (time, y, x)")
    check(t.dtype == ("f4" if precision == "single" else "f8"), "type of temperature")
    check((t[:] == 300 + i + 100 * j + 0.5 * n).all(), "temperature")  # exact in f4 too
    check(np.array_equal(file["time"][:], 0.1 * np.arange(4)), "time")
    check(np.array_equal(file["step"][:], 7 * np.arange(4)) and file["step"].dtype == "i8", "step")
    for k, name in enumerate(["heat_left", "heat_right", "heat_bottom", "heat_top", "heat_fixed"]):
        check(np.array_equal(file[name][:], (k + 1.0) * np.arange(4)), name)
    check(np.array_equal(file["energy"][:], 1000.0 + np.arange(4)), "energy")
    check(np.array_equal(file["residual"][:], -1e-9 * np.arange(4)), "residual")
    check(np.allclose(file["x"][:], [0.05, 0.15, 0.25, 0.35, 0.45], rtol=1e-15), "x")
    check(np.allclose(file["y"][:], [0.15, 0.45, 0.75], rtol=1e-15), "y")
    check(np.allclose(file["x_bnds"][:, 0], [0, 0.1, 0.2, 0.3, 0.4], atol=1e-16), "lower x_bnds")
    check(np.array_equal(file["x_bnds"][1:, 0], file["x_bnds"][:-1, 1]), "x_bnds meet")
    check(file["y_bnds"][2, 1] == 0.9 and file["x_bnds"][4, 1] == 0.5, "outer bounds")


def check_words(file):
    for name, value in {"Conventions": "CF-1.11", "title": "Platte aus Kupfer, 20 \u00b0C",
                        "source": "isotherm test", "history": "now: isotherm run plate.cfg",
                        "input": 'title = "x";\ncells = [5, 3];\n'}.items():
        check(text(file.attrs[name]) == value, "attribute %s: %r" % (name, file.attrs[name]))
    units = {"time": "s", "x": "m", "y": "m", "temperature": "K", "step": "1", "energy": "J/m",
             "heat_left": "J/m", "residual": "J/m"}
    for name, value in units.items():
        check(text(file[name].attrs["units"]) == value, "units of " + name)
        check(text(file[name].attrs["long_name"]) != "", "long_name of " + name)
    check(text(file["x"].attrs["bounds"]) == "x_bnds", "bounds of x")
    check(text(file["y"].attrs["bounds"]) == "y_bnds", "bounds of y")
    fill = file["temperature"].attrs["_FillValue"]
    check(np.isnan(fill) and fill.dtype == file["temperature"].dtype, "_FillValue")
    check(np.isnan(file["temperature"].fillvalue), "fill value")
    for name in file:
        check("axis" not in file[name].attrs, "no attribute axis: " + name)
        check("_FillValue" not in file[name].attrs or name == "temperature", "only one _FillValue")


def check_scales(file):
    dimensions = {"temperature": ["time", "y", "x"], "step": ["time"], "energy": ["time"],
                  "heat_left": ["time"], "heat_right": ["time"], "heat_bottom": ["time"],
                  "heat_top": ["time"], "heat_fixed": ["time"], "heat_sources": ["time"], "heat_loss": ["time"],
                  "residual": ["time"],
                  "x_bnds": ["x", "nv"], "y_bnds": ["y", "nv"]}
    for name in file:
        if name in dimensions:
            scales = [file[name].dims[d][0].name.strip("/") for d in range(file[name].ndim)]
            check(scales == dimensions[name], "scales of %s: %s" % (name, scales))
        else:
            check(h5py.h5ds.is_scale(file[name].id), name + " is a scale")
    back = file["x"].attrs["REFERENCE_LIST"]
    named = sorted((file[r[0]].name, int(r[1])) for r in back)
    check(named == [("/temperature", 2), ("/x_bnds", 0)], "who has the scale x: %s" % named)


def check_storage(file, compression):
    t = file["temperature"]
    check(t.chunks == (1, 3, 5), "chunk is a frame here")
    check(t.maxshape == (None, 3, 5) and file["time"].maxshape == (None,), "time is unlimited")
    check(t.fletcher32, "fletcher32")
    check(t.shuffle == (compression != "none"), "shuffle")
    level = {"none": None, "fast": 1, "small": 6}[compression]
    check(t.compression == (None if level is None else "gzip") and t.compression_opts == level,
          "deflate level")
    with open(file.filename, "rb") as raw:
        check(raw.read(9)[8] in (0, 1), "superblock of version 0 or 1: readable after a kill")
    check(not any(isinstance(file[name], h5py.Group) for name in file), "no groups")


def check_netcdf(name):
    if shutil.which("ncdump") is None:
        print("ncdump is not here: not checked with it")
        return
    dump = subprocess.run(["ncdump", "-h", name], capture_output=True, text=True)
    check(dump.returncode == 0 and dump.stderr == "", "ncdump -h is clean: " + dump.stderr)
    lines = [line.strip() for line in dump.stdout.splitlines()]
    for line in ["time = UNLIMITED ; // (4 currently)", "y = 3 ;", "x = 5 ;", "nv = 2 ;",
                 "double y_bnds(y, nv) ;", "int64 step(time) ;", "double energy(time) ;",
                 'temperature:units = "K" ;', ':Conventions = "CF-1.11" ;']:
        check(line in lines, "ncdump says: " + line)
    check("phony_dim" not in dump.stdout, "no unnamed dimension")


for precision in ["single", "double"]:
    for compression in ["none", "fast", "small"]:
        name = "%s_%s.h5" % (precision, compression)
        subprocess.run([sys.argv[1], name, precision, compression], check=True)
        with h5py.File(name, "r") as file:
            check_values(file, precision)
            check_words(file)
            check_scales(file)
            check_storage(file, compression)
        check_netcdf(name)
print("read_snapshot:", "failed" if failures else "all claims hold")
sys.exit(1 if failures else 0)
