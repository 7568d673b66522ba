#!/bin/bash
# Limits of the address space: below what the loader needs it says so (127); above, a verb ends as usual or
# with 5 and one line, and OpenCL is missing (4). Nothing hangs, nothing aborts.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1
cd "$folder" || exit 1
"$skinbench" generate rig -o rig.h5 --quiet || fail "no rig"
"$skinbench" generate jelly -o jelly.h5 --quiet || fail "no animation"
for kilobytes in 150000 300000 430000 460000 600000 700000 800000; do
    for verb in --version "list backends" "info rig.h5" "check rig.h5" "skin rig.h5 --method lbs -o skin.h5" \
        "skin rig.h5 --method lbs --backend opencl -o skin.h5" "fit jelly.h5 --method svd --bones 4 -o fit.h5" doctor; do
        # shellcheck disable=SC2086 # the words of a command line
        (ulimit -v "$kilobytes" && exec timeout 60 "$skinbench" $verb >out 2>err)
        code=$?
        case $code in
        0 | 4 | 127) ;;
        5) [ "$(wc -l <err)" = 1 ] || fail "$kilobytes KB, $verb: $(wc -l <err) lines: $(cat err)" ;;
        *) fail "$kilobytes KB, $verb: exit code $code ($(cat err))" ;;
        esac
    done
done
[ "$code" = 0 ] || fail "doctor does not run in 800 MB"
exit 0
