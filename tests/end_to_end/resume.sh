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
