#!/bin/bash
# scripts/device-report --quick where PoCL is the device, or nothing is: every step ends, and the page and its records are there.
. "$(dirname "$0")/../prelude.sh"
SKINBENCH=$(realpath "$1")
export SKINBENCH
tree=$(cd "$(dirname "$0")/../.." && pwd)
cd "$folder"
HOME=$PWD/none/here "$tree/scripts/device-report" --quick -o report >said 2>&1 || fail "$(cat said)"
for step in doctor right-1 right-two-phase times-2000-1 merge report; do
    grep -qE "^(ok|partly not available): $step" report/steps.txt || fail "$step: $(cat report/steps.txt)"
done
[ -s report/report/index.html ] || fail "no page"
"$SKINBENCH" merge report/run.jsonl report/run.jsonl -o again.jsonl >/dev/null
grep -q '"two_phase"' report/run.jsonl || fail "no records of two phases"
cat report/steps.txt
