#!/usr/bin/env bash
# Tests compare --binary with builds whose times are given, so that the answer is known; with this build against itself; and with
# programs that are not such a build, die, hang or print something else. Nothing is left running.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"
cat >suite.json <<'EOF'
{"datasets": [{"generate": "rig", "set": ["vertices=1000", "frames=2"]}],
 "skinning": {"methods": ["lbs", "dqs"], "backends": ["simd"], "threads": [1]}}
EOF

# worker NAME FACTOR [METHOD [STAGE]]: a build that answers at once, FACTOR (per mille) slower in dqs, and refuses METHOD and
# STAGE. Every visit is a little off, by a pattern.
worker() {
    cat >"$1" <<EOF
#!/usr/bin/env bash
echo "skinbench time-worker 1"
cell=0 turn=\$((\$\$ % 7))
while IFS=\$'\t' read -r request a b c d; do
    case \$request in
        dataset) printf 'ok\tplanted\n' ;;
        skin)
            if [ "\$a" = "${3:-}" ]; then printf 'no\t2\tno method %s\n' "\$a"; continue; fi
            method[cell]=\$a
            printf 'cell\t%d\n' \$((cell++))
            ;;
        calibrate)
            if [ "\$b" = "${4:-}" ]; then printf 'no\t2\tno stage %s\n' "\$b"; else printf 'inner\t8\n'; fi
            ;;
        visit)
            turn=\$(((turn * 5 + 3) % 7)) factor=1000
            if [ "\${method[\$a]}" = dqs ]; then factor=\$((1000 + $2)); fi
            printf 'time\t%d.%03de-3\n' \$((factor * (997 + turn) / 1000000)) \$((factor * (997 + turn) / 1000 % 1000))
            ;;
    esac
done
EOF
    chmod +x "$1"
}
compare() { "$skinbench" compare --binary "$@" --suite suite.json --rounds 10 --rounds-max 20; }

worker old 0
worker same 5
worker slow 50
worker less 25
worker quick -50
compare old same >out || fail "0.5 % is slower: $(cat out)"
grep -q '^6 same$' out && grep -q '^10 rounds; ' out || fail "$(cat out)"
compare old quick >out || fail "faster is an error: $(cat out)"
grep -q '^3 faster, 3 same$' out || fail "$(cat out)"
for build in slow less; do
    refused 1 "3 cells are slower, 0 vanished" compare old $build
    [ "$(grep -c 'planted: dqs on simd.* slower ' out)" = 3 ] || fail "$(cat out)"
    [ "$(grep -c 'planted: lbs' out)" = 0 ] || fail "$(cat out)"
done
refused 1 "3 cells are slower" compare old slow --json
python3 - <<'EOF' || fail "$(cat out)"
import json
*cells, summary = [json.loads(line) for line in open("out")]
assert len(cells) == 6 and all(cell["part"] == "times" for cell in cells)
assert summary["finding"] == "summary" and summary["verdict"] == "changed", summary
assert [m["method"] for m in summary["methods"]] == ["dqs"] and "slower on simd (1 of 1 cells)" in summary["methods"][0]["found"], summary
for cell in cells:
    planted = 1.05 if "dqs" in cell["cell"] else 1.0
    assert abs(cell["ratio"] / planted - 1) < 0.005 and cell["low"] <= cell["ratio"] <= cell["high"], cell
    assert cell["finding"] == ("slower" if planted > 1 else "same") and cell["bound"] >= 1.02, cell
    assert ("ratio to LBS changed by" in cell["reason"]) == ("dqs" in cell["cell"]), cell
