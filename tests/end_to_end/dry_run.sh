#!/usr/bin/env bash
# Tests dry runs: each lists the cells that a run then measures and writes nothing; for a complete result file it lists none.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# lines FIELD VALUE FILE: how many lines of JSON have it
lines() { grep -c "\"$1\":\"$2\"" "$3" || true; }

"$skinbench" generate bar -o bar.h5
"$skinbench" generate walk --set vertices=1000 --set frames=6 -o walk.h5
bench=("$skinbench" bench bar.h5 walk.h5 --no-generated --methods "lbs,dqs,sad" --backends "reference,scalar" --bones "3,4" --rounds 3 --threads 1
       --time-budget 6 --quiet -o run.jsonl)
"${bench[@]}" --dry-run --json >planned
[ ! -e run.jsonl ] || fail "a dry run wrote its result file"
"${bench[@]}" >out
ran=$(grep -cE '"kind":"(skinning|decomposition)"' run.jsonl)
[ "$(lines state 'to run' planned)" = "$ran" ] || fail "$(lines state 'to run' planned) cells were listed, $ran were run"
grep -q '"unknown":2' planned || fail "fits have no time before any was made: $(tail -n 1 planned)"
cp run.jsonl before.jsonl
"${bench[@]}" --dry-run --json >planned
cmp -s run.jsonl before.jsonl || fail "a dry run changed its result file"
[ "$(lines state 'to run' planned)" = 0 ] && [ "$(lines state 'in the file' planned)" = "$ran" ] || fail "after the run: $(cat planned)"
grep -q "\"to_run\":0,\"already\":$ran,\"expected_s\":0.0,\"unknown\":0" planned || fail "the sums: $(tail -n 1 planned)"

# A fit on other bones is expected to take its share of one that is there.
"$skinbench" bench walk.h5 --no-generated --methods sad --bones 3,8 --threads 1 --quiet -o run.jsonl --dry-run --json >planned
[ "$(lines state 'to run' planned)" = 1 ] && grep -q '"unknown":0' planned || fail "one fit is new: $(cat planned)"

"$skinbench" table sbs-table1 --dry-run --quiet >out
grep -q "cells to run, 0 already in the file" out || fail "$(tail -n 1 out)"
# A folder without any of the table's data is named.
mkdir empty
"$skinbench" table fesam-table2 --data empty --dry-run 2>&1 >out | grep -q "empty holds no data set that the table fesam-table2 names" || fail "an empty folder"
