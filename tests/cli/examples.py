"""The examples of docs/input.md together are an input file that is valid."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from case import check, finish, invoke

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "input.md")
with open(PAGE, encoding="utf-8") as page:
    blocks = re.findall(r"```\n(.*?)```\n", page.read(), re.S)
names = [block.split(" ")[0] for block in blocks]
check(sorted(names) == ["contacts", "fixed", "geometry", "initial", "materials", "sources"],
      f"examples of {names}")
FILES = {"k.dat": "5.0\n" * 200, "power.dat": "1e5\n" * 200, "start.dat": "300.0\n" * 200,
         "chip.flp": "core 0.01 0.02 0.0 0.0\n", "chip.ptrace": "core\n3.0\n4.0\n"}
for name, text in FILES.items():
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
with open("examples.cfg", "w", encoding="utf-8") as file:
    file.write('domain = { size = [0.2, 0.1]; cells = [20, 10]; };\ntime = { end = 2.0; };\n')
    # The image has tests of its own.
    file.write("".join(blocks).replace('image  = "plate.png";', ""))
invoke(["check", "examples.cfg"])
finish()
