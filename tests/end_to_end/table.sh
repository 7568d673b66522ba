#!/bin/bash
# Gets a table and a report from nothing but the program: measure, bench, table, report, compare, list, doctor.
. "$(dirname "$0")/../prelude.sh"
set +e +o pipefail # exit codes are looked at
skinbench=$1

expected 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl"
grep -q 'walk (generated)' "$folder/out" || fail "no stand-in in the table"
grep -q '1.3 → missing' "$folder/out" || fail "rows without data are not listed as missing"
grep -q '^Missing here: scripts/fetch-datasets.* --only samba.* DIR' "$folder/out" || fail "no word of how to get samba"
grep -q '^Missing here: swing, .*: http' "$folder/out" || fail "no word of where to ask for swing"
! grep -q 'no method' "$folder/out" || fail "a method of the table is not built in"
expected 0 "$skinbench" table fesam-fig8 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl"
expected 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl" --format csv
# The numbers of the CSV are those of the result file.
value=$(grep '^fesam-table2,walk (generated),,our,' "$folder/out" | cut -d, -f7)
[ -n "$value" ] || fail "no measured value in the CSV"
grep '"row":"walk (generated)"' "$folder/run.jsonl" | grep -q "\"e_rms\":$value" || fail "$value is not in the result file"
expected 0 "$skinbench" table fesam-table2 --quiet --threads 1 --time-budget 1 --json -o "$folder/run.jsonl"
grep -q '"row":"horse","column":"our","quantity":"e_rms","published":1.3' "$folder/out" || fail "no JSON cell"
# Tables of studies and of skinning: on stand-ins, beside rows that are missing; a second run has nothing to do.
short=(--quiet --threads 1 --rounds 2 --frames 2 -o "$folder/run.jsonl")
expected 0 "$skinbench" table sbs-table1 sbs-table2 "${short[@]}"
[ "$(grep -o '^\*\*SBS Table [12]' "$folder/out" | wc -l)" = 2 ] || fail "not two tables: $(cat "$folder/out")"
grep -q '2402 → missing' "$folder/out" || fail "a model of the paper is not listed as missing"
grep -Eq '^\| rig \(generated\) *\| stand-in \| *5000 ' "$folder/out" || fail "no size of the stand-in: $(cat "$folder/out")"
expected 2 "$skinbench" table sbs-table1 sbs-table2 "${short[@]}" --rows Hand
lines=$(wc -l <"$folder/run.jsonl")
expected 0 "$skinbench" table sbs-table2 "${short[@]}" --format csv
[ "$(wc -l <"$folder/run.jsonl")" -eq "$lines" ] || fail "what was measured is run again"
grep -Eq '^sbs-table2,rig \(generated\),,svds,counts.nontrivial_sets,,[0-9.]+,[0-9.]+,[0-9.]+,0,,,,measured' "$folder/out" || fail "no SVDs: $(cat "$folder/out")"
expected 2 "$skinbench" table no-such-table
expected 3 "$skinbench" table fesam-table2 --data "$folder/nowhere"
expected 2 "$skinbench" table fesam-tabel2
grep -q "did you mean 'fesam-table2'" "$folder/out" "$folder/err" || fail "no word of the table that was meant"

