import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, write_input
from skew import SETTINGS

# `isotherm run --watch` on a terminal of our own: pictures of the plate, y up, each over the one
# before.
BLOCK = "▀"


def watch(columns, rows, *arguments, terminal="xterm-256color", colours="truecolor"):
    """What the program writes to a terminal of that size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, "TERM": terminal, "COLORTERM": colours}
    with subprocess.Popen([PROGRAM, "run", path, "--output", "run", "--overwrite", *arguments],
                          stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            written += part
        check(process.wait() == 0, f"exit {process.returncode}")
    os.close(ours)
    return written.decode("utf-8").replace("\r\n", "\n")


def pictures(text):
    """The lines of each picture, its scale included."""
    found, lines = [], []
    for line in text.split("\n"):
        if BLOCK in line:
            lines.append(line)
        if re.search(r"K\x1b\[0m$", line) and lines:
            found.append(lines)
            lines = []
    return found


def brightness(line):
    """Of the upper pixels of a line, character by character."""
    shown, colour = [], 0
    for sequence, block in re.findall(r"\x1b\[38;2;([\d;]+)m|(" + BLOCK + ")", line):
        if block:
            shown.append(colour)
        else:
            colour = sum(int(c) for c in sequence.split(";"))
    return shown


path = write_input("plate", {**SETTINGS, "output": {"interval": 0.001}, "boundary": {
    "left": {"type": "temperature", "value": 350.0}}})
text = watch(60, 24, "--watch", "--set", "time.end=0.5")  # 500 frames, long enough for a few pictures
shown = pictures(text)
check(len(shown) >= 2, f"{len(shown)} pictures")
for lines in shown:
    # 60 columns for 0.3 m make 20 pixels, two to a line, for 0.1 m.
    check(len(lines) == 10 + 1, f"{len(lines)} lines")
    check(all(line.count(BLOCK) == 60 for line in lines[:-1]), "60 characters a line")
moves = re.findall(r"\x1b\[(\d+)A", text)
check(len(moves) == len(shown) - 1 and all(int(m) == 11 for m in moves), f"moved up by {moves}")
check("100.0 %" in text.split(BLOCK)[-1], "the bar is below the last picture")

# The left wall is hottest; away from it the top, from the start.
text = watch(60, 24, "--watch")
top, bottom = brightness(pictures(text)[-1][0]), brightness(pictures(text)[-1][-2])
check(top[0] > top[40] > bottom[40], f"top {top[0]} and {top[40]}, bottom {bottom[40]}")
check(bottom[0] > bottom[40], f"bottom {bottom[0]} and {bottom[40]}")

text = watch(60, 24, "--watch", colours="")
check("\x1b[38;5;" in text and "\x1b[38;2;" not in text, "256 colours where there are no more")
for terminal in ("dumb", "vt100", ""):
    check(BLOCK not in watch(60, 24, "--watch", terminal=terminal, colours=""),
          f"no picture where TERM is '{terminal}'")
for arguments in ((), ("--watch", "--quiet"), ("--watch", "--progress", "plain"),
                  ("--watch", "--progress", "json"), ("--watch", "--progress", "none")):
    check(BLOCK not in watch(60, 24, *arguments), f"no picture with {arguments}")
check(BLOCK not in watch(5, 2, "--watch"), "no picture on a tiny terminal")

done = subprocess.run([PROGRAM, "run", path, "--output", "run", "--overwrite", "--watch"],
                      capture_output=True, check=False)
check(done.returncode == 0 and b"\x1b" not in done.stdout, "nothing of it in a pipe")
finish()
