#!/usr/bin/env bash
# Tests the data commands from the command line: generate, export, import, info, check, weights. Checks exit codes, one line
# on stderr for a refusal, and that no partial file is left.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# nothing_left: no file but those listed so far
kept="err out"
nothing_left() {
    local have
    have=$(find . -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' ')
    [ "$have" = "$(tr ' ' '\n' <<<"$kept" | sort | tr '\n' ' ')" ] || fail "left behind: $have, expected $kept"
}

for name in bar rig walk jelly cloth; do
    "$skinbench" generate "$name" -o "$name.h5"
    "$skinbench" check "$name.h5" >/dev/null
    kept="$kept $name.h5"
done
"$skinbench" generate walk -o again.h5
cmp walk.h5 again.h5 || fail "the same parameters gave other bytes"
rm again.h5

# A round trip through OBJ text, by folder and by archive.
"$skinbench" export obj-sequence jelly.h5 -o frames/
[ "$(find frames -name '*.obj' | wc -l)" -eq 61 ] || fail "60 frames and a rest pose were to be exported"
tar -cf frames.tar frames
"$skinbench" import obj-sequence frames -o a.h5 --name jelly
"$skinbench" import obj-sequence frames.tar -o b.h5 --name jelly
cmp a.h5 b.h5 || fail "folder and archive gave other bytes"
"$skinbench" info a.h5 --json | grep -q '"vertices":2882.*"frames":60' || fail "info"
kept="$kept a.h5 b.h5 frames frames.tar"

# Through binary PLY, a point cache and a NumPy array, whose faces come from a mesh; the format is found by content.
"$skinbench" export ply-sequence jelly.h5 -o plys
tar -cf plys.tar plys
"$skinbench" export obj-sequence jelly.h5 -o rest.obj
"$skinbench" import plys.tar -o b.h5 --name jelly
cmp a.h5 b.h5 || fail "PLY gave other bytes than OBJ"
for name in pc2 mdd npy; do
    "$skinbench" export $name jelly.h5 -o jelly.$name 2>err
    grep -q -- '--rest' err || fail "export $name does not say where the faces are: $(cat err)"
    "$skinbench" import jelly.$name --rest rest.obj --fps 30 -o b.h5 --name jelly
    cmp a.h5 b.h5 || fail "$name gave other bytes than OBJ"
    kept="$kept jelly.$name"
done
kept="$kept plys plys.tar rest.obj"
printf 'Ogawa' >x.abc
refused 3 "blender -b -P scripts/convert-with-blender.py -- IN.abc OUT.pc2" "$skinbench" import x.abc -o x.h5
rm x.abc

"$skinbench" weights prune rig.h5 --influences 2 -o pruned.h5
"$skinbench" info pruned.h5 | grep -q 'at most 2 used' || fail "prune"
# Weights from bones: of the rig itself, and of its skeleton for a mesh that has none.
"$skinbench" export obj-sequence walk.h5 -o bare-frames
"$skinbench" import obj-sequence bare-frames -o bare.h5
"$skinbench" weights bone-heat rig.h5 -o heat.h5
"$skinbench" weights falloff bare.h5 --skeleton walk.h5 --influences 2 --set power=2 -o dressed.h5
"$skinbench" info dressed.h5 | grep -q 'at most 2 used' || fail "falloff"
"$skinbench" check heat.h5 | grep -q '^0 errors, 0 warnings' || fail "bone heat"
"$skinbench" check dressed.h5 | grep -q '^0 errors, 0 warnings' || fail "a mesh with another's skeleton"
# Clips come with the frames of a skeleton.
"$skinbench" export glb rig.h5 -o clip.glb --quiet
"$skinbench" import clip.glb -o clip.h5 --quiet
"$skinbench" weights falloff clip.h5 --skeleton bar.h5 -o swapped.h5
! "$skinbench" info swapped.h5 | grep "^clips" || fail "the clips of a skeleton that was replaced"
"$skinbench" weights falloff bar.h5 --skeleton clip.h5 -o swapped.h5
diff <("$skinbench" info swapped.h5 | grep "^clips") <("$skinbench" info clip.h5 | grep "^clips") || fail "the clips of a skeleton"
rm clip.glb clip.h5 swapped.h5
"$skinbench" weights quantise heat.h5 --bits 8 -o steps.h5 | grep -q '^8 bits, .* largest distance .* % of the diagonal' ||
    fail "quantise"
