import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import check, finish, invoke, run, series
from skew import CELLS, SETTINGS, SIZE, TIMES

# `isotherm info --json` says all that the files hold, and nothing at all about a damaged one.


def info(path, expect=0):
    done = invoke(["info", path, "--json"], expect)
    if expect != 0:
        check(done.stdout == "", f"{path}: prints {done.stdout}")
        return done.stderr
    return json.loads(done.stdout)


def extremes(field):
    return field.min(), field.max()


folder = run("run", SETTINGS)
file = os.path.join(folder, "run.h5")
field = series(folder)
said = info(file)
check(said["kind"] == "snapshots" and said["file"] == file, f"{said}")
check(said["title"] == "Skew plate", f"title: {said['title']}")
check(said["source"].startswith("isotherm "), f"source: {said['source']}")
check("isotherm run run.cfg" in said["history"], f"history: {said['history']}")
check('initial = { temperature = "300 + 100*x + 1000*y^2"; };' in said["input"], "input")
check((said["cells_x"], said["cells_y"]) == CELLS, f"cells: {said}")
check((said["size_x_m"], said["size_y_m"]) == SIZE, f"size: {said}")
check(said["checksums_agree"] is True, "checksums")
check([frame["time_s"] for frame in said["frames"]] == TIMES, "times")
check([frame["step"] for frame in said["frames"]] == list(series(folder, "step")), "steps")
for frame, values in zip(said["frames"], field):
    check((frame["min_K"], frame["max_K"]) == extremes(values), f"extremes: {frame}")
    check(abs(frame["mean_K"] - values.mean()) < 1e-9, f"mean: {frame}")

# A checkpoint in either precision of the computation holds the end of the run.
for precision in ("double", "single"):
    settings = {**SETTINGS, "run": {**SETTINGS["run"], "precision": precision}}
    folder = run(precision, settings)
    final = series(folder)[-1]
    name, = (name for name in os.listdir(folder) if name.startswith("checkpoint-"))
    said = info(os.path.join(folder, name))
    check(said["kind"] == "checkpoint" and said["checksums_agree"] is True, f"{said}")
    check((said["cells_x"], said["cells_y"]) == CELLS, f"cells: {said}")
    check(said["precision"] == precision, f"precision: {said}")
    check(said["time_s"] == TIMES[-1] and f"checkpoint-{said['step']}.h5" == name, f"{said}")
    check((said["min_K"], said["max_K"]) == extremes(final), f"extremes: {said}")
    check(abs(said["mean_K"] - final.mean()) < 1e-9, f"mean: {said}")
    check({"counts", "values", "settings"} <= {part["name"] for part in said["sections"]}, f"{said}")

# One changed byte of a frame is noticed.
with h5py.File(file, "r") as opened:
    chunk = opened["temperature"].id.get_chunk_info(2)
with open(file, "r+b") as opened:
    opened.seek(chunk.byte_offset + chunk.size // 2)
    byte = opened.read(1)[0]
    opened.seek(-1, os.SEEK_CUR)
    opened.write(bytes([byte ^ 1]))
check(file in info(file, expect=5), "the damaged file is named")

# A file of another program has no checksums to speak of.
with h5py.File("other.h5", "w") as other:
    for key, values in (("temperature", numpy.full((1, 2, 3), 300.0)), ("time", [0.0]), ("step", [0]),
                        ("x", [0.5, 1.5, 2.5]), ("y", [0.5, 1.5])):
        other[key] = values
check("checksums_agree" not in info("other.h5"), "no verdict on another program's file")
finish()
