#!/bin/bash
# Tests the page of a report: it is complete without a script, nothing from a file becomes markup, the command beside a record makes
# a record of the same cell, and running a figure's program by hand draws the figure.
. "$(dirname "$0")/../prelude.sh"
needs python3
set +e +o pipefail # exit codes are looked at
skinbench=$1
quick=(--quiet --time-budget 0.1 --rounds 12)
cd "$folder" || exit 1
export PATH="$folder/bin:$PATH" DATA=$folder/data
mkdir bin data
ln -s "$skinbench" bin/skinbench

# A cell of every kind, and one of a data set whose name is markup and has quotes of the shell.
hostile="<script>alert(1)</script>'\"; touch ran; '"
"$skinbench" generate walk --quiet -o walk.h5 || fail "no data set"
"$skinbench" export obj-sequence walk.h5 --quiet -o limb >/dev/null || fail "no frames of it"
"$skinbench" import limb --quiet -o data/limb.h5 >/dev/null || fail "no data set of another name"
"$skinbench" bench --methods lbs,dqs --backends scalar --threads 1 --frames 7 "${quick[@]}" -o run.jsonl >/dev/null || fail "no bench"
"$skinbench" bench data/limb.h5 --methods sad --bones 4 --iterations 2 --threads 1 --no-generated "${quick[@]}" -o run.jsonl \
    >/dev/null || fail "no fit"
"$skinbench" table direct-methods --rows bar --threads 1 "${quick[@]}" -o run.jsonl >/dev/null || fail "no ranking"
"$skinbench" table cor-cost --threads 1 "${quick[@]}" -o run.jsonl >/dev/null || fail "no table"
python3 - "$hostile" <<'PYTHON' || fail "no hostile records"
import json, sys
lines = open("run.jsonl").read().splitlines()
cell = json.loads(next(line for line in lines if '"kind":"skinning"' in line))
cell["dataset"].update(name=sys.argv[1], sha256="f" * 64)
open("hostile.jsonl", "w").write("\n".join(lines + [json.dumps(cell)]) + "\n")
PYTHON
report() { # of a result file, to a folder, with the programs of a path
    PATH=${3:-$PATH} "$skinbench" report "$1" -o "$2" --scene-time 0 --quiet 2>err
    local code=$?
    [ $code = 0 ] || [ $code = 4 ] || fail "no report: $(cat err)"
}
report hostile.jsonl report /nowhere

# Whole: every file that the pages name is there, every record that they link to too; the page is the same data as report.md.
python3 - <<'PYTHON' || fail "the page"
import html.parser, json, os, re, sys
class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.ids, self.links, self.scripts, self.open, self.tables, self.values = set(), [], 0, [], 0, 0
        self.feed(open(f"report/{name}").read())
        assert not self.open, f"{name}: {self.open} not closed"
    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert tag != "noscript" or "noscript" not in self.open, "a fold within one that is made when it is opened"
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        if "id" in given:
            assert given["id"] not in self.ids, f"twice: {given['id']}"
            self.ids.add(given["id"])
        self.links += [given[name] for name in ("href", "src") if name in given]
        self.scripts += tag == "script"
        self.tables += tag == "table"
        self.values += "data-value" in given
        assert not any(name.startswith("on") for name in given), given
    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"
index, records = Page("index.html"), Page("records.html")
for link in index.links + records.links:
    file, _, place = link.partition("#")
    assert link == "data:," or os.path.exists(f"report/{file}"), f"{link} is not there"
    assert not place or place in (records.ids if file == "records.html" else index.ids), f"{link} leads nowhere"
assert {"verdicts", "direct", "decompositions", "run", "machine", "view", "tables"} <= index.ids, index.ids
assert index.scripts in (1, 3) and records.scripts == 1
assert index.tables > 5 and index.values > 50
source = open("report/page/data.js").read()
assert source.startswith("window.skinbench = ") and "<" not in source
data = json.loads(source.removeprefix("window.skinbench = ").rstrip(";\n"))
assert data["schema"] == 1 and data["plots"]["direct-times"]["kind"] == "box"
# The median of a bar of the figure, from the result file.
run = [json.loads(line) for line in open("run.jsonl")]
dqs = next(r for r in run if r.get("method") == "dqs" and r["kind"] == "skinning" and r["dataset"]["name"] == "bar")
points = [p for s in data["plots"]["skinning-bar"]["series"] for p in s["points"]]
assert any(abs(p["y"] / dqs["timing"]["frame_ns_per_vertex"]["median"] - 1) < 1e-6 for p in points)
PYTHON
grep -q "<script>alert" report/*.html report/page/data.js && fail "a name became a script"
grep -q "&lt;script&gt;alert(1)" report/index.html || fail "the hostile name is not on the page"

# Every command makes the cell that it stands with; one of each kind.
report run.jsonl plain
for kind in skinning decomposition study row noise; do
    record=$(grep -B2 "^<p>$kind, ok" plain/records.html | sed -n 's/^<article id="r-\([0-9a-f]*\)">/\1/p' | head -1)
    [ -n "$record" ] || fail "there is no record of the kind $kind"
    command=$(grep -A2 "id=\"r-$record\"" plain/records.html | sed -n 's/.*to repeat it: <code>\(.*\)<\/code>.*/\1/p' |
        sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g')
    rm -f again.json*
    sh -c "$command ${quick[*]} >/dev/null" || fail "the command of a $kind does not run: $command"
    report again.jsonl again /nowhere
    grep -q "<article id=\"r-$record\">" again/records.html || fail "the command of a $kind makes no record of its cell: $command"
done
# What the shell would run in a name, it does not.
command=$(grep -A2 "touch ran" report/records.html | sed -n 's/.*to repeat it: <code>\(.*\)<\/code>.*/\1/p' | head -1 |
    sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g')
[ -n "$command" ] || fail "the hostile record has no command"
sh -c "$command >/dev/null" 2>/dev/null
[ ! -e ran ] || fail "a name was run by the shell: $command"

# A figure is drawn again by its program, and is the same.
if command -v gnuplot >/dev/null; then
    cd plain || exit 1
    number=$(sed -n 's/.*data-plot="skinning-bar".*href="\(plot-[0-9]*\)\.gp".*/\1/p' index.html)
    gnuplot "$number.gp" || fail "the program of a figure does not run"
    cmp skinning-bar.svg "$number.svg" || fail "the program of a figure draws another"
fi
exit 0
