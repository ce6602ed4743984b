"""Reads PNG pictures, for tests."""
import struct
import zlib

import numpy


def unfilter(kind, line, above):
    """A row of a PNG picture of 3 bytes a pixel (ISO/IEC 15948, clause 9)."""
    for k, byte in enumerate(line):
        a, b, c = (line[k - 3], above[k], above[k - 3]) if k > 2 else (0, above[k], 0)
        nearest = min((a, b, c), key=lambda v: abs(a + b - c - v))
        line[k] = (byte + (0, a, b, (a + b) // 2, nearest)[kind]) & 255


def read_png(path):
    """(height, width, 3)"""
    with open(path, "rb") as file:
        data = file.read()
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    raw, above, rows = zlib.decompress(packed), bytearray(3 * width), []
    for y in range(height):
        line = bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        unfilter(raw[y * (3 * width + 1)], line, above)
        rows.append(bytes(line))
        above = line
    return numpy.frombuffer(b"".join(rows), dtype=numpy.uint8).reshape(height, width, 3)
