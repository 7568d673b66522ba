#!/usr/bin/env bash
# No command overwrites a file that it has read, under whatever name, and a folder is replaced only while it holds only what skinbench
# wrote. Goes through all commands of the program: a command with an output needs a row here.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"

"$skinbench" generate walk --set vertices=1000 --set frames=4 -o walk.h5
"$skinbench" generate rig --set vertices=1000 --set frames=2 -o rig.h5
"$skinbench" export glb rig.h5 -o scene --quiet
"$skinbench" bench rig.h5 --no-generated --methods lbs --backends reference --no-times --threads 1 --quiet -o run.json >out
echo '{"schema":1}' >suite.json # like a result file that could be added to

# COMMAND|INPUT|WORDS: IN stands for the input, OUT for the output, which is the input under another name.
# folder: replaces a folder (below); updates: adds to a result file (below); none: reads no file that it is given.
rows='advise|folder|
skin|rig.h5|IN --method lbs -o OUT
fit|walk.h5|IN --method svd --bones 2 -o OUT
measure|walk.h5|IN IN --per-vertex OUT
score|scene|IN rig.h5 -o OUT
bench|suite.json|--suite IN -o OUT
table|updates|
claims|updates|
report|folder|
compare|run.json|IN IN --markdown OUT
compare|run.json|IN IN --junit OUT
accept|run.json|IN --what all --reason why -o OUT
merge|updates|
generate|none|
import|scene|IN -o OUT
export|rig.h5|glb IN -o OUT
render|rig.h5|IN -o OUT
weights|rig.h5|prune IN -o OUT
centers|rig.h5|IN -o OUT
add-twist-joint|rig.h5|IN --joint base -o OUT
conformance|none|
kernels|none|'
"$skinbench" --help | sed -n '/^exit codes/q; s/^  \([a-z][a-z-]*\) .*/\1/p' | while read -r command; do
    ! "$skinbench" "$command" --help | grep -qE -- '^ +(-o, )?--(output|per-vertex|markdown|junit) ' || echo "$command"
done | sort >with_output
cut -d'|' -f1 <<<"$rows" | sort -u >with_row
diff with_output with_row || fail "commands with an output (<) and rows of this test (>) differ"

