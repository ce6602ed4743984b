import collections
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

import h5py
import numpy

from case import PROGRAM, check, finish, invoke, write_input
from skew import SETTINGS

# An ordinary reader that opens run.h5 a thousand times while frames come in as fast as they can: it
# reads a whole file or is told that it is busy. Never is the file broken or a frame half there.
READS = 1000


def has_leases():
    with open("lease", "w", encoding="utf-8") as file:
        try:
            fcntl.fcntl(file.fileno(), fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError:
            return False
    return True


def read():
    """The number of frames; every dataset of the last one must be there."""
    with h5py.File("run/run.h5", "r") as file:
        times = file["time"][...]
        if len(times) == 0:
            return 0
        check(numpy.all(numpy.diff(times) > 0), "times increase")
        check(numpy.all(numpy.isfinite(file["temperature"][len(times) - 1])), "the last frame is whole")
        check(file["step"][len(times) - 1] > 0 or len(times) == 1, "its step is there")
        check(numpy.isfinite(file["energy"][len(times) - 1]), "its energy is there")
        return len(times)


if not has_leases():
    print("skipped: this file system has no leases, so readers have to expect a busy or short file")
    sys.exit(77)
path = write_input("plate", {**SETTINGS, "time": {"end": 1e4}, "output": {"interval": 0.001}})
shutil.rmtree("run", ignore_errors=True)
outcomes, seen = collections.Counter(), set()
with subprocess.Popen([PROGRAM, "run", path, "--output", "run", "--quiet"]) as process:
    while not os.path.exists("run/run.h5") and process.poll() is None:
        time.sleep(0.01)
    for k in range(READS):
        if k % 100 == 0:
            invoke(["info", "run/run.h5"])  # the program's own reader waits instead
        try:
            seen.add(read())
            outcomes["read"] += 1
        except BlockingIOError:
            outcomes["busy"] += 1
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            outcomes[str(error)] += 1
    check(process.poll() is None, "the run goes on meanwhile")
    process.send_signal(signal.SIGTERM)
    check(process.wait() == 75, f"exit {process.returncode}")
check(set(outcomes) <= {"read", "busy"}, f"{outcomes}")
check(outcomes["read"] > 0 and len(seen) > 1, f"{outcomes}, {len(seen)} lengths seen")
finish()
