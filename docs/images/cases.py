#!/usr/bin/env python3
"""Runs the published cases of inputs/ as they stand and prints README's table of them.

cases.py PROGRAM [FOLDER]: FOLDER (default out/cases) keeps the results. Needs h5py."""
import os
import subprocess
import sys

import h5py
import numpy

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read(folder, name="temperature"):
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        return file[name][...]


def last(folder):
    return read(folder)[-1].astype(float)


def last_in_celsius(folder):
    return last(folder) - 273.15


# Each returns what the table shows, and how far it is from what is published.


def csc(folder, published):
    mean = f"{last(folder)[1:-1, 1:-1].mean():.6f}"
    return mean, abs(float(mean) - float(published))


def rodinia(folder, published):
    mean = f"{last(folder).mean():.7f}"
    return mean, abs(float(mean) - float(published))


def nafems_t2(folder, _):
    row = last(folder)[0]
    end = (3 * row[-1] - row[-2]) / 2
    return f"{end:.2f}", abs(end - 927.004)


def nafems_t3(folder, _):
    row = last_in_celsius(folder)[0]
    at = len(row) * 4 // 5
    found = row[at - 1:at + 1].mean()
    return f"{found:.2f}", abs(found - 36.6031)


def nafems_t4(folder, _):
    field = last_in_celsius(folder)
    flow, at = 2 * 52.0 / (0.6 / field.shape[1]), field.shape[0] // 5
    found = flow / (flow + 750.0) * field[at - 1:at + 1, -1].mean()
    return f"{found:.2f}", abs(found - 18.2538)


# Temperatures of the standard, rows from the top.
ISO_1 = ((9.7, 13.4, 14.7, 15.1), (5.3, 8.6, 10.3, 10.8), (3.2, 5.6, 7.0, 7.5), (2.0, 3.6, 4.7, 5.0),
         (1.3, 2.3, 3.0, 3.2), (0.7, 1.4, 1.8, 1.9), (0.3, 0.6, 0.8, 0.9))


def iso10211_1(folder, _):
    field = last_in_celsius(folder)
    field = numpy.hstack([field, field[:, -1:]])  # the mirror image beyond the axis of symmetry
    eighth = field.shape[0] // 8
    found = [[field[j - 1:j + 1, i - 1:i + 1].mean() for i in range(eighth, 5 * eighth, eighth)]
             for j in range(7 * eighth, 0, -eighth)]
    apart = numpy.abs(numpy.array(found) - ISO_1).max()
    return f"{found[0][3]:.2f}; the 28 within {apart:.2f}", apart


def iso10211_2(folder, _):
    field, flow = last_in_celsius(folder), read(folder, "flow_bottom")[-1]
    rows = field.shape[0]
    half = 2 / (0.0475 / rows)  # times a conductivity: from the centre of a cell to its face

    def wall(cell, k, h, ambient):
        return (half * k * cell + h * ambient) / (half * k + h)

    def between(depth, column, below, above):  # at the face of two materials, so far under the top
        j = round((0.0475 - depth) / 0.0475 * rows)
        return (below * field[j - 1, column] + above * field[j, column]) / (below + above)

    column = round(0.015 / 0.5 * field.shape[1])
    found = [wall(field[-1, 0], 1.15, 1 / 0.06, 0), wall(field[-1, -1], 1.15, 1 / 0.06, 0),
             between(0.006, 0, 0.12, 1.15),
             (between(0.006, column - 1, 0.12, 1.15) + between(0.006, column, 0.029, 1.15)) / 2,
             between(0.006, -1, 0.029, 1.15), between(0.011, 0, 230, 0.12),
             between(0.011, column - 1, 230, 0.12), wall(field[0, 0], 230, 1 / 0.11, 20),
             wall(field[0, -1], 230, 1 / 0.11, 20)]
    published = (7.1, 0.8, 7.9, 6.3, 0.8, 16.4, 16.3, 16.8, 18.3)
    apart = numpy.abs(numpy.array(found) - published).max()
    return f"{flow:.2f}; nine temperatures within {apart:.2f}", max(apart, abs(flow - 9.5))


def robin_block(folder, _):
    field = last(folder)
    inner, outer = field[0, 0], field[1, 1]
    centre = (9 * inner - outer) / 8  # the slope there is 0
    return f"{centre:.4f}", abs(centre - 0.285006)


def uniform_source(folder, _):
    field = last(folder)
    n = len(field) // 2
    # Four cells around the centre lie below it by d^2/8 times the Laplacian, which is -1.
    centre = field[n - 1:n + 1, n - 1:n + 1].mean() + 1 / (32 * n * n)
    return f"{centre:.5f}", abs(centre - 0.07367135)


# Input file, what, published, how far off is too far (0: all digits), and the number of a run.
CASES = (
    ("nafems_t2", "NAFEMS T2: radiating end of a bar, K", "927.0", 0.05, nafems_t2),
    ("nafems_t3", "NAFEMS T3: T(0.08 m, 32 s), °C", "36.60", 0.05, nafems_t3),
    ("nafems_t4", "NAFEMS T4: T(0.6 m, 0.2 m), °C", "18.3 (series: 18.25)", 0.05, nafems_t4),
    ("iso10211_1", "ISO 10211 case 1: upper right of 28 temperatures, °C", "15.1", 0.1, iso10211_1),
    ("iso10211_2", "ISO 10211 case 2: heat flow, W/m", "9.5", 0.1, iso10211_2),
    ("rodinia_hotspot", "Rodinia hotspot: mean after 60 steps", "325.2929128", 0, rodinia),
    ("csc", "CSC heat equation, 800 x 800: mean after 1,000 steps", "58.065097", 0, csc),
    ("csc_2000", "CSC heat equation, 2000 x 2000: mean after 500 steps", "59.281239", 0, csc),
    ("robin_block", "Cooled block (Heisler), Bi = Fo = 1: centre", "0.2850", 1e-4, robin_block),
    ("uniform_source", "Square heated evenly: centre", "0.07367", 1e-4, uniform_source),
)


def main(program, results):
    print("| input | what | published | here | held to |\n| --- | --- | --- | --- | --- |")
    for name, what, published, most, number in CASES:
        folder = os.path.join(results, name)
        subprocess.run([program, "run", os.path.join(ROOT, "inputs", name + ".cfg"), "--output", folder,
                        "--overwrite", "--quiet", "--set", "output.precision=double"], check=True)
        found, apart = number(folder, published)
        if not apart <= most:
            sys.exit(f"{name}: {found}, published {published}: {apart:.3g} apart, at most {most}")
        print(f"| [{name}.cfg](inputs/{name}.cfg) | {what} | {published} | {found} | "
              f"{most or 'all digits'} |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.path.join("out", "cases"))
