#!/bin/bash
# Scores of predicted rigs: files and folders, failed predictions, resumed runs, the formats of that field, and every variant
# against an independent implementation in NumPy.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd) python=""
tree=$here/../..
export PYTHONDONTWRITEBYTECODE=1
cd "$folder"

# RigNet's text: lines in any order, a double joint, and a mesh with faces v//n.
cat >beam.obj <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vn 0 0 1
f 1//1 2//1 3//1
f 1//1 3//1 4//1
END
cat >beam_rig.txt <<'END'
hier root_dup_0 tip

skin 3 tip 0.2 root_dup_0 0.1 root 0.1
skin 0 root 1.0
joint tip 0.5 1.00000000 0.00000000
root root
joints root_dup_0 0.5 0.03 0
hier root root_dup_0
joints root 0.50000000 0.00000000 0.00000000
skin 1 root 1
skin 2 tip 1.0000
END
"$skinbench" import beam_rig.txt -o beam.h5 2>notes
grep -q "1 joints NAME_dup_K" notes || fail "the double joint is not mentioned: $(cat notes)"
"$skinbench" export rignet beam.h5 -o again_rig.txt
cmp -s again.obj <(grep -v vn beam.obj | sed 's,//1,,g') || fail "the mesh: $(cat again.obj)"
grep -E "^skin 3 (tip 0.500000 root 0.500000|root 0.500000 tip 0.500000)$" again_rig.txt >out || fail "weights: $(cat again_rig.txt)"
"$skinbench" import again_rig.txt -o again.h5
"$skinbench" export rignet again.h5 -o third.txt
cmp again_rig.txt third.txt || fail "a round trip changes the text"
refused 3 "third.obj: the mesh is written to this file, which exists already" "$skinbench" export rignet again.h5 -o third.txt
mkdir alone
cp beam_rig.txt alone
"$skinbench" import alone/beam_rig.txt -o skeleton.h5 2>notes
grep -q "only the skeleton" notes || fail "no note: $(cat notes)"
"$skinbench" import alone/beam_rig.txt --mesh beam.obj -o named.h5
"$skinbench" score skeleton.h5 beam.h5 --json >out
grep -q '"cd_j2j":0.0,.*"l1_row":null' out || fail "a skeleton alone: $(cat out)"
"$skinbench" score alone/beam_rig.txt beam_rig.txt --mesh beam.obj --json >out
grep -q '"l1_row":0.0,' out || fail "a mesh that is named: $(cat out)"
"$skinbench" generate jelly --set around=8 --set along=10 --set frames=2 -o jelly.h5 --quiet
refused 3 "skinbench score: jelly.h5: the true rig has no joints" "$skinbench" score beam.h5 jelly.h5
mkdir named # another mesh is scored again
cp beam.h5 named
sed 's/^v 1 /v 9 /' beam.obj >far.obj
"$skinbench" score alone named --mesh beam.obj -o named.jsonl >out
"$skinbench" score alone named --mesh far.obj -o named.jsonl >out
grep -q "1 scored, 0 failed, 0 skipped in this run; 0 were already in named.jsonl" out || fail "another mesh: $(cat out)"

# Damaged texts end with their line.
damaged() {
    cp beam.obj damaged.obj
    cat >damaged_rig.txt
    refused 3 "$1" "$skinbench" import damaged_rig.txt -o none.h5
    refused 3 "$1" "$skinbench" score damaged_rig.txt beam.h5
    [ ! -e none.h5 ] || fail "a damaged text was imported: $1"
}
damaged "damaged_rig.txt:1: joint 0" <<<"joints a nan 0 0"
damaged "damaged_rig.txt:2: there is no joint 'b'" <<<$'joints a 0 0 0\nhier a b'
damaged "the hierarchy has a circle" <<<$'joints a 0 0 0\njoints b 0 0 1\nhier a b\nhier b a'
damaged "damaged_rig.txt:2: the vertex is 999999999999" <<<$'joints a 0 0 0\nskin 999999999999 a 1'
damaged "has weights for vertex 500000000, but the mesh has 4 vertices" <<<$'joints a 0 0 0\nskin 500000000 a 1'
damaged "damaged_rig.txt:2: the weight is -1" <<<$'joints a 0 0 0\nskin 0 a -1'
damaged "vertex 1 has no weights" <<<$'joints a 0 0 0\nskin 0 a 1'
damaged "damaged_rig.txt:1: the line begins with 'joint_s'" <<<"joint_s a 0 0 0"

