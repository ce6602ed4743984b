import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import numpy

from case import PROGRAM, check, finish, invoke, run, series
from skew import CELLS, SETTINGS, SIZE, TIMES, X, Y, same

# What `isotherm export` writes is what run.h5 holds, bit by bit, in single precision too.


def table(text):
    rows = list(csv.reader(text.splitlines()))
    check(rows[0] == ["x_m", "y_m", "temperature_K"], f"names of columns: {rows[0]}")
    return numpy.array(rows[1:], dtype=float)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def same_table(cells, frame, text):
    same(cells[:, 0], numpy.tile(X, CELLS[1]), text + ": x")
    same(cells[:, 1], numpy.repeat(Y, CELLS[0]), text + ": y")
    same(cells[:, 2], frame.ravel(), text + ": temperature")


for precision in ("double", "single"):
    settings = {**SETTINGS, "output": {**SETTINGS["output"], "precision": precision}}
    folder = run(precision, settings)
    file = os.path.join(folder, "run.h5")
    field = series(folder)

    invoke(["export", file, "--format", "csv"])
    same_table(table(read(os.path.join(folder, "run.csv"))), field[-1], "last, by default")
    for time, frame in (("0", 0), ("0.0024", 2), ("2.6 ms", 3), ("last", 4)):
        done = invoke(["export", file, "--format", "csv", "-o", "-", "--time", time])
        same_table(table(done.stdout), field[frame], f"--time {time}")

    # Standard output is the caller's: a file that is appended to keeps what it holds.
    with open("appended.csv", "w", encoding="utf-8") as file_of_rows:
        file_of_rows.write("before\n")
        file_of_rows.flush()
        subprocess.run([PROGRAM, "export", file, "--format", "csv", "-o", "-"], check=True,
                       stdout=file_of_rows)
    first, rest = read("appended.csv").split("\n", 1)
    check(first == "before", f"appended to: {first!r}")
    same_table(table(rest), field[-1], "appended")

    # Not over the file that is read.
    before = open(file, "rb").read()
    done = invoke(["export", file, "--format", "csv", "-o", file], 2)
    check("is the file that is read" in done.stderr, f"over itself: {done.stderr}")
    check(open(file, "rb").read() == before, "and it stays")

    name = os.path.join(folder, "numbered.bin")
    invoke(["export", file, "--format", "raw", "--time", "all", "--output", name])
    for k, time in enumerate(TIMES):
        path = os.path.join(folder, f"numbered-{k:04}.bin")
        same(numpy.fromfile(path, "<f8").reshape(CELLS[1], CELLS[0]), field[k], f"raw, frame {k}")
        about = dict(line.split(" = ") for line in read(path + ".txt").splitlines())
        check(about["file"] == os.path.basename(path), f"file: {about}")
        check((int(about["cells_x"]), int(about["cells_y"])) == CELLS, f"cells: {about}")
        check((float(about["size_x_m"]), float(about["size_y_m"])) == SIZE, f"size: {about}")
        check(float(about["time_s"]) == time, f"time: {about}")
        check(about["type"] == "float64" and about["byte_order"] == "little-endian" and
              about["unit"] == "K" and about["order"] == "x fastest, first row at the bottom",
              f"how it is stored: {about}")

    # A name without a dot stays as it is.
    name = os.path.join(folder, "plain")
    invoke(["export", file, "--format", "csv", "-o", name])
    same_table(table(read(name)), field[-1], "-o plain")
finish()