EOF
worker lacks 0 dqs
refused 1 "0 cells are slower, 3 vanished" compare old lacks
compare lacks old >out || fail "a new method is an error"
grep -q '3 new' out || fail "$(cat out)"
worker stageless 0 "" pose
refused 1 "0 cells are slower, 2 vanished" compare old stageless
grep -q 'no stage pose' out || fail "$(cat out)"
compare stageless old >out || fail "a new stage is an error"
grep -q '^2 new, 4 same$' out || fail "$(cat out)"
compare old same --methods lbs >out
grep -q '^3 same$' out || fail "$(cat out)"
# What is slower in the first ten rounds alone is looked at again, and no alarm.
cat >once <<'EOF'
#!/usr/bin/env bash
echo x >>starts
[ "$(wc -l <starts)" -gt 10 ] || exec ./slow
exec ./same
EOF
chmod +x once
compare old once >out || fail "a slow-down that passed is an error: $(cat out)"
grep -q '^3 unsure, 3 same$' out && grep -q '^20 rounds; ' out || fail "$(cat out)"
compare old slow --time-budget 0 >out || fail "unsure is an error"
grep -q '^6 unsure$' out && grep -q '^1 rounds; ' out || fail "no end with the time: $(cat out)"

# This build and a copy of it.
cp "$skinbench" copy
"$skinbench" compare --binary "$skinbench" copy --suite suite.json --rounds 2 --rounds-max 2 >out 2>err || fail "$(cat out err)"
grep -q '^6 unsure$' out || fail "$(cat out)"

# What is no build that can be timed: 3, by name.
# shellcheck disable=SC2016 # the programs expand what they read
{
    program() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
    program older 'echo "skinbench: no command time-worker" >&2; exit 2'
    program silent 'exit 7'
    program killed 'kill -9 $$'
    program newer 'echo "skinbench time-worker 2"; cat >/dev/null'
    program babbles 'echo "skinbench time-worker 1"; while :; do echo "rubbish"; done'
    program endless 'while :; do printf xxxxxxxxxxxxxxxx; done'
    program dies 'echo "skinbench time-worker 1"; read line; exit 9'
    program refuses 'echo "skinbench time-worker 1"; while read line; do printf "no\t3\tnot here\n"; done'
    program times 'echo "skinbench time-worker 1"; while read line; do case $line in dataset*) echo ok;; skin*) printf "cell\t0\n";; cal*) printf "inner\t4\n";; *) printf "time\t-1\n";; esac; done'
}
refused 3 "older: is not a skinbench that" compare old older
refused 3 "(exit code 2); it printed: skinbench: no command time-worker" compare older old
refused 3 "silent: ended before its work was done, so it may not be a skinbench (exit code 7)" compare old ./silent
refused 3 "killed: ended before its work was done, so it may not be a skinbench (Killed)" compare old killed
refused 3 "newer: speaks version 2 of the time-worker protocol, but this program speaks version 1" compare old newer
refused 3 "babbles: printed a line that is not an answer of \`skinbench time-worker\`" compare old babbles
refused 3 "endless: " compare old endless
refused 3 "dies: ended before its work was done (exit code 9)" compare old dies
refused 3 "refuses: not here" compare old refuses
refused 3 "times: answered -1, which is not a positive time" compare old times
refused 3 "absent: No such file" compare old absent
refused 3 "is not an executable file" compare old suite.json
refused 3 "is not an executable file" compare "$folder" old
refused 2 "needs two executables" "$skinbench" compare --binary old
refused 2 "no method" compare old same --methods nosuch

# One that hangs is ended with the comparison.
program hangs 'echo "skinbench time-worker 1"; exec sleep 1000'
env --default-signal=INT "$skinbench" compare --binary old hangs --suite suite.json >out 2>err &
pid=$!
for _ in $(seq 100); do pgrep -P $pid -x sleep >/dev/null && break; sleep 0.1; done
kill -INT $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || fail "interrupted: exit code $code: $(cat err)"
sleep 0.1
left=$(pgrep -f "$folder/" || true)
[ -z "$left" ] || fail "left running: $(ps -o pid,args -p "$left")"
echo "compare --binary names what is slower, and what it cannot time"
