#!/usr/bin/env bash
# Tests several machines: merged shards of a table and a bench equal the run of one machine. Every command that reads results
# refuses files that are not result files, or are another program's, and leaves all files unchanged.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"
export OMP_WAIT_POLICY=passive
short=(--rounds 2 --precision 0 --time-budget 60 --frames 2 --threads 1 --quiet)

# keys FILE: each cell by what makes it one, sorted; noise and peers aside, of which each group has its own
keys() {
    python3 - "$1" <<'PY'
import json, sys
for line in sorted(json.dumps([cell["kind"], (cell["dataset"] or {}).get("sha256"), *map(cell.get, ("method", "backend",
        "parameters", "threads", "frames", "normals", "study", "table", "row"))]) + " " + cell["status"]
        for cell in map(json.loads, open(sys.argv[1])) if cell["kind"] not in ("environment", "noise", "peer")):
    print(line)
PY
}
# same_cells COUNT COMMAND...: three shards, merged, have the cells of the whole run, once each (other numbers: test_shard.c)
same_cells() {
    local count=$1
    shift
    rm -f whole.jsonl part-*.jsonl
    "$skinbench" "$@" "${short[@]}" -o whole.jsonl >out 2>err || fail "$*: $(cat err)"
    keys whole.jsonl >whole.keys
    [ "$(wc -l <whole.keys)" = "$count" ] || fail "$*: $(cat whole.keys)"
    for i in 1 2 3; do
        "$skinbench" "$@" "${short[@]}" --shard $i/3 -o part-$i.jsonl >out 2>err || fail "$* $i/3: $(cat err)"
    done
    "$skinbench" merge part-*.jsonl -o merged.jsonl >out
    keys merged.jsonl | cmp - whole.keys || fail "$*: the shards have other cells"
}
"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o bar.h5 --quiet
"$skinbench" generate walk --set vertices=1000 --set frames=4 -o walk.h5 --quiet
same_cells 9 bench bar.h5 walk.h5 --no-generated --methods lbs,dqs,svd --backends scalar,reference --bones 2
cp merged.jsonl bench.jsonl
same_cells 7 table dqs-fig5
for file in whole merged; do "$skinbench" table dqs-fig5 "${short[@]}" --json -o $file.jsonl >$file.json; done
cmp whole.json merged.json || fail "the table of merged shards differs"
refused 2 "--shard is '3/2', expected I/N" "$skinbench" bench bar.h5 --shard 3/2 -o none.jsonl
refused 2 "and --shard do not work if claims reads a result file" "$skinbench" claims bench.jsonl --shard 1/2
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends scalar "${short[@]:0:10}" --shard 1/97 -o shard.jsonl >out 2>err
grep -q "shard 1/97 has no cells" err || fail "an empty shard: $(cat err)"
