import os
import re
import subprocess
import sys
import tempfile

# The man page and the completion know the commands and options that --help shows, and no others.
# usage.py SOURCE; the program is $ISOTHERM.
SOURCE, PROGRAM = sys.argv[1], os.environ["ISOTHERM"]
OPTION = re.compile(r"(?<![\w-])--[a-z]+")
failures = 0


def same(a, b, text):
    global failures
    if a != b:
        failures += 1
        print(f"{text}: {sorted(a ^ b)} are not in both")


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def completions(*words):
    """What bash offers for the last of the words."""
    script = (f'source "{SOURCE}/docs/completion/isotherm.bash"; COMP_WORDS=("$@"); '
              'COMP_CWORD=$(($# - 1)); _isotherm; printf "%s\\n" "${COMPREPLY[@]}"')
    return set(output("bash", "-c", script, "bash", PROGRAM, *words).split())


with open(os.path.join(SOURCE, "docs/man/isotherm.1"), encoding="utf-8") as file:
    page = re.sub(r"\\f[BIR]", "", file.read()).replace("\\-", "-")
sections = dict(re.findall(r'^\.SH "ISOTHERM (\w+)"\n(.*?)(?=^\.SH)', page, re.MULTILINE | re.DOTALL))
commands = re.findall(r"^  ([a-z]+) ", output(PROGRAM, "--help").split("isotherm COMMAND --help")[0],
                      re.MULTILINE)
same(set(commands), {name.lower() for name in sections}, "commands in the man page")
same(set(commands) | {"--help", "--version"}, completions(""), "completion of commands")
for command in commands:
    shown = set(OPTION.findall(output(PROGRAM, command, "--help")))
    described = set(OPTION.findall(sections[command.upper()]))
    same(shown, described, f"options of {command} in the man page")
    same(shown | {"--help"}, completions(command, "--"), f"completion of options of {command}")

# What may follow an option is in its help too.
for command, option in (("run", "--backend"), ("run", "--progress"), ("plot", "--colormap"),
                        ("plot", "--field"), ("export", "--format"), ("export", "--time")):
    text = output(PROGRAM, command, "--help") + output(PROGRAM, "run", "--help")
    for word in completions(command, option, ""):
        if word not in text:
            failures += 1
            print(f"isotherm {command} {option} {word}: not in its help")

# The fields of a result that is named are those that it holds.
def fields(*words):
    return completions("plot", *words, "--field", "")


usual = {"list", "temperature", "material", "energy"}
if not usual <= fields() or not usual <= fields("nowhere.h5"):
    failures += 1
    print(f"--field without a file: {fields()}")
with tempfile.TemporaryDirectory() as folder:
    settings = os.path.join(SOURCE, "tests/cli/small.cfg")
    output(PROGRAM, "run", settings, "--output", folder, "--overwrite", "--quiet", "--ranks", "1")
    held = fields(os.path.join(folder, "run.h5"))
    if not usual - {"material"} <= held or "material" in held:
        failures += 1
        print(f"--field with a result of one material: {held}")
codes = set(re.findall(r"(\d+) [a-z]", output(PROGRAM, "--help").split("exit codes:")[1]))
same(codes, set(re.findall(r"^\.B (\d+)$", page, re.MULTILINE)), "exit codes in the man page")
sys.exit(1 if failures else 0)
