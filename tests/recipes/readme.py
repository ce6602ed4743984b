"""The commands of README.md, as they stand there, in a folder that looks like the checkout after a
build; and its numbers. readme.py SOURCE run|input|resume|build|numbers|complete"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import PROGRAM, check, finish, invoke
from page import recipes

SOURCE, NAME = sys.argv[1:]
PAGE = os.path.join(SOURCE, "README.md")
with open(PAGE, encoding="utf-8") as page:
    TEXT = page.read()


def shell(text):
    done = subprocess.run(["bash", "-e", "-o", "pipefail"], input=text, capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, f"exit {done.returncode}\n{text}\n{done.stdout}{done.stderr}")
    return done.stdout


def prepare():
    """An empty out, inputs and build/release."""
    shutil.rmtree("out", ignore_errors=True)
    os.makedirs("build", exist_ok=True)
    for link, to in (("build/release", os.path.dirname(PROGRAM)),
                     ("inputs", os.path.join(SOURCE, "inputs"))):
        if os.path.lexists(link):
            os.remove(link)
        os.symlink(to, link)


def check_run(text):
    output = shell(text)
    for part in ("input     inputs/plate.cfg is valid", "equal", "wrote out/a/run.png",
                 "wrote out/a/probes.png", "grid      1024 x 512 cells"):
        check(part in output, f"{part}: not in\n{output}")


def check_input(text):
    with open("small.cfg", "w", encoding="utf-8") as file:
        file.write(text)
    report = json.loads(invoke(["check", "small.cfg", "--json"]).stdout)
    check(report["cells"] == [512, 256], f"isotherm check: {report}")
    invoke(["run", "small.cfg", "--set", "time.end=0.02", "--quiet"])
    check(os.path.exists("out/small/run.h5"), "the result is in out/small")


def check_resume(text):
    first = "isotherm run inputs/plate.cfg --output out/a\n"
    check(first.strip() in recipes(PAGE)["run"][1], "what it is compared with is run before")
    output = shell('export PATH="$PWD/build/release:$PATH"\n' + first + text)
    check("equal" in output, f"equal: not in\n{output}")


def check_build(text):
    with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
        presets = json.load(file)
    of_ctest = {preset["name"] for preset in presets["testPresets"]}
    of_cmake = {preset["name"] for preset in presets["configurePresets"] if not preset.get("hidden")}
    of_build = {preset["name"] for preset in presets["buildPresets"]}
    for command, preset in re.findall(r"(cmake --build|cmake|ctest) --preset (\w+)", text):
        known = {"cmake": of_cmake, "cmake --build": of_build, "ctest": of_ctest}[command]
        check(preset in known, f"{command} --preset {preset}: known are {known}")
    named = re.search(r"^Presets: (.*?)\. ", TEXT, re.MULTILINE | re.DOTALL)[1]
    check(set(re.findall(r"`(\w+)`", named)) == of_cmake, f"presets: {named}, known are {of_cmake}")


def check_numbers(_):
    script = os.path.join(SOURCE, "docs", "images", "cases.py")
    done = subprocess.run([sys.executable, script, PROGRAM, "cases"], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, done.stderr)
    made = [line for line in done.stdout.splitlines() if line.startswith("| [")]
    check(len(made) > 5, f"cases: {made}")
    table = [line for line in TEXT.splitlines() if re.match(r"\| \[\w+\.cfg\]", line)]
    for a, b in zip(made, table):
        check(a == b, f"README says\n{b}\nand a run\n{a}\nso run docs/images/make.sh")
    check(len(made) == len(table), f"{len(table)} cases in README, {len(made)} made")
    captions = re.findall(r"published ([\d.]+)(?: W/m)?, here ([\d.]+\d)", TEXT)
    check(len(captions) == 3, f"captions: {captions}")
    for published, here in captions:
        row = rf"\| {re.escape(published)} .*\| {re.escape(here)}[ ;]"
        check(any(re.search(row, line) for line in made),
              f"caption: published {published}, here {here}")


def check_complete(_):
    blocks = re.findall(r"(?:<!-- recipe: (\S+) -->\n)?```\w*\n(.*?)```", TEXT, re.DOTALL)
    tested = {name for name, _ in blocks if name}
    check(tested == {"run", "input", "resume", "build"}, f"tested blocks: {tested}")
    rest = [text for name, text in blocks if not name]
    check(len(rest) == 1 and all(line.startswith("./quickstart ") for line in rest[0].splitlines()),
          f"blocks without a test, but for quickstart: {rest}")
    usage = subprocess.run([os.path.join(SOURCE, "quickstart"), "help"], capture_output=True, text=True,
                           check=True).stdout
    for command in re.findall(r"\./quickstart (\w+)", TEXT):
        check(f"./quickstart {command} " in usage, f"./quickstart {command}")
    for link in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\"]+)\"", TEXT):
        path = os.path.join(SOURCE, link[0] or link[1])
        check(os.path.exists(path), f"{path} is not there")
        check(not path.endswith(".png") or os.path.getsize(path) < 61440, f"{path} is too large")


prepare()
globals()["check_" + NAME](recipes(PAGE).get(NAME, ("", ""))[1])
finish()
