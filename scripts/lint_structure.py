#!/usr/bin/env python3
"""Checks the order of the tree, which no compiler sees, from the text of its files; needs no build.

  scripts/lint_structure.py [FOLDER]    the git checkout to check (default: this one)

A file includes only what stands on a floor below its own; a method includes neither another method nor a
backend; no files include each other in a circle; no name is defined twice; a long .c file opens with a
comment; and words that this project does not use stand nowhere. One line per fault; exits 1 if there is any.
"""
import json
import pathlib
import re
import subprocess
import sys

# The folders in order, from the ground up: a file includes its own folder and those above it in this list.
# `*` stands for one method; the two wings of methods/ do not see each other.
FLOORS = [
    "datasets/base",
    "datasets/geometry",
    "datasets/model",
    "datasets/rigging",
    "datasets/io",
    "datasets/formats",
    "datasets/generate",
    "methods/kernel",
    "methods/runtime",
    "methods/posing",
    "methods/skinning/*",
    "methods/reduction",
    "methods/fitting",
    "methods/decomposition/*",
    "methods",
    "harness/metrics",
    "harness/timing",
    "harness/run/peers",
    "harness/environment",
    "harness/ranks",
    "harness/run/ranks/plugin",
    "harness/records",
    "harness/text",
    "harness/render",
    "harness/viewer",
    "harness/fit",
    "harness/bench",
    "harness/studies",
    "harness/tables",
    "harness/claims",
    "harness/guard",
    "harness/history",
    "harness/report",
    "harness/library",
    "harness/commands",
    "harness",
    "packaging/example",
    "tests",
]
WINGS = [
    {"methods/kernel", "methods/runtime", "methods/posing", "methods/skinning/*"},
    {"methods/reduction", "methods/fitting", "methods/decomposition/*"},
]
# What only the runtime itself and the floors above the methods may include.
PRIVATE_TO_RUNTIME = "methods/runtime/backends/"

# Words that are not the field's: the pattern, what to write instead.
WORDS = [
    (r"tells?|told|telling", "print, report or say"),
    (r"rooms?", "workspace, capacity or space"),
    (r"(give|gives|gave|given|giving) up", "fail or stop"),
    (r"nobody", "may be NULL, nothing"),
    (r"taken apart", "per component"),
    (r"standard (parameters?|value|choice)s?", "default"),
    (r"(go|goes|gone|went|going) on (with|from|after|where)", "resume or continue"),
]
WORDS = [(re.compile(rf"(?<![a-z])({pattern})(?![a-z])", re.IGNORECASE), instead) for pattern, instead in WORDS]
TEXTS = (".c", ".h", ".md", ".sh", ".py", ".json", ".cmake", ".txt", ".tex", ".gp")
WORDS_UNCHECKED = {"scripts/lint_structure.py", "tests/lint_structure.sh"}  # they name the words

LONG_FILE = 60  # lines; a .c file of more opens with a comment


def floor_of(path):
    """The floor a file stands on: the longest folder of the list that holds it. None: no floor."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        for floor in ("/".join(parts[:length]), "/".join(parts[: length - 1] + ["*"])):
            if floor in FLOORS:
                return floor
    return None


def method_of(path):
    """The folder of the method that a file belongs to. None: it belongs to none."""
    match = re.match(r"methods/(skinning|decomposition)/[^/]+/", path)
    return match and match.group()


def include_fault(path, target):
    """Why `path` may not include `target`; None: it may."""
    floor, below = floor_of(path), floor_of(target)
    if method_of(path) and method_of(target) and method_of(path) != method_of(target):
        return "of another method"
    if method_of(path) and target.startswith(PRIVATE_TO_RUNTIME):
        return "of a backend"
    if FLOORS.index(floor) < FLOORS.index(below):
        return f"upwards: {floor} stands below {below}"
    if any(floor in wing and below in other for wing in WINGS for other in WINGS if wing is not other):
        return f"across: {floor} and {below} are different wings"
    return None


def includes_read(root, files):
    """(file, line, included file) for every #include of a file of the tree."""
    found = []
    for path in files:
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                continue
            beside = str(pathlib.PurePosixPath(path).parent / match.group(1))
            target = next((name for name in (match.group(1), beside) if name in files), None)
            if target:
                found.append((path, number, target))
    return sorted(found)


def circles_find(includes):
    """Circles of units (a .c file and its header are one unit), each as the list of its includes."""
    edges = {}
    for path, number, target in includes:
        unit, below = (re.sub(r"(\.kernel)?\.[ch]$", "", name) for name in (path, target))
        if unit != below:
            edges.setdefault(unit, {}).setdefault(below, (path, number, target))
    done, circles = set(), []

    def visit(unit, way):
        if unit in way:
            circle = way[way.index(unit) :]
            circles.append([edges[a][b] for a, b in zip(circle, circle[1:] + [unit])])
        elif unit not in done:
            for below in edges.get(unit, {}):
                visit(below, way + [unit])
            done.add(unit)

    for unit in edges:
        visit(unit, [])
    return circles


def names_check(root, files):
    """Types of one name anywhere, and functions of one name outside the tests (each test is a program)."""
    output = subprocess.run(
        ["ctags", "--languages=C", "--langmap=C:.c.h", "--kinds-C=fstug", "--fields=+n", "--output-format=json",
         "-f", "-", "-L", "-"],
        cwd=root, input="\n".join(files), text=True, capture_output=True, check=True).stdout
    seen = {}
    for line in output.splitlines():
        tag = json.loads(line)
        path, name, number = tag["path"], tag["name"], tag["line"]
        function = tag["kind"] == "function"
        # `typedef struct Name Name;` is one type with `struct Name`, wherever that stands.
        if name.startswith("__anon") or tag.get("typeref", "").endswith(f":{name}"):
            continue
        if function and (path.startswith("tests/") or name == "main"):
            continue
        earlier, at = seen.setdefault((function, name), (path, number))
        if earlier != path:
            yield path, number, f"{tag['kind']} {name} is also defined in {earlier}:{at}"


def faults_find(root):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=root, text=True, capture_output=True, check=True).stdout.split()
    listed = sorted({path for path in listed if (root / path).is_file()})
    files = {path for path in listed if path.endswith((".c", ".h"))}
    for path in sorted(files):
        if floor_of(path) is None:
            yield path, 1, "stands in a folder that is not in FLOORS of scripts/lint_structure.py"
    files = sorted(path for path in files if floor_of(path))

    includes = includes_read(root, set(files))
    for path, number, target in includes:
        fault = include_fault(path, target)
        if fault:
            yield path, number, f"includes {target}, {fault}"
    for circle in circles_find(includes):
        steps = "; ".join(f"{path}:{number} includes {target}" for path, number, target in circle)
        yield circle[0][0], circle[0][1], f"a circle: {steps}"

    yield from names_check(root, files)

    for path in files:
        lines = (root / path).read_text().splitlines()
        if path.endswith(".c") and len(lines) > LONG_FILE and not lines[0].startswith("/*"):
            yield path, 1, f"has {len(lines)} lines and no comment at its head that says what it does"
    for path in listed:
        if path in WORDS_UNCHECKED or not (path.endswith(TEXTS) or path.startswith(("scripts/", ".ci/"))):
            continue
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            for pattern, instead in WORDS:
                match = pattern.search(line)
                if match:
                    yield path, number, f"'{match.group()}': write {instead}"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else pathlib.Path(__file__).resolve().parent.parent
    faults = 0
    for path, number, text in faults_find(root):
        print(f"{path}:{number}: {text}")
        faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
