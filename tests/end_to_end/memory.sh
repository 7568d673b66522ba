#!/usr/bin/env bash
# Tests animations larger than memory: generate, fit --memory, skin and measure hold only a few blocks of them, and such a fit gives
# the result of a fit in memory. Memory is the peak of the program and of the processes that it starts, as the system counts it.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1
needs python3
run() { # exit code, most MB, arguments
    code=$1 most=$2
    shift 2
    python3 - "$skinbench" "$@" >"$folder/out" 2>"$folder/err" <<'PY'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
PY
    got=$? peak=$(tail -1 "$folder/err")
    [ "$got" -eq "$code" ] || fail "exit code $got instead of $code: $* ($(cat "$folder/err"))"
    [ "$peak" -le "$most" ] || [ -n "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || fail "$peak MB instead of at most $most: $*"
}
error() { grep -o '"e_rms": *[-0-9.e]*' "$folder/out" | head -1 | sed 's/.*: *//'; }

# 12000 vertices in 520 frames, 75 MB, beside a program of up to 64 MB.
cloth="$folder/cloth.h5"
run 0 160 generate cloth --set across=120 --set up=100 --set frames=520 -o "$cloth"
[ "$(stat -c %s "$cloth")" -gt 74000000 ] || fail "the animation is small"
fit=(fit "$cloth" --method coordinate-descent --bones 6 --iterations 2 --set search=no --json --quiet -o "$folder/fit.h5")
run 0 1000 "${fit[@]}"
whole=$(error)
rm "$folder/fit.h5"
run 0 110 "${fit[@]}" --memory 110M
[ "$(error)" = "$whole" ] || fail "read, the error is $(error), in memory $whole"
grep -q '"passes": *3' "$folder/out" || fail "not three passes: $(cat "$folder/out")"
run 0 80 measure "$cloth" "$folder/fit.h5" --json
[ "$(printf %.6g "$(error)")" = "$(printf %.6g "$whole")" ] || fail "the file gives $(error), the fit $whole"
cp "$folder/out" "$folder/measured"
# With less, percentiles are counted and fewer frames are read at a time; the numbers are the same.
run 0 60 measure "$cloth" "$folder/fit.h5" --json --memory-limit 18M
cmp "$folder/out" "$folder/measured" || fail "with less memory it measures something else"
run 0 150 skin "$folder/fit.h5" --method lbs -o "$folder/skin.h5"
rm "$folder/skin.h5"

# What does not go, or does not fit, is refused, and nothing is written.
rm "$folder/fit.h5"
run 2 1000 fit "$cloth" --method sma --bones 6 --memory 150M -o "$folder/fit.h5"
grep -q 'it works with coordinate-descent and svd' "$folder/err" || fail "no method is named: $(cat "$folder/err")"
run 2 1000 fit "$cloth" --method svd --bones 6 --holdout 4 --memory 150M -o "$folder/fit.h5"
run 2 1000 fit "$cloth" --method svd --bones 6 --memory 3 -o "$folder/fit.h5"
run 5 1000 fit "$cloth" --method coordinate-descent --bones 6 --memory 20M -o "$folder/fit.h5"
grep -q 'need at least' "$folder/err" || fail "what is needed is not said: $(cat "$folder/err")"
run 5 1000 fit "$cloth" --method coordinate-descent --bones 6 --memory 77M -o "$folder/fit.h5"
grep -q -- '--memory is 77 MB' "$folder/err" || fail "the limit is not named: $(cat "$folder/err")"
run 5 1000 fit "$cloth" --method svd --bones 6 --memory-limit 60M -o "$folder/fit.h5"
grep -q -- '--memory SIZE reads the animation in blocks' "$folder/err" || fail "no way out is named: $(cat "$folder/err")"
(timeout --preserve-status --signal=KILL 0.3 "$skinbench" "${fit[@]}" --memory 150M; true) >/dev/null 2>&1
[ ! -e "$folder/fit.h5" ] || fail "a fit that was killed has written a file"
echo "what is larger than memory is fitted in memory"
