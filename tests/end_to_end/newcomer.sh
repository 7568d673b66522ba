#!/bin/bash
# Tests a newcomer's methods. The commands of CONTRIBUTING.md, taken from that file, suffice to have them listed and tested. A
# direct method then skins the same on every backend and is timed; a decomposition fits and is measured. Mistakes that are planted in a
# kernel are found by those commands.
. "$(dirname "$0")/../prelude.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# The commands of a section of CONTRIBUTING.md, word for word.
words() { awk -v section="$1" '/^## / { on = index($0, section) == 4 } on && sub(/^    /, "")' "$root/CONTRIBUTING.md"; }

# A tree in which methods can be added: folders of methods and tests with links to the files of the source tree, and copies of the
# templates. The names of the new methods are such that a folder my-method of the source tree is not in the way.
direct=newcomers-method fit=newcomers-fit
tree=$folder/tree
mkdir -p "$tree/build"
for part in methods tests; do cp -rs "$root/$part" "$tree/$part"; done
for kind in skinning decomposition; do
    rm -r "$tree/methods/$kind/_template"
    cp -r "$root/methods/$kind/_template" "$tree/methods/$kind/_template"
done
for part in "$root"/*; do
    [ -e "$tree/${part##*/}" ] || ln -s "$part" "$tree/${part##*/}"
done
export CCACHE_BASEDIR=$tree
follow() { # SECTION NAME: in the tree, with the method's name in place of my-method
    words "$1" | sed "s/my-method/$2/g; s/my_method/${2//-/_}/g; s#/path/to#$folder/elsewhere#" >"$folder/steps.sh"
    [ "$(wc -l <"$folder/steps.sh")" -ge 3 ] || fail "CONTRIBUTING.md has no commands in the section $1"
    (cd "$tree" && bash -euo pipefail "$folder/steps.sh") >"$folder/log" 2>&1
}
followed() { follow "$@" || fail "$1: $(tail -n 30 "$folder/log")"; }
# A test that was skipped has tested nothing, but ctest counts it as passed.
all_ran() { # COUNT: of the tests that were followed last, so many ran, and none was skipped
    grep -q "^100% tests passed, 0 tests failed out of $1\$" "$folder/log" || fail "not $1 tests: $(tail -n 20 "$folder/log")"
    [ "$(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$folder/log")" -eq "$1" ] || fail "skipped: $(tail -n 20 "$folder/log")"
}
followed "Adding a direct method" $direct
followed "Adding a decomposition method" $fit
for made in skinning/$direct decomposition/$fit; do
    ! grep -rn 'template\|_newcomers-' "$tree/methods/$made" || fail "the commands leave words of the template"
done
own=$tree/methods/skinning/$direct kernel=$direct.kernel.h
cycle="Fast edit and test of a direct method"
followed "$cycle" $direct
all_ran 2
followed "A test of your own" $direct
all_ran 1
fit_cycle="Fast edit and test of a decomposition method"
followed "$fit_cycle" $fit
all_ran 1

# The documented commands find mistakes in a fit: transposed transformations, and weights that do not sum to 1.
fitted=$tree/methods/decomposition/$fit/$fit.c
cp "$fitted" "$folder/kept.c"
fit_mistake() { # AFTER CODE TEXT: with a line of code after those that match, the test of fits fails and says TEXT
    sed "/$1/a $2" "$folder/kept.c" >"$fitted"
    ! cmp -s "$folder/kept.c" "$fitted" || fail "no mistake: $1"
    ! follow "$fit_cycle" $fit || fail "the documented test does not find the mistake $2"
    grep -q 'every_fit (Failed)' "$folder/log" || fail "not found by the test: $(tail -n 30 "$folder/log")"
    grep -q -- "$3" "$folder/log" || fail "the message does not say '$3': $(tail -n 30 "$folder/log")"
}
fit_mistake 'STATUS_TRY(skin_fit_maps' 'for (int i = 0, n = fit->target.row_count; i < fit->bone_count * n; i += 3) \
for (int k = 0; k < 9; k++) if (k / 3 < k % 3) { double *m = fit->maps + i / n * 4 * n + i % n, \
*a = m + k / 3 * n + k % 3, *b = m + k % 3 * n + k / 3, kept = *a; *a = *b; *b = kept; }' 'with one bone'
fit_mistake 'STATUS_TRY(skin_fit_deliver' \
    'for (int i = 0; i < fit.vertex_count * fit.influence_count; i++) result->rig.weight_values[i] *= 0.9f;' "$fit.*sum"
cp "$folder/kept.c" "$fitted"

# The documented commands find mistakes in a kernel that blends: t is the share of influence k among the first k + 1.
cp "$own/$kernel" "$folder/kept.h"
cat >"$own/$kernel" <<END
#include "methods/kernel/kernel.h"

KERNEL_FUNCTION SkinnedPoint ${direct//-/_}_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    SkinnedPoint skinned;
    Real sum = WEIGHT(0);
    Transform blend = JOINT34(0);
    for (int k = 1; k < count; k++) {
        sum += WEIGHT(k);
        const Real t = WEIGHT(k) / (sum == REAL(0.0) ? REAL(1.0) : sum);
        blend = transform_add_scaled(transform_scale(blend, (REAL(1.0) - t)), JOINT34(k), t);
    }
    skinned.position = transform_point(blend, rest.position);
    skinned.normal = transform_direction(blend, rest.normal);
    return skinned;
}
END
cp "$own/$kernel" "$folder/blend.h"
mistake() { # SED: what it makes of the kernel fails the test of invariants
    sed "$1" "$folder/blend.h" >"$own/$kernel"
    ! cmp -s "$folder/blend.h" "$own/$kernel" || fail "no mistake: $1"
    ! follow "$cycle" $direct || fail "the documented tests do not find the mistake $1"
    grep -q 'skinning_invariants (Failed)' "$folder/log" || fail "not found by the tests: $(tail -n 30 "$folder/log")"
}
followed "$cycle" $direct
all_ran 2
mistake 's/(REAL(1.0) - t)/(REAL(0.9) - t)/'
mistake 's/WEIGHT(k)/WEIGHT(count - 1 - k)/; s/WEIGHT(0)/WEIGHT(count - 1)/'
cp "$folder/kept.h" "$own/$kernel"

build=$tree/build/mine
cmake "-DSKINBENCH_METHODS=$direct;$fit" "$build" >"$folder/log" || fail "configuring: $(tail -n 20 "$folder/log")"
cmake --build "$build" --target skinbench >"$folder/log" || fail "building: $(tail -n 40 "$folder/log")"

cd "$folder"
skinbench=$build/skinbench
"$skinbench" list methods > methods
for method in $direct $fit; do
    grep -q "$method" methods || fail "$method is not listed: $(cat methods)"
done
"$skinbench" generate rig -o rig.h5 --set vertices=1000 --set frames=20
"$skinbench" skin rig.h5 --method $direct --backend reference -o truth.h5 --quiet

# Messages about a kernel say where it is wrong: a function of another name, a constant that is a double, an error on OpenCL alone.
wrong() { # SED TEXT: with what SED makes of the kernel the build fails and says TEXT
    sed "$1" "$folder/blend.h" >"$own/$kernel"
    ! cmake --build "$build" --target skinbench >log 2>&1 || fail "built after $1"
    grep -qE -- "$2" log || fail "building after $1: $(tail -n 40 log)"
}
wrong 's/_vertex(/_vertices(/' "must be named ${direct//-/_}_vertex"
wrong 's/REAL(0.0)/0.0/' "$kernel:10:.*(unsuffixed-float-constants|double-promotion)"
sed '5a #ifdef __OPENCL_VERSION__\nthere is an error here\n#endif' "$folder/blend.h" >"$own/$kernel"
cmake --build "$build" --target skinbench >log 2>&1 || fail "building: $(tail -n 40 log)"
code=0
"$skinbench" skin rig.h5 --method $direct --backend opencl -o out.h5 --quiet 2>message || code=$?
[ $code = 4 ] || grep -q "$kernel:7:" message || fail "an error on OpenCL is not found: $(cat message)"
cp "$folder/kept.h" "$own/$kernel"
cmake --build "$build" --target skinbench >log 2>&1 || fail "building: $(tail -n 40 log)"

# Prints the greatest distance of a file from truth.h5, as a share of the diagonal.
distance() {
    "$skinbench" measure truth.h5 "$1" --json | sed -n 's/.*"distance_max": *\([0-9.e+-]*\).*/\1/p'
}
for backend in scalar simd opencl cuda; do
    code=0
    "$skinbench" skin rig.h5 --method $direct --backend $backend --normals -o out.h5 --quiet 2> message || code=$?
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

# Such a build refuses to take times, unless it is told that they are not meant; its records say what it is.
times=(bench rig.h5 --no-generated --methods "$direct" --backends "reference,simd" --rounds 3 --time-budget 1 --quiet -o run.jsonl)
refused 4 SKINBENCH_ONE_LOOP=OFF "$skinbench" "${times[@]}"
refused 4 SKINBENCH_ONE_LOOP=OFF "$skinbench" advise rig.h5
"$skinbench" generate jelly -o jelly.h5 --set frames=4
refused 4 SKINBENCH_ONE_LOOP=OFF "$skinbench" bench jelly.h5 rig.h5 --no-generated --bones 2 --iterations 1 -o early.jsonl
[ ! -e early.jsonl ] || fail "a run that may not take times began with its fits: $(cut -c 1-200 early.jsonl)"
SKINBENCH_ONE_LOOP_TIMES=1 "$skinbench" "${times[@]}"
grep -q '"flags":"[^"]*SKINBENCH_ONE_LOOP=ON' run.jsonl || fail "the record does not name the build: $(head -n 1 run.jsonl)"
"$skinbench" doctor | grep -q SKINBENCH_ONE_LOOP || fail "doctor does not name the build"
[ "$(grep "\"method\":\"$direct\"" run.jsonl | grep -c '"status":"ok"')" -ge 2 ] || fail "not timed: $(cat run.jsonl)"
"$skinbench" report run.jsonl -o page >/dev/null 2>message || [ $? = 4 ] || fail "report: $(cat message)"
grep -q 'left out the times of [1-9][0-9]* cells' message || fail "a report shows times of such a build: $(cat message)"
! head -n 1 page/skinning.csv | grep -q 'timing\.' || fail "a report holds times of such a build"

# The decomposition: what fit reports is what its rig does, it is measured in bench, and more bones fit better.
"$skinbench" generate walk -o walk.h5 --set vertices=1000 --set frames=12
# E_RMS among the metrics, which the harness measures; those of the iterations are the method's own account.
e_rms() {
    sed -n 's/.*"metrics": *{[^}]*"e_rms": *\([0-9.e+-]*\).*/\1/p'
}
for bones in 6 24; do
    "$skinbench" fit walk.h5 --method $fit --bones $bones -o fitted.h5 --json > fitted.json
    delivered=$(sed -n 's/.*"bones_delivered": *\([0-9]*\).*/\1/p' fitted.json) # bones without weights are left out
    [ "$delivered" -le $bones ] && [ "$delivered" -ge $((bones - 2)) ] || fail "bones: $(cat fitted.json)"
    e_rms < fitted.json > "e_rms.$bones"
done
"$skinbench" skin fitted.h5 --method lbs --backend reference -o posed.h5 --quiet
"$skinbench" measure walk.h5 posed.h5 --json | e_rms > e_rms.posed
paste e_rms.6 e_rms.24 e_rms.posed | awk '{ exit !($2 < $1 && $3 > 0.999 * $2 && $3 < 1.001 * $2) }' ||
    fail "e_rms of 6 and 24 bones, and of the rig: $(paste e_rms.6 e_rms.24 e_rms.posed)"
"$skinbench" bench walk.h5 --no-generated --methods $fit --bones 6 --quiet -o fits.jsonl
grep "\"method\":\"$fit\"" fits.jsonl | grep -q '"status":"ok"' || fail "not measured: $(cat fits.jsonl)"

# A method outside the tree is tested with its own test, which stands beside it.
mkdir "$folder/elsewhere"
mv "$own" "$folder/elsewhere"
mv "$tree/tests/methods/skinning/test_${direct//-/_}.c" "$folder/elsewhere/$direct"
followed "A method outside the tree" $direct
all_ran 3
own=$folder/elsewhere/$direct
"$skinbench" bench rig.h5 --no-generated --methods $direct --no-times --quiet -o outside.jsonl
grep -q '"dirty": *true' outside.jsonl || fail "a build with a method outside the tree is that of a commit"

# A table that is named as another method is refused by both names, in place of running one for the other: by the program
# when the build has it write its manual page.
sed -i "s/\.name = \"$direct\"/.name = \"lbs\"/" "$own/$direct.c"
cmake --build "$build" > "$folder/log" 2>&1 && fail "a method with another's name was built"
grep -q "method $direct: its table is named 'lbs'" "$folder/log" || fail "building: $(tail -n 40 "$folder/log")"
