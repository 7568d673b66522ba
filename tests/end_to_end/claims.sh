#!/bin/bash
# Tests claims: a verdict follows from the measurements, and changes if the measurements change.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1
verdict() { # of a claim, by a result file
    "$skinbench" claims "$2" --paper sbs --json | sed -n "s/.*\"name\":\"$1\",\"verdict\":\"\([^\"]*\)\".*/\1/p"
}

"$skinbench" table sbs-qlerp-bound --quiet -o "$folder/run.jsonl" >/dev/null || fail "the table does not run"
[ "$(verdict qlerp-bound "$folder/run.jsonl")" = confirmed ] || fail "the bound of 8.15 degrees is not confirmed"
# A planted measurement: 9.2 degrees where it was 8.149, and the same in radians.
sed -e 's/"angle_degrees":8\.14[0-9]*/"angle_degrees":9.2/' -e 's/"angle_rad":0\.1422[0-9]*/"angle_rad":0.16/' "$folder/run.jsonl" >"$folder/wrong.jsonl"
cmp -s "$folder/run.jsonl" "$folder/wrong.jsonl" && fail "nothing was planted"
[ "$(verdict qlerp-bound "$folder/wrong.jsonl")" = contradicted ] || fail "a wrong measurement does not turn the verdict"
# What was not run has no verdict but says so, and a contradicted claim comes first.
[ "$(verdict cost-over-lbs "$folder/run.jsonl")" = incomplete ] || fail "a claim is judged without a measurement"
"$skinbench" claims "$folder/wrong.jsonl" --paper sbs >"$folder/claims.md" || fail "no table"
sed -n 5p "$folder/claims.md" | grep -q '^| contradicted' || fail "the contradicted claim is not the first: $(head -6 "$folder/claims.md")"
"$skinbench" report "$folder/wrong.jsonl" -o "$folder/report" --quiet 2>"$folder/err"
code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "no report: $(cat "$folder/err")"
head -20 "$folder/report/report.md" | grep -q contradicted || fail "the report does not open with it"
# The page that says what reproduces counts the claims that there are.
there=$("$skinbench" claims "$folder/run.jsonl" --json | grep -c '"verdict":')
grep -q "There are $there claims" "$(dirname "$0")/../../results/tables.md" || fail "results/tables.md does not count $there claims"
"$skinbench" claims "$folder/run.jsonl" -o "$folder/other.jsonl" 2>"$folder/err"
[ $? = 2 ] || fail "a result file and an output were taken together"
"$skinbench" claims --paper nosuch 2>"$folder/err"
[ $? = 2 ] || fail "a paper that there is none of"
exit 0
