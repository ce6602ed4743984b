"""The recipes of a page: fenced blocks after a line `<!-- recipe: NAME -->`."""
import re

BLOCK = re.compile(r"<!-- recipe: (\S+) -->\n```(\w*)\n(.*?)```\n", re.DOTALL)


def recipes(path):
    """Name -> (language, text)."""
    with open(path, encoding="utf-8") as file:
        return {name: (language, text) for name, language, text in BLOCK.findall(file.read())}
