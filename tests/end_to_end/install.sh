#!/bin/bash
# Tests that a folder made by `cmake --install` works after it was moved, with nothing of the source tree or the
# build within reach.
. "$(dirname "$0")/../prelude.sh"
command -v cmake >/dev/null || { echo "SKIPPED: no cmake"; exit 77; }
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$(dirname "$1")" && pwd)
unset SKINBENCH_HOME
cd "$folder"
cmake --install "$build" --prefix "$folder/first" >install.txt || fail "cmake --install: $(tail -n 3 install.txt)"
mv first "mo ved"
skinbench="$folder/mo ved/bin/skinbench"
share="$folder/mo ved/share/skinbench"

for file in man/man1/skinbench.1 bash-completion/completions/skinbench zsh/site-functions/_skinbench fish/vendor_completions.d/skinbench.fish; do
    [ -s "mo ved/share/$file" ] || fail "$file was not installed"
done

# Where it looks: beside itself; in the build, in the source tree; as SKINBENCH_HOME says.
home_of() { "$@" doctor | sed -n 's/^ *data *home *ok *//p'; }
[ "$(home_of "$skinbench")" = "$share" ] || fail "installed, its home is $(home_of "$skinbench")"
[ "$(home_of "$build/skinbench")" = "$tree" ] || fail "in the build, its home is $(home_of "$build/skinbench")"
[ "$(home_of env SKINBENCH_HOME="$tree" "$skinbench")" = "$tree" ] || fail "SKINBENCH_HOME is not followed"
mkdir -p "copied/build/any"
cp "$build/skinbench" copied/build/any
if [ "$(realpath --relative-to="$tree" "$build/..")" = build ]; then # a build in build/NAME, as the presets have it
    ln -s "$tree/results" copied/results
    [ "$(home_of copied/build/any/skinbench)" = "$folder/copied" ] || fail "moved, the tree's build does not find it"
fi

# Where mounts may be made, the tree is not to be seen at all.
hidden=()
if unshare --mount true 2>/dev/null || unshare --map-root-user --mount true 2>/dev/null; then
    unshare --mount true 2>/dev/null && hidden=(unshare --mount) || hidden=(unshare --map-root-user --mount)
    # shellcheck disable=SC2016 # the inner shell's
    hidden+=(sh -c 'for place in "$0/results" "$0/scripts" "$0/datasets" "$0/harness"; do mount -t tmpfs none "$place" || exit 9; done; exec "$@"' "$tree")
    "${hidden[@]}" true 2>/dev/null || hidden=()
fi
installed() { "${hidden[@]}" "$skinbench" "$@"; }
installed list tables >tables.txt
[ "$(wc -l <tables.txt)" -eq "$(find "$tree/results/published" -maxdepth 1 -name '*.json' | wc -l)" ] || fail "tables: $(cat tables.txt)"
installed list datasets >datasets.txt
grep -q horse-gallop datasets.txt || fail "no catalogue"
installed table dqs-fig16 -o run.jsonl >table.txt
installed report run.jsonl -o report >report.txt 2>&1 || fail "report: $(cat report.txt)"
! command -v gnuplot >/dev/null || [ -n "$(find report -name '*.svg')" ] || fail "a report without figures: $(cat report.txt)"
cmp -s "$tree/harness/show/report/page/page.css" report/page/page.css || fail "a report's page without its style"
[ ! -e "$tree/harness/show/report/page/dist/page.js" ] || cmp -s "$tree/harness/show/report/page/dist/page.js" report/page/page.js ||
    fail "a report's page without its script"
installed claims run.jsonl >claims.txt
grep -q '3 confirmed' claims.txt || fail "no claims: $(head -n 1 claims.txt)"
# It is these files that it read.
rm "$share/results/published/cor-cost.json"
installed list tables >tables.txt
! grep -q cor-cost tables.txt || fail "a table that is not there is listed"
"${hidden[@]}" "$share/scripts/fetch-datasets" --only none x 2>fetch.txt && fail "fetch-datasets took a wrong name"
grep -q "no data set 'none'" fetch.txt || fail "fetch-datasets: $(cat fetch.txt)"
# An archive of the sources names the commit it was made of, without git.
if commit=$(git -C "$tree" -c safe.directory="$tree" rev-parse --verify -q HEAD 2>/dev/null); then
    mkdir archive
    git -C "$tree" -c safe.directory="$tree" archive HEAD harness/measure/environment | tar -x -C archive
    cmake -DSOURCE="$folder/archive" -DOUTPUT="$folder/commit.h" -P archive/harness/measure/environment/commit.cmake
    grep -q "SKINBENCH_COMMIT \"$commit\"" commit.h || fail "an archive of $commit says $(cat commit.h)"
fi
echo "installed, moved and run${hidden:+, with the source tree out of sight}"
