#!/bin/bash
# Tests the program in unusual places: under a path with blanks, quotes and non-ASCII letters, as an unprivileged
# user, with its files read-only, temporary files in such a folder, and in a locale that writes numbers with a comma.
. "$(dirname "$0")/../prelude.sh"
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
tree=$(cd "$(dirname "$0")/../.." && pwd)
place="$folder/Größe 'und' \"Maß\" \$HOME; ü"
mkdir -p "$place/home/scripts" "$place/home/datasets" "$place/tmp" "$place/work"
cp "$1" "$place/skinbench"
cp -r "$tree/results" "$place/home"
cp -r "$tree/scripts/plots" "$place/home/scripts"
cp "$tree/datasets/catalogue.json" "$place/home/datasets"
chmod -R a-w "$place/home" "$place/skinbench"

# A language with a decimal comma, made here where the system has its sources.
language=C
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1; then
    language=de_DE.UTF-8
    export LOCPATH=$folder LSAN_OPTIONS=detect_leaks=0 # the C library keeps what it takes LOCPATH apart into
    [ "$(LC_ALL=$language printf '%.1f' 0,5)" = 0,5 ] || fail "this shell does not know $language"
else
    echo "no sources of locales here: the language stays C"
fi

chmod a+rx "$folder"
user=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod a+rwx "$place/tmp" "$place/work"
fi
cd "$place/work"
skinbench() {
    env -u HOME TMPDIR="$place/tmp" SKINBENCH_HOME="$place/home" LC_ALL="$language" OMP_NUM_THREADS=1 "${user[@]}" \
        "$place/skinbench" "$@" || fail "exit code $?: skinbench $*"
}

skinbench list tables >list.txt
grep -q cor-fig2 list.txt || fail "no tables found in a home of such a name"
skinbench generate walk --set vertices=1000 --set stride=12.5 --set frames=4 -o "Gehen ä.h5"
skinbench info "Gehen ä.h5" --json >info.json
skinbench check "$place/work/Gehen ä.h5" >check.txt
skinbench export obj-sequence "Gehen ä.h5" -o "Bilder ö"
skinbench import obj-sequence "Bilder ö" --fps 12.5 --scale 0.5 -o "zurück.h5"
skinbench import obj-sequence "$place/work/Bilder ö/0*.obj" -o muster.h5
skinbench skin "Gehen ä.h5" --method dqs -o "Häute.h5"
skinbench measure "Gehen ä.h5" "Häute.h5" --json >measured.json
skinbench fit "zurück.h5" --method coordinate-descent --bones 4 --iterations 1 -o "Knochen.h5" --json >fit.json
printf '{"datasets": [{"file": "Gehen ä.h5"}], "skinning": {"methods": ["lbs"], "backends": ["simd"], "threads": [1]}}' \
    >"Plan ß.json"
skinbench bench --suite "Plan ß.json" --rounds 2 --time-budget 0.1 --precision 0.5 -o "Lauf ü.jsonl" >bench.txt
skinbench table dqs-fig16 -o "Lauf ü.jsonl" --format csv >table.csv
skinbench table sbs-qlerp-bound >without_file.txt
code=0
(skinbench report "Lauf ü.jsonl" -o "Bericht ü") 2>report.txt || code=$?
if command -v gnuplot >/dev/null; then
    [ $code = 0 ] || fail "report: $(cat report.txt)"
    [ "$(find "Bericht ü" -name '*.svg' | wc -l)" -ge 2 ] || fail "no figures"
fi
skinbench compare "Lauf ü.jsonl" "Lauf ü.jsonl" --tolerance 0.5 >compare.txt

# Numbers have points, whatever the language; the same run in C prints the same.
grep -Eq '"fps": ?30\.0' info.json || fail "info: $(cat info.json)"
grep -Eq '"e_rms": ?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?,' measured.json || fail "measure: $(cat measured.json)"
python=$(command -v python3 || true)
[ -z "$python" ] || "$python" -c 'import json, sys
for name in sys.argv[1:]:
    for line in open(name): json.loads(line)' info.json measured.json fit.json "Lauf ü.jsonl" || fail "JSON is damaged"
language=C
skinbench measure "Gehen ä.h5" "Häute.h5" --json | cmp - measured.json || fail "measure differs in C"
skinbench table dqs-fig16 -o "Lauf ü.jsonl" --format csv | cmp - table.csv || fail "the table differs in C"

# Nothing else was left, and nothing in the home.
[ -z "$(find "$place/tmp" -mindepth 1)" ] || fail "left in TMPDIR: $(ls -A "$place/tmp")"
[ -z "$(find "$place/work" -name '.*' -mindepth 1)" ] || fail "left: $(ls -A "$place/work")"
diff -r "$tree/results" "$place/home/results" || fail "the home was changed"
echo "all of it from $place"
