#!/usr/bin/env bash
# Tests fit from the command line: its printed errors are those of the file it writes, and it leaves nothing behind if
# it is refused or interrupted.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1
expect() { # code, part of the message, arguments
    code=$1 part=$2
    shift 2
    "$skinbench" "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "exit code $got instead of $code: $* ($(cat "$folder/err"))"
    grep -q -- "$part" "$folder/out" "$folder/err" || fail "'$part' is not printed: $* ($(cat "$folder/err"))"
}
# The value of a number in JSON, to the digits of the format.
number() { grep -o "\"$1\": *[-0-9.e]*" "$2" | head -1 | sed 's/.*: *//' | LC_ALL=C xargs printf "$3"; }

"$skinbench" generate cloth -o "$folder/cloth.h5" || fail "generate"
for method in coordinate-descent svd; do
    expect 0 '"bones_delivered":4' fit "$folder/cloth.h5" --method $method --bones 4 --iterations 5 --threads 2 \
        --json -o "$folder/fit.h5"
    printed=$(number e_rms "$folder/out" %.4g)
    expect 0 '"e_rms"' measure "$folder/cloth.h5" "$folder/fit.h5" --json
    measured=$(number e_rms "$folder/out" %.4g)
    [ "$printed" = "$measured" ] || fail "$method prints an E_RMS of $printed, its file gives $measured"
    rm "$folder/fit.h5"
done

# On an articulated body SMA stays below SAD, as in FESAM's Table 2 on horse, camel and elephant.
"$skinbench" generate biped --set frames=32 -o "$folder/biped.h5" || fail "generate"
for method in sma sad; do
    expect 0 '"e_rms"' fit "$folder/biped.h5" --method $method --set preset=paper --bones 20 --json -o "$folder/fit.h5"
    number e_rms "$folder/out" "%.6f\n" >>"$folder/errors"
done
sort -g -c "$folder/errors" || fail "SMA is not below SAD on the biped: $(paste -sd' ' "$folder/errors")"
rm "$folder/fit.h5" "$folder/errors" "$folder/biped.h5"

# Held-out frames are reported separately; together with the fitted ones they are what the file gives. 4 in 16 frames.
"$skinbench" generate cloth --set frames=16 -o "$folder/short.h5" || fail "generate"
expect 0 '"holdout":{"e_rms"' fit "$folder/short.h5" --method coordinate-descent --bones 4 --iterations 5 --holdout 4 \
    --json -o "$folder/fit.h5"
printed=$(grep -o '"e_rms":[0-9.e-]*' "$folder/out" | head -2 | cut -d: -f2 | paste -sd' ' |
    LC_ALL=C awk '{printf "%.4g", sqrt(0.75 * $1 * $1 + 0.25 * $2 * $2)}')
expect 0 '"frames":16' measure "$folder/short.h5" "$folder/fit.h5" --json
measured=$(number e_rms "$folder/out" %.4g)
[ "$printed" = "$measured" ] || fail "fitted and held-out frames make an E_RMS of $printed, the file gives $measured"
expect 0 'E_RMS, held out' fit "$folder/short.h5" --method svd --bones 2 --holdout 8 -o "$folder/fit.h5"

# What the look at the rest pose finds is printed before the fit, each finding on a line of its own.
mkdir "$folder/grid"
for frame in rest 1 2; do # a grid, of which the rest pose is one edge
    LC_ALL=C awk -v f=$frame 'BEGIN {
        for (i = 0; i < 64; i++) print "v", i % 8, f == "rest" ? 0 : f * int(i / 8), f == "rest" ? 0 : f * sin(i % 8)
        for (i = 1; i < 56; i++) if (i % 8) print "f", i, i + 1, i + 9, i + 8 }' >"$folder/grid/$frame.obj"
done
"$skinbench" import "$folder/grid" -o "$folder/grid.h5" || fail "import"
expect 0 'E_RMS' fit "$folder/grid.h5" --method ssdr --bones 2 -o "$folder/fit.h5"
for finding in 'on one line' 'lengths are'; do
    grep -q "^[^:]*grid.h5: [^:]*$finding [^:]*\$" "$folder/err" || fail "'$finding' has no line: $(cat "$folder/err")"
done
rm -r "$folder/grid" "$folder/grid.h5" "$folder/fit.h5"

# The fewest bones for an error reach it, and one less does not.
expect 0 '"search":\[{"bones":1,' fit "$folder/short.h5" --method svd --error 1 --json -o "$folder/fit.h5"
bones=$(number bones_delivered "$folder/out" %.0f)
expect 0 '"e_rms"' fit "$folder/short.h5" --method svd --bones "$bones" --json -o "$folder/fit.h5"
LC_ALL=C awk "BEGIN { exit !($(number e_rms "$folder/out" %.9g) <= 1) }" || fail "$bones bones do not reach the error"
expect 0 '"e_rms"' fit "$folder/short.h5" --method svd --bones $((bones - 1)) --json -o "$folder/fit.h5"
LC_ALL=C awk "BEGIN { exit !($(number e_rms "$folder/out" %.9g) > 1) }" || fail "fewer than $bones bones reach the error"
rm "$folder/fit.h5"
expect 1 'is not reached with up to 3 bones' fit "$folder/short.h5" --method svd --error 0.001 --bones 3 -o "$folder/fit.h5"
[ ! -e "$folder/fit.h5" ] || fail "a search that failed has written a file"
rm "$folder/short.h5"