# A table for a paper: rows and columns of choice, one column wide.
some=(fesam-table2 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl" --columns "sma,our,svd,our-time")
expected 2 "$skinbench" table fesam-table2 --columns svt
grep -q "did you mean 'svd'" "$folder/out" "$folder/err" || fail "no word of the column that was meant"
expected 1 "$skinbench" table "${some[@]}" --rows horse --measured-only
# Names of rows hold commas, each before a blank.
expected 0 "$skinbench" table cor-twist-joints --rows "bend 90, 1 extra joint,twist 90, 0 extra joints" --dry-run --json -o "$folder/never.jsonl"
grep -q 'bend 90, 1 extra joint' "$folder/out" && grep -q 'twist 90, 0 extra joints' "$folder/out" &&
    ! grep -q 'twist 135' "$folder/out" || fail "rows with commas: $(cat "$folder/out")"
expected 2 "$skinbench" table cor-twist-joints --rows "twist 90, 0 extra joints,bend 90, 1 extre joint"
grep -q "has no row 'bend 90, 1 extre joint'; it has '.*; did you mean 'bend 90, 1 extra joint'" "$folder/err" || fail "no word of the row that was meant"
! grep -E '^ *\{"name": "[^"]*,[^ ]' "$(dirname "$0")"/../../results/published/*.json || fail "a row's name has a comma before no blank"
expected 0 "$skinbench" table "${some[@]}" --measured-only
! grep -q missing "$folder/out" && grep -Eq '^\| row .*\| *SMA *\| *Coordinate descent \(Our\) *\| *SVD *\|' "$folder/out" ||
    fail "--measured-only, --columns: $(cat "$folder/out")"
expected 0 "$skinbench" table "${some[@]}" --measured-only --best --format latex
[ "$(grep -c 'bfseries.num' "$folder/out")" -ge 1 ] && grep -q 'label{tab:fesam-table2}' "$folder/out" || fail "no bold number"
cp "$folder/out" "$folder/short.tex"
expected 0 "$skinbench" table "${some[@]:0:8}" --format latex
cp "$folder/out" "$folder/whole.tex"
if command -v pdflatex >/dev/null && command -v kpsewhich >/dev/null && kpsewhich siunitx.sty >/dev/null; then
    printf '%s\n' '\documentclass[twocolumn]{article}' '\usepackage[utf8]{inputenc}' '\usepackage{array,booktabs,siunitx}' \
        '\begin{document}' '\input{short}' '\clearpage' '\input{whole}' '\end{document}' >"$folder/article.tex"
    (cd "$folder" && pdflatex -halt-on-error -interaction=nonstopmode article >/dev/null) || fail "$(grep -A3 '^!' "$folder/article.log")"
    ! grep -q 'too large for page' "$folder/article.log" || fail "too tall: $(grep 'too large for page' "$folder/article.log")"
    ! grep -q '^Overfull' "$folder/article.log" || fail "sticks out: $(grep '^Overfull' "$folder/article.log")"
else
    echo "SKIPPED: LaTeX tables are not compiled: pdflatex or siunitx is not installed (texlive-science)"
fi

expected 0 "$skinbench" table fesam-table1 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl"
grep -q '101 → missing' "$folder/out" && grep -q 'cloth (generated)' "$folder/out" || fail "no table of the reduction"
expected 0 "$skinbench" table fesam-fig4 --quiet --threads 1 --time-budget 1 -o "$folder/run.jsonl"

"$skinbench" report "$folder/run.jsonl" -o "$folder/report" >"$folder/out" 2>&1
code=$?
command -v gnuplot >/dev/null && want=0 || want=4
[ "$code" -eq "$want" ] || fail "report: exit code $code, expected $want: $(cat "$folder/out")"
for file in report.md fesam-table2.csv fesam-table2.tex fesam-fig8.csv sbs-table1.csv sbs-table2.tex decomposition.csv counts.csv; do
    [ -s "$folder/report/$file" ] || fail "the report has no $file"
done
[ "$want" -eq 0 ] && { [ -s "$folder/report/fesam-fig8.svg" ] && [ -s "$folder/report/fesam-fig8.pdf" ] || fail "no figure"; }
[ -z "$(find "$folder" -name '.skinbench-*')" ] || fail "temporary files are left"
expected 3 "$skinbench" report "$folder/none.jsonl" -o "$folder/other"

expected 0 "$skinbench" compare "$folder/run.jsonl" "$folder/run.jsonl"
sed 's/"e_rms":[0-9.]*/"e_rms":99/' "$folder/run.jsonl" >"$folder/worse.jsonl"
expected 1 "$skinbench" compare "$folder/run.jsonl" "$folder/worse.jsonl"
{ head -1 "$folder/run.jsonl" && grep -m1 '"kind":"decomposition"' "$folder/run.jsonl"; } >"$folder/fewer.jsonl" # the environment and a cell
expected 1 "$skinbench" compare "$folder/run.jsonl" "$folder/fewer.jsonl"

expected 0 "$skinbench" generate walk --set vertices=1000 --set frames=5 -o "$folder/walk.h5"
expected 0 "$skinbench" generate jelly -o "$folder/jelly.h5"
expected 0 "$skinbench" measure "$folder/walk.h5" "$folder/walk.h5" --json
grep -q '"e_rms":0.0' "$folder/out" || fail "a data set differs from itself"
# What a method does not take is tried again and again skipped; nothing else is timed for that.
again=("$skinbench" bench "$folder/walk.h5" --no-generated --methods "lbs,sclerp" --rounds 2 --frames 2 --time-budget 1 --quiet -o "$folder/again.jsonl")
expected 0 "${again[@]}"
lines=$(wc -l <"$folder/again.jsonl")
expected 0 "${again[@]}"
[ "$(wc -l <"$folder/again.jsonl")" -eq "$lines" ] || fail "a run with nothing to time adds records"
expected 3 "$skinbench" measure "$folder/walk.h5" "$folder/jelly.h5"
grep -q 'walk.h5 has 1000 vertices, .*jelly.h5 has' "$folder/err" || fail "files and counts are not named: $(cat "$folder/err")"
for what in methods backends datasets tables; do
    expected 0 "$skinbench" list $what
    expected 0 "$skinbench" list $what --json
done
expected 2 "$skinbench" list nothing
expected 0 "$skinbench" doctor
expected 0 "$skinbench" doctor --json
# Threads follow what the process may use; how they wait is the user's choice where there is one. Executing itself once
# more to set it changes neither arguments nor name.
cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
env -u OMP_NUM_THREADS taskset -c "$cpu" "$skinbench" doctor >"$folder/doctor"
grep -q "threads .* 1 by " "$folder/doctor" || fail "one core, but $(grep threads "$folder/doctor")"
OMP_NUM_THREADS=3 OMP_WAIT_POLICY=active "$skinbench" doctor >"$folder/doctor"
grep -q "threads .* 3 by OMP_NUM_THREADS" "$folder/doctor" || fail "three threads, but $(grep threads "$folder/doctor")"
grep -q "waiting .*as the user set OMP_WAIT_POLICY=active" "$folder/doctor" || fail "$(grep waiting "$folder/doctor")"
env -u OMP_WAIT_POLICY "$skinbench" doctor >"$folder/doctor"
grep -q "waiting .*passive, set by this program" "$folder/doctor" || fail "$(grep waiting "$folder/doctor")"
if grep -qw avx2 /proc/cpuinfo; then
    OPENBLAS_CORETYPE=Prescott "$skinbench" doctor >"$folder/doctor"
    grep -q "OpenBLAS .*Prescott, because OPENBLAS_CORETYPE says so, although this processor has" "$folder/doctor" || fail "$(grep OpenBLAS "$folder/doctor")"
    env -u OPENBLAS_CORETYPE "$skinbench" doctor >"$folder/doctor"
    grep "machine .*OpenBLAS" "$folder/doctor" | grep -q " ok " || fail "lesser kernels: $(grep OpenBLAS "$folder/doctor")"
fi
expected 2 env -u OMP_WAIT_POLICY "$skinbench" 'a  b'
grep -q "no command 'a  b'" "$folder/err" || fail "another name: $(cat "$folder/err")"
echo "all verbs answer"
