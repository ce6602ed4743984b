#!/usr/bin/env python3
"""Draws docs/images/speed.svg, cell updates per second over steps per sweep of memory, from the text
files in bench/results/."""
import argparse
import os
import re
from math import log2

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "..", "..", "bench", "results")
STEPS = (1, 2, 4, 8, 16, 32)
WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 250, 62, 62, 96  # of a panel and around it, pixels
DOUBLE, SINGLE = "#1f5fa8", "#c2611a"


def read(name):
    with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
        return file.read()


def cpu(kind):
    """({steps: GLUPS}, the limit of one step per sweep) of one core."""
    block = re.search(rf"avx512 {kind}, 8192 x 8192, rx = ry; copy .* at most ([\d.]+) GLUPS\n((?: .*\n)+)",
                      read("cpu-zen5.txt"))
    rates = re.findall(r"(\d+) steps per call: +([\d.]+) GLUPS", block[2])
    return {int(steps): float(rate) for steps, rate in rates}, float(block[1])


def tiles(kind):
    """The plain kernel and the tiles on a GPU; the best of what was measured more than once."""
    rates = {}
    for block in re.findall(rf"cuda, 16384 x 16384, {kind}; .*\nsteps .*\n((?: .*\n)+)",
                            read("h200-backend-step.txt") + "\n"):
        for steps, rate in re.findall(r"^ +(\d+) +([\d.]+) ", block, re.MULTILINE):
            rates[int(steps)] = max(rates.get(int(steps), 0), float(rate))
    return rates


def pipeline(kind):
    """The time loop of runs with the pipeline kernel: 8 steps and more."""
    rates = {}
    for steps, rate in re.findall(rf"^{kind} +16384 x 16384 +1 +(\d+) +([\d.]+) ",
                                  read("h200-bench.txt"), re.MULTILINE):
        if int(steps) > 1:
            rates[int(steps)] = max(rates.get(int(steps), 0), float(rate))
    return rates


def copy_limit(words):
    """Of one step per sweep on the GPU: two values are moved for an update."""
    copied = re.search(r"copy on the device ([\d.]+) TB/s", read("h200-bench.txt"))[1]
    return 1e3 * float(copied) / (2 * words)


class Panel:
    """A chart with logarithmic axes: steps to the right, rates up."""

    def __init__(self, left, title, marks):
        self.left, self.low, self.high = left, marks[0], marks[-1]
        self.parts = [f'<text x="{left}" y="{TOP - 14}" font-weight="600">{title}</text>']
        for mark in marks:
            self.parts.append(f'<path d="M{left} {self.y(mark):.1f}h{WIDTH}" stroke="#ddd"/>'
                              f'<text x="{left - 8}" y="{self.y(mark) + 4:.1f}" text-anchor="end">'
                              f'{mark:,}</text>')
        for steps in STEPS:
            self.parts.append(f'<text x="{self.x(steps):.1f}" y="{TOP + HEIGHT + 18}" '
                              f'text-anchor="middle">{steps}</text>')
        self.parts.append(f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">'
                          'time steps per sweep of memory</text>'
                          f'<path d="M{left} {TOP}v{HEIGHT}h{WIDTH}" fill="none" stroke="#444"/>')

    def x(self, steps):
        return self.left + 14 + (WIDTH - 28) * log2(steps) / log2(STEPS[-1])

    def y(self, rate):
        return TOP + HEIGHT * (1 - log2(rate / self.low) / log2(self.high / self.low))

    def curve(self, rates, colour, name, at, above=True):
        """`at`: the number of steps where the name stands."""
        points = sorted(rates.items())
        line = " ".join(f"{self.x(s):.1f},{self.y(r):.1f}" for s, r in points)
        self.parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for s, r in points:
            self.parts.append(f'<circle cx="{self.x(s):.1f}" cy="{self.y(r):.1f}" r="3" fill="{colour}"/>')
        height = self.y(rates[at]) + (-10 if above else 20)
        self.parts.append(f'<text x="{self.x(at):.1f}" y="{height:.1f}" text-anchor="middle" '
                          f'fill="{colour}">{name}</text>')

    def limit(self, rate, colour):
        self.parts.append(f'<path d="M{self.left} {self.y(rate):.1f}h{WIDTH}" stroke="{colour}" '
                          'stroke-dasharray="2 3"/>')


def main(path):
    core = Panel(LEFT, "One core (EPYC Zen 5, AVX-512)", (1, 2, 5, 10, 20))
    gpu = Panel(LEFT + WIDTH + GAP, "One H200", (100, 200, 500, 1000, 2000, 5000))
    for kind, colour, name in (("fp64", DOUBLE, "double"), ("fp32", SINGLE, "single")):
        rates, limit = cpu(kind)
        core.curve(rates, colour, name, 16)
        core.limit(limit, colour)
    for kind, words, colour, name in (("double", 8, DOUBLE, "double"), ("float", 4, SINGLE, "single")):
        gpu.curve(tiles(kind), colour, f"{name}, tiles", 4)
        gpu.curve(pipeline(name), colour, f"{name}, pipeline", 8, name == "single")
        gpu.limit(copy_limit(words), colour)
    width, height = 2 * WIDTH + LEFT + GAP + 24, TOP + HEIGHT + 72
    note = "Dotted: one step per sweep at the speed of a copy. Logarithmic axes."
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" fill="#222">\n'
                   f'<rect width="{width}" height="{height}" fill="white"/>\n'
                   f'<text x="{LEFT}" y="24" font-size="15">Cell updates per second (GLUPS, 1e9)</text>\n'
                   + "\n".join(core.parts + gpu.parts)
                   + f'\n<text x="{LEFT}" y="{height - 10}" fill="#555">{note}</text>\n</svg>\n')


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", default=os.path.join(HERE, "speed.svg"), metavar="OUT.svg",
                        help="default: speed.svg beside this program")
    main(parser.parse_args().path)
