#!/usr/bin/env bash
# What comes from outside and means harm, or is only odd: names that are not UTF-8 or hold control characters,
# archives that unpack to far more than they are, pipes in place of files. Each ends with its exit code and one line.
. "$(dirname "$0")/prelude.sh"
skinbench=$1
cd "$folder"

"$skinbench" generate bar -o bar.h5 --quiet

# more memory than --memory-limit allows
refused 5 "out of memory for" "$skinbench" generate cloth -o cloth.h5 --memory-limit 1M --quiet
grep -qF -- "--memory-limit is 1 MB" err || fail "the limit is not named: $(cat err)"
[ ! -e cloth.h5 ] || fail "a file of a refused generator"

# quiet COMMAND...: succeeds, with nothing on stderr that is not one printable line after the other
quiet() {
    "$@" >out 2>err || fail "exit code $?: $* ($(cat err))"
    if LC_ALL=C grep -q '[^ -~]' out err; then fail "not printable: $* ($(LC_ALL=C grep -h '[^ -~]' out err | od -c | head -3))"; fi
}
is_json() {
    python3 -c 'import json, sys; [json.loads(line) for line in open("out", encoding="utf-8", errors="strict")]' ||
        fail "no JSON: $(cat out)"
}

# names of files, and texts in files, that are not UTF-8 or would start a line or move the cursor
odd=$'caf\xe9\n\033[2J\u202e'
mkdir "$odd"
"$skinbench" generate jelly -o jelly.h5 --set frames=3 --quiet
cp jelly.h5 "$odd/jelly.h5"
for verb in info check "fit --method coordinate-descent --bones 2 -o fit.h5" "measure jelly.h5"; do
    # shellcheck disable=SC2086
    quiet "$skinbench" $verb "$odd/jelly.h5"
    # shellcheck disable=SC2086
    quiet "$skinbench" $verb "$odd/jelly.h5" --json
    is_json
done
"$skinbench" export obj-sequence jelly.h5 -o frames --quiet
quiet "$skinbench" import obj-sequence frames --name "$odd" --title "$odd" -o "$odd/named.h5"
quiet "$skinbench" info "$odd/named.h5"
grep -qF 'name          caf\xE9\x0A\x1B[2J\xE2\x80\xAE' out || fail "the name: $(cat out)"
quiet "$skinbench" info "$odd/named.h5" --json
is_json
refused 3 'caf\xE9\x0A\x1B[2J' "$skinbench" info "$odd/none.h5"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" "$odd"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" info jelly.h5 "--$odd"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" fit jelly.h5 --method "$odd" --bones 2 -o fit.h5

# results and reports of data sets of one name
sed 's/^v 0/v 1/' frames/0001.obj >frames/0001.new && mv frames/0001.new frames/0001.obj
"$skinbench" import obj-sequence frames --name "$odd" -o "$odd/other.h5" --quiet
bench() {
    quiet "$skinbench" bench "$odd/named.h5" "$odd/other.h5" --no-generated --methods coordinate-descent --bones 2 \
        --iterations 1 --threads 1 --quiet -o "$odd/run.jsonl" "$@"
}
bench
grep -q '^2 ok.* 0 were in ' out || fail "two data sets of one name: $(cat out)"
bench --json
is_json
bench
grep -q '^0 ok.* 2 were in ' out || fail "measured again: $(cat out)"
[ "$(grep -c '"name":"caf\\\\xE9' "$odd/run.jsonl")" = 2 ] || fail "the names: $(cat "$odd/run.jsonl")"
"$skinbench" report "$odd/run.jsonl" -o "$odd/report" --quiet || [ $? = 4 ] || fail "no report"
if LC_ALL=C grep -rlP '[\x00-\x08\x0b-\x1f\x7f]' "$odd/report" --include='*.md' --include='*.tex' --include='*.csv' --include='*.svg'; then
    fail "control characters in the report"
fi

# a result file whose names mean something to gnuplot, XML, Markdown and LaTeX
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends scalar --threads 1 --frames 2 --rounds 3 --time-budget 1 \
    --quiet -o lbs.jsonl >out
python3 - <<'EOF'
import json
name = "x'; system('touch run1'); \"; `touch run2` | <script>alert(1)</script> & _^{}@~\\ $(touch run3) \\input{run4} \u009b é" * 2
lines = [json.loads(line) for line in open("lbs.jsonl")]
cells = [line for line in lines if line["kind"] == "skinning"]
second = json.loads(json.dumps(cells[0]))
second["dataset"]["sha256"] = "0" * 64
for cell in cells + [second]:
    cell["dataset"]["name"] = name[:90]
with open("named.jsonl", "w") as file:
    file.writelines(json.dumps(line) + "\n" for line in lines + [second])
EOF
code=0
"$skinbench" report named.jsonl -o named --quiet 2>err || code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "exit code $code: $(cat err)"
[ -z "$(find . -name 'run[0-9]')" ] || fail "a name was run"
if grep -q '<script' named/report.md && ! grep -q '\\<script' named/report.md; then fail "HTML in the report"; fi
[ "$(find named -name 'skinning-*.tex' | wc -l)" = 2 ] || fail "two data sets of one name share their files: $(ls named)"
if [ $code = 0 ]; then
    python3 -c 'import glob, xml.dom.minidom as x; [x.parse(p) for p in glob.glob("named/*.svg")] or exit(1)' || fail "no XML"
fi
