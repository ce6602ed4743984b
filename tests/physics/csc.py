import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from case import check, finish, invoke, last

# The default run of CSC's heat-equation teaching code (github.com/cschpc/heat-equation): the mean of
# the inner cells that it prints.
name, published = sys.argv[1:]
source = os.path.join(os.path.dirname(__file__), "..", "..", "inputs", name)
invoke(["run", source, "--output", "csc", "--overwrite", "--quiet", "--set",
        "output.precision=double"])
mean = last("csc")[1:-1, 1:-1].mean()
check(f"{mean:.6f}" == published, f"{name}: mean {mean:.6f}, published {published}")
finish()
