"""Chunks that are stored without compression, because somebody waits, look the same to every reader."""
import importlib.util
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

CELLS = (1300, 1000)
failures = 0


def check(is_true, what):
    global failures
    if not is_true:
        failures += 1
        print("FAILED:", what)


def expected(frame):
    j, i = np.indices(CELLS)
    return 300.0 + frame + 0.25 * (i // 8) + 0.5 * (j // 16)


def masks(name):
    """Filter masks of all chunks by frame: bits of the filters that were left out, in their order."""
    with h5py.File(name, "r") as file:
        dataset = file["temperature"].id
        found = {}
        for k in range(dataset.get_num_chunks()):
            chunk = dataset.get_chunk_info(k)
            found.setdefault(chunk.chunk_offset[0], []).append(chunk.filter_mask)
        return found


def tool(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    check(done.returncode == 0, "%s: %s" % (" ".join(words), done.stderr))
    return done.stdout


NAME = "late.h5"
print(subprocess.run([sys.argv[1], NAME], check=True, capture_output=True, text=True).stdout, end="")
found = masks(NAME)
SHUFFLE_AND_DEFLATE = 1 | 2  # the checksum stays
check(found[0] == [0, 0, 0], "frame 0 is compressed: %s" % found)
check(found[1] == [SHUFFLE_AND_DEFLATE] * 3, "frame 1 is plain: %s" % found)
check(found[2] == [0, SHUFFLE_AND_DEFLATE, SHUFFLE_AND_DEFLATE], "frame 2 is plain from the second chunk on: %s" % found)

with h5py.File(NAME, "r") as file:
    for frame in range(3):
        check((file["temperature"][frame] == expected(frame)).all(), "h5py: frame %d" % frame)
plain = h5py.File(NAME, "r")["temperature"].id.get_chunk_info(4)
with open(NAME, "r+b") as file:  # a bit turned over in a plain chunk is found by its checksum
    file.seek(plain.byte_offset + 1000)
    byte = file.read(1)[0]
    file.seek(plain.byte_offset + 1000)
    file.write(bytes([byte ^ 4]))
    file.flush()
    try:
        h5py.File(NAME, "r")["temperature"][1]
        check(False, "a damaged plain chunk is read without complaint")
    except OSError:
        pass
    file.seek(plain.byte_offset + 1000)
    file.write(bytes([byte]))

if shutil.which("h5dump") is not None:
    for frame in range(3):
        dump = tool("h5dump", "-d", "/temperature", "-s", "%d,1299,996" % frame, "-c", "1,1,4", "-y", NAME)
        values = dump.split("DATA {")[1].split("}")[0].replace("\n", " ").split(",")
        check([float(v) for v in values] == list(expected(frame)[1299, 996:]), "h5dump: %s" % values)
if shutil.which("h5repack") is not None:
    tool("h5repack", "-f", "SHUF", "-f", "GZIP=1", "-f", "FLET", NAME, "repacked.h5")
    check(set(sum(masks("repacked.h5").values(), [])) == {0}, "h5repack compresses all")
    check(os.path.getsize("repacked.h5") < 0.6 * os.path.getsize(NAME), "and the file shrinks")
    with h5py.File("repacked.h5", "r") as file:
        check((file["temperature"][1] == expected(1)).all(), "h5repack keeps the values")
if shutil.which("ncdump") is not None:
    tool("ncdump", "-v", "time", NAME)
if importlib.util.find_spec("h5netcdf") is not None:
    import h5netcdf

    with h5netcdf.File(NAME, "r") as file:
        check((file.variables["temperature"][2] == expected(2)).all(), "h5netcdf")
print("read_late:", "failed" if failures else "all claims hold")
sys.exit(1 if failures else 0)
