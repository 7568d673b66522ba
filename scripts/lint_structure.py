#!/usr/bin/env python3
"""Checks the order of the tree, which no compiler sees, from the text of its files; needs no build.

  scripts/lint_structure.py [FOLDER]              the git checkout to check (default: this one)
  scripts/lint_structure.py --measure [FOLDER]    prints its size and order instead: per folder the files, lines and
                                                  lengths of functions; arrows between folders, levels and circles

A file includes only its own layer and lower ones, and a wing of harness/ only the wings that ARROWS lists. A method
includes neither another method nor a backend. There is no circle: of folders, of includes, or of .c files by the
functions and objects that they use of each other. Types and public functions have unique names. A long .c file opens
with a comment. What BASE includes is not included again beside it. A comment's lines fit WIDTH, as clang-format does not
reflow them, and a source file that a comment or document names exists. An end-to-end test that uses Python 3 is skipped
where there is none. One line per fault; exits 1 if there is any.
"""
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

# The layers, lowest first. `*` stands for one method; the two SUBTREES of methods/ never include each other.
LAYERS = [
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
    "harness",
    "packaging/example",
    "tests",
]
SUBTREES = [
    {"methods/kernel", "methods/runtime", "methods/posing", "methods/skinning/*"},
    {"methods/reduction", "methods/fitting", "methods/decomposition/*"},
]
# The wings of harness/, and which others each may include.
ARROWS = {
    "measure": (),
    "records": ("measure",),
    "run": ("measure", "records"),
    "show": ("measure", "records"),
    "library": ("measure", "run"),
    "commands": ("measure", "records", "run", "show"),
}
# What only the runtime itself and the layers above the methods may include.
PRIVATE_TO_RUNTIME = "methods/runtime/backends/"

BASE = "datasets/base/base.h"  # a file outside tests/ that has it names none of its includes again

LONG_FILE = 60  # lines; a .c file of more opens with a comment
WIDTH = 110  # columns; the ColumnLimit of .clang-format
# Names in text of source files that need not exist: placeholders, what is installed, others' files.
PLACEHOLDERS = re.compile(r"my[-_]|NAME|name\.|^plot-|/hip\.c$|^skinbench/skinbench\.h$|^splitmix64\.c$")


def layer_of(path):
    """The longest folder of LAYERS that holds a file. None: no layer does, or no wing."""
    parts = path.split("/")[:-1]
    if parts[0] == "harness" and wing_of(path) not in ARROWS:
        return None
    for length in range(len(parts), 0, -1):
        for layer in ("/".join(parts[:length]), "/".join(parts[: length - 1] + ["*"])):
            if layer in LAYERS:
                return layer
    return None


def wing_of(path):
    """The wing of a file of harness/; main.c belongs to the commands."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else "commands"


def method_of(path):
    """The folder of the method that a file belongs to. None: it belongs to none."""
    match = re.match(r"methods/(skinning|decomposition)/[^/]+/", path)
    return match and match.group()


def include_fault(path, target):
    """Why `path` may not include `target`; None: it may."""
    layer, lower = layer_of(path), layer_of(target)
    if method_of(path) and method_of(target) and method_of(path) != method_of(target):
        return "of another method"
    if method_of(path) and target.startswith(PRIVATE_TO_RUNTIME):
        return "of a backend"
    if LAYERS.index(layer) < LAYERS.index(lower):
        return f"upwards: {layer} is a layer below {lower}"
    if any(layer in one and lower in other for one in SUBTREES for other in SUBTREES if one is not other):
        return f"across: {layer} and {lower} never include each other"
    if layer == lower == "harness" and wing_of(target) not in (wing_of(path), *ARROWS[wing_of(path)]):
        return f"against ARROWS of scripts/lint_structure.py: {wing_of(path)} does not use {wing_of(target)}"
    return None


# ---- reading the tree ----


def texts_read(root):
    """path -> text of every .c and .h file that git has or would have."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.c", "*.h"],
                            cwd=root, text=True, capture_output=True, check=True).stdout.split("\0")
    return {path: (root / path).read_text() for path in sorted(set(listed)) if path and (root / path).is_file()}


