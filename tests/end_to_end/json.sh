#!/usr/bin/env bash
# Tests every command with --json: at least one JSON object, one per line, nothing else on stdout, and the usual exit code.
#   json.sh SKINBENCH
# shellcheck source=tests/prelude.sh
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
needs python3
cd "$folder"

"$skinbench" generate bar --set around=4 --set along=7 --set frames=4 -o bar.h5 --quiet
"$skinbench" generate walk --set vertices=1000 --set frames=6 -o walk.h5 --quiet
"$skinbench" export glb bar.h5 -o bar.glb --quiet
short=(--rounds 2 --precision 0 --time-budget 1 --threads 1 --quiet)
"$skinbench" bench bar.h5 --methods lbs,dqs --backends simd "${short[@]}" -o one.jsonl >out
"$skinbench" bench bar.h5 --methods lbs --backends simd "${short[@]}" -o other.jsonl >out
cat >check.py <<'CHECK'
import json, sys

def refuse(text):
    raise ValueError(text + " is no JSON")

count = 0
for line in open(sys.argv[1], encoding="ascii"):
    assert line.endswith("\n") and isinstance(json.loads(line, parse_constant=refuse), dict), line
    count += 1
assert count > 0, "nothing on stdout"
CHECK

# The exit codes that are right, the command: on data that is there, with what may be missing on a machine left out.
tried=""
while read -r codes arguments; do
    code=0
    # shellcheck disable=SC2086 # words
    "$skinbench" $arguments --json >json 2>err || code=$?
    [[ ,$codes, == *,$code,* ]] || fail "$arguments --json: exit code $code: $(cat err)"
    [ "$code" -ge 2 ] || python3 check.py json 2>err || fail "$arguments --json: $(tail -1 err): $(head -c 300 json)"
    tried="$tried ${arguments%% *}"
done <<'CASES'
0 advise bar.h5 --own-poses -o advice --quiet
0 list methods
0 list backends
0 list datasets
0 list tables
0 list formats
0 list upstream
0 skin bar.h5 --method dqs -o skinned.h5
0 identify bar.h5 skinned.h5 --quiet
0 conformance -o pack --quiet
1 identify --pack pack . --quiet
0 fit walk.h5 --method svd --bones 4 -o fit.h5 --quiet
0 score bar.h5 bar.h5 --poses 1
0 measure walk.h5 fit.h5
0 measure walk.h5 fit.h5 --per-vertex distances.npy
0 bench bar.h5 --methods lbs --backends scalar --rounds 2 --precision 0 --time-budget 1 --threads 1 -o new.jsonl --quiet
0 bench bar.h5 --methods lbs --backends scalar --dry-run -o never.jsonl
0 table sbs-qlerp-bound -o table.jsonl --quiet
0 table sbs-qlerp-bound -o table.jsonl --dry-run
0 claims one.jsonl --paper sbs
0,4 report one.jsonl -o report --quiet
0 compare one.jsonl one.jsonl
1 compare one.jsonl other.jsonl
0 accept one.jsonl --what all --reason first -o accepted.json
0 merge one.jsonl other.jsonl -o both.jsonl
0,4 doctor
0 generate bar -o again.h5
0 import bar.glb -o imported.h5 --quiet
0 export glb bar.h5 -o again.glb --quiet
0,4 render bar.h5 --size 16x16 --samples 1 -o bar.png --quiet
0 info bar.h5
0 info walk.h5
0 check bar.h5
0 check bar.h5 --gate
0 weights prune bar.h5 --influences 1 -o pruned.h5
0 weights quantise bar.h5 --bits 8 -o steps.h5
0 weights bone-heat walk.h5 -o heat.h5
0 weights falloff walk.h5 -o falloff.h5
0 weights transfer bar.h5 walk.h5 -o transferred.h5
0 weights keep bar.h5 --order joint-sets -o ordered.h5
0 centers bar.h5 -o centers.h5 --quiet
0 add-twist-joint bar.h5 --joint base -o twist.h5
0,4 kernels --cuda sm_80 -o kernels --methods lbs
0 manual
CASES
# None is left out but those that print for one reader, which have no --json.
for name in $("$skinbench" --help | sed -n '/^  advise/,/^exit codes/s/^  \([a-z-]*\) .*/\1/p'); do
    [[ "$tried " == *" $name "* ]] || ! "$skinbench" "$name" --help | grep -q -- '--json' || fail "$name is not tried"
done
