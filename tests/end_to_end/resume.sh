#!/bin/bash
# A bench that is killed at any moment leaves a readable file, and the same command finishes the remaining cells.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1

cat >"$folder/suite.json" <<'SUITE'
{
  "datasets": [{"generate": "bar", "set": ["around=8", "along=17", "frames=4"]},
               {"generate": "walk", "set": ["vertices=1000", "frames=4"]}],
  "skinning": {"methods": ["lbs", "dqs"], "backends": ["reference", "scalar", "simd"], "threads": [1]},
  "decomposition": [{"method": "coordinate-descent", "bones": [4, 6], "iterations": 2}]
}
SUITE
run="$folder/run.jsonl"
bench=("$skinbench" bench --suite "$folder/suite.json" --rounds 12 --precision 0 --time-budget 60 --threads 1 --quiet -o "$run")

kills=0
for pause in 0.05 0.3 0.5 0.7 0.8 0.9 1.0 1.2; do
    "${bench[@]}" >/dev/null 2>&1 &
    bench_pid=$!
    sleep $pause
    if kill -9 "$bench_pid" 2>/dev/null; then kills=$((kills + 1)); fi
    wait "$bench_pid" 2>/dev/null
    if [ -s "$run" ]; then
        "$skinbench" compare "$run" "$run" >/dev/null || fail "after a kill at $pause s the file is not readable"
    fi
done
[ $kills -gt 0 ] || fail "no run was killed"
# A line cut in two by the kill is cut off and said so.
printf '{"schema":1,"kind":"skinn' >>"$run"
"${bench[@]}" >"$folder/out" 2>&1 || fail "the same command does not finish: $(cat "$folder/out")"
[ -e "$run.journal" ] && fail "the journal is left behind"
cells=$(grep -c '"kind":"\(skinning\|decomposition\)"' "$run")
[ "$cells" -eq 14 ] || fail "$cells cells, expected 2 data sets x 2 methods x 3 backends + 2 fits of the walk"
[ "$(grep '"kind":"\(skinning\|decomposition\)"' "$run" | grep -c '"status":"ok"')" -eq 14 ] || fail "not all cells are ok"
before=$(wc -c <"$run")
"${bench[@]}" >"$folder/out" 2>&1 || fail "a finished run cannot be repeated"
[ "$(wc -c <"$run")" -eq "$before" ] || fail "a finished run was not left as it was"
grep -q '14 cells were already in' "$folder/out" || fail "cells that were there are not counted: $(cat "$folder/out")"
echo "killed $kills times; 14 cells, each once"

# Without --output, the results are kept by command and build, and the next run continues there. A run beside one that has the
# file, one without a folder and one whose folder cannot be made keep nothing.
skinbench=$(realpath "$skinbench")
cd "$folder"
"$skinbench" generate bar -o other.h5
"$skinbench" export glb other.h5 -o other.glb --quiet
short=("$skinbench" bench other.glb --methods lbs --backends scalar --threads 1 --rounds 2 --time-budget 0.2)
export SKINBENCH_RECORDS=$PWD/kept/below
"${short[@]}" >out 2>said || fail "$(cat said)"
kept=("$SKINBENCH_RECORDS"/bench-*.jsonl)
[ ${#kept[@]} = 1 ] && [ -s "${kept[0]}" ] && grep -q "kept in ${kept[0]}" said || fail "nothing was kept: $(cat said)"
awk 'length($0) > 120 && !/1 sample|2 samples/ && /^\|/ && !/^\|:/' out >wide
[ ! -s wide ] || fail "wider than 120 characters: $(cat wide)"
"${short[@]}" --dry-run | grep -q "0 cells to run, 1 already" || fail "the next run does not continue"
"${short[@]}" --wide >out 2>said
grep -q "0 ok.*1 cells were already in" out && grep -q "frame over plain loop" out || fail "$(tail -n 3 out)"
"$skinbench" table sbs-table1 --rows "x" >out 2>said && fail "a row that does not exist"
cp "${kept[0]}" before.jsonl
exec 9<>"${kept[0]}"
flock 9
"${short[@]}" >out 2>said || fail "a run beside another: $(cat said)"
grep -q "not kept" said && cmp -s "${kept[0]}" before.jsonl || fail "$(cat said)"
exec 9>&-
SKINBENCH_RECORDS='' "${short[@]}" >out 2>said
grep -q "1 ok" out && ! grep -q kept said || fail "$(cat said)"
SKINBENCH_RECORDS=/proc/nothing "${short[@]}" >out 2>said || fail "a folder that cannot be made: $(cat said)"
grep -q "not kept" said || fail "$(cat said)"
