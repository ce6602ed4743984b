import os
import re
import subprocess
import sys
import tempfile

# The man pages and the completion know the commands and options that --help shows, their arguments, words
# and numbers, and no others. usage.py SOURCE; the program is $ISOTHERM.
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


def page_of(name):
    """The text of a man page without its fonts."""
    with open(os.path.join(SOURCE, "docs/man", name + ".1"), encoding="utf-8") as file:
        text = re.sub(r"\\f[BIR]|\\&", "", file.read()).replace("\\-", "-")
    text = text.replace("\\  ", " ").replace("\\ ", " ")  # a space that does not break
    return re.sub(r"^\.(?:BR|BI|IR|RI|B|I) ", "", text, flags=re.MULTILINE)


def section(page, title):
    found = re.search(rf'^\.SH "?{title}"?\n(.*?)(?=^\.SH|\Z)', page, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def tagged(page):
    """The options that have an entry, with the name of their argument."""
    heads = re.findall(r"^\.TP\n(.*)$", section(page, "OPTIONS"), re.MULTILINE)
    return {pair for head in heads for pair in ARGUMENT.findall(head)}


ARGUMENT = re.compile(r"(?<![\w-])(--[a-z]+)(?: ([A-Z]+))?")
overview = page_of("isotherm")
told = output(PROGRAM, "--help")
commands = dict(re.findall(r"^  ([a-z]+) +(.*)$", told.split("isotherm COMMAND --help")[0], re.MULTILINE))
files = os.listdir(os.path.join(SOURCE, "docs/man"))
same({f"isotherm-{command}.1" for command in commands} | {"isotherm.1"}, set(files), "man pages")
listed = dict(re.findall(r"^\.TP\nisotherm-([a-z]+) \(1\)\n(.*)\.$", section(overview, "COMMANDS"), re.MULTILINE))
same(set(commands.items()), {(name, text[0].lower() + text[1:]) for name, text in listed.items()},
     "commands in isotherm.1")
same({"--help", "--version"}, {option for option, _ in tagged(overview)}, "options in isotherm.1")
same(set(commands) | {"--help", "--version"}, completions(""), "completion of commands")
for command, purpose in commands.items():
    page, shown = page_of("isotherm-" + command), output(PROGRAM, command, "--help")
    same({f"isotherm-{command} - {purpose}"}, {section(page, "NAME").strip()}, f"what isotherm {command} is for")
    same(set(OPTION.findall(shown)), {option for option, _ in tagged(page)}, f"options of {command} with an entry")
    same(set(OPTION.findall(shown)), set(OPTION.findall(page)), f"options that the page of {command} names")
    same({pair for pair in ARGUMENT.findall(shown) if pair[1]}, {pair for pair in tagged(page) if pair[1]},
         f"arguments of options of {command}")
    missing = set(re.findall(r"\d[\dx.]*\b", shown)) - set(re.findall(r"\d[\dx.]*\b", page))
    same(missing, set(), f"numbers of {command} --help in its page")
    same(set(OPTION.findall(shown)) | {"--help"}, completions(command, "--"), f"completion of options of {command}")

# What may follow an option is in its help too, and in its page.
for command, option in (("run", "--backend"), ("run", "--progress"), ("plot", "--colormap"), ("plot", "--field"), ("plot", "--unit"),
                        ("export", "--format"), ("export", "--time"), ("bench", "--precision"),
                        ("bench", "--transport")):
    text, page = output(PROGRAM, command, "--help"), page_of("isotherm-" + command)
    for word in completions(command, option, ""):
        if word not in text or word not in page:
            failures += 1
            print(f"isotherm {command} {option} {word}: not in its help, or not in its page")

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
codes = set(re.findall(r"(\d+) [a-z]", told.split("exit codes:")[1]))
same(codes, set(re.findall(r"^\.TP\n(\d+)$", section(overview, "EXIT STATUS"), re.MULTILINE)),
     "exit codes in isotherm.1")
sys.exit(1 if failures else 0)
