#!/usr/bin/env python3
"""Puts dangerous texts into every member that a stranger can write, and judges everything that commands make of them.

dangerous_texts.py SKINBENCH HOME [--programs]    works in the current folder, which is empty

A text that is refused has to be refused with exit code 3 and the name of the file; one that is taken goes through every
command that shows it. With --programs Chromium, pdflatex and cmark-gfm judge the pages, too; else only what is here.
Exit code 77: a program is missing."""
import collections, csv, html.parser, io, json, os, pathlib, re, shutil, subprocess, sys, xml.etree.ElementTree

skinbench, home = sys.argv[1], pathlib.Path(sys.argv[2])
with_programs, every_place = "--programs" in sys.argv, "--every" in sys.argv
here = pathlib.Path.cwd()
counts = collections.Counter()

# Each text would run the program `pwned`, set a mark in a browser, write elsewhere or change what is shown.
TEXTS = {
    "quotes": "'\"; pwned; '\"", "backticks": "`pwned`", "dollar": "$(pwned)${IFS}$PATH", "line": "a\npwned\n", "pipe": "| pwned",
    "markup": "\"><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">",
    "attribute": "' onmouseover='document.title=1' x='", "end": "</script></style></noscript><script>document.title='pwned'</script>",
    "latex": "\\write18{pwned}\\input{/etc/passwd}\\end{tabular}%&$#_{}^~\\", "formula": "=cmd|' /C pwned'!A1", "plus": "+1+pwned|a!A",
    "wide": "＝cmd|a!A", "escape": "\x1b[2J\x1b]0;pwned\x07", "c1": "\u009b2J\u0085", "turn": "\u202e\u2066abc\u200f",
    "lines": "a\u2028b\u2029c\r\nd", "parents": "../../../pwned", "absolute": "/tmp/pwned", "history": "!pwned!!", "format": "%n%s%1000000d%",
    "long": "pwned " * 3000, "null": "a\0b", "gnuplot": "'.system('pwned').'", "macro": "@pwned {/:Bold x} \\\\ _a^b",
    "link": "https://pwned.example www.pwned.example pwned@pwned.example [x](javascript:pwned) ![x](//pwned.example/x)",
    "block": "# pwned", "entity": "&lt;b&#60;script&gt;", "unicode": "中文 \U0001f600 é", "shell_end": "x' && pwned #",
}
SHORT = ["\x1b[2J\n'\"`pwned`$(pwned)\u202e<b>\u009b", "'\"><b>`pwned`$(pwned)|=\\write18{pwned}&_%n../"]  # for members of few bytes
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def fail(text):
    print("FAILED:", text[:2000].encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    sys.exit(1)


def need(condition, text):
    if not condition:
        fail(text)


# ---- programs ----

# The only programs there are: `pwned`, which leaves a mark, and gnuplot, which counts its starts.
tools = here / "tools"
tools.mkdir()
mark, starts = here / "mark", here / "starts"
(tools / "pwned").write_text(f"#!/bin/sh\necho \"$0 $*\" >>'{mark}'\n")
gnuplot = shutil.which("gnuplot")
if gnuplot:
    (tools / "gnuplot").write_text(f"#!/bin/sh\necho \"$*\" >>'{starts}'\nexec '{gnuplot}' \"$@\"\n")
for tool in tools.iterdir():
    tool.chmod(0o755)
environment = dict(os.environ, PATH=str(tools), TMPDIR=str(here / "temporary"), HOME=str(here / "home"), DATA="")
for folder in ("temporary", "home", "work"):
    (here / folder).mkdir()
(here / "anchor").write_text("")


def run(*arguments, codes=(0,), home_folder=None, cwd=None):
    """Runs skinbench in work/, looks at what it prints, and returns its exit code and output."""
    given = dict(environment, **({"SKINBENCH_HOME": str(home_folder)} if home_folder else {}))
    done = subprocess.run([skinbench, *map(str, arguments)], cwd=cwd or here / "work", env=given, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    text = (done.stdout + done.stderr).decode("utf-8", "strict")
    counts["commands"] += 1
    need(done.returncode in codes, f"exit code {done.returncode}: {' '.join(map(str, arguments))[:300]}: {text}")
    need(not CONTROLS.search(text), f"a control character is printed: {' '.join(map(str, arguments))[:300]}: {text[:1000]!r}")
    need(not mark.exists(), f"a text was run by {' '.join(map(str, arguments))[:300]}: {mark.exists() and mark.read_text()}")
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# ---- judges ----

class Page(html.parser.HTMLParser):
    """Our elements and attributes alone; <noscript> is read, too, as folds.js does."""
    ELEMENTS = set("html head meta title link script body header main footer nav section article details summary noscript h1 h2 h3 p ul ol"
                   " li a b span code pre div table caption thead tbody tr th td figure figcaption img dl dt dd".split())
    ATTRIBUTES = set("lang charset name content http-equiv rel href defer src class id scope title alt loading width height open"
                     " aria-hidden style".split())

    def __init__(self, folder, name):
        super().__init__()
        self.folder, self.open = folder, []
        text = (folder / name).read_text()
        self.feed(text)
        need(not self.open, f"{name}: {self.open} not closed")
        need("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self';" in text, f"{name}: no policy")

    def handle_starttag(self, tag, attributes):
        need(tag in self.ELEMENTS, f"<{tag}> is none of ours")
        for name, value in attributes:
            need(name in self.ATTRIBUTES or name.startswith("data-"), f"<{tag} {name}={value}> is none of ours")
            need(name != "style" or re.fullmatch(r"flex-grow: \d+", value), f"a style is none of ours: {value}")
            if name in ("href", "src"):
                file = value.partition("#")[0]
                need(value == "data:," or not file or ((self.folder / file).is_file() and ".." not in file), f"{value} is not there")
                counts["links"] += 1
        need(tag != "script" or dict(attributes)["src"] in ("page/folds.js", "page/data.js", "page/page.js"), "a script is none of ours")
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)
        counts["elements"] += 1

    def handle_endtag(self, tag):
        need(self.open and self.open.pop() == tag, f"</{tag}> closes nothing")


def judge_csv(text, name):
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            counts["cells of CSV"] += 1
            need(not re.match(r"[=+\-@＝＋－＠]", cell) or re.fullmatch(r"[-+0-9.eE ±%]+", cell), f"{name}: {cell} is a formula")


def judge_gnuplot(path):
    """What stands outside of quotes, up to the script of ours, is ours; the program runs nothing when it is drawn by hand."""
    if path.name == "common.gp":
        return
    text = path.read_text().split("\n\n")[0]
    bare = re.sub(r"'(?:[^'\n]|'')*'", "''", text)
    need(re.fullmatch(r"[-A-Za-z0-9_=;:.()!,#+\" '\n]*", bare) and "\"" not in re.sub(r'"face=\'\'"', "", bare), f"{path.name}: {bare}")
    need(path.name.removeprefix("plot-").removesuffix(".gp").isdigit(), f"{path.name} has no number")
    counts["programs of gnuplot"] += 1
    if gnuplot:
        subprocess.run([str(tools / "gnuplot"), path.name], cwd=path.parent, env=environment, capture_output=True, timeout=60)
        need(not mark.exists(), f"{path.name} runs a text: {mark.exists() and mark.read_text()}")


def judge_shell(text):
    """Runs the commands of records.html with a skinbench that does nothing."""
    idle = here / "idle"
    if not idle.exists():
        idle.mkdir()
        (idle / "skinbench").write_text("#!/bin/sh\n")
        (idle / "pwned").write_text((tools / "pwned").read_text())
        for file in idle.iterdir():
            file.chmod(0o755)
    commands = [html.unescape(command) for command in re.findall(r"to repeat it: <code>(.*?)</code>", text, re.S)]
    for command in commands:
        need(not CONTROLS.search(command) and "\n" not in command, f"a command has a control character: {command!r}")
    for shell in filter(shutil.which, ("sh", "bash")):
        script = "\n".join(commands)
        done = subprocess.run([shutil.which(shell), "-e", "-c", script], cwd=idle, env=dict(environment, PATH=str(idle)), capture_output=True)
        need(done.returncode == 0 and not mark.exists(), f"a command runs something else: {done.stderr[-500:]}")
        counts["commands run by " + shell] += len(commands)


def judge_report(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".png", ".pdf") or path.is_dir() or path.name in ("page.js", "page.css", "folds.js"):
            continue
        text = path.read_text()
        need(not CONTROLS.search(text), f"{path.name}: a control character")
        counts[f"files {path.suffix}"] += 1
        if path.suffix == ".csv":
            judge_csv(text, path.name)
        elif path.suffix == ".gp":
            judge_gnuplot(path)
        elif path.suffix == ".svg":
            for element in xml.etree.ElementTree.fromstring(text).iter():
                need(not element.tag.endswith(("script", "foreignObject", "}a")), f"{path.name}: <{element.tag}>")
                need(not any(name.startswith("on") or name.endswith("href") and not value.startswith("#") for name, value in element.items()),
                     f"{path.name}: {element.items()}")
        elif path.suffix == ".js":
            need("<" not in text, f"{path.name}: markup in a script")
            if path.name == "data.js":
                json.loads(text.removeprefix("window.skinbench = ").rstrip(";\n"))
            if path.name == "cards.js":  # each card is a part of records.html, which is judged below
                records = (folder / "records.html").read_text()
                for card in json.loads(text.removeprefix("window.skinbenchCards = ").rstrip(";\n")).values():
                    need(card in records, f"{path.name}: a card that records.html lacks: {card[:100]}")
    for name in ("index.html", "records.html"):
        if (folder / name).exists():
            Page(folder, name)
    if (folder / "records.html").exists():
        judge_shell((folder / "records.html").read_text())
    if with_programs:
        judge_by_programs(folder)


def judge_by_programs(folder):
    # Markdown, as GitHub reads it
    read = "" if not shutil.which("cmark-gfm") else subprocess.run(["cmark-gfm", "--unsafe", "-e", "autolink", "-e", "table", "-e", "strikethrough", folder / "report.md"],
                          capture_output=True, check=True).stdout.decode()
    need(not re.search(r"<(script|iframe|style|h[4-6])", read) and "onerror=\"" not in read, "report.md: markup of a text")
    for link in re.findall(r"(?:href|src)=\"([^\"]*)\"", read):
        need((folder / link).is_file(), f"report.md: a link of a text: {link}")
    counts["pages of Markdown by cmark-gfm" if read else "SKIPPED: pages of Markdown without cmark-gfm"] += 1
    # LaTeX, which may run programs here
    (folder / "judge.tex").write_text("\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{textcomp,longtable,array,graphicx}\n"
        "\\DeclareUnicodeCharacter{2192}{\\ensuremath{\\rightarrow}}\\newcommand{\\generatedtable}[1]{\\input{#1}\\clearpage}\n"
        "\\newcommand{\\generatedfigure}[2]{\\includegraphics[width=3cm]{#1.pdf} #2\\par}\n"
        "\\extrafloats{200}\\begin{document}\\input{report}\\end{document}\n")
    done = subprocess.run([shutil.which("pdflatex"), "-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "judge.tex"],
                          cwd=folder, env=dict(environment, PATH=f"{tools}:{os.environ['PATH']}"), capture_output=True, timeout=300)
    need(done.returncode == 0 and not mark.exists(), f"LaTeX: {done.stdout[-1500:].decode('latin1')}")
    counts["documents by pdflatex"] += 1
    # A browser: the pages as they are, and without the policy and with all folds open, which would let any script run
    for name in ("index.html", "records.html"):
        if not (folder / name).exists():
            continue
        text = (folder / name).read_text()
        bare = re.sub(r"<meta http-equiv[^>]*>", "", text).replace("<noscript>", "<div>").replace("</noscript>", "</div>")
        (folder / f"bare-{name}").write_text(bare.replace("<body>", "<body><script>document.title='judged'</script>"))
        for page, title in ((name, None), (f"bare-{name}", "judged")):
            dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", f"--user-data-dir={here}/chromium",
                                  "--dump-dom", f"file://{folder / page}"], env=dict(os.environ, HOME=str(here / "home")), capture_output=True,
                                 timeout=300).stdout.decode()
            shown = re.search(r"<title>(.*?)</title>", dom)
            need(shown and "</html>" in dom, f"{page}: the browser shows nothing")
            need("pwned" not in shown[1] and (title is None or shown[1] == title), f"{page}: a script ran: {shown[1]}")
            counts["pages by chromium"] += 1


