#!/bin/bash
# A newcomer's method: copying the template and renaming it, as its README says, is all it takes to be listed,
# to skin the same on every backend, and to be timed.
. "$(dirname "$0")/prelude.sh"
root=$(cd "$(dirname "$0")/.." && pwd)

# As in methods/skinning/_template/README.md and CONTRIBUTING.md, outside the tree.
cp -r "$root/methods/skinning/_template" "$folder/my-method"
cd "$folder/my-method"
for f in template.*; do mv "$f" "my-method${f#template}"; done
sed -i 's/template/my-method/g' CMakeLists.txt README.md
sed -i 's/template_method/my_method_method/g; s/template_vertex/my_method_vertex/g; s/template/my-method/g' ./*.c ./*.h

# Only lbs beside it, and no optimisation outside the vector loops: this is about the path, not about speed.
cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DSKINBENCH_TESTS=OFF \
    -DSKINBENCH_METHODS=lbs "-DSKINBENCH_EXTRA_METHODS=$folder/my-method" > "$folder/log" ||
    fail "configuring: $(tail -n 20 "$folder/log")"
cmake --build "$folder/build" -j 2 > "$folder/log" || fail "building: $(tail -n 40 "$folder/log")"

cd "$folder"
skinbench=$folder/build/skinbench
"$skinbench" list methods > methods
grep -q my-method methods || fail "not listed: $(cat methods)"
"$skinbench" generate rig -o rig.h5 --set vertices=1000 --set frames=20
"$skinbench" skin rig.h5 --method my-method --backend reference -o truth.h5 --quiet

# Prints the greatest distance of a file from truth.h5, as a share of the diagonal.
distance() {
    "$skinbench" measure truth.h5 "$1" --json | sed -n 's/.*"distance_max": *\([0-9.e+-]*\).*/\1/p'
}
for backend in scalar simd simd-frames opencl cuda; do
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
[ "$(grep -c '"method":"my-method".*"status":"ok"' run.jsonl)" -ge 2 ] || fail "not timed: $(cat run.jsonl)"

# A table that is named as another method is refused by both names, in place of running one for the other.
sed -i 's/\.name = "my-method"/.name = "lbs"/' my-method/my-method.c
cmake --build "$folder/build" -j 2 > "$folder/log" || fail "building: $(tail -n 40 "$folder/log")"
code=0
"$skinbench" skin rig.h5 --method lbs -o lbs.h5 --quiet 2> message || code=$?
grep -q "method my-method: its table is named 'lbs'" message && [ $code = 2 ] || fail "exit $code: $(cat message)"