def documents_read(root):
    """path -> text of every document, in which code stands, too."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=root, text=True, capture_output=True, check=True).stdout
    return {path: (root / path).read_text() for path in listed.split("\0") if path and (root / path).is_file()}


def includes_read(texts):
    """(file, line, included file) for every #include of a file of the tree."""
    found = []
    for path, text in texts.items():
        for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', text, re.MULTILINE):
            beside = str(pathlib.PurePosixPath(path).parent / match.group(1))
            target = next((name for name in (match.group(1), beside) if name in texts), None)
            if target:
                found.append((path, text.count("\n", 0, match.start()) + 1, target))
    return found


def repeats_find(texts, includes):
    """(file, line, included file) where a file that has BASE, if only by another header, repeats an include of it."""
    line = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)
    users = collections.defaultdict(set)
    for path, _, target in includes:
        users[target].add(path)
    brought = set(grown := line.findall(texts.get(BASE, "")))
    for target in grown:
        grown += (more := line.findall(texts.get(target, "")))
        brought.update(more)
    having = set(grown := list(users[BASE]))
    for path in grown:
        grown += users[path] - having
        having |= users[path]
    for path in sorted(path for path in having if not path.startswith("tests/")):
        for match in line.finditer(texts[path]):
            if match.group(1) in brought:
                yield path, texts[path].count("\n", 0, match.start()) + 1, match.group(1)


def tags_read(root, texts):
    """path -> what ctags finds in it, by line: functions, variables, types, macros."""
    output = subprocess.run(
        ["ctags", "--languages=C", "--langmap=C:.c.h", "--kinds-C=fstugv", "--fields=+fne", "--output-format=json",
         "-f", "-", "-L", "-"],
        cwd=root, input="\n".join(texts), text=True, capture_output=True, check=True).stdout
    tags = collections.defaultdict(list)
    for line in output.splitlines():
        tag = json.loads(line)
        tags[tag["path"]].append(tag)
    for found in tags.values():
        found.sort(key=lambda tag: tag["line"])
    return tags


def code_of(text):
    """The text without comments and strings, with the same lines."""
    def blanked(match):
        return '""' if match.group().startswith('"') else "\n" * match.group().count("\n")
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blanked, text, flags=re.DOTALL)


def uses_find(texts, tags):
    """The names that .c files use of each other: (file, other file) -> (line, name) of one use."""
    codes = {path: re.sub(r"(\.|->)[ \t]*[A-Za-z_]\w*", " ", code_of(texts[path])) for path in tags if path.endswith(".c")}
    owners, local = collections.defaultdict(set), collections.defaultdict(set)
    for path, code in codes.items():
        # Also what ctags does not see: objects whose type is a macro or a struct of their own.
        local[path].update(re.findall(r"^static [^;=(]*?\b(\w+)(?:\[\w*\])* = ", code, flags=re.MULTILINE))
        for tag in tags[path]:
            if tag["kind"] in ("function", "variable"):
                local[path].add(tag["name"])
                if not tag.get("file"):
                    owners[tag["name"]].add(path)
    uses = {}
    for path, code in codes.items():
        for number, line in enumerate(code.split("\n"), 1):
            for name in re.findall(r"[A-Za-z_]\w*", line):
                if name in owners and name not in local[path] and len(owners[name]) == 1:
                    (owner,) = owners[name]
                    if not line.startswith("extern") and owner.split("/")[0] != "tests":
                        uses.setdefault((path, owner), (number, name))
    return uses


# ---- circles ----