browser = shutil.which("chromium") or shutil.which("google-chrome") or ""
if with_programs:
    missing = [name for name in ("pdflatex", "gnuplot") if not shutil.which(name)] + ([] if browser else ["chromium"])
    if missing:
        print("SKIPPED: not installed:", ", ".join(missing))
        sys.exit(77)

# ---- a forgotten escape does not compile ----

compiler = shutil.which("cc")
snippets = {'html_print(html, "<p>%s</p>", text)': True, "html_print(html, text)": False, 'fprintf(html, "%s", text)': False, "fputs(text, html)": False,
            'markdown_print(html, "%s", text)': False, 'latex_print((FILE *)0, "%s", text)': False, 'plot_print(html, "%s", text)': False,
            "terminal_print(text)": False}
for snippet, compiles in snippets.items() if compiler else ():
    source = f'#include "harness/show/text/targets.h"\nvoid show(HtmlFile *html, const char *text) {{ {snippet}; }}\n'
    done = subprocess.run([compiler, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Werror", "-Wall", "-fsyntax-only", f"-I{home}", "-xc", "-"], input=source,
                          text=True, capture_output=True)
    need((done.returncode == 0) == compiles, f"{snippet} {'does not compile' if compiles else 'compiles'}: {done.stderr}")
    counts["snippets compiled or refused"] += 1

# ---- records ----

work = here / "work"
quick = ("--quiet", "--time-budget", "0.1", "--rounds", "12", "--threads", "1")
run("generate", "walk", "--quiet", "-o", "walk.h5")
run("bench", "--methods", "lbs,dqs", "--backends", "scalar", "--frames", "7", *quick, "-o", "run.jsonl")
run("bench", "walk.h5", "--methods", "sad", "--bones", "4", "--iterations", "2", "--no-generated", *quick, "-o", "run.jsonl")
run("table", "dqs-dlb-bound", *quick, "-o", "run.jsonl")
lines = [json.loads(line) for line in (work / "run.jsonl").read_text().splitlines()]
kinds = {line["kind"]: line for line in lines if line.get("status", "ok") == "ok"}
need({"environment", "skinning", "decomposition", "study", "noise"} <= kinds.keys(), f"kinds of records: {kinds.keys()}")


def places(value, before=()):
    """The place of every string and number."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from places(member, (*before, name))
    elif isinstance(value, list):
        for index, member in enumerate(value[:2]):
            yield from places(member, (*before, index))
    elif value is None or isinstance(value, (str, int, float)):
        yield before, value


def replaced(value, place, new):
    copy = json.loads(json.dumps(value))
    at = copy
    for name in place[:-1]:
        at = at[name]
    at[place[-1]] = new
    return copy


def file_of(records, name):
    (work / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return name


taken, seen = [], set()
everything = " ".join(text for name, text in TEXTS.items() if name not in ("long", "null"))
printable = CONTROLS.sub("", everything).replace("\n", " ")
for kind, record in sorted(kinds.items()):
    extended = dict(record, **({} if kind == "environment" else {"reason": "r"}))
    for place, value in places(extended):
        if not isinstance(value, str) or place == ("kind",):
            continue
        tried = SHORT + ([everything, printable, *TEXTS.values()] if every_place else [])
        for number, text in enumerate(tried):
            mutant = replaced(extended, place, text)
            code, _, error = run("merge", file_of([kinds["environment"], mutant], "one.jsonl"), "-o", "merged.jsonl", codes=(0, 3, 5))
            counts["texts in records"] += 1
            if code == 0:
                taken.append(mutant)
                counts["texts in records that are taken"] += 1
                seen.add((kind, *map(str, place)))
            else:
                need("one.jsonl" in error, f"{kind} {place}: the file is not named: {error}")
need(taken, "no text was taken: what shows texts was not tried")
print(f"{len(seen)} members of records take dangerous texts")
hostile = file_of(lines + taken, "hostile.jsonl")


def report(source, folder, *more):
    starts.unlink(missing_ok=True)
    run("report", source, "-o", folder, "--scene-time", "0", *more, codes=(0, 4))
    if gnuplot:
        programs = len(list((work / folder).glob("plot-*.gp")))
        need(len(starts.read_text().splitlines()) == 1 + programs, f"gnuplot was started {len(starts.read_text().splitlines())} times for {programs} figures")
        counts["starts of gnuplot"] += 1 + programs
    counts["reports"] += 1
    judge_report(work / folder)


report(hostile, "report")
report(hostile, "history", "--history")
run("merge", hostile, "-o", "merged.jsonl")
need(not CONTROLS.search((work / "merged.jsonl").read_text()), "merge writes control characters")
for format in ("markdown", "csv", "latex"):
    _, text, _ = run("claims", hostile, "--format", format, codes=(0, 3))
    if format == "csv":
        judge_csv(text, "claims")
run("claims", hostile, "--json", codes=(0, 3))
run("compare", hostile, "run.jsonl", "--junit", "junit.xml", "--markdown", "findings.md", codes=(0, 1))
need(not CONTROLS.search((work / "junit.xml").read_text() + (work / "findings.md").read_text()), "findings have control characters")
xml.etree.ElementTree.parse(work / "junit.xml")
run("compare", hostile, "run.jsonl", "--json", codes=(0, 1))
run("bench", "--methods", "lbs", "--backends", "scalar", "--frames", "7", "--dry-run", *quick, "-o", hostile)

# ---- numbers ----

numbers = [(kind, place) for kind, record in sorted(kinds.items()) for place, value in places(record)
           if isinstance(value, (int, float)) and not isinstance(value, bool)]
extremes = []
for kind, place in numbers if every_place else numbers[::8]:
    for value in (1e308, -1e308, 0) if every_place else (1e308,):
        mutant = replaced(kinds[kind], place, value)
        code, _, error = run("merge", file_of([kinds["environment"], mutant], "one.jsonl"), "-o", "merged.jsonl", codes=(0, 3))
        counts["numbers in records"] += 1
        need(code == 0 or "one.jsonl" in error, f"{kind} {place}: the file is not named: {error}")
        if code == 0:
            extremes.append(mutant)
# the last record of a cell counts: those of one kind are spread over several reports
batches = []
for mutant in extremes:
    key = json.dumps([mutant.get(name) for name in ("kind", "method", "parameters", "table", "row", "backend", "threads")])
    batch = next((b for b in batches if key not in b), None)
    if batch is None:
        batches.append(batch := {})
    batch[key] = mutant
for batch in batches if every_place else batches[:1]:
    run("report", file_of(lines + list(batch.values()), "numbers.jsonl"), "-o", "numbers", "--scene-time", "0", codes=(0, 4))
    counts["reports of extreme numbers"] += 1
    counts["figures left out"] += (work / "numbers" / "report.md").read_text().count("*The figure ")

# ---- published tables, suites, the catalogue ----

def home_with(path, content):
    copy = here / "copied"
    if not copy.exists():
        for folder in ("results", "datasets", "scripts/plots", "harness/show/report/page"):
            if (home / folder).exists():
                shutil.copytree(home / folder, copy / folder, ignore=shutil.ignore_patterns("node_modules", "*.c", "*.h", "upstream"))
    (copy / path).write_text(json.dumps(content))
    return copy


def walk(path, content, commands, most):
    """Every text of a file of the home folder: refused with its name, or shown."""
    kept = content
    for place, value in list(places(content))[:most]:
        if not isinstance(value, str):
            continue
        for text in [everything] + ([printable[:100], *TEXTS.values()] if every_place else []):
            changed = home_with(path, replaced(content, place, text))
            code, _, error = run(*commands[0], codes=(0, 2, 3, 5), home_folder=changed)
            counts[f"texts in {path.split('/')[1] if '/' in path else path}"] += 1
            need(code == 0 or error, f"{path} {place}: no message")
            if code == 0 and text == everything:
                kept = replaced(kept, place, text)
    changed = home_with(path, kept)
    for command in commands:
        run(*command, codes=(0, 1, 3), home_folder=changed)
    return changed, kept


table = json.loads((home / "results/published/dqs-dlb-bound.json").read_text())
free = ("list", "tables")
changed, kept = walk("results/published/dqs-dlb-bound.json", table, [("table", "dqs-dlb-bound", *quick, "--format", "markdown"), free,
                     ("table", "dqs-dlb-bound", *quick, "--format", "csv"), ("table", "dqs-dlb-bound", *quick, "--format", "latex"),
                     ("table", "dqs-dlb-bound", *quick, "--json")], 40)
need(kept != table, "no text of a published table was taken")
starts.unlink(missing_ok=True)
run("report", "run.jsonl", "-o", "of-table", "--scene-time", "0", codes=(0, 4), home_folder=changed)
counts["reports"] += 1
judge_report(work / "of-table")
shutil.rmtree(here / "copied")
catalogue = json.loads((home / "datasets/catalogue.json").read_text())
walk("datasets/catalogue.json", catalogue, [("list", "datasets"), ("list", "upstream"), ("list", "datasets", "--json"), ("doctor",)], 30)
suite = {"datasets": [{"generate": "bar", "set": ["motion=bend-90"]}], "skinning": {"methods": [{"name": "lbs", "set": []}], "backends": ["scalar"], "threads": [1]}}
for place, value in places(suite):
    if isinstance(value, str):
        for text in TEXTS.values() if every_place else [everything]:
            (work / "suite.json").write_text(json.dumps(replaced(suite, place, text)))
            run("bench", "--suite", "suite.json", "--dry-run", "--quiet", "-o", "none.jsonl", codes=(0, 2, 3, 4))
            counts["texts in suites"] += 1

# ---- names in data sets ----

run("generate", "bar", "--quiet", "-o", "bar.h5")
run("export", "gltf", "bar.h5", "--quiet", "-o", "bar.gltf", codes=(0,))
scene = json.loads((work / "bar.gltf").read_text())
named = [list_ for list_ in ("nodes", "meshes", "skins", "animations", "scenes") if scene.get(list_)]
everywhere = TEXTS if every_place else {label: TEXTS[label] for label in ("quotes", "markup", "escape")}
for label, text in everywhere.items():
    for list_ in named:
        for index, item in enumerate(scene[list_]):
            item["name"] = f"{text} {index}" if list_ == "nodes" else text
    (work / "names.gltf").write_text(json.dumps(scene))
    code, _, error = run("import", "gltf", "names.gltf", "--quiet", "-o", f"names-{label}.h5", codes=(0, 3))
    counts["names in glTF"] += 1
    if code == 0:
        run("info", f"names-{label}.h5")
        run("info", f"names-{label}.h5", "--json")
        run("check", f"names-{label}.h5", codes=(0, 1))
        for format, ending in (("gltf", "gltf"), ("obj-sequence", "")):
            out = work / f"exported-{label}.{ending}".rstrip(".")
            run("export", format, f"names-{label}.h5", "--quiet", "-o", out.name, codes=(0, 3))
            counts["exports"] += 1
    else:
        need("names.gltf" in error, f"names.gltf is not named: {error}")
shown = [label for label in everywhere if (work / f"names-{label}.h5").exists()]
need(shown, "no name of a glTF was taken")
for label in shown if every_place else shown[:1]:
    starts.unlink(missing_ok=True)
    run("advise", f"names-{label}.h5", "-o", "advice", codes=(0, 4))
    counts["pages of advice"] += 1
    judge_report(work / "advice")
for label, text in everywhere.items():
    folder, name = work / "objs", re.sub(r"[/\0]", "", text)[:60]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for frame in range(2):
        (folder / f"{name}{frame}.obj").write_bytes(f"o {text}\ng {text}\nusemtl {text}\nv 0 0 {frame}\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".encode())
    code, _, error = run("import", "obj-sequence", "objs", "--quiet", "-o", "objs.h5", codes=(0, 3))
    counts["names in OBJ"] += 1
    if code == 0:
        run("info", "objs.h5")

need(not mark.exists(), "a text was run")
need(sorted(p.name for p in here.iterdir() if p.name not in ("mark", "starts", "idle", "copied", "chromium")) ==
     sorted(["tools", "temporary", "home", "work", "anchor"]), f"a file outside: {[p.name for p in here.iterdir()]}")
need(not list((here / "temporary").iterdir()), f"left in the temporary folder: {list((here / 'temporary').iterdir())}")
need(not os.path.exists("/tmp/pwned") and not list(here.parent.glob("pwned*")), "a file outside was written")
for name, count in sorted(counts.items()):
    print(f"{count:7d} {name}")
