#!/usr/bin/env bash
# Tests the paper of a small report: its build, checks and refusals. Skipped without pdflatex, pdfinfo, pdftotext, python3 or gnuplot.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
build_paper=$(realpath "$(dirname "$0")/../../scripts/build-paper")
needs pdflatex pdfinfo pdftotext python3 gnuplot
cd "$folder"
for table in dqs-fig5 cor-fig14 sbs-qlerp-bound; do
    "$skinbench" table $table --quiet -o run.jsonl >/dev/null
done
"$skinbench" report run.jsonl --scene-time 0 --quiet -o report
"$build_paper" report -o paper.pdf >out || fail "$(cat out)"
grep -Eq 'paper.pdf: [1-9] pages, smallest letters 7\.' out || fail "$(cat out)"
pdftotext paper.pdf text
awk '/Verdicts/ {verdicts = NR} /What was not reproduced/ {absent = NR} /Figures/ {figures = NR}
     END {exit !(verdicts > 0 && verdicts < absent && absent < figures)}' text || fail "its parts"
grep -q 'dqs-fig5' text || fail "its figures"

refused 3 'is no report of skinbench' "$build_paper" . -o new.pdf
mkdir bin
python=$(python3 -c 'import sys; print(sys.executable)')
refused 4 'texlive-latex-recommended' env PATH="$PWD/bin" "$python" "$build_paper" report -o new.pdf
[ ! -e new.pdf ] || fail "a paper was written"