def circles_find(edges):
    """A shortest circle of each strongly connected part of a graph {node: {node: reason}}: lists of reasons."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for lower in edges.get(node, {}):
            if lower not in index:
                visit(lower)
            if lower in stack:
                low[node] = min(low[node], low[lower])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    circles = []
    for part in found:
        ways = [[part[0]]]
        while True:  # breadth first, back to where it starts
            way = ways.pop(0)
            if part[0] in edges.get(way[-1], {}) and len(way) > 1:
                circles.append([edges[a][b] for a, b in zip(way, way[1:] + way[:1])])
                break
            ways += [way + [lower] for lower in sorted(edges.get(way[-1], {})) if lower in part and lower not in way]
    return circles


def graph_of(items, group):
    """The graph of the groups of files, from (file, line, other file, reason)."""
    edges = collections.defaultdict(dict)
    for path, number, target, reason in items:
        if group(path) != group(target):
            edges[group(path)].setdefault(group(target), (path, number, reason))
    return edges


def module_of(path):
    return re.sub(r"(\.kernel)?\.[ch]$", "", path)


def folder_of(path):
    return layer_of(path) if layer_of(path) != "harness" else path.rpartition("/")[0]


def all_circles(texts, tags, includes):
    """(kind, circle) of every circle of folders, of modules by their includes, and of .c files by names."""
    includes = [(path, number, target, f"includes {target}") for path, number, target in includes]
    uses = [(path, number, owner, f"uses {name} of {owner}") for (path, owner), (number, name)
            in uses_find(texts, tags).items()]
    kinds = [("of folders", includes, lambda path: folder_of(path) or path.rpartition("/")[0]),
             ("of includes", includes, module_of), ("of .c files", uses, str)]
    for kind, items, group in kinds:
        for circle in circles_find(graph_of(items, group)):
            yield kind, circle


# ---- faults ----


def names_check(tags):
    """Types of one name anywhere, and public functions of one name outside the tests (each test is a program)."""
    seen = {}
    for path in sorted(tags):
        for tag in tags[path]:
            name, function = tag["name"], tag["kind"] == "function"
            # `typedef struct Name Name;` is one type with `struct Name`, wherever that stands.
            # DEFINE_OWNED_BY(...) (memory.h) is a macro that makes a function of its second argument's name.
            if tag["kind"] == "variable" or name == "DEFINE_OWNED_BY" or name.startswith("__anon") or tag.get("typeref", "").endswith(f":{name}"):
                continue
            if function and (path.startswith("tests/") or name == "main" or (path.endswith(".c") and tag.get("file"))):
                continue
            earlier, at = seen.setdefault((function, name), (path, tag["line"]))
            if earlier != path:
                yield path, tag["line"], f"{tag['kind']} {name} is also defined in {earlier}:{at}"


def comments_check(root, texts):
    """Comments that are too wide, unless clang-format is off there, and names of source files that do not exist."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, text=True,
                            capture_output=True, check=True).stdout.split("\0")
    ends = {"/".join(parts[i:]) for parts in (path.split("/") for path in listed) for i in range(len(parts))}
    passages = [(path, 0, text) for path, text in documents_read(root).items()]
    for path, text in texts.items():
        kept = [match.span() for match in re.finditer(r"// clang-format off.*?(// clang-format on|\Z)", text, re.DOTALL)]
        for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/', text, re.DOTALL):
            if match.group().startswith('"'):
                continue
            passages.append((path, match.start(), match.group()))
            first, end = text.rfind("\n", 0, match.start()) + 1, (text + "\n").find("\n", match.end())
            wide = [i for i, line in enumerate(text[first:end].split("\n")) if len(line) > WIDTH]
            if wide and not any(low <= match.start() < high for low, high in kept):
                yield path, text.count("\n", 0, match.start()) + 1 + wide[0], f"a comment goes beyond column {WIDTH}"
    for path, start, passage in passages:
        for match in re.finditer(r"(?<![\w./-])[A-Za-z_][\w./-]*\.(?:c|h|py|gp|ts|cmake)\b(?![\w/])", passage):
            if match.group() not in ends and not PLACEHOLDERS.search(match.group()):
                number = texts.get(path, passage).count("\n", 0, start + match.start()) + 1
                yield path, number, f"names {match.group()}, which does not exist"


def skips_check(root):
    """End-to-end tests that run Python without asking whether it is there; scripts/install-dependencies does not install it."""
    for path in sorted((root / "tests/end_to_end").glob("*.sh")):
        text = path.read_text()
        if re.search(r"\bpython3\b", text) and not re.search(r"^needs .*\bpython3\b|exit 77|command -v python3", text, re.MULTILINE):
            yield path.relative_to(root).as_posix(), 1, "runs python3 and does not say `needs python3` (tests/prelude.sh)"


def faults_find(root):
    texts = texts_read(root)
    for path in [path for path in texts if layer_of(path) is None]:
        yield path, 1, "stands in a folder that is in no layer of scripts/lint_structure.py"
        del texts[path]
    tags = tags_read(root, texts)

    allowed = []
    for path, number, target in includes_read(texts):
        fault = include_fault(path, target)
        if fault:
            yield path, number, f"includes {target}, {fault}"
        else:
            allowed.append((path, number, target))
    for path, number, target in repeats_find(texts, allowed):
        yield path, number, f"includes {target}, which {BASE} brings"
    for kind, circle in all_circles(texts, tags, allowed):
        yield circle[0][0], circle[0][1], f"a circle {kind}: " + "; ".join(
            f"{path}:{number} {reason}" for path, number, reason in circle)

    yield from names_check(tags)
    yield from comments_check(root, texts)
    yield from skips_check(root)

    for path, text in texts.items():
        lines = text.count("\n")
        if path.endswith(".c") and lines > LONG_FILE and not text.startswith("/*"):
            yield path, 1, f"has {lines} lines and no comment at its head that says what it does"


