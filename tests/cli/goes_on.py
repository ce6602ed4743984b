"""The line that a stopped run prints goes on when a shell gets it, whatever words the run began with."""
import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
from case import PROGRAM, check, finish

SMALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small.cfg")
STOPS = ["--set", "time.end=1000.0", "--set", "run.wall_time=0.6"]
environment = {**os.environ, "PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]}


def stop(command, **how):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60,
                          env=environment, **how)
    said = done.stdout.split("continue with: ")
    check(done.returncode == 75 and len(said) == 2, f"{command}: exit {done.returncode}\n"
                                                    f"{done.stdout}{done.stderr}")
    return done.stdout, said[-1].splitlines()[0]


def goes_on(folder, *arguments):
    words = ["isotherm", "run", *arguments]
    _, line = stop(words)
    check([word for word in shlex.split(line) if word != "--resume"] ==
          [word for n, word in enumerate(words) if word != "--overwrite" or words[n - 1] == "--output"],
          f"{words} is told as {line}")
    with h5py.File(os.path.join(folder, "run.h5"), "r") as file:
        history = file.attrs["history"]
    history = history.decode() if isinstance(history, bytes) else history
    check(shlex.split(history)[1:] == words, f"{words} is kept as {history}")
    said, again = stop(line, shell=True)
    check("resumed   at step" in said, f"{line} resumes:\n{said}")
    check(again == line, f"and so does the next one, {again}")


for name in ("plain", "odd", "--overwrite"):
    shutil.rmtree(name, ignore_errors=True)
goes_on("plain", SMALL, "--output", "plain", *STOPS)
goes_on("plain", SMALL, "--overwrite", "--output", "plain", *STOPS)
goes_on("odd/it's $HOME; \"so\"", SMALL, "--overwrite", *STOPS, "--output", "odd/it's $HOME; \"so\"")
goes_on("odd/Wärme & *", "--set", 'title="a  b\\\\ `c` !"', *STOPS, "--output=odd/Wärme & *", "--", SMALL)
goes_on("--overwrite", *STOPS, "--output", "--overwrite", SMALL)
# A line longer than any message.
goes_on("odd/long", SMALL, *STOPS, "--output", "odd/long", "--set", 'title="' + "so long " * 600 + '"')
finish()
