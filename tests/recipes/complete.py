import os
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import check, finish
from page import recipes

# Every recipe of the page has a test and every block of code is a recipe.
page, tested = sys.argv[1], set(sys.argv[2:])
found = recipes(page)
check(set(found) == tested, f"recipes without a test: {set(found) - tested}; "
                            f"tests without a recipe: {tested - set(found)}")
with open(page, encoding="utf-8") as file:
    fences = len(re.findall(r"^```\w+$", file.read(), re.MULTILINE))
check(fences == len(found), f"{fences} blocks of code, {len(found)} recipes")
finish()