"$skinbench" weights quantise steps.h5 --bits 8 --json -o again.h5 | grep -q '"rms":[0-9.]*e-' || fail "quantise twice"
cmp steps.h5 again.h5 || fail "what is in steps stays as it is"
kept="$kept pruned.h5 bare-frames bare.h5 heat.h5 dressed.h5 steps.h5 again.h5"

# Vertices by joint set: what is exported and measured is of the original ones, byte for byte; the order can be undone.
"$skinbench" weights keep walk.h5 --order joint-sets -o ordered.h5
"$skinbench" info ordered.h5 | grep -q '^order .*mesh/original_vertices' || fail "info does not state the order"
"$skinbench" check ordered.h5 | grep -q '^0 errors, 0 warnings' || fail "an ordered mesh"
"$skinbench" weights keep ordered.h5 --order original -o again.h5
cmp again.h5 walk.h5 || fail "the original order is not restored"
export_both() {
    "$skinbench" export "$1" walk.h5 -o "plain.$2" "${@:3}" 2>/dev/null
    "$skinbench" export "$1" ordered.h5 -o "moved.$2" "${@:3}" 2>/dev/null
    cmp "plain.$2" "moved.$2" || fail "export $1 of ordered vertices"
    rm "plain.$2" "moved.$2"
}
export_both glb glb --color bones
export_both gltf gltf --baked
export_both pc2 pc2
export_both npy npy
export_both ply-sequence ply
"$skinbench" export obj-sequence ordered.h5 -o moved
diff -r bare-frames moved || fail "export obj-sequence of ordered vertices"
"$skinbench" skin walk.h5 --method dqs --backend reference --quiet -o plain-skin.h5
"$skinbench" skin ordered.h5 --method dqs --backend reference --quiet -o moved-skin.h5
for name in plain moved; do
    "$skinbench" measure walk.h5 $name-skin.h5 --per-vertex $name.npy | tail -n +2 >$name.txt
done
cmp plain.txt moved.txt || fail "ordered vertices are measured otherwise"
cmp plain.npy moved.npy || fail "distances are not of the original vertices"
"$skinbench" fit ordered.h5 --method sad --bones 3 -o moved-fit.h5 >moved.txt
e_rms=$(sed -n 's/^  E_RMS *\([0-9.]*\).*/\1/p' moved.txt)
"$skinbench" measure walk.h5 moved-fit.h5 | grep -q "E_RMS *${e_rms%?}" || fail "a fit to ordered vertices: $e_rms"
"$skinbench" weights prune ordered.h5 --influences 1 --order joint-sets -o again.h5
"$skinbench" weights prune walk.h5 --influences 1 -o pruned.h5
"$skinbench" weights keep again.h5 --order original -o moved-fit.h5
cmp moved-fit.h5 pruned.h5 || fail "an order on top of another"
"$skinbench" export glb walk.h5 -o moved.glb 2>/dev/null
"$skinbench" import moved.glb -o plain.h5 2>/dev/null
"$skinbench" import moved.glb --order joint-sets -o moved.h5 2>/dev/null
"$skinbench" info moved.h5 | grep -q '^order' || fail "import --order orders nothing"
"$skinbench" weights keep moved.h5 --order original -o again.h5
cmp again.h5 plain.h5 || fail "import --order changes more than the order"
rm -r moved moved.* plain.* moved-skin.h5 plain-skin.h5 moved-fit.h5
kept="$kept ordered.h5"
touch out err
nothing_left

