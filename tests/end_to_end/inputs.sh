#!/usr/bin/env bash
# All inputs are checked before any work: a bad file after a good one leaves no result file. Every command that takes data sets
# recognises files in other formats and names the import that makes a data set of them. Exported glTF files come
# back by import to float rounding.
#   inputs.sh SKINBENCH
# shellcheck source=tests/prelude.sh
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

"$skinbench" generate walk --set vertices=1000 --set frames=8 -o walk.h5
head -c 3000 walk.h5 >bad.h5
"$skinbench" export obj-sequence walk.h5 -o frames

# ---- a bad file is named before anything is run ----
short=(--no-generated --methods lbs --backends scalar --rounds 3 --threads 1 --quiet)
refused 3 'bad.h5' "$skinbench" bench walk.h5 bad.h5 "${short[@]}" -o run.jsonl
refused 3 'import obj-sequence frames/0002.obj' "$skinbench" bench walk.h5 frames/0002.obj "${short[@]}" -o run.jsonl
cat >suite.json <<'JSON'
{"datasets": [{"generate": "bar"}, {"generate": "bar", "set": ["degrees=many"]}], "skinning": {"methods": ["lbs"], "backends": ["scalar"]}}
JSON
code=0
"$skinbench" bench --suite suite.json --rounds 3 --quiet -o run.jsonl >out 2>err || code=$?
[ $code != 0 ] && grep -q "many" err || fail "a wrong setting in a suite: exit code $code: $(cat err)"
mkdir data
cp walk.h5 data/horse-gallop.h5
cp bad.h5 data/samba.h5
refused 3 'data/samba.h5' "$skinbench" table fesam-table2 --data data --quiet -o run.jsonl
refused 3 'data/samba.h5' "$skinbench" claims --paper fesam --data data --quiet -o run.jsonl
rm data/samba.h5
echo "no archive" >data/samba.tar.xz
refused 3 'data/samba.tar.xz' "$skinbench" table fesam-table2 --data data --quiet -o run.jsonl
[ ! -e run.jsonl ] || fail "something was run: $(wc -l <run.jsonl) lines"

# ---- an empty name ----
refused 2 "argument 2 is empty" "$skinbench" import frames "" -o new.h5
refused 2 "argument 1 is empty" "$skinbench" info ""
refused 2 "--rest is empty" "$skinbench" import frames --rest "" -o new.h5
"$skinbench" import frames --title "" -o untitled.h5 --quiet

# ---- another format ----
hint='frames/0001.obj.*skinbench import obj-sequence frames/0001.obj'
while read -r command; do
    read -ra words <<<"$command"
    code=0
    "$skinbench" "${words[@]}" >out 2>err || code=$?
    [ $code = 3 ] && [ "$(wc -l <err)" = 1 ] && grep -q "$hint" err || fail "$command: exit code $code: $(cat err)"
done <<'COMMANDS'
info frames/0001.obj
check frames/0001.obj
fit frames/0001.obj --method svd --bones 2 -o new.h5
skin frames/0001.obj --method lbs -o new.h5
centers frames/0001.obj -o new.h5
weights prune frames/0001.obj --influences 2 -o new.h5
add-twist-joint frames/0001.obj --joint base -o new.h5
measure walk.h5 frames/0001.obj
measure frames/0001.obj walk.h5
export glb frames/0001.obj -o new.glb
export glb walk.h5 --color error --target frames/0001.obj -o new.glb
bench frames/0001.obj -o run.jsonl
COMMANDS
[ ! -e new.h5 ] && [ ! -e new.glb ] && [ ! -e run.jsonl ] || fail "something was written"

# ---- glTF and back ----
# back FILE TARGET OPTIONS...: the greatest distance, in diagonals, of FILE exported and imported from TARGET's positions
back() {
    local file=$1 target=$2
    shift 2
    "$skinbench" export glb "$file" -o there.glb --quiet "$@"
    "$skinbench" import there.glb -o back.h5 --quiet
    "$skinbench" measure "$target" back.h5 --json | sed 's/.*"distance_max":\([^,]*\),.*/\1/'
}
within() { # VALUE BOUND WHAT
    awk "BEGIN {exit !($1 <= $2)}" || fail "$3: $1 diagonals, expected at most $2"
}
"$skinbench" generate bar --set frames=8 -o bar.h5
"$skinbench" generate sheet --set influences=9 --set frames=4 -o sheet.h5
"$skinbench" generate jelly --set frames=8 -o jelly.h5
"$skinbench" fit walk.h5 --method coordinate-descent --bones 8 --iterations 3 --set transforms=rigid --quiet -o rigid.h5 >out
"$skinbench" fit walk.h5 --method coordinate-descent --bones 8 --iterations 3 --quiet -o affine.h5 >out
for name in bar sheet rigid affine; do
    "$skinbench" skin $name.h5 --method lbs --backend reference --quiet -o $name-skinned.h5 >out
done
# Floats have 24 bits, of which products of joints and sums over influences take a few.
for name in bar sheet rigid; do
    within "$(back $name.h5 $name-skinned.h5)" 5e-7 "$name"
done
within "$(back jelly.h5 jelly.h5)" 2e-7 jelly
within "$(back affine.h5 affine-skinned.h5 --baked)" 2e-7 "affine bones, baked"
# What is lost of affine bones is what the export states, to its three digits.
lost=$("$skinbench" export glb affine.h5 -o there.glb 2>&1 >out | sed -n 's/.*within \([^ ]*\) .*/\1/p')
"$skinbench" import there.glb -o back.h5 --quiet
"$skinbench" measure affine-skinned.h5 back.h5 --per-vertex distances.csv >out
greatest=$(awk -F, 'NR > 1 && $3 > most {most = $3} END {print most}' distances.csv)
awk "BEGIN {exit !($lost > 0 && $greatest / $lost < 1.006 && $greatest / $lost > 0.994)}" ||
    fail "the export states a loss of $lost, measured $greatest"

# A file that is the rest pose by its name, and the only one, names itself.
mkdir rest_alone
"$skinbench" generate walk --set vertices=1000 --set frames=2 -o rest_alone.h5 --quiet
"$skinbench" export obj-sequence rest_alone.h5 -o rest_alone/frames --quiet
mv "$(find rest_alone/frames -name '*.obj' | head -1)" rest_alone/rest.obj
refused 3 "rest_alone/rest.obj: is the rest pose, according to its name" "$skinbench" import rest_alone/rest.obj rest_alone/rest.obj -o no.h5
