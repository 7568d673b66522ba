#!/bin/bash
# Tests the commands centers and add-twist-joint, from file to file: skin and bench use the centres saved with a rig,
# commands that change the weights drop the centres, and a twist joint keeps the radius of a twisted bar.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# number NAME FILE: the first such member of a JSON file.
number() {
    grep -o "\"$1\": *[-0-9.e+]*" "$2" | head -n 1 | sed 's/.*: *//'
}
# skin FILE OUT SETTING...: with cor on reference, in double.
skin() {
    local file=$1 out=$2
    shift 2
    "$skinbench" skin "$file" --method cor --backend reference -o "$out" --quiet "$@"
}
# distance ONE OTHER: the greatest, as a share of the diagonal.
distance() {
    "$skinbench" measure "$1" "$2" --json > measured.json
    number distance_max measured.json
}
same() {
    distance "$1" "$2" | awk 'NF { seen = 1; bad = $1 > 1e-6 } END { exit !seen || bad }' || fail "$3: $(distance "$1" "$2")"
}
differs() {
    distance "$1" "$2" | awk 'NF { other = $1 > 1e-4 } END { exit !other }' || fail "$3: $(distance "$1" "$2")"
}

"$skinbench" generate bar -o bar.h5 --set motion=bend-90 --set around=16 --set along=41 --set frames=4
code=0
"$skinbench" centers bar.h5 -o centers.h5 --json > printed.json 2> message || code=$?
if [ $code = 4 ]; then
    echo "SKIPPED: $(cat message)"
    exit 77
fi
[ $code = 0 ] || fail "centers: exit $code, $(cat message)"
[ "$(number vertices printed.json)" = 658 ] && [ "$(number with_center printed.json)" = 304 ] || fail "printed $(cat printed.json)"

# What is saved is what would be computed, and what is saved is used: here of another sigma.
skin bar.h5 plain.h5
skin centers.h5 saved.h5
same plain.h5 saved.h5 "saved centres are not the computed ones"
"$skinbench" centers bar.h5 -o other.h5 --set sigma=50 > /dev/null
skin other.h5 reused.h5
skin bar.h5 recomputed.h5 --set sigma=50
same recomputed.h5 reused.h5 "saved centres are not used"
differs plain.h5 reused.h5 "saved centres make no difference"
skin other.h5 again.h5 --set centers=computed
same plain.h5 again.h5 "centers=computed does not compute them"
for search in clustered brute-force; do
    "$skinbench" centers bar.h5 -o searched.h5 --set search=$search --threads 2 > /dev/null
    skin searched.h5 searched-skin.h5
    same plain.h5 searched-skin.h5 "search=$search"
done

# bench uses them: it measures the stored frames of the other sigma as its own.
"$skinbench" bench reused.h5 --no-generated --methods cor --backends reference --rounds 3 --time-budget 1 --quiet \
    -o run.jsonl > /dev/null
grep '"method":"cor"' run.jsonl | tail -n 1 > record.json
grep -q '"status":"ok"' record.json || fail "bench: $(cat record.json)"
number distance_max record.json | awk 'NF { seen = 1; bad = $1 > 1e-6 } END { exit !seen || bad }' ||
    fail "bench does not use saved centres: $(number distance_max record.json)"

# Who changes the weights drops them.
"$skinbench" weights prune other.h5 --influences 1 -o pruned.h5 > /dev/null
"$skinbench" add-twist-joint other.h5 --joint base -o dropped.h5 > /dev/null
"$skinbench" add-twist-joint bar.h5 --joint base -o fresh.h5 > /dev/null
skin dropped.h5 dropped-skin.h5
skin fresh.h5 fresh-skin.h5
same fresh-skin.h5 dropped-skin.h5 "a twist joint keeps centres of the old weights"
"$skinbench" weights prune bar.h5 --influences 1 -o pruned-bar.h5 > /dev/null
skin pruned.h5 pruned-skin.h5
skin pruned-bar.h5 pruned-bar-skin.h5
same pruned-bar-skin.h5 pruned-skin.h5 "pruning keeps centres of the old weights"

refused 2 "no method 'no-such'" "$skinbench" centers bar.h5 --method no-such -o none.h5
refused 2 "lbs precomputes nothing" "$skinbench" centers bar.h5 --method lbs -o none.h5
refused 2 "sigma" "$skinbench" centers bar.h5 --set sigma=0 -o none.h5
"$skinbench" generate cloth -o cloth.h5 --set frames=2
refused 3 "cloth.h5: has no rig" "$skinbench" centers cloth.h5 -o none.h5

# A joint with half of the twist: a sound file, whose skin loses less of its radius under linear blending than that of
# two joints. Blended rotations keep the radius: edges are compared with theirs.
"$skinbench" generate bar -o twist.h5 --set motion=twist-135 --set smoothing=1 --set around=16 --set along=41 --set frames=4
"$skinbench" add-twist-joint twist.h5 --joint base --share 0.5 -o one.h5
"$skinbench" add-twist-joint one.h5 --joint base --end base-twist --share 0.5 -o two.h5
"$skinbench" check two.h5 > /dev/null || fail "check of a rig with twist joints"
"$skinbench" info two.h5 --json > info.json
[ "$(number joints info.json)" = 4 ] || fail "joints: $(cat info.json)"
# edges FILE: how short an edge gets under linear blending, over what it is with centres of rotation.
edges() {
    skin "$1" truth.h5
    "$skinbench" skin "$1" --method lbs --backend reference -o linear.h5 --quiet
    "$skinbench" measure truth.h5 linear.h5 --json > edges.json
    number edge_collapse_min edges.json
}
# cos(67.5 degrees) = 0.383 of a ring's edge at the joint; cos(33.75 degrees) = 0.831.
edges twist.h5 | awk 'NF { seen = 1; bad = $1 < 0.382 || $1 > 0.384 } END { exit !seen || bad }' ||
    fail "edges of the twisted bar: $(edges twist.h5)"
edges one.h5 | awk 'NF { seen = 1; bad = $1 < 0.8 || $1 > 0.84 } END { exit !seen || bad }' ||
    fail "edges with a twist joint: $(edges one.h5)"

refused 2 "has no joint 'elbow'" "$skinbench" add-twist-joint twist.h5 --joint elbow -o none.h5
refused 2 "has no joint 'bsae'; it has base, tip; did you mean 'base'?" "$skinbench" add-twist-joint twist.h5 --joint bsae -o none.h5
refused 2 "joint tip has no child" "$skinbench" add-twist-joint twist.h5 --joint tip -o none.h5
refused 2 "middle" "$skinbench" add-twist-joint twist.h5 --joint base --at middle -o none.h5
refused 2 "share" "$skinbench" add-twist-joint twist.h5 --joint base --share 2 -o none.h5
refused 2 "joint" "$skinbench" add-twist-joint twist.h5 -o none.h5
[ ! -e none.h5 ] || fail "a refused run left a file"
