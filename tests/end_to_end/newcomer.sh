#!/bin/bash
# Tests a newcomer's methods. The commands of CONTRIBUTING.md, taken from that file, suffice to have them listed and tested. A
# direct method then skins the same on every backend and is timed; a decomposition fits and is measured.
. "$(dirname "$0")/../prelude.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# The commands of a section of CONTRIBUTING.md, word for word.
words() { awk -v section="$1" '/^## / { on = index($0, section) == 4 } on && sub(/^    /, "")' "$root/CONTRIBUTING.md"; }

# A tree in which methods can be added: all is the source tree's but the folders of methods and the templates.
tree=$folder/tree
mkdir -p "$tree/methods/skinning" "$tree/methods/decomposition" "$tree/build"
for part in "$root"/* "$root"/methods/* "$root"/methods/skinning/* "$root"/methods/decomposition/*; do
    at=$tree/${part#"$root"/}
    case $part in */_template) cp -r "$part" "$at" ;; *) [ -e "$at" ] || ln -s "$part" "$at" ;; esac
done
export CCACHE_BASEDIR=$tree
follow() { # SECTION NAME: in the tree, with the method's name in place of my-method
    words "$1" | sed "s/my-method/$2/g; s/my_method/${2//-/_}/g" >"$folder/steps.sh"
    [ "$(wc -l <"$folder/steps.sh")" -ge 3 ] || fail "CONTRIBUTING.md has no commands in the section $1"
    (cd "$tree" && bash -euo pipefail "$folder/steps.sh") >"$folder/log" 2>&1 || fail "$1: $(tail -n 12 "$folder/log")"
}
follow "Adding a direct method" my-method
follow "Adding a decomposition method" my-fit
follow "Fast edit and test" my-method
grep -q '100% tests passed, 0 tests failed out of 1' "$folder/log" || fail "the test of the method: $(tail -n 20 "$folder/log")"
build=$tree/build/mine
cmake "-DSKINBENCH_METHODS=lbs;my-method;my-fit" "$build" >"$folder/log" || fail "configuring: $(tail -n 20 "$folder/log")"
cmake --build "$build" --target skinbench >"$folder/log" || fail "building: $(tail -n 40 "$folder/log")"

cd "$folder"
skinbench=$build/skinbench
"$skinbench" list methods > methods
for method in my-method my-fit; do
    grep -q "$method" methods || fail "$method is not listed: $(cat methods)"
done
"$skinbench" generate rig -o rig.h5 --set vertices=1000 --set frames=20
"$skinbench" skin rig.h5 --method my-method --backend reference -o truth.h5 --quiet

# Prints the greatest distance of a file from truth.h5, as a share of the diagonal.
distance() {
    "$skinbench" measure truth.h5 "$1" --json | sed -n 's/.*"distance_max": *\([0-9.e+-]*\).*/\1/p'
}
for backend in scalar simd opencl cuda; do
    code=0
    "$skinbench" skin rig.h5 --method my-method --backend $backend --normals -o out.h5 --quiet 2> message || code=$?
    if [ $code = 4 ]; then
        echo "SKIPPED $backend: $(cat message)"
        continue
    fi
    [ $code = 0 ] || fail "$backend: $(cat message)"
    distance out.h5 | awk 'NF { seen = 1; bad = $1 > 1e-5 } END { exit !seen || bad }' ||
        fail "$backend is off by $(distance out.h5)"
    echo "$backend agrees with reference"
done

# It is a method of its own: lbs gives something else.
"$skinbench" skin rig.h5 --method lbs -o lbs.h5 --quiet
distance lbs.h5 | awk 'NF { other = $1 > 1e-3 } END { exit !other }' || fail "newcomer does what lbs does"

"$skinbench" bench rig.h5 --no-generated --methods my-method --backends reference,simd --rounds 3 --time-budget 1 \
    --quiet -o run.jsonl
[ "$(grep '"method":"my-method"' run.jsonl | grep -c '"status":"ok"')" -ge 2 ] || fail "not timed: $(cat run.jsonl)"

# The decomposition: what fit reports is what its rig does, it is measured in bench, and more bones fit better.
"$skinbench" generate walk -o walk.h5 --set vertices=1000 --set frames=12
# E_RMS among the metrics, which the harness measures; those of the iterations are the method's own account.
e_rms() {
    sed -n 's/.*"metrics": *{[^}]*"e_rms": *\([0-9.e+-]*\).*/\1/p'
}
for bones in 6 24; do
    "$skinbench" fit walk.h5 --method my-fit --bones $bones -o fitted.h5 --json > fitted.json
    grep -q "\"bones_delivered\": *${bones}[,}]" fitted.json || fail "bones: $(cat fitted.json)"
    e_rms < fitted.json > "e_rms.$bones"
done
"$skinbench" skin fitted.h5 --method lbs --backend reference -o posed.h5 --quiet
"$skinbench" measure walk.h5 posed.h5 --json | e_rms > e_rms.posed
paste e_rms.6 e_rms.24 e_rms.posed | awk '{ exit !($2 < $1 && $3 > 0.999 * $2 && $3 < 1.001 * $2) }' ||
    fail "e_rms of 6 and 24 bones, and of the rig: $(paste e_rms.6 e_rms.24 e_rms.posed)"
"$skinbench" bench walk.h5 --no-generated --methods my-fit --bones 6 --quiet -o fits.jsonl
grep '"method":"my-fit"' fits.jsonl | grep -q '"status":"ok"' || fail "not measured: $(cat fits.jsonl)"

# A table that is named as another method is refused by both names, in place of running one for the other: by the program
# when the build has it write its manual page.
sed -i 's/\.name = "my-method"/.name = "lbs"/' "$tree/methods/skinning/my-method/my-method.c"
cmake --build "$build" > "$folder/log" 2>&1 && fail "a method with another's name was built"
grep -q "method my-method: its table is named 'lbs'" "$folder/log" || fail "building: $(tail -n 40 "$folder/log")"
