#!/bin/bash
# Tests scripts/release in a scratch repository: what a release consists of, each refusal, and a run that is killed. The program and
# a report are real; the archive and the wheel are small ones that say what they should.
. "$(dirname "$0")/../prelude.sh"
program=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v git >/dev/null || { echo "SKIPPED: no git"; exit 77; }
PATH=/usr/bin:$PATH # another python3 may be one without Debian's packages
python3 -c 'import yaml' 2>/dev/null || { echo "SKIPPED: python3 has no yaml (Debian's python3-yaml)"; exit 77; }
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

page=harness/show/report/page
mkdir -p tree/{build,datasets,scripts,packaging/{python,spack},results/baseline,harness/measure/environment,$page/{src,dist}}
cp "$root/scripts/release" tree/scripts
cp "$root"/{CMakeLists.txt,CITATION.cff,.gitignore} tree
cp "$root/packaging/python/pyproject.toml" tree/packaging/python
cp "$root/packaging/spack/package.py" tree/packaging/spack
cp "$root"/harness/measure/environment/{commit.txt,.gitattributes} tree/harness/measure/environment
cp "$root/datasets/catalogue.json" tree/datasets
touch -d 2020-01-01 tree/$page/{src/page.ts,build.js,package-lock.json}
echo 'the script' >tree/$page/dist/page.js
sed -i 's/^project(skinbench VERSION [0-9.]*/project(skinbench VERSION 0.8.0/' tree/CMakeLists.txt
# Packs a program that prints its version, as scripts/bundle does.
cat >tree/scripts/bundle <<'END'
#!/usr/bin/env python3
import pathlib, platform, re, subprocess, sys, tarfile, zipfile
tree = pathlib.Path(__file__).resolve().parent.parent
version = re.search(r"skinbench VERSION ([\d.]+)", (tree / "CMakeLists.txt").read_text())[1]
commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tree, capture_output=True, text=True).stdout.strip()
processor = "aarch64" if "--aarch64" in sys.argv else platform.machine()
folder = pathlib.Path(sys.argv[-1])
print("bundle", *sys.argv[1:-2], file=open(tree / "build/bundles", "a"))
program = tree / "build/skinbench"
said = (tree / "build/says").read_text().strip() if (tree / "build/says").exists() else commit
program.write_text(f"#!/bin/sh\necho 'skinbench {version} (commit {said})'\n")
program.chmod(0o755)
if "--wheel" in sys.argv:
    info = f"skinbench-{version}.dist-info"
    with zipfile.ZipFile(folder / f"skinbench-{version}-py3-none-manylinux_2_31_{processor}.whl", "w") as wheel:
        wheel.write(program, "skinbench/native/bin/skinbench")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: skinbench\nVersion: {version}\n")
        wheel.writestr(f"{info}/RECORD", f"skinbench/native/bin/skinbench,,\n{info}/METADATA,,\n{info}/RECORD,,\n")
else:
    name = f"skinbench-{version}-linux-{processor}"
    with tarfile.open(folder / f"{name}.tar.xz", "w:xz") as archive:
        archive.add(program, f"{name}/bin/skinbench")
