#!/bin/bash
# Tests the command skin, from file to file: frames are streamed, the result has the right measurements, and bad input is
# refused with nothing left behind.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# More frames than one block takes of a mesh this small.
"$skinbench" generate rig -o rig.h5 --set vertices=1000 --set frames=1100
"$skinbench" skin rig.h5 --method lbs --backend reference -o truth.h5 --quiet
for backend in scalar simd; do
    "$skinbench" skin rig.h5 --method lbs --backend $backend -o out.h5 --normals --quiet
    "$skinbench" measure truth.h5 out.h5 --json > measured.json
    sed -n 's/.*"distance_max": *\([0-9.e+-]*\).*/\1/p' measured.json |
        awk 'NF { seen = 1; if ($1 > 1e-5) bad = 1 } END { exit !seen || bad }' || fail "$backend: $(cat measured.json)"
done

# What a method counts: one SVD at most for every joint set that is not trivial.
"$skinbench" skin rig.h5 --method sbs --set centers=svd --counts --json --quiet -o out.h5 > counts.json
grep -Eq '"svds":\{"mean":[1-9]' counts.json || fail "no SVDs: $(cat counts.json)"

# Refusals: exit code, and nothing written.
refused 2 "--output is missing" "$skinbench" skin rig.h5 --method lbs
refused 2 "no skinning method 'no-such'" "$skinbench" skin rig.h5 --method no-such -o none.h5
refused 3 "counts.json" "$skinbench" skin counts.json --method lbs -o none.h5
refused 2 "heaviest" "$skinbench" skin rig.h5 --method dqs --set hemisphere=southern -o none.h5
ln -sf rig.h5 link.h5
refused 2 "is the input rig.h5, which is never overwritten" "$skinbench" skin rig.h5 --method lbs -o link.h5
echo BLENDER > character.blend
refused 3 "convert-with-blender.py -- character.blend" "$skinbench" import character.blend -o none.h5
[ ! -e none.h5 ] || fail "a refused run left a file"
"$skinbench" -h | grep -q '^exit codes' && "$skinbench" -V | grep -q '^skinbench ' || fail "-h, -V"
