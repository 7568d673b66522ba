#!/bin/bash
# Runs every command once, briefly, on the real data sets. They have properties that generated data lack (13 influences, joints
# that move nothing, meshes in several parts, archives of other people's OBJ). Runs under the sanitizer of the build (by
# hand, because that takes minutes). Needs SKINBENCH_TEST_DATA.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
data=${SKINBENCH_TEST_DATA:-}
[ -n "$data" ] && [ -e "$data/wolf.h5" ] || {
    echo "SKIPPED: no real data sets (set SKINBENCH_TEST_DATA to their folder)"
    exit 77
}
data=$(cd "$data" && pwd)
cd "$folder"
run() {
    "$skinbench" "$@" --quiet >out 2>err || fail "exit code $?: $* ($(cat err))"
}

methods() {
    "$skinbench" list methods --json | sed -n "s/.*\"kind\":\"$1\",\"name\":\"\([^\"]*\)\".*/\1/p"
}

for file in "$data"/*.h5; do
    name=$(basename "$file" .h5)
    run info "$file"
    run check "$file"
    for method in $(methods skinning); do
        [ "$method" = sclerp ] || run skin "$file" --method "$method" --normals -o "$name.$method.h5" # takes 2 influences
    done
    run measure "$name.lbs.h5" "$name.dqs.h5"
    run weights prune "$file" --influences 4 -o "$name.pruned.h5"
    run skin "$name.pruned.h5" --method cor --backend simd -o again.h5
    run export obj-sequence "$name.lbs.h5" -o "$name"
    run import obj-sequence "$name" -o "$name.again.h5"
    for method in $(methods decomposition); do
        run fit "$name.again.h5" --method "$method" --bones 3 --iterations 2 -o "$name.$method.h5"
        run measure "$name.again.h5" "$name.$method.h5" --json
    done
done
run centers "$data/cylinder.h5" --method cor -o centers.h5

for archive in "$data"/*.tar.xz; do
    run import obj-sequence "$archive" -o archive.h5
    run check archive.h5
    rm archive.h5
done

bench=(bench "$data"/*.h5 --no-generated --frames 4 --rounds 2 --time-budget 0.1 --precision 0.5 -o run.jsonl)
run "${bench[@]}"
lines=$(wc -l <run.jsonl)
run "${bench[@]}"
[ "$(wc -l <run.jsonl)" -eq "$lines" ] || fail "what was measured is run again"
run table sbs-table1 --data "$data" --rounds 2 --frames 2 --time-budget 0.1 -o run.jsonl
run compare run.jsonl run.jsonl
if command -v gnuplot >/dev/null; then
    run report run.jsonl -o report
fi
grep -c '"status":"ok"' run.jsonl
