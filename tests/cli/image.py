"""geometry.image: what it gives, and what is refused."""
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import h5py
import numpy
from case import check, finish, invoke, run, write_input

GREY, COLOUR, PALETTE, GREY_ALPHA, COLOUR_ALPHA = 0, 2, 3, 4, 6
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2))  # x, y, dx, dy of Adam7


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(levels, bits):
    data = b""
    for row in levels:
        digits = "".join(format(value, f"0{bits}b") for value in row)
        digits += "0" * (-len(digits) % 8)
        data += b"\0" + bytes(int(digits[k:k + 8], 2) for k in range(0, len(digits), 8))
    return data


def png(path, levels, kind=GREY, bits=8, interlaced=False, size=None):
    """PNG specification, 3rd edition; `size` in the header instead of the true one."""
    height, width = levels.shape if levels.ndim == 2 else levels.shape[:2]
    data = rows(levels.reshape(height, -1), bits)
    if interlaced:
        parts = [levels[y::dy, x::dx] for x, y, dx, dy in PASSES]
        data = b"".join(rows(part, bits) for part in parts if part.size)
    width, height = size or (width, height)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
            ">IIBBBBB", width, height, bits, kind, 0, 0, int(interlaced))))
        if kind == PALETTE:
            file.write(chunk(b"PLTE", bytes(k % 256 for k in range(3 * 2**bits))))
            file.write(chunk(b"tRNS", b"\0"))
        file.write(chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def case(cells, shapes=(), count=2, **changes):
    return {"domain": {"size": [1.0, 1.0], "cells": cells},
            "materials": tuple({"name": f"m{n}", "conductivity": 1.0 + n, "density": 1.0,
                                "heat_capacity": 1.0} for n in range(count)),
            "geometry": {"image": "a.png", "shapes": shapes}, "initial": {"temperature": 0.0},
            "time": {"end": 1e-4}, "run": {"backend": "cpu"}, **changes}


def materials(folder):
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        return file["material"][...]


LEVELS = numpy.random.default_rng(3).integers(0, 2, (11, 13))
png("a.png", LEVELS)
if "without libpng" in invoke(["check", write_input("first", case([13, 11]))]).stderr:
    print("skipped: built without libpng")
    sys.exit(77)

# Row 0 of the image is the top one.
for kind, bits in ((GREY, 1), (GREY, 2), (GREY, 4), (GREY, 8), (PALETTE, 1), (PALETTE, 2),
                   (PALETTE, 4), (PALETTE, 8)):
    for interlaced in (False, True):
        png("a.png", LEVELS, kind, bits, interlaced)
        check((materials(run("kinds", case([13, 11]))) == LEVELS[::-1]).all(),
              f"kind {kind}, {bits} bits, interlaced {interlaced}")
png("a.png", 3 * LEVELS, GREY, 2)
check((materials(run("levels", case([13, 11], count=4))) == 3 * LEVELS[::-1]).all(),
      "levels are not scaled: 3 of 2 bits is material 3")

# Each cell takes the pixel that its centre lies in: finer and coarser grids.
png("a.png", LEVELS)
for nx, ny in ((39, 22), (5, 4), (64, 9), (1, 1)):
    i = numpy.floor((numpy.arange(nx) + 0.5) / nx * 13).astype(int)
    j = numpy.floor((numpy.arange(ny) + 0.5) / ny * 11).astype(int)
    if nx > 1:
        check((materials(run("resampled", case([nx, ny]))) == LEVELS[::-1][numpy.ix_(j, i)]).all(),
              f"resampled to {nx} x {ny}")

# Shapes lie over it; a path is relative to the input file.
shape = {"type": "rectangle", "from": [0.0, 0.0], "to": [0.5, 1.0], "material": "m0"}
found = materials(run("shapes", case([26, 11], (shape,))))
check((found[:, :13] == 0).all() and (found[:, 13:] == LEVELS[::-1].repeat(2, 1)[:, 13:]).all(), "shapes")
os.makedirs("below", exist_ok=True)
png("below/a.png", LEVELS)
invoke(["check", write_input("below/there", case([13, 11]))])

# A run goes on with the image that it began with, and with no other.
for change in ("none", "image"):
    folder = run("resumed", case([13, 11]))
    png("a.png", LEVELS if change == "none" else 1 - LEVELS)
    done = invoke(["run", "resumed.cfg", "--output", folder, "--resume"],
                  expect=0 if change == "none" else 2)
    check(change == "none" or "geometry.image: the file is another one" in done.stderr,
          f"resume after another {change}:\n{done.stderr}")
    png("a.png", LEVELS)


def refused(text, code, **changes):
    done = invoke(["check", write_input("refused", case([13, 11], **changes))], expect=code)
    check(done.stderr.count("\n") == 1 and "geometry.image: " in done.stderr and text in done.stderr,
          f"{text!r}:\n{done.stderr}")


odd = LEVELS.copy()
odd[2, 5] = 7
png("a.png", odd)
refused("pixel (5, 2), counted from the top left, has level 7", 2)
png("a.png", LEVELS, GREY, 16)
refused("has 16 bits a pixel", 2)
png("a.png", numpy.stack([LEVELS] * 3, axis=2), COLOUR)
refused("has colours without a palette", 2)
png("a.png", numpy.stack([LEVELS] * 2, axis=2), GREY_ALPHA)
refused("has an alpha channel", 2)
png("a.png", numpy.stack([LEVELS] * 4, axis=2), COLOUR_ALPHA)
refused("has an alpha channel", 2)
png("a.png", LEVELS, size=(2000000000, 2000000000))
refused("has 2000000000 x 2000000000 pixels", 5)
png("a.png", LEVELS, size=(13, 12))
refused("cannot be read as PNG", 5)
png("a.png", LEVELS)
with open("a.png", "rb") as file:
    whole = file.read()
for text, data in (("truncated", whole[:-30]), ("a wrong bit", whole[:45] + b"\xff" + whole[46:]),
                   ("no PNG", b"P5 13 11 255\n"), ("nothing", b"")):
    with open("a.png", "wb") as file:
        file.write(data)
    refused("cannot be read as PNG", 5)
os.remove("a.png")
refused("cannot be opened", 5)
os.mkdir("a.png")
refused("not a regular file", 5)
os.rmdir("a.png")
png("a.png", LEVELS)
refused("has no place beside geometry.material", 2,
        geometry={"image": "a.png", "material": 1})
finish()
