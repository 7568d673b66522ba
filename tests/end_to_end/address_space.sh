#!/bin/bash
# Tests limits of the address space. If the loader lacks memory, it says so (127). Otherwise a command ends as usual, or with 5 and one
# line, and OpenCL may be missing (4). Nothing hangs or aborts.
#   LIMITS="$(seq -s ' ' 20000 20000 1000000)" tests/end_to_end/address_space.sh build/release/skinbench     prints every exit code
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$(realpath "$1")
cd "$folder" || exit 1
"$skinbench" generate rig -o rig.h5 --quiet || fail "no rig"
"$skinbench" generate jelly -o jelly.h5 --quiet || fail "no animation"
for kilobytes in ${LIMITS:-20000 200000 400000 600000 800000 1000000}; do
    codes=""
    for command in --version --help "list backends" "info rig.h5" "check rig.h5" "skin rig.h5 --method lbs -o skin.h5" "skin rig.h5 --method sbs --backend opencl -o skin.h5" \
        "fit jelly.h5 --method sad --bones 4 -o fit.h5" "bench rig.h5 --methods lbs --backends scalar --no-times -o run$kilobytes.jsonl" doctor; do
        # shellcheck disable=SC2086 # the words of a command line
        (ulimit -v "$kilobytes" && exec timeout 300 "$skinbench" $command >out 2>err)
        code=$?
        codes+=" $code"
        case $code in
        0 | 4 | 127) ;;
        5) [ "$(wc -l <err)" = 1 ] || fail "$kilobytes KB, $command: $(wc -l <err) lines: $(cat err)" ;;
        *) fail "$kilobytes KB, $command: exit code $code ($(cat err))" ;;
        esac
    done
    [ -z "${LIMITS:-}" ] || echo "$kilobytes$codes"
done
[ "$code" = 0 ] || fail "doctor does not run in ${kilobytes} KB: $(cat err)"
# PoCL aborts where its compiler gets no memory: it is tried in another process, named, and gone on without.
for kilobytes in 840000 960000 1080000; do
    (ulimit -v "$kilobytes" && exec "$skinbench" doctor >out 2>err) || fail "doctor in $kilobytes KB: $? $(cat err)"
    grep -qE "backend +opencl +(ok|missing) " out || fail "doctor does not name OpenCL in $kilobytes KB: $(cat out)"
    grep -qE "backend +opencl +missing .*ulimit -v|opencl +ok|loader|no platform" out || fail "doctor does not say why: $(grep opencl out)"
    (ulimit -v "$kilobytes" && exec "$skinbench" bench rig.h5 --no-generated --methods lbs --backends scalar,opencl --rounds 3 --threads 1 --frames 2 \
        -o opencl.jsonl >out 2>err) || fail "bench in $kilobytes KB: $? $(cat err)"
    grep -q '"status":"\(ok\|skipped\)".*"backend":"opencl"' opencl.jsonl && grep -q '"status":"ok".*"backend":"scalar"' opencl.jsonl ||
        fail "bench in $kilobytes KB: $(cat out)"
    rm opencl.jsonl
    (ulimit -v "$kilobytes" && exec "$skinbench" table sbs-table1 --rounds 3 --quiet >out 2>err) || fail "table in $kilobytes KB: $? $(cat err)"
done
exit 0