END
chmod +x tree/scripts/bundle
method() { echo "{\"method\": \"$1\", \"cells\": $2, \"seeds\": $3, \"e_rms\": $4, \"low\": $5, \"high\": $6}"; }
change() { echo "{\"name\": \"$1\", \"date\": \"$2\", \"reason\": \"$3\", \"worse\": $4, \"found\": \"f\", \"greatest\": \"$5\"${6-}}"; }
baseline() { # CHANGES METHOD...
    local changes=$1
    shift
    (IFS=,; echo "{\"date\": \"2026-01-01\", \"after\": \"a\", \"reason\": \"r\", \"found\": \"f\", \"changes\": [$changes], \"methods\": [$*]}") >tree/results/baseline/accepted.json
}
commit() { git -C tree add -A && git -C tree commit -q -m "$1"; }
changelog() { printf '# Changelog\n\n%s\n\n## 0.1.0 (2020-01-01)\n\nThe first.\n' "$1" >tree/packaging/CHANGELOG.md; }
release() { tree/scripts/release "$@"; }
old=$(change lbs 2025-01-01 "an old reason" 0 "an old change")
baseline "$old" "$(method lbs 4 1 2.0 2.0 2.0)" "$(method dqs 4 1 5.0 5.0 5.0)" "$(method sma 3 9 10.0 9.0 11.0)" "$(method cor 2 1 1.0 1.0 1.0)"
changelog "## 0.8.0 (2020-02-02)"
git -C tree init -q -b main
commit "The last release"
git -C tree tag v0.8.0
# Two acceptances: the second keeps what the first said about lbs, as `accept` does.
first=$(change lbs 2026-01-02 "exact | centres" 3 "bar: e_rms 2 to 1.5")
baseline "$first" "$(method lbs 4 1 1.5 1.5 1.5)" "$(method dqs 4 1 5.0 5.0 5.0)" "$(method sma 3 9 10.0 9.0 11.0)" "$(method cor 2 1 1.0 1.0 1.0)"
commit "Accept lbs"
second=$(change lbs 2026-01-03 "wider tiles" 0 "bar: e_rms 1.5 to 1.5"),$(change sma 2026-01-03 "wider tiles" 1 "walk: e_rms 8 to 9")
second+=,$(change dqs 2026-01-03 "wider tiles" 0 "rig: edge 0.1 to 0.2")
baseline "$second" "$(method lbs 4 1 1.5 1.5 1.5)" "$(method dqs 4 1 5.0 5.0 5.0)" "$(method sma 3 9 10.0 9.0 11.0)" "$(method cor 3 1 1.2 1.2 1.2)" "$(method ssdr 1 9 3 2 4)"
commit "Accept what wider tiles changed"

# Before a version is named, dated and prepared.
refused 1 "v0.8.0 is the tag of another commit" release --check
sed -i 's/VERSION 0.8.0/VERSION 0.9.0/' tree/CMakeLists.txt
refused 1 "1 files have changes that are not committed, such as CMakeLists.txt" release --check
commit "Version 0.9.0"
refused 1 "packaging/CHANGELOG.md has no section '## 0.9.0'" release --check
changelog $'## 0.9.0 (not released)\n\nWider tiles.'
commit "What changed"
refused 1 "the heading of 0.9.0 has no date" release --prepare
refused 1 "the heading of 0.9.0 has no date" release --check
changelog $'## 0.9.0 (2026-13-01)\n\nWider tiles.'
refused 1 "the heading of 0.9.0 has no date" release --prepare
changelog $'## 0.9.0 (2026-02-01)\n\nWider tiles.'
commit "The date"
refused 1 "CITATION.cff does not say version 0.9.0 of 2026-02-01" release --check
expected 0 release --prepare
git -C tree diff --stat HEAD | grep -q '4 files changed' || fail "$(git -C tree diff --stat HEAD)"
grep -qx 'date-released: 2026-02-01' tree/CITATION.cff && grep -qx 'version: 0.9.0' tree/CITATION.cff || fail "$(cat tree/CITATION.cff)"
grep -qx 'version = "0.9.0"' tree/packaging/python/pyproject.toml || fail "pyproject.toml"
grep -q 'version("0.9.0")' tree/packaging/spack/package.py || fail "package.py"
# 2.0 to 1.5 is a quarter less; sma stays between 9 and 11; cor has another cell; dqs moved in another number only.
for line in '| lbs | 2 | 1.5 | -25 % | 1, 2 | bar: e\_rms 1.5 to 1.5; cells worse: 0 |' '| dqs | 5 | 5 | same | 2 | rig: edge 0.1 to 0.2; cells worse: 0 |' \
    '| sma | 10 | 10 | kept: within the spread of the seeds | 2 | walk: e\_rms 8 to 9; cells worse: 1 |' \
    '| cor | 1 | 1.2 | not comparable: 2 cells, 1 seeds before; 3 cells, 1 seeds now |  |  |' '| ssdr |  | 3 | new |  |  |' \
    '1. 2026-01-02: exact \| centres' '2. 2026-01-03: wider tiles'; do
    grep -qxF -- "$line" tree/packaging/CHANGELOG.md || fail "the CHANGELOG lacks '$line': $(cat tree/packaging/CHANGELOG.md)"