# Poses of a file, and unknown joints in it.
echo '[{"tip": [0, 0, 1]}, {}]' >poses.json
"$skinbench" score again.h5 beam.h5 --poses poses.json --json >out
grep -q '"deformation_worst":0.0' out || fail "poses: $(cat out)"
echo '[{"nose": [0, 0, 1]}]' >poses.json
refused 3 "poses.json[0]: the true rig has no joint 'nose'" "$skinbench" score again.h5 beam.h5 --poses poses.json
echo '[{"tip": [0, 0]}]' >poses.json
refused 3 "needs a rotation vector of 3 numbers" "$skinbench" score again.h5 beam.h5 --poses poses.json
refused 2 "variant is 'best', expected one of rignet" "$skinbench" score again.h5 beam.h5 --variant best

# Folders: pairs by name; what failed is a row with its reason, and counts in the second mean.
mkdir truth predicted
for name in a b c d e; do cp beam.h5 truth/$name.h5; done
cp beam_rig.txt predicted/a_rig.txt
cp beam.obj predicted/a.obj
cp beam.h5 predicted/b.h5
: >predicted/c.h5
head -c 3000 beam.h5 >predicted/d.h5
cp beam.h5 predicted/unknown.h5
echo "MIT licence" | tee truth/license.txt >predicted/readme.txt # no rigs
"$skinbench" score predicted truth -o scores.jsonl --json >out 2>err
[ "$(grep -c '"kind":"score"' out)" = 5 ] || fail "not five records: $(cat out)"
[ "$(grep -c '"status":"ok"' out)" = 2 ] || fail "not two scores: $(cat out)"
for part in '"reason":"the prediction is missing"' '"reason":"predicted/c.h5: ' '"reason":"predicted/d.h5: ' '"worst":{"cd_j2j":0.5,'; do
    grep -qF -- "$part" out || fail "$part is not in $(cat out)"