mkdir other
kept=0
while IFS='|' read -r command input words; do
    [ -n "$words" ] || continue
    ln "$input" "hard-$input"
    ln -s "$input" "soft-$input"
    before=$(sha256sum <"$input")
    for output in "$input" "./$input" "$PWD/$input" "other/../$input" "hard-$input" "soft-$input"; do
        given=${words//IN/$input}
        read -ra all <<<"$command ${given//OUT/$output}"
        refused 2 "$output: is the input $input, which is never overwritten" "$skinbench" "${all[@]}"
        [ "$(sha256sum <"$input")" = "$before" ] || fail "${all[*]}: the input is gone"
        kept=$((kept + 1))
    done
    rm "hard-$input" "soft-$input"
done <<<"$rows"
[ -z "$(ls other)" ] || fail "something was written: $(ls other)"

# What is read without being named: the buffer of a glTF file.
"$skinbench" export gltf rig.h5 -o whole.gltf --quiet
python3 - <<'END'
import base64, json
scene = json.load(open("whole.gltf"))
head, _, data = scene["buffers"][0]["uri"].partition(",")
open("buffer", "wb").write(base64.b64decode(data))
scene["buffers"][0]["uri"] = "buffer"
json.dump(scene, open("apart.gltf", "w"))
END
before=$(sha256sum <buffer)
refused 2 "buffer: is the input ./buffer, which is never overwritten" "$skinbench" import ./apart.gltf -o buffer
[ "$(sha256sum <buffer)" = "$before" ] || fail "a buffer is gone"

# Results are added to, and what is merged stays: every line is in it.
"$skinbench" merge run.json -o run.json >out
"$skinbench" bench rig.h5 --no-generated --methods lbs,dqs --backends reference --no-times --threads 1 --quiet -o run.json >out
"$skinbench" merge run.json -o run.json >out
for method in lbs dqs; do
    [ "$(grep '"kind":"skinning"' run.json | grep -c "\"method\":\"$method\"")" = 1 ] || fail "records are lost: $(cut -c1-200 run.json)"
done
refused 3 "whole.gltf" "$skinbench" merge whole.gltf -o merged.json

# Folders: a user's project stays, whichever name it has and whatever there is in it; a report is replaced.
mkdir thesis
echo mine >thesis/report.md
echo mine >thesis/thesis.tex
ln -s thesis link
cp -r thesis before
PATH=/nonexistent "$skinbench" report run.json --scene-time 0 -o page >out 2>&1 || [ $? = 4 ] || fail "no report: $(cat out)"
for command in "report run.json --scene-time 0" "advise rig.h5"; do
    read -ra words <<<"$command"
    for output in thesis ./thesis/ link "$PWD/thesis"; do
        refused 3 "$output: has no list of files that skinbench wrote there" "$skinbench" "${words[@]}" -o "$output"
    done
    for output in . .. / thesis/. link/..; do
        refused 3 "skinbench ${words[0]}: '$output' is not a file name" "$skinbench" "${words[@]}" -o "$output"
    done
    (cd page && refused 3 "$folder/page: is the current folder" "$skinbench" "${words[0]}" "../${words[1]}" -o "$folder/page" && rm -f out err)
    cp "${words[1]}" page
    refused 3 "page: contains ${words[1]}, which is not in its list of files" "$skinbench" "${words[0]}" "page/${words[1]}" -o page
    rm "page/${words[1]}"
    diff -r thesis before || fail "$command: a project was touched"
    PATH=/nonexistent "$skinbench" "${words[@]}" -o page >out 2>&1 || [ $? = 4 ] || fail "$command: an earlier report is not replaced: $(cat out)"
    (cd page && sha256sum --quiet -c skinbench-files.txt) || fail "$command: the list is wrong"
    [ "$(find page -type f | wc -l)" = "$(($(grep -vc '^#' page/skinbench-files.txt) + 1))" ] || fail "$command: the list is not whole"
done
refused 3 "page: is a folder" "$skinbench" generate bar -o page
refused 3 "page: already exists" "$skinbench" export obj-sequence walk.h5 -o page
refused 3 "page: already exists" "$skinbench" render walk.h5 -o page

# The name tells of one format and another would be written.
for row in "gltf|a.glb" "glb|a.gltf" "gltf|a.h5" "obj-sequence|frames.ply" "ply-sequence|rest.OBJ" "npy|a.npz" "pc2|a.mdd"; do
    refused 2 "${row#*|}: its ending belongs to another format" "$skinbench" export "${row%|*}" walk.h5 -o "${row#*|}"
done
for output in a.glb a.obj a.npy a.csv a.jsonl a.png A.FBX a.tar a.tar.xz a.h5.gz A.ZIP a.tgz a.7z; do
    refused 2 "$output: its ending belongs to another format" "$skinbench" generate bar -o "$output"
    refused 2 "$output: its ending belongs to another format" "$skinbench" fit walk.h5 --method svd --bones 2 -o "$output"
done
refused 2 "a.h5: its ending belongs to another format" "$skinbench" bench rig.h5 --no-generated --methods lbs -o a.h5
refused 2 "a.jpg: pictures are .png" "$skinbench" render walk.h5 -o a.jpg
"$skinbench" generate bar -o bar.dat # no format's ending
"$skinbench" generate bar -o bar.hdf5
[ -z "$(ls a.* A.* 2>/dev/null)" ] || fail "something was written: $(ls a.* A.*)"
echo "$kept outputs that name their input are refused, of $(cut -d'|' -f3 <<<"$rows" | grep -c .) commands"