# Refusals.
refused 2 "no generator 'x'" "$skinbench" generate x -o x.h5
refused 2 "bar has no parameter 'x'; it has motion, degrees" "$skinbench" generate bar --set x=1 -o x.h5
refused 2 "no format 'x'" "$skinbench" import x frames -o x.h5
refused 2 "did you mean 'obj-sequence'" "$skinbench" export obj-seq frames.h5 -o x
refused 2 "did you mean 'backends'" "$skinbench" list backend
refused 2 "did you mean 'walk'?" "$skinbench" generate wakl -o x.h5
refused 2 "did you mean 'generate'?" "$skinbench" genrate walk -o x.h5
refused 2 "did you mean '--output'?" "$skinbench" generate walk --outptu x.h5
refused 2 "did you mean 'dqs'?" "$skinbench" skin bar.h5 --method dsq -o x.h5
refused 2 "'sad' is a decomposition method" "$skinbench" skin bar.h5 --method sad -o x.h5
refused 2 "--output is missing" "$skinbench" generate bar
refused 2 "--influences is '0'" "$skinbench" weights prune rig.h5 --influences 0 -o x.h5
refused 2 "weights has no action 'x', expected keep, predict, transfer, prune, quantise, bone-heat, falloff" "$skinbench" weights x rig.h5 -o x.h5
refused 2 "weights quantise takes no --influences" "$skinbench" weights quantise rig.h5 --influences 2 -o x.h5
refused 2 "does nothing without --order" "$skinbench" weights keep rig.h5 -o x.h5
refused 2 "--order is 'x', expected joint-sets or original" "$skinbench" weights keep rig.h5 --order x -o x.h5
refused 2 "--order: the format obj-sequence has no rig" "$skinbench" import frames --order joint-sets -o x.h5
refused 2 "--bits is '17'" "$skinbench" weights quantise rig.h5 --bits 17 -o x.h5
refused 2 "bone-heat has no parameter 'power'" "$skinbench" weights bone-heat rig.h5 --set power=2 -o x.h5
refused 3 "jelly.h5: has no rig" "$skinbench" weights falloff walk.h5 --skeleton jelly.h5 -o x.h5
refused 3 "missing.h5: cannot be opened" "$skinbench" info missing.h5
refused 3 "jelly.h5: has no rig" "$skinbench" weights prune jelly.h5 -o x.h5
refused 3 "frames: already exists" "$skinbench" export obj-sequence jelly.h5 -o frames
refused 3 "no folder" "$skinbench" generate bar -o nowhere/x.h5
head -c 30000 walk.h5 >cut.h5
kept="$kept cut.h5"
refused 3 "cut.h5: " "$skinbench" check cut.h5
refused 3 "cut.h5: " "$skinbench" export obj-sequence cut.h5 -o x
sed -i '$d' frames/0007.obj
refused 3 "frames/0007.obj:8642: has 5759 triangles, expected 5760 as in frames/0001.obj" \
    "$skinbench" import obj-sequence frames -o x.h5
sed -i '5s/.*/v 1 nan 2/' frames/0007.obj
refused 3 "frames/0007.obj:5: vertex 4 has 'nan'" "$skinbench" import obj-sequence frames -o x.h5
nothing_left

# What readers refuse, check lists: a rest pose in other units.
"$skinbench" export obj-sequence walk.h5 -o small
awk '$1 == "v" { $2 *= 0.01; $3 *= 0.01; $4 *= 0.01 } { print }' small/rest.obj >rest
mv rest small/rest.obj
"$skinbench" import obj-sequence small -o small.h5

# a rig of SSD moves what --mesh names: a data set, or what is made one for it and removed; packed or not
{
    printf '*BONEANIMATION, BONEINDEX=0, NFRAMES=1\n0 1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1\n'
    printf '*VERTEXWEIGHTS, NVERTICES=%d\n' "$(grep -c '^v ' small/0001.obj)"
    awk '/^v / { print n++, 0, 1 }' small/0001.obj
} >rig.ssd
gzip -k rig.ssd
"$skinbench" import rig.ssd --mesh small.h5 -o rig.h5 --name rig
"$skinbench" import ssd rig.ssd.gz --mesh small -o other.h5 --name rig 2>/dev/null
cmp rig.h5 other.h5 || fail "the same rig, packed, on the sequence itself is another one"
refused 3 "cannot be opened" "$skinbench" import rig.ssd --mesh none.h5 -o none-rig.h5
[ -z "$(find . -maxdepth 1 -name '.*' -type d ! -name .)" ] || fail "left behind: $(ls -A)"
refused 1 "small.h5: 1 kinds of errors" "$skinbench" check small.h5
grep -q "error .*rest-scale .*the rest pose is 0.01 times" out || fail "check did not find the scale: $(cat out)"
refused 1 "small.h5" "$skinbench" check small.h5 --json
grep -q '"code":"rest-scale","severity":"error"' out || fail "check --json: $(cat out)"
kept="$kept small small.h5"

# Killed while it writes: the name is free, or what stood there stands.
before=$(sha256sum a.h5)
for delay in 0.005 0.01 0.02 0.04; do
    timeout -s KILL "$delay" "$skinbench" import obj-sequence frames.tar -o a.h5 --name jelly >/dev/null 2>&1 || true
    [ "$(sha256sum a.h5)" = "$before" ] || fail "a killed import changed the file"
    timeout -s KILL "$delay" "$skinbench" generate rig --set vertices=200000 -o late.h5 >/dev/null 2>&1 || true
    [ ! -e late.h5 ] || "$skinbench" info late.h5 >/dev/null || fail "a killed generate left a damaged file"
    rm -f late.h5
done
echo "ok"