done
grep -q "1 predictions have no true rig" err || fail "the prediction without a truth is not mentioned: $(cat err)"
"$skinbench" score predicted truth -o scores.jsonl >out
grep -q "0 scored, 3 failed, 0 skipped in this run; 2 were already in scores.jsonl" out || fail "resumed: $(cat out)"
[ "$(grep -c "| prediction .*| failed *| ." out)" -eq 3 ] || fail "the reasons of failures: $(cat out)"
# CD-J2J is 0 for two rigs. The joints are at (0.5, 0) and (0.5, 1), half an edge from the middle, so three failures count 0.5.
grep -qE '^\| CD-J2J +\| +2 \| +3 \| +40.00 \| +0.0000 \| +0.30000 \|' out || fail "the means: $(cat out)"
cp beam.h5 predicted/e.h5
sed 's/joint tip 0.5 1.0/joint tip 0.5 0.9/' beam_rig.txt >predicted/a_rig.txt
"$skinbench" score predicted truth -o scores.jsonl >out # e is there now, and a changed
grep -q "2 scored, 2 failed, 0 skipped in this run; 1 were already in scores.jsonl" out || fail "changed files: $(cat out)"
grep -qE '^\| CD-J2J +\| +3 \| +2 \| +60.00 ' out || fail "the means afterwards: $(cat out)"
cp beam.h5 predicted/a.h5
refused 3 "are rigs of one name" "$skinbench" score predicted truth -o scores.jsonl
refused 2 "must both be files, or both folders" "$skinbench" score predicted truth/a.h5
refused 3 "skinbench score: nothing: cannot be opened: No such file" "$skinbench" score predicted nothing
refused 3 "truth/a.h5: the true rig has no clip 'run'" "$skinbench" score beam.h5 truth/a.h5 --replay run
"$skinbench" report scores.jsonl --scene-time 0 -o page >out 2>&1 || [ $? = 4 ] || fail "no report: $(cat out)"
grep -q "CD-J2J" page/index.html || fail "the report lacks the scores"
# Folders in folders: a rig's name is its path. Links to folders are not followed.
mkdir -p deep/truth/x/y deep/truth/z deep/predicted/x/y
cp beam.h5 deep/truth/x/y/a.h5
cp beam.h5 deep/truth/x/a.h5
cp beam.h5 deep/truth/z/a.h5
cp beam.h5 deep/predicted/x/y/a_pred.h5
cp predicted/a_rig.txt deep/predicted/x
cp beam.obj deep/predicted/x/a.obj
ln -s . deep/predicted/z
refused 2 "need a file: --output" "$skinbench" score deep/predicted deep/truth
"$skinbench" score deep/predicted deep/truth/ -o deep.jsonl --json >out
python3 - <<'END' || fail "folders in folders: $(cat out)"
import json
scores = {row["row"]: row for row in map(json.loads, open("out"))}
assert list(scores) == ["x/a", "x/y/a", "z/a"], list(scores)
assert [row["status"] for row in scores.values()] == ["ok", "ok", "failed"]
assert scores["x/y/a"]["measures"]["cd_j2j"] == 0 < scores["x/a"]["measures"]["cd_j2j"]
END
"$skinbench" score deep/predicted deep/truth -o deep.jsonl >out
grep -q "0 scored, 1 failed, 0 skipped in this run; 2 were already in deep.jsonl" out || fail "resumed: $(cat out)"
cp beam.h5 odd
for input in odd poses.json; do
    before=$(sha256sum $input)
    expected 2 "$skinbench" score odd beam.h5 --poses poses.json -o $input
    [ "$(sha256sum $input)" = "$before" ] || fail "an input was overwritten: $input"
done

for candidate in python3 /usr/bin/python3; do # the first may be one without Debian's packages
    [ -n "$python" ] || ! $candidate -c 'import numpy' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "SKIPPED: python3 has no numpy (Debian's python3-numpy)"; exit 77; }

# UniRig's and Articulation-XL's files: plain members are read, pickled ones are named, and converted without running them.
"$python" - <<'END'
import os, numpy
random = numpy.random.default_rng(0)
points, places, skin = random.normal(size=(20, 3)), numpy.array([[0, 0, 0], [0, 1, 0], [0, 2, 0.5]]), random.random((20, 3))
faces = numpy.array([[0, 1, 2], [3, 4, 5]])
plain = {"vertices": points.astype("f4"), "faces": faces, "joints": places.astype("f2"), "skin": skin.astype("f4"),
         "names": numpy.array(["hips", "spine", "kopf\u00e4"])}
numpy.savez("plain.npz", parents=numpy.array([-1, 0, 1]), **plain)
numpy.savez("unirig.npz", parents=numpy.array([None, 0, 1], dtype=object), no_skin=numpy.array(None), **plain)
sparse = {"vertices": points, "faces": faces, "joints": places, "bones": numpy.array([[2, 1], [1, 0]]), "uuid": "a/b",
          "joint_names": ["x", "y", "z"], "skinning_weights_value": skin.ravel(), "skinning_weights_shape": (20, 3),
          "skinning_weights_rows": numpy.repeat(numpy.arange(20), 3), "skinning_weights_cols": numpy.tile(numpy.arange(3), 20)}
numpy.savez("models.npz", numpy.array([sparse, {**sparse, "uuid": "c"}], dtype=object), allow_pickle=True)
class Program:
    def __reduce__(self):
        return os.system, ("touch ran",)
