#!/bin/bash
# Claims: a verdict follows from what was measured, and turns when the measurement is another.
set -u
skinbench=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
verdict() { # of a claim, by a result file
    "$skinbench" claims "$2" --paper sbs --json | sed -n "s/.*\"name\":\"$1\",\"verdict\":\"\([^\"]*\)\".*/\1/p"
}

"$skinbench" table sbs-qlerp-bound --quiet -o "$work/run.jsonl" >/dev/null || fail "the table does not run"
[ "$(verdict qlerp-bound "$work/run.jsonl")" = confirmed ] || fail "the bound of 8.15 degrees is not confirmed"
# A planted measurement: 9.2 degrees where it was 8.149.
sed 's/"angle_degrees":8\.14[0-9]*/"angle_degrees":9.2/' "$work/run.jsonl" >"$work/wrong.jsonl"
cmp -s "$work/run.jsonl" "$work/wrong.jsonl" && fail "nothing was planted"
[ "$(verdict qlerp-bound "$work/wrong.jsonl")" = contradicted ] || fail "a wrong measurement does not turn the verdict"
# What was not run has no verdict but says so, and a contradicted claim comes first.
[ "$(verdict cost-over-lbs "$work/run.jsonl")" = "untestable here" ] || fail "a claim is judged without a measurement"
"$skinbench" claims "$work/wrong.jsonl" --paper sbs >"$work/claims.md" || fail "no table"
sed -n 5p "$work/claims.md" | grep -q '^| contradicted' || fail "the contradicted claim is not the first: $(head -6 "$work/claims.md")"
"$skinbench" report "$work/wrong.jsonl" -o "$work/report" --quiet 2>"$work/err"
code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "no report: $(cat "$work/err")"
head -20 "$work/report/report.md" | grep -q contradicted || fail "the report does not open with it"
"$skinbench" claims "$work/run.jsonl" -o "$work/other.jsonl" 2>"$work/err"
[ $? = 2 ] || fail "a result file and an output were taken together"
"$skinbench" claims --paper nosuch 2>"$work/err"
[ $? = 2 ] || fail "a paper that there is none of"
exit 0
