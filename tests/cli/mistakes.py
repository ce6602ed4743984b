import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke

# Ten mistakes are told, and that there are more only where there are.
CUT = "isotherm: error: there are more mistakes than these 10; correct them first"


def mistakes(command, count):
    probes = ",\n".join(f'{{ name = "p{n}"; at = 1.0; interval = 1.0; }}' for n in range(count))
    with open("mistakes.cfg", "w", encoding="utf-8") as file:
        file.write(f"""domain = {{ size = [1.0, 1.0]; cells = [10, 10]; }};
materials = ( {{ name = "a"; conductivity = 1.0; density = 1.0; heat_capacity = 1.0; }} );
initial = {{ temperature = 300.0; }};
time = {{ end = 1.0; }};
output = {{ probes = (
{probes}
); }};
""")
    return invoke([command, "mistakes.cfg"], expect=2).stderr.splitlines()


for command in ("check", "run"):
    for count in (9, 10, 11, 12, 40):
        lines = mistakes(command, count)
        check(len(lines) == min(count, 11), f"{count} mistakes: {lines}")
        check(all(" output.probes.[" in line for line in lines[:10]), f"{count} mistakes: {lines}")
        check((lines[-1] == CUT) == (count > 10), f"{count} mistakes: {lines[-1]}")

finish()
