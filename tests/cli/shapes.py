import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke

# A shape that no cell takes its material from is told with its line, by check and by run; the run goes on.
# Cells are 0.1 m wide, centres at 0.05, 0.15, ...


def warning(shapes, cells="[10, 10]", command="check"):
    lines = ",\n".join(f"{{ {shape}; material = \"b\"; }}" for shape in shapes)
    with open("shapes.cfg", "w", encoding="utf-8") as file:
        file.write(f"""domain = {{ size = [1.0, 1.0]; cells = {cells}; }};
materials = ( {{ name = "a"; conductivity = 1.0; density = 1.0; heat_capacity = 1.0; }},
              {{ name = "b"; conductivity = 2.0; density = 1.0; heat_capacity = 1.0; }} );
initial = {{ temperature = 300.0; }};
time = {{ end = 1e-4; }};
geometry = {{ shapes = (
{lines}
); }};
""")
    options = [] if command == "check" else ["--output", "shapes", "--overwrite", "--quiet"]
    text = invoke([command, "shapes.cfg", *options]).stderr
    check(text.count("\n") <= 1, f"one line: {text}")
    return text


SEEN = 'type = "rectangle"; from = [0.0, 0.0]; to = [0.5, 0.5]'
OUTSIDE = "lies outside the domain, which is 0 to 1 m in x and 0 to 1 m in y"
BETWEEN = "no cell centre lies in it; cells are 0.1 x 0.1 m wide"
for shape, reason in (
        ('type = "rectangle"; from = [24.0, 0.0]; to = [36.0, 1.0]', OUTSIDE),
        ('type = "circle"; centre = [0.5, -0.3]; radius = 0.2', OUTSIDE),
        ('type = "ellipse"; centre = [1.5, 0.5]; radii = [0.4, 2.0]', OUTSIDE),
        ('type = "polygon"; points = ( [0.0, 1.1], [0.5, 1.2], [1.0, 1.1] )', OUTSIDE),
        ('type = "rectangle"; from = [0.06, 0.0]; to = [0.14, 1.0]', BETWEEN),
        ('type = "circle"; centre = [0.5, 0.5]; radius = 0.07', BETWEEN),
        ('type = "ellipse"; centre = [0.5, 0.1]; radii = [0.6, 0.04]', BETWEEN),
        ('type = "polygon"; points = ( [0.3, 0.3], [0.32, 0.3], [0.31, 0.35] )', BETWEEN)):
    for command in ("check", "run"):
        text = warning((SEEN, shape), command=command)
        check(text.startswith("isotherm: warning: shapes.cfg:8: geometry.shapes.[1]: the shape has no effect: ")
              and reason in text, f"{shape}: {text}")

# What holds a single centre, on the edge of the domain or of the shape too, is quiet.
for shape in (SEEN, 'type = "rectangle"; from = [0.95, 0.95]; to = [7.0, 7.0]',
              'type = "circle"; centre = [0.05, 0.05]; radius = 1e-6',
              'type = "circle"; centre = [0.5, 0.5]; radius = 0.0708',
              'type = "circle"; centre = [1.0, 1.0]; radius = 0.0708',
              'type = "ellipse"; centre = [0.5, 0.1]; radii = [0.6, 0.06]',
              'type = "polygon"; points = ( [-9.0, 0.04], [9.0, 0.04], [9.0, 0.06], [-9.0, 0.06] )'):
    check(warning((shape,)) == "", f"{shape} is seen")

# Later ones that cover it, alone or together.
COVERED = 'type = "circle"; centre = [0.3, 0.3]; radius = 0.1'
LEFT = 'type = "rectangle"; from = [0.0, 0.0]; to = [0.3, 1.0]'
RIGHT = 'type = "rectangle"; from = [0.3, 0.0]; to = [0.6, 1.0]'
LATER = "shapes.cfg:7: geometry.shapes.[0]: the shape has no effect: later ones cover all of its cells"
check(LATER + "\n" in warning((COVERED, SEEN)), "covered by one")
check(warning((SEEN, COVERED)) == "", "above another")
check(LATER + "\n" in warning((COVERED, LEFT, RIGHT)), "covered by two")
check(warning((COVERED, LEFT)) == "", "covered in part")
check(LATER + "; nor have 2 more\n" in warning((SEEN, SEEN, SEEN, SEEN)), "three are covered")
check(LATER in warning((SEEN, SEEN), "[4000, 4000]"), "many cells")
finish()