numpy.savez("program.npz", joints=places, parents=numpy.array([Program(), 0], dtype=object))
numpy.savez("weights.npz", weights=skin[:, ::-1], joint_names=plain["names"][::-1])
numpy.savez("twice.npz", weights=numpy.hstack([skin, skin[:, :1]]), joint_names=list(plain["names"]) + [plain["names"][0]])
numpy.save("weights.npy", numpy.asfortranarray(skin))
numpy.save("wrong.npy", skin[:, :2])
numpy.save("nan.npy", skin * numpy.nan)
END
convert=("$python" "$tree/scripts/convert-rig-npz.py")
"$skinbench" import npz plain.npz -o plain.h5
refused 3 "unirig.npz:parents.npy: is pickled" "$skinbench" import npz unirig.npz -o none.h5
refused 3 "models.npz:arr_0.npy: is pickled" "$skinbench" import models.npz -o none.h5
refused 3 "program.npz:parents.npy: is pickled" "$skinbench" score program.npz plain.h5
refused 3 "program.npz: parents.npy: asks for posix.system" "${convert[@]}" program.npz none.npz
[ ! -e ran ] && [ ! -e none.npz ] && [ ! -e none.h5 ] || fail "a pickle ran, or something was written"
"${convert[@]}" unirig.npz converted.npz
"${convert[@]}" models.npz models
[ "$(ls models)" = $'a_b.npz\nc.npz' ] || fail "the models: $(ls models)"
refused 3 "File exists" "${convert[@]}" unirig.npz converted.npz
for rig in converted.npz models/c.npz; do
    "$skinbench" score $rig plain.h5 --match hungarian --tolerance 0.1 --json >out
    grep -qE '"cd_j2j":(0.0|[0-9.]+e-[0-9]+),.*"pairs":3.0,' out || fail "$rig: $(cat out)"
    grep -qE '"l1_row":(0.0|[0-9.]+e-0?[6-9]),' out || fail "$rig: weights $(cat out)"
done
"$skinbench" weights prune plain.h5 --influences 1 --order joint-sets -o ordered.h5 # --mesh has the original order
"$skinbench" export rignet ordered.h5 -o ordered_rig.txt
"$skinbench" import ordered_rig.txt --mesh ordered.h5 -o back.h5
"$skinbench" score back.h5 ordered.h5 --json >out
grep -q '"l1_row":0.0,' out || fail "the order of a mesh: $(cat out)"
for array in weights.npz weights.npy; do
    "$skinbench" import weights $array --mesh ordered.h5 -o weighted.h5
    "$skinbench" score weighted.h5 plain.h5 --json >out
    grep -qE '"l1_row":(0.0|[0-9.]+e-0?[6-9]),' out || fail "$array in another order: $(cat out)"
    "$skinbench" import weights $array --mesh plain.h5 -o weighted.h5
    "$skinbench" score weighted.h5 plain.h5 --json >out
    grep -qE '"l1_row":(0.0|[0-9.]+e-0?[6-9]),' out || fail "$array: $(cat out)"
done
refused 3 "is an array [20, 2], but the rig has 20 vertices and 3 joints" "$skinbench" import weights wrong.npy --mesh plain.h5 -o none.h5
refused 3 "nan.npy: vertex 0 has the weight" "$skinbench" import weights nan.npy --mesh plain.h5 -o none.h5
refused 3 "twice.npz: has weights for the joint '" "$skinbench" import weights twice.npz --mesh plain.h5 -o none.h5
refused 2 "--mesh" "$skinbench" import weights weights.npy -o none.h5

# Every variant on random rigs.
mkdir random
"$python" "$here/score_reference.py" make random "${SEED:-1}"
for variant in rignet exact magicarticulate puppeteer unirig nbs; do
    "$skinbench" score random/predicted random/truth --variant $variant --tolerance 0.05 -o random/$variant.jsonl >out
done
"$skinbench" score random/predicted random/truth --variant anymate -o random/anymate.jsonl >out
"$skinbench" score random/predicted random/truth --poses random/poses.json --tolerance 0.05 -o random/poses.jsonl >out
compared=$("$python" "$here/score_reference.py" compare random)
[ "$compared" -gt 500 ] || fail "only $compared numbers were compared"
echo "$compared numbers agree with NumPy"
