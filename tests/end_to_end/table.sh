#!/bin/bash
# From nothing but the program to a table and a report: measure, bench, table, report, compare, list, doctor.
set -u
skinbench=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
expect() { # exit code, then the command
    local code=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    local got=$?
    [ $got -eq "$code" ] || fail "exit code $got, expected $code: $* ($(cat "$work/err"))"
}

expect 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 -o "$work/run.jsonl"
grep -q 'walk (generated)' "$work/out" || fail "no stand-in in the table"
grep -q '1.3 → missing' "$work/out" || fail "rows without data are not listed as missing"
grep -q '^Missing here: scripts/fetch-datasets.* --only samba.* DIR' "$work/out" || fail "no word of how to get samba"
grep -q '^Missing here: swing, .*: http' "$work/out" || fail "no word of where to ask for swing"
! grep -q 'no method' "$work/out" || fail "a method of the table is not built in"
expect 0 "$skinbench" table fesam-fig8 --quiet --threads 1 --time-budget 1 -o "$work/run.jsonl"
expect 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 -o "$work/run.jsonl" --format csv
# The numbers of the CSV are those of the result file.
value=$(grep '^fesam-table2,walk (generated),,our,' "$work/out" | cut -d, -f7)
[ -n "$value" ] || fail "no measured value in the CSV"
grep '"row":"walk (generated)"' "$work/run.jsonl" | grep -q "\"e_rms\":$value" || fail "$value is not in the result file"
expect 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 --json -o "$work/run.jsonl"
grep -q '"row":"horse","column":"our","quantity":"e_rms","published":1.3' "$work/out" || fail "no JSON cell"
# Tables of studies and of skinning: on stand-ins, beside rows that are missing; a second run has nothing to do.
short=(--quiet --threads 1 --rounds 2 --frames 2 -o "$work/run.jsonl")
expect 0 "$skinbench" table sbs-table1 "${short[@]}"
grep -q '2402 → missing' "$work/out" || fail "a model of the paper is not listed as missing"
grep -Eq '^\| rig \(generated\) *\| stand-in \| *5000 ' "$work/out" || fail "no size of the stand-in: $(cat "$work/out")"
expect 0 "$skinbench" table sbs-table2 "${short[@]}"
lines=$(wc -l <"$work/run.jsonl")
expect 0 "$skinbench" table sbs-table2 "${short[@]}" --format csv
[ "$(wc -l <"$work/run.jsonl")" -eq "$lines" ] || fail "what was measured is run again"
grep -Eq '^sbs-table2,rig \(generated\),,svds,counts.nontrivial_sets,,[0-9.]+,[0-9.]+,[0-9.]+,0,,,,measured' "$work/out" || fail "no SVDs: $(cat "$work/out")"
expect 2 "$skinbench" table no-such-table
expect 3 "$skinbench" table fesam-table2 --data "$work/nowhere"

expect 0 "$skinbench" table fesam-table1 --quiet --threads 1 --time-budget 1 -o "$work/run.jsonl"
grep -q '101 → missing' "$work/out" && grep -q 'cloth (generated)' "$work/out" || fail "no table of the reduction"
expect 0 "$skinbench" table fesam-fig4 --quiet --threads 1 --time-budget 1 -o "$work/run.jsonl"

"$skinbench" report "$work/run.jsonl" -o "$work/report" >"$work/out" 2>&1
code=$?
command -v gnuplot >/dev/null && want=0 || want=4
[ "$code" -eq "$want" ] || fail "report: exit code $code, expected $want: $(cat "$work/out")"
for file in report.md fesam-table2.csv fesam-table2.tex fesam-fig8.csv sbs-table1.csv sbs-table2.tex decomposition.csv counts.csv; do
    [ -s "$work/report/$file" ] || fail "the report has no $file"
