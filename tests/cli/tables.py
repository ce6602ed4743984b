import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke, material, write_input

# What is no table of time and value, and splits that cannot be, are refused by `check` with the place.
for text, code, message in (
        ("time,value\n0,1\n1,2\n", 0, ""),
        ("time,value\n0,1\n1,2\n1,3\n", 0, ""),
        ("time\n0\n1\n", 2, "is to have two columns, time and value, and some rows"),
        ("time,value,more\n0,1,2\n", 2, "is to have two columns, time and value, and some rows"),
        ("time,value\n", 2, "is to have two columns, time and value, and some rows"),
        ("time,value\n0,1\n1,\n", 2, "row 2 has an entry that is empty, nan or inf"),
        ("time,value\n,1\n1,2\n", 2, "row 1 has an entry that is empty, nan or inf"),
        ("time,value\n0,1\n2,2\n1,3\n", 2, "the time of row 3 lies before that of the last")):
    with open("wall.csv", "w", encoding="utf-8") as file:
        file.write(text)
    path = write_input("tables", {
        "domain": {"size": [1.0, 1.0], "cells": [4, 4]}, "materials": material(),
        "initial": {"temperature": 300.0}, "time": {"end": 1.0},
        "boundary": {"left": {"type": "temperature", "value": {"table": "wall.csv"}}}})
    done = invoke(["check", path, "--output", "none"], expect=code)
    check(message in done.stderr and (code == 0 or "boundary.left.value: " in done.stderr),
          f"{text!r}: {done.stderr}")
done = invoke(["check", path, "--output", "none", "--set", "run.layout=[5, 1]"], expect=2)
check("5 x 1 blocks need at least as many cells, the domain has 4 x 4" in done.stderr, done.stderr)
finish()
