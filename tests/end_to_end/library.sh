#!/bin/bash
# Tests a program outside the tree that uses an installed libskinbench, which was moved in between. packaging/example, built by
# CMake and by pkg-config with a C and a C++ compiler, gets the numbers of the commands `skin` and `measure`.
. "$(dirname "$0")/../prelude.sh"
skinbench=$(realpath "$1")
build=$(dirname "$skinbench") example=$(cd "$(dirname "$0")/../../packaging/example" && pwd)
[ -e "$build/libskinbench.so" ] || { echo "SKIPPED: there is no libskinbench.so beside the program (a build with sanitizers has none)"; exit 77; }

cmake --install "$build" --prefix "$folder/first" --component library >"$folder/log" || fail "install: $(tail -n 20 "$folder/log")"
mv "$folder/first" "$folder/installed"
cd "$folder"
pc=$(dirname "$(find "$folder/installed" -name skinbench.pc)")
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=${pc%/pkgconfig}
[ "$(pkg-config --modversion skinbench)" = "$("$skinbench" --version | cut -d' ' -f2)" ] || fail "the version in skinbench.pc"

# Nothing but the interface is visible, and the header is all that is installed of headers.
strays=$(nm -D --defined-only "$LD_LIBRARY_PATH/libskinbench.so" | awk '{print $NF}' | grep -iv '^skinbench_' || true)
[ -z "$strays" ] || fail "exported: $strays"
[ "$(find "$folder/installed/include" -type f)" = "$folder/installed/include/skinbench/skinbench.h" ] || fail "headers: $(find installed/include)"

cmake -S "$example" -B by-cmake -DCMAKE_PREFIX_PATH="$folder/installed" >log 2>&1 || fail "configuring: $(tail -n 20 log)"
cmake --build by-cmake >log 2>&1 || fail "building: $(tail -n 20 log)"
read -ra flags <<<"$(pkg-config --cflags --libs skinbench)"
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
mkdir by-cc by-c++
cc -std=c11 "${strict[@]}" "$example/main.c" -o by-cc/example "${flags[@]}" -lm
c++ -x c++ -std=c++17 "${strict[@]}" -Wno-missing-field-initializers "$example/main.c" -o by-c++/example -x none "${flags[@]}" -lm

# The same by the program: what measure prints, number by number.
"$skinbench" generate rig --set vertices=2000 --set frames=5 -o rig.h5 --quiet
"$skinbench" skin rig.h5 --method lbs -o lbs.h5 --quiet
"$skinbench" skin rig.h5 --method dqs -o dqs.h5 --quiet
"$skinbench" measure lbs.h5 dqs.h5 --json >measured.json
by-cmake/example rig.h5 lbs dqs >by-cmake.txt
[ "$(wc -l <by-cmake.txt)" -ge 10 ] || fail "the example prints: $(cat by-cmake.txt)"
while read -r metric value; do
    measured=$(sed -n "s/.*\"$metric\": *\([-0-9.e+]*\).*/\1/p" measured.json)
    awk -v a="$value" -v b="$measured" 'BEGIN { exit !(b != "" && (a - b) ^ 2 <= (1e-12 * b) ^ 2) }' ||
        fail "$metric is $value in the example, $measured by the program"
done <by-cmake.txt
for other in by-cc by-c++; do
    $other/example rig.h5 lbs dqs | cmp - by-cmake.txt || fail "$other prints something else"
done
refused 3 "nothing.h5" by-cc/example nothing.h5 lbs dqs
refused 2 "no skinning method 'lsb'" by-cc/example rig.h5 lsb dqs

# Where an allocation fails, a few of all of them each in turn (tests/fail_allocation.c), the library says so, and nothing else.
preload=$build/tests/fail_allocation.so
[ -e "$preload" ] || exit 0
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o bar.h5 --quiet
SKINBENCH_COUNT_ALLOCATIONS=$folder/count LD_PRELOAD=$preload by-cc/example bar.h5 lbs dqs >good
for ((k = 1; k <= $(cat count); k += $(cat count) / 25)); do
    code=0
    SKINBENCH_FAIL_ALLOCATION=$k LD_PRELOAD=$preload by-cc/example bar.h5 lbs dqs >out 2>err || code=$?
    case $code in
        0) cmp -s out good || fail "allocation $k fails, and the numbers are others" ;;
        5) [ "$(wc -l <err)" -eq 1 ] || fail "allocation $k fails: $(cat err)" ;;
        1) grep -q '^libgomp: Out of memory' err || fail "allocation $k fails: $(cat err)" ;; # it ends the process itself
        *) fail "allocation $k fails: exit code $code, $(cat err)" ;;
    esac
done