done
[ "$want" -eq 0 ] && { [ -s "$work/report/fesam-fig8.svg" ] && [ -s "$work/report/fesam-fig8.pdf" ] || fail "no figure"; }
[ -z "$(find "$work" -name '.skinbench-*')" ] || fail "temporary files are left"
expect 3 "$skinbench" report "$work/none.jsonl" -o "$work/other"

expect 0 "$skinbench" compare "$work/run.jsonl" "$work/run.jsonl"
sed 's/"e_rms":[0-9.]*/"e_rms":99/' "$work/run.jsonl" >"$work/worse.jsonl"
expect 1 "$skinbench" compare "$work/run.jsonl" "$work/worse.jsonl"
head -2 "$work/run.jsonl" >"$work/fewer.jsonl"
expect 1 "$skinbench" compare "$work/run.jsonl" "$work/fewer.jsonl"

expect 0 "$skinbench" generate walk --set vertices=1000 --set frames=5 -o "$work/walk.h5"
expect 0 "$skinbench" generate jelly -o "$work/jelly.h5"
expect 0 "$skinbench" measure "$work/walk.h5" "$work/walk.h5" --json
grep -q '"e_rms":0.0' "$work/out" || fail "a data set differs from itself"
# What a method does not take is tried again and again skipped; nothing else is timed for that.
again=("$skinbench" bench "$work/walk.h5" --no-generated --methods "lbs,sclerp" --rounds 2 --frames 2 --time-budget 1 --quiet -o "$work/again.jsonl")
expect 0 "${again[@]}"
lines=$(wc -l <"$work/again.jsonl")
expect 0 "${again[@]}"
[ "$(wc -l <"$work/again.jsonl")" -eq "$lines" ] || fail "a run with nothing to time adds records"
expect 3 "$skinbench" measure "$work/walk.h5" "$work/jelly.h5"
grep -q 'walk.h5 has 1000 vertices, .*jelly.h5 has' "$work/err" || fail "files and counts are not named: $(cat "$work/err")"
for what in methods backends datasets tables; do
    expect 0 "$skinbench" list $what
    expect 0 "$skinbench" list $what --json
done
expect 2 "$skinbench" list nothing
expect 0 "$skinbench" doctor
expect 0 "$skinbench" doctor --json
# Threads follow what the process may use; how they wait is the user's choice where there is one. Executing itself once
# more to set it changes neither arguments nor name.
cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
env -u OMP_NUM_THREADS taskset -c "$cpu" "$skinbench" doctor >"$work/doctor"
grep -q "threads .* 1 by " "$work/doctor" || fail "one core, but $(grep threads "$work/doctor")"
OMP_NUM_THREADS=3 OMP_WAIT_POLICY=active "$skinbench" doctor >"$work/doctor"
grep -q "threads .* 3 by OMP_NUM_THREADS" "$work/doctor" || fail "three threads, but $(grep threads "$work/doctor")"
grep -q "waiting .*as the user set OMP_WAIT_POLICY=active" "$work/doctor" || fail "$(grep waiting "$work/doctor")"
env -u OMP_WAIT_POLICY "$skinbench" doctor >"$work/doctor"
grep -q "waiting .*passive, set by this program" "$work/doctor" || fail "$(grep waiting "$work/doctor")"
if grep -qw avx2 /proc/cpuinfo; then
    OPENBLAS_CORETYPE=Prescott "$skinbench" doctor >"$work/doctor"
    grep -q "OpenBLAS .*Prescott, as OPENBLAS_CORETYPE says: this processor has" "$work/doctor" || fail "$(grep OpenBLAS "$work/doctor")"
    env -u OPENBLAS_CORETYPE "$skinbench" doctor >"$work/doctor"
    grep "machine .*OpenBLAS" "$work/doctor" | grep -q " ok " || fail "lesser kernels: $(grep OpenBLAS "$work/doctor")"
fi
expect 2 env -u OMP_WAIT_POLICY "$skinbench" 'a  b'
grep -q "no command 'a  b'" "$work/err" || fail "another name: $(cat "$work/err")"
echo "all verbs answer"
