#!/usr/bin/env bash
# Files that are passed on contain no path of this machine, and with --anonymous nothing that names it beyond its processor.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
still=$(cd "$(dirname "$0")" && pwd)/still.json
cd "$folder"
mkdir secret-place out
place=$folder/secret-place

"$skinbench" generate walk --set vertices=1000 --set frames=4 -o "$place/walk.h5"
"$skinbench" generate rig --set vertices=1000 --set frames=2 -o "$place/rig.h5"
run() { "$skinbench" bench "$place/rig.h5" --no-generated --methods lbs --backends reference,cuda --no-times --threads 1 --quiet "$@" >said; }
run -o "$place/run.jsonl"
run --anonymous -o out/anonymous.jsonl
run --anonymous -o out/again.jsonl
"$skinbench" measure "$place/walk.h5" "$place/walk.h5" --per-vertex out/distances.h5 >said
"$skinbench" export gltf "$place/rig.h5" -o out/rig.gltf --quiet
"$skinbench" export obj-sequence "$place/walk.h5" -o "$place/frames" --quiet
"$skinbench" import "$place/frames" -o out/frames.h5 --quiet
"$skinbench" import out/rig.gltf -o out/rig.h5 --quiet
"$skinbench" fit "$place/walk.h5" --method svd --bones 2 -o out/fit.h5 >said
"$skinbench" compare "$place/run.jsonl" "$place/run.jsonl" --markdown out/compare.md --junit out/compare.xml >said
for command in "report $place/run.jsonl -o out/report" "advise $place/rig.h5 -o out/advice"; do
    read -ra words <<<"$command"
    "$skinbench" "${words[@]}" >said 2>&1 || [ $? = 4 ] || fail "$command: $(cat said)"
done
found=$(grep -rla "secret-place" out || true)
[ -z "$found" ] || fail "a path of this machine is in: $found"
grep -qa "rig.h5" out/advice/index.html || fail "the page does not say what it is about"

# What is left out is null, and neither the hash nor the name of the machine tells it.
member() { sed -n "s/.*\"kind\":\"environment\".*\"$2\":\\(\"[^\"]*\"\\|[^,}]*\\).*/\\1/p" "$1" | head -1; }
for name in release memory_bytes governor nvidia_driver; do
    [ "$(member out/anonymous.jsonl $name)" = null ] || fail "$name is $(member out/anonymous.jsonl $name)"
done
[ "$(member "$place/run.jsonl" release)" = "\"$(uname -r)\"" ] || fail "without --anonymous the kernel is $(member "$place/run.jsonl" release)"
! grep -qF "$(uname -r)" out/anonymous.jsonl || fail "the kernel's release is named"
! grep -qF "$(hostname)/" out/anonymous.jsonl "$place/run.jsonl" || fail "the host is named"
grep -q ' GiB' out/anonymous.jsonl && fail "the memory is named"
[ -n "$(member out/anonymous.jsonl hash)" ] && [ "$(member out/anonymous.jsonl hash)" = "$(member out/again.jsonl hash)" ] || fail "two anonymous runs cannot be compared"
[ "$(member out/anonymous.jsonl hash)" != "$(member "$place/run.jsonl" hash)" ] || fail "the hash is of all that is left out"
# Both runs are of one machine: merged, each cell has one record that counts; and a run is resumed.
"$skinbench" compare out/anonymous.jsonl out/again.jsonl >said || fail "$(cat said)"
# A program's command and version have no folders either.
cp "$(dirname "$still")"/{still.json,external_program.py} "$place"
sed -i "s|{folder}|$place|; s|\"command\"|\"version\": [\"echo\", \"of $place/still\"], \"command\"|" "$place/still.json"
external() { "$skinbench" bench "$place/walk.h5" --no-generated --methods svd --bones 2 --external "$place/still.json" --no-times --threads 1 --quiet "$@" >said; }
external -o "$place/external.jsonl"
external --anonymous -o out/external.jsonl
grep -q '"exit_code":0' out/external.jsonl && ! grep -q secret-place out/external.jsonl && grep -q secret-place "$place/external.jsonl" || fail "$(cat out/external.jsonl)"
lines=$(wc -l <out/anonymous.jsonl)
run --anonymous -o out/anonymous.jsonl
[ "$(wc -l <out/anonymous.jsonl)" = "$lines" ] || fail "an anonymous run is not resumed"
