#!/bin/bash
# aarch64_use.sh PROGRAM PROGRAM_OF_AARCH64 SYSROOT: what users do there, under qemu-user; and one affine and one rigid fit, which
# agree with this machine's to 1 %. Without the search: which of its trials are kept differs with the rounding of a BLAS.
. "$(dirname "$0")/prelude.sh"
here=$(realpath "$1") there="qemu-aarch64-static -L $(realpath "$3") $(realpath "$2")"
cd "$folder"
$there generate walk --set vertices=1000 --set frames=24 -o walk.h5
for transforms in affine rigid; do
    for program in "$here" "$there"; do
        $program fit walk.h5 --method coordinate-descent --bones 8 --iterations 10 --set search=no --set transforms=$transforms --json --quiet -o fit.h5
    done >"$transforms.json"
    python3 - "$transforms.json" <<'END' || fail "$transforms fits differ by more than 1 %"
import json, sys
a, b = (json.loads(line)["iterations"][-1]["e_rms"] for line in open(sys.argv[1]) if '"iterations"' in line)
print(sys.argv[1], a, b)
sys.exit(abs(b - a) > 0.01 * a)
END
done
$there skin fit.h5 --method lbs -o lbs.h5 >skin
$there bench fit.h5 --no-times --frames 4 -o run.jsonl >bench 2>log || fail "bench: $(cat log)"
tail -n 1 bench
grep -q ' 0 wrong, 0 failed' bench || fail "bench: $(tail -n 1 bench)"
$there report run.jsonl -o report >said 2>&1 || [ $? = 4 ] || fail "report: $(cat said)" # 4: without gnuplot
[ -s report/index.html ] || fail "no page"