done
! grep -q 'old reason' tree/packaging/CHANGELOG.md || fail "a reason of before the last release"
commit "Release 0.9.0"
expected 0 release --prepare
[ -z "$(git -C tree status --porcelain)" ] || fail "--prepare is not the same twice: $(git -C tree diff)"
expected 0 release --check

# What else a tree is refused for. Each fault is undone.
fault() { # PART
    commit fault
    refused 1 "$1" release --check
    git -C tree reset -q --hard HEAD~
}
sed -i 's/-25 %/-26 %/' tree/packaging/CHANGELOG.md
fault "packaging/CHANGELOG.md does not say version 0.9.0 of 2026-02-01 with today's numbers"
sed -i 's/"seeds": 9, "e_rms": 10.0/"seeds": 9, "e_rms": 10.6/' tree/results/baseline/accepted.json
fault "packaging/CHANGELOG.md does not say version"
sed -i 's/version = .*/version = "0.8.0"/' tree/packaging/python/pyproject.toml
fault "packaging/python/pyproject.toml does not say version 0.9.0"
sed -i '/^license/d' tree/CITATION.cff
fault "CITATION.cff has no license"
sed -i 's/"changes": \[/&{"name": "eigenskin", "open": true, "since": "a"}, /' tree/results/baseline/accepted.json
fault "the change of eigenskin is open"
touch tree/new.c
refused 1 "1 files have changes that are not committed, such as new.c" release --check
rm tree/new.c
git -C tree tag v0.10.0 HEAD~
refused 1 "0.9.0 does not come after v0.10.0, the last tag" release --check
git -C tree tag -d v0.10.0 >/dev/null
git clone -q --depth 1 "file://$folder/tree" shallow
refused 1 "history is cut off" shallow/scripts/release --check
mkdir bare
cp -r tree/{CMakeLists.txt,datasets,scripts,packaging} bare
GIT_CEILING_DIRECTORIES=$folder refused 1 "not a git checkout" bare/scripts/release --check
expected 2 release
expected 2 release -o made

# A real report, of records that say they are of this commit.
head=$(git -C tree rev-parse HEAD)
mkdir results
"$program" generate bar --set frames=3 -o bar.h5 >/dev/null
"$program" bench bar.h5 --methods lbs,dqs --backends scalar --no-times --quiet -o run.jsonl >/dev/null
sed -i 's/"name":"bar"/"name":"wolf"/' run.jsonl
sed "s/\"commit\":\"[0-9a-f]*\"/\"commit\":\"$head\"/; s/\"dirty\":true/\"dirty\":false/" run.jsonl >results/run-quick.jsonl
code=0
"$program" report results/run-quick.jsonl --scene-time 0 --quiet -o results/report >log 2>&1 || code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "report: $(cat log)" # 4: no gnuplot
list() { # REPORT FILE: lists a file that was added to a report
    echo "$(sha256sum "$1/$2" | cut -d' ' -f1)  $2" >>"$1/skinbench-files.txt"
}
if [ ! -e results/report/page/page.js ]; then # npm has not built it here
    refused 1 "was written without the page's script" release --results results -o made
    echo 'the script' >results/report/page/page.js
    list results/report page/page.js
fi