out=(-o "$folder/none.h5")
expect 2 "no parameter 'transforms'" fit "$folder/cloth.h5" --method svd --bones 4 --for-engine "${out[@]}"
expect 0 'bones' fit "$folder/cloth.h5" --method coordinate-descent --bones 4 --iterations 5 -o "$folder/sheared.h5"
expect 0 'have shear.*fit --for-engine' export glb "$folder/sheared.h5" -o "$folder/sheared.glb"
expect 0 'bones' fit "$folder/cloth.h5" --method coordinate-descent --bones 4 --for-engine -o "$folder/rigid.h5"
"$skinbench" export glb "$folder/rigid.h5" -o "$folder/rigid.glb" 2>&1 | grep -q shear && fail "--for-engine: shear"
rm -f "$folder"/sheared.* "$folder"/rigid.*
# Bones get parents if that costs little: the walk has a skeleton, and a cloth has none.
"$skinbench" generate walk --set vertices=1500 --set frames=40 -o "$folder/walk.h5" --quiet
expect 0 'bones have parents' fit "$folder/walk.h5" --method ssdr --bones 14 --iterations 10 --for-engine -o "$folder/rigid.h5"
expect 0 'bones have no parents' fit "$folder/cloth.h5" --method ssdr --bones 6 --iterations 5 --for-engine -o "$folder/rigid.h5"
# The share of normals that are off is that of the file that is written, with its parents. Smoother weights are offered only if they
# lower it: they do with 6 bones, and 3 bones are too few for any weights.
off() { sed -n "s/^  $1 *\([0-9.e-]*\) % are off by more than 30 degrees.*/\1/p" "$folder/out"; }
"$skinbench" generate walk -o "$folder/walk.h5" --quiet
expect 0 'bones have parents' fit "$folder/walk.h5" --method ssdr --bones 6 --iterations 10 --for-engine -o "$folder/rigid.h5"
fitted=$(off normals) smooth=$(off with\ smooth=1)
grep -q 'why they are off .* edge lengths' "$folder/out" || fail "no reason is given: $(cat "$folder/out")"
LC_ALL=C awk "BEGIN { exit !($smooth < $fitted) }" || fail "smoother weights are offered with $smooth instead of $fitted"
expect 0 '"e_rms"' measure "$folder/walk.h5" "$folder/rigid.h5" --json
written=$(number normal_deviation_over_30_percent "$folder/out" %.6g)
LC_ALL=C awk "BEGIN { exit !(($written - $fitted) ^ 2 < 0.006 ^ 2) }" || fail "the normals of the file are off by $written, not $fitted"
expect 0 'why they are off' fit "$folder/walk.h5" --method ssdr --bones 3 --iterations 10 --for-engine -o "$folder/rigid.h5"
[ -z "$(off with\ smooth=1)" ] || fail "weights are offered that do not help: $(cat "$folder/out")"
rm "$folder"/walk.h5 "$folder"/rigid.h5
expect 2 'bones is missing' fit "$folder/cloth.h5" --method svd "${out[@]}"
expect 2 "'lbs' is a direct method" fit "$folder/cloth.h5" --method lbs --bones 4 "${out[@]}"
expect 2 'holdout' fit "$folder/cloth.h5" --method svd --bones 4 --holdout 1 "${out[@]}"
expect 2 'because there are only' fit "$folder/cloth.h5" --method svd --bones 4 --holdout 1000 "${out[@]}"
expect 2 'error' fit "$folder/cloth.h5" --method svd --error 0 "${out[@]}"
expect 2 'influences' fit "$folder/cloth.h5" --method svd --bones 4 --influences 33 "${out[@]}"
expect 2 'no parameter' fit "$folder/cloth.h5" --method svd --bones 4 --set colour=red "${out[@]}"
expect 3 'nothing.h5' fit "$folder/nothing.h5" --method svd --bones 4 "${out[@]}"
expect 0 'after-time-limit' fit "$folder/cloth.h5" --method coordinate-descent --bones 4 --iterations 1000000 \
    --time-limit 0.000001 -o "$folder/limited.h5"

timeout --preserve-status --signal=INT 0.5 "$skinbench" fit "$folder/cloth.h5" --method coordinate-descent \
    --bones 12 --iterations 1000000 --quiet "${out[@]}" 2>/dev/null
got=$?
[ $got -eq 130 ] || [ $got -eq 0 ] || fail "exit code $got after an interrupt"
[ $got -eq 0 ] || [ ! -e "$folder/none.h5" ] || fail "an interrupted fit has written a file"
[ -z "$(find "$folder" -mindepth 1 ! -name cloth.h5 ! -name limited.h5 ! -name out ! -name err ! -name none.h5)" ] ||
    fail "something is left behind: $(ls -A "$folder")"
echo "fit prints what it writes"