# ---- measuring ----


def lines_count(text):
    """Lines of code, of comments alone, and blank ones."""
    lines, code = text.splitlines(), code_of(text).splitlines()
    blank = sum(not line.strip() for line in lines)
    filled = sum(bool(line.strip()) for line in code)
    return filled, len(lines) - blank - filled, blank


def bodies_measure(text, tags):
    """The lines between the braces of every function."""
    lines, found = text.splitlines(), []
    for tag in tags:
        if tag["kind"] == "function" and "end" in tag:
            opening = next((n for n in range(tag["line"], tag["end"] + 1) if lines[n - 1].startswith("{")), tag["line"])
            found.append(max(tag["end"] - opening - 1, 0))
    return found


def group_of(path):
    """The part of the tree that is measured as one: a wing of harness/, a folder of datasets/ or methods/, or the tests."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in ("datasets", "methods", "harness") else parts[0]


def levels_find(arrows):
    """Each group's level: 0 uses no other."""
    levels = {}

    def level(group, way=()):
        if group not in levels:
            lower = [level(to, way + (group,)) for of, to in arrows if of == group and to not in way + (group,)]
            if way:
                return 1 + max(lower, default=-1)
            levels[group] = 1 + max(lower, default=-1)
        return levels[group]

    for group in {group for arrow in arrows for group in arrow}:
        level(group)
    return levels


def measure_print(root):
    texts = texts_read(root)
    tags = tags_read(root, texts)
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    lengths = collections.defaultdict(list)
    for path, text in texts.items():
        tops = {group_of(path), path.split("/")[0]} | ({"all but tests"} if not path.startswith("tests/") else set())
        for group in tops:
            rows[group] = [a + b for a, b in zip(rows[group], (1, *lines_count(text)))]
            lengths[group] += bodies_measure(text, tags[path])
    print(f"{'':24} files   lines    code comment  blank  functions median  <=3   >80   (lines between their braces)")
    for group in sorted(rows, key=lambda group: (group == "all but tests", group)):
        files, code, comment, blank = rows[group]
        found = lengths[group]
        share = 100 * sum(n <= 3 for n in found) / len(found) if found else 0
        print(f"{group:24} {files:5} {code + comment + blank:7} {code:7} {comment:7} {blank:6}  {len(found):9} "
              f"{statistics.median(found) if found else 0:6.0f} {share:4.0f}% {sum(n > 80 for n in found):4}")

    for top in ("datasets", "methods", "harness"):
        arrows = collections.Counter()
        for path, _, target in includes_read(texts):
            of, to = group_of(path), group_of(target)
            of, to = (f"{top}/commands" if group == top == "harness" else group for group in (of, to))
            if of != to and of.startswith(top) and to.startswith(top):
                arrows[of, to] += 1
        levels = levels_find(arrows)
        print(f"\n{top}: {len(arrows)} arrows, {1 + max(levels.values(), default=0)} levels")
        for group in sorted(levels, key=lambda group: (-levels[group], group)):
            uses = ", ".join(f"{to.split('/')[-1]} {n}" for (of, to), n in sorted(arrows.items()) if of == group)
            print(f"  {levels[group]} {group.split('/')[-1]}{' > ' + uses if uses else ''}")

    counted = {path: text for path, text in texts.items() if not path.startswith("tests/")}
    circles = list(all_circles(counted, {path: tags[path] for path in counted}, includes_read(counted)))
    print()
    for kind in ("of folders", "of includes", "of .c files"):
        print(f"circles {kind}: {sum(kind == found for found, _ in circles)}")
    for kind, circle in circles:
        print(f"  {kind}: " + "; ".join(f"{path}:{number} {reason}" for path, number, reason in circle))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--measure"]
    if len(arguments) > 1 or arguments[:1] == ["--help"]:
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    if "--measure" in sys.argv:
        measure_print(root)
        return
    faults = 0
    for path, number, text in faults_find(root):
        print(f"{path}:{number}: {text}")
        faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