# Outputs that are not its own, and results of something else.
mkdir other empty
echo mine >other/file
refused 1 "other is not empty, and holds no release of this script" release --results results -o other
[ "$(cat other/file)" = mine ] && [ "$(ls -A other)" = file ] || fail "what stood in other was changed"
refused 1 "tree/out would be a change of the tree" release --results results -o tree/out
refused 1 "empty is not a folder of scripts/reproduce" release --results empty -o made
refused 1 "empty is not a site of reports" release --results results --site empty -o made
broken() { # PART: results whose copy `faulty` was changed
    refused 1 "$1" release --results faulty -o made
    [ ! -e made ] || fail "something was made of faulty results: $1"
    rm -r faulty
}
cp -r results faulty
cp run.jsonl faulty/run-quick.jsonl
broken "run-quick.jsonl:1: measured by commit"
cp -r results faulty
sed -i 's/"dirty":false/"dirty":true/' faulty/run-quick.jsonl
broken "with local changes"
cp -r results faulty
sed -i 's/"name":"wolf"/"name":"bar"/' faulty/run-quick.jsonl
broken "has no record of a data set in datasets/catalogue.json"
cp -r results faulty
mkdir faulty/report/scenes
echo 1 >faulty/report/scenes/decomposition-horse-gallop--0123456789abcdef.js
list faulty/report scenes/decomposition-horse-gallop--0123456789abcdef.js
broken "has the shapes of horse-gallop, which may not be published"
cp -r results faulty
echo '{"kind": ' >>faulty/run-quick.jsonl
broken "this is no record of skinbench"
cp -r results faulty
echo >>faulty/report/index.html
broken "faulty/report/index.html is not as"
cp -r results faulty
rm faulty/report/report.md
broken "faulty/report/report.md is missing"
page_changed() { # TEXT: appends it to the page of a copy of the results, and lists the page so
    cp -r results faulty
    echo "$1" >>faulty/report/index.html
    sed -i "s/^[0-9a-f]*  index.html\$/$(sha256sum faulty/report/index.html | cut -d' ' -f1)  index.html/" faulty/report/skinbench-files.txt
}
for fault in "<img src=/logo.png>:is not relative" "<script src=https://example.org/x.js></script>:is not relative" "<a href=file:///etc/passwd>:is not relative" \
    "<a href=nothing.html>:names no file of the report" "<a href=../../../../etc/passwd>:names no file of the report" "<a href=records.html#nothing>:names no place"; do
    page_changed "${fault%:*}"
    broken "${fault##*:}"
done
page_changed "<a href=https://example.org>elsewhere</a>"
head -c 100000001 /dev/zero >faulty/report/large.bin
list faulty/report large.bin
broken "MB, and the limit is 100 MB"

# A program of another commit.
echo "$head, with uncommitted changes" >tree/build/says
refused 1 "skinbench says 'skinbench 0.9.0 (commit $head, with uncommitted changes" release --results results -o made
rm -r made tree/build/says

# A release, and what is in it.
: >tree/build/bundles
expected 0 release --results results --aarch64 -o made
cat >expected.txt <<END
CITATION.cff
SHA256SUMS
notes.md
site
skinbench-0.9.0-linux-$(uname -m).tar.xz
skinbench-0.9.0-linux-aarch64.tar.xz
skinbench-0.9.0-py3-none-manylinux_2_31_$(uname -m).whl
skinbench-0.9.0-py3-none-manylinux_2_31_aarch64.whl
skinbench-0.9.0-report.tar.xz
skinbench-0.9.0-results.jsonl.xz
skinbench-0.9.0.tar.gz
skinbench-release.json
zenodo.json
END
diff <(sort expected.txt) <(find made -mindepth 1 -maxdepth 1 -printf '%f\n' | sort) || fail "the release consists of something else"
(cd made && sha256sum --check --quiet --strict SHA256SUMS) || fail "SHA256SUMS"
[ "$(wc -l <made/SHA256SUMS)" = 10 ] || fail "$(cat made/SHA256SUMS)"
diff results/report/index.html made/site/0.9.0/index.html || fail "the report was changed"
xz -dc made/skinbench-0.9.0-results.jsonl.xz | diff - results/run-quick.jsonl || fail "the results were changed"
tar -xzOf made/skinbench-0.9.0.tar.gz skinbench-0.9.0/harness/measure/environment/commit.txt | grep -q "^$head " || fail "the sources do not know their commit"
tar -xzOf made/skinbench-0.9.0.tar.gz skinbench-0.9.0/$page/dist/page.js | grep -qx 'the script' || fail "the sources lack the page's script"
grep -qx 'Wider tiles.' made/notes.md && grep -qF '| lbs | 2 | 1.5 | -25 % |' made/notes.md && ! grep -qF '<!--' made/notes.md || fail "$(cat made/notes.md)"
python3 - <<'END' || fail "zenodo.json: $(cat made/zenodo.json)"
import json
made = json.load(open("made/zenodo.json"))
assert (made["version"], made["publication_date"], made["upload_type"], made["license"]) == ("0.9.0", "2026-02-01", "software", "mit")
assert made["creators"] == [{"name": "The skinbench authors"}]
assert "benchmark" in made["keywords"] and made["description"].startswith("<p>A research benchmark"), made["description"]
assert {"identifier": "10.1145/1409625.1409627", "relation": "cites", "resource_type": "publication-article"} in made["related_identifiers"]
END

# Killed after the programs: continues without making them again, and what it left behind is gone.
[ "$(wc -l <tree/build/bundles)" = 4 ] || fail "$(cat tree/build/bundles)"
rm made/SHA256SUMS
mkdir -p made/.part/new
echo torn >made/.part/new/notes.md
expected 0 release --results results --aarch64 -o made
[ "$(wc -l <tree/build/bundles)" = 4 ] || fail "the programs were made again"
[ ! -e made/.part ] && (cd made && sha256sum --check --quiet --strict SHA256SUMS) || fail "not continued"
echo torn >"made/skinbench-0.9.0-linux-$(uname -m).tar.xz"
expected 0 release --results results --aarch64 -o made
[ "$(wc -l <tree/build/bundles)" = 6 ] || fail "a torn archive was kept"
echo mine >made/site/mine
refused 1 "made/site/mine is in the way" release --results results --aarch64 -o made
[ ! -e made/.part ] || fail "a refusal left something behind"
rm made/site/mine
for pause in 0.1 0.25 0.5 0.9; do
    { timeout -s KILL "$pause" tree/scripts/release --results results --aarch64 -o killed >/dev/null; } 2>/dev/null || true
done
expected 0 release --results results --aarch64 -o killed
(cd killed && sha256sum --check --quiet --strict SHA256SUMS) && [ ! -e killed/.part ] || fail "not complete after kills"
diff <(cd made && find . -type f | sort) <(cd killed && find . -type f | sort) || fail "other files after kills"

# The next release: its site has the last one's report, too.
sed -i 's/VERSION 0.9.0/VERSION 1.0.0/' tree/CMakeLists.txt
git -C tree tag v0.9.0
sed -i '0,/^## /s//## 1.0.0 (2026-03-01)\n\nNothing but a number.\n\n## /' tree/packaging/CHANGELOG.md
expected 0 release --prepare
commit "Release 1.0.0"
grep -qx 'No accepted figure has moved since v0.9.0.' tree/packaging/CHANGELOG.md || fail "$(cat tree/packaging/CHANGELOG.md)"
sed -i "s/\"commit\":\"$head\"/\"commit\":\"$(git -C tree rev-parse HEAD)\"/" results/run-quick.jsonl
refused 1 "made holds release 0.9.0 of commit ${head:0:12}" release --results results -o made
expected 0 release --results results --site made/site -o next
grep -q "href='1.0.0/index.html'" next/site/index.html && grep -q "href='0.9.0/index.html'" next/site/index.html || fail "$(cat next/site/index.html)"
[ "$(grep -c '<section>' next/site/index.html)" = 2 ] || fail "not two releases"
grep -q 'measured on .*, with generated data and wolf\.' next/site/index.html && grep -qF '<td>-25 %</td>' next/site/index.html && grep -qF 'exact | centres' next/site/index.html || fail "the index lacks what changed in 0.9.0"
diff -r made/site/0.9.0 next/site/0.9.0 || fail "the last report was changed"
ln -s /etc/passwd made/site/0.9.0/link
refused 1 "0.9.0 is not as this script wrote it" release --results results --site made/site -o after
