#!/usr/bin/env bash
# Tests the conformance pack: the same bytes each time, expected positions and normals by formulas written here, and the verdicts of
# `identify --pack` about right and wrong results, and about packs and results that are invalid. Also tests `identify --normals`.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"
"$skinbench" conformance -o pack --quiet >out
grep -q "cases, version 2, in pack" out || fail "$(cat out)"
"$skinbench" conformance -o again --quiet >out
diff -r pack again || fail "the pack differs from one run to the next"
refused 3 "pack: already exists" "$skinbench" conformance -o pack
refused 2 "--output" "$skinbench" conformance

cat >formulas.py <<'PYTHON'
"""Checks expected positions by formulas. A tube of unit bones: joint j is at (0, j, 0), and frame f has a share of f / 3 of the motion."""
import ast, json, math, struct
def case(name):
    with open(f"pack/{name}.json") as file:
        row = json.load(file)
    assert row["license"] == "MIT" and row["version"] == 2 and row["times_s"] == [0, 1, 2, 3]
    return {e["method"]: e for e in row["expected"]}
def shares(y, joints, kept):  # the weights of the nearest bones
    near = sorted(range(joints), key=lambda j: (abs(y - j - 0.5), j))[:kept]
    weights = {j: 1 / (0.25 + (y - j - 0.5) ** 2) for j in near}
    return {j: w / sum(weights.values()) for j, w in weights.items()}
def turned(p, angle, axis):  # about the joint at (0, 1, 0)
    c, s, (x, y, z) = math.cos(angle), math.sin(angle), p
    return (c * x - s * (y - 1), s * x + c * (y - 1) + 1, z) if axis == "z" else (c * x + s * z, y, c * z - s * x)
def mixed(p, q, share):
    return [(1 - share) * a + share * b for a, b in zip(p, q)]
def compare(name, method, formula, key="positions", tolerance=3e-6):  # floats of a tube of length 2
    frames = case(name)[method][key]
    for f, frame in enumerate(frames):
        for v, point in enumerate(frame):
            wanted = formula(frames[0][v], f / 3, shares(case_rest[v][1], 2, 2)[1])
            assert math.dist(point, wanted) < tolerance, (name, method, key, f, v, point, wanted)
case_rest = case("still")["lbs"]["positions"][0]
assert len({tuple(p) for p in case_rest}) == len(case_rest) == 9 * 6 + 2
def lbs(degrees, axis):
    return lambda p, t, w: mixed(p, turned(p, math.radians(degrees * t), axis), w)
def dqs(degrees, axis):  # both joints leave (0, 1, 0) fixed, so the blend turns about it, the shorter way
    def formula(p, t, w):
        half = math.radians(degrees * t) / 2
        sign = 1 if math.cos(half) >= 0 else -1
        return turned(p, 2 * math.atan2(sign * w * math.sin(half), 1 - w + sign * w * math.cos(half)), axis)
    return formula
for name, degrees, axis in ("bend-90", 90, "z"), ("bend-150", 150, "z"), ("twist-90", 90, "y"), ("twist-170", 170, "y"), ("twist-250", 250, "y"), \
        ("antipodal", 360, "y"), ("antipodal-keys", 120, "z"), ("sums-half", 60, "z"), ("sums-double", 60, "z"), ("sums-varied", 60, "z"), ("mesh-node", 60, "z"):
    compare(name, "lbs", lbs(degrees, axis))
    compare(name, "dqs", dqs(degrees, axis))
compare("twist-180", "lbs", lbs(180, "y"))
assert list(case("twist-180")) == ["lbs"]
compare("still", "dqs", lambda p, t, w: p)
for method in "lbs", "dqs":  # one joint turns the whole mesh, and its normals, about the origin
    whole = {"lbs": lambda p, t, w: [c - o for c, o in zip(turned([p[0], p[1] + 1, p[2]], math.radians(100 * t), "z"), (0, 1, 0))]}["lbs"]
    rigid = case("rigid")[method]
    for key in "positions", "normals":
        for f, frame in enumerate(rigid[key]):
            for point, rest in zip(frame, rigid[key][0]):
                assert math.dist(point, whole(rest, f / 3, 1)) < 3e-6, (method, key, f, point)
def scaled(*by):
    return lambda p, t, w: mixed(p, [c + (1 + t * (b - 1)) * (x - c) for x, c, b in zip(p, (0, 1, 0), by)], w)
for name, by in ("scale-uniform", (2, 2, 2)), ("scale-small", (.01, .01, .01)), ("scale-long", (1, 3, 1)), ("scale-bulge", (1.5, 1, 1.75)), ("scale-zero", (1, 1, 0)), \
        ("mirror-one", (-1, 1, 1)):
    compare(name, "lbs", scaled(*by))
compare("scale-long", "dqs-two-phases", scaled(1, 3, 1))
compare("slide", "lbs", lambda p, t, w: (p[0] + 3 * t, p[1], p[2]))
def far(p, t, w):
    q = lbs(60, "z")((p[0] - 1e4, p[1], p[2]), t, w)
    return q[0] + 1e4, q[1], q[2]
compare("far-mesh", "lbs", far, tolerance=2e-3)  # two steps of a float at 10,000
def morphed(p, t, w):  # share 0.25, 0.5 and 1 of the target in frames 1 to 3
    by = 1 + 0.5 * {0: 0, 1: 0.25, 2: 0.5, 3: 1}[round(3 * t)]
    return lbs(60, "z")((by * p[0], p[1], by * p[2]), t, w)
compare("morph-moves", "lbs", morphed)
assert "normals" not in case("morph-moves")["lbs"]
# where the cap's middle turns with the joint alone by a twist, its normal is the axis
for frame in case("twist-90")["lbs"]["normals"]:
    assert math.dist(frame[-1], (0, 1, 0)) < 1e-6 and all(abs(math.hypot(*n) - 1) < 1e-6 for n in frame)
# a chain of four joints that twists by 70 degrees each, dual quaternions with the signs of the first joint in the hierarchy
for method, sign in ("lbs", None), ("dqs-hierarchy", lambda a, b: 1):
    rows = case("chain-twist-210")[method]["positions"]
    for f, frame in enumerate(rows):
        for p, point in zip(rows[0], frame):
            weights = shares(p[1], 4, 4)
            angles = {j: math.radians(70 * f / 3 * j) for j in weights}
            if method == "lbs":
                wanted = [sum(w * turned(p, angles[j], "y")[k] for j, w in weights.items()) for k in range(3)]
            else:  # neighbours differ by at most 35 degrees of quaternion, so no sign changes along the chain
                sine, cosine = (sum(w * g(angles[j] / 2) for j, w in weights.items()) for g in (math.sin, math.cos))
                wanted = turned(p, 2 * math.atan2(sine, cosine), "y")
            assert math.dist(point, wanted) < 3e-6, (method, f, p, point, wanted)
# the signs of a running sum over the joints in ascending order, as in libigl's dqs
for name, step, count in ("chain-twist-210", 70, 4), ("chain-twist-385", 55, 8):
    rows = case(name)["dqs-running-sum-influences-by-joint"]["positions"]
    for f, frame in enumerate(rows):
        for p, point in zip(rows[0], frame):
            real = [0.0, 0.0]
            for j, w in sorted(shares(p[1], count, count).items()):
                q = [g(math.radians(step * f / 3 * j) / 2) for g in (math.cos, math.sin)]
                sign = -1 if real[0] * q[0] + real[1] * q[1] < 0 else 1
                real = [a + sign * w * b for a, b in zip(real, q)]
            wanted = turned(p, 2 * math.atan2(real[1], real[0]), "y")
            assert math.dist(point, wanted) < 3e-6, (name, f, p, point, wanted)
# what is stored in the files
def glb(name):
    data = open(f"pack/{name}.glb", "rb").read()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]
def attribute(name, key):
    root, buffer = glb(name)
    accessor = root["accessors"][root["meshes"][0]["primitives"][0]["attributes"][key]]
    start, width = root["bufferViews"][accessor["bufferView"]]["byteOffset"], {5121: "B", 5123: "H", 5126: "f"}[accessor["componentType"]]
    return accessor, list(struct.iter_unpack("<4" + width, buffer[start:start + accessor["count"] * 4 * struct.calcsize(width)]))
for name, top in ("weights-u8", 255), ("weights-u16", 65535):
    accessor, rows = attribute(name, "WEIGHTS_0")
    assert accessor["normalized"] and all(sum(row) == top for row in rows)
assert all(abs(sum(row) - 2) < 1e-6 for row in attribute("sums-double", "WEIGHTS_0")[1])
assert all(row[2:] == (2, 2) for row in attribute("stray-slots", "JOINTS_0")[1])
assert attribute("bend-90", "JOINTS_0")[0]["componentType"] == 5121 and attribute("joints-300", "JOINTS_0")[0]["componentType"] == 5123
root, _ = glb("influences-12")
assert "JOINTS_2" in root["meshes"][0]["primitives"][0]["attributes"] and root["asset"]["copyright"] == "MIT"
assert [s["joints"] for s in glb("two-skins")[0]["skins"]] == [[3, 4, 5], [5, 4, 3]] and "inverseBindMatrices" not in glb("no-inverse-binds")[0]["skins"][0]
# NumPy arrays are the numbers of the JSON
data = open("pack/bend-90.dqs.npy", "rb").read()
header = ast.literal_eval(data[10:10 + struct.unpack_from("<H", data, 8)[0]].decode())
assert header["shape"] == (4, 56, 3)
assert all(abs(a - b) < 1e-7 for a, b in zip(struct.unpack(f"<{4 * 56 * 3}f", data[-4 * 56 * 12:]), (x for f in case("bend-90")["dqs"]["positions"] for p in f for x in p)))
PYTHON
python3 formulas.py || fail "expected positions are not those of the formulas"

# verdict PART ARGUMENTS...: the case bend-90, in a pack of two cases, fails, and the verdict says PART
mkdir small
cp pack/{still,bend-90,influences-8}.* small
sed 's/"cases":.*/"cases":["still","bend-90"]}/' pack/pack.json >small/pack.json
pack() { "$skinbench" identify --pack "$pack" results --quiet "$@"; }
pack=pack
verdict() {
    local part=$1
    shift
    expected 1 pack "$@"
    grep "^FAILS  bend-90 " out | grep -qF -- "$part" || fail "'$(grep bend-90 out)' does not say '$part'"
}

# the methods' own positions pass, and have the names of their methods
mkdir results
cat >own.py <<'PYTHON'
"""Writes the expected values of a method into results/, or those of lbs where the case does not define it."""
import glob, json, os, sys
for name in glob.glob("pack/*.glb"):
    expected = json.load(open(name[:-3] + "json"))["expected"]
    wanted = next((e for e in expected if e["method"].split("-")[0] == sys.argv[1]), expected[0])
    json.dump({k: wanted[k] for k in ("positions", "normals") if k in wanted}, open(f"results/{os.path.basename(name)[:-4]}.json", "w"))
PYTHON
for method in dqs lbs; do
    python3 own.py $method
    expected 0 pack
    grep -q "^52 of 52 cases pass" out || fail "$(tail -1 out)"
    grep "^passes bend-90 " out | grep -q " $method .*normals 0 degrees" || fail "$(grep bend-90 out)"
done
expected 1 pack --method dqs
grep -q "^[0-9]* of the [0-9]* failed cases: it is lbs$" out || fail "no cause is common: $(tail -2 out)"
pack=small
verdict "departs first in frame 1 at vertex" --method dqs
grep "^FAILS  bend-90 " out | grep -q "it is lbs" || fail "lbs is not named: $(grep bend-90 out)"
rm results/bend-90.json
cp small/bend-90.dqs.npy results/bend-90.npy
cp small/bend-90.dqs.normals.npy results/bend-90.normals.npy
expected 0 pack
expected 0 pack --method dqs
grep "^passes bend-90 " out | grep -q " dqs .*normals 0 degrees" || fail "$(grep bend-90 out)"
expected 1 pack --method lbs
sed 's/"cases":.*/"cases":["still","twist-180"]}/' pack/pack.json >small/pack.json
cp pack/twist-180.json small
expected 0 pack --method dqs
grep -q "^1 of 1 cases pass" out || fail "a case without the demanded method is judged: $(cat out)"
sed 's/"cases":.*/"cases":["still","bend-90"]}/' pack/pack.json >small/pack.json

# wrong positions
cat >engine.py <<'PYTHON'
"""Writes positions of bend-90 with a fault."""
import json, math, sys
fault, name = sys.argv[1:]
expected = {e["method"]: e for e in json.load(open("pack/bend-90.json"))["expected"]}
positions, normals = expected["lbs"]["positions"], expected["lbs"]["normals"]
if fault == "far":
    positions = [[[100 * x for x in p] for p in frame] for frame in positions]
if fault == "frames":
    positions = positions[:3]
if fault == "vertices":
    positions = [frame[1:] for frame in positions]
if fault == "ragged":
    positions[2] = positions[2][1:]
if fault == "flat":
    positions[3][7] = positions[3][7][:2]
if fault == "nan":
    positions[3][7][0] = None
if fault == "huge":
    positions[3][7][0] = 1e300
if fault == "moved":
    positions[3][7][0] += 0.01
if fault == "normal":  # one normal turned by 30 degrees about a direction across it
    x, y, z = normals[2][4]
    across = [c / math.hypot(y, x) for c in (y, -x, 0)]
    normals[2][4] = [math.cos(math.pi / 6) * a + math.sin(math.pi / 6) * b for a, b in zip((x, y, z), across)]
if fault == "none-of-them":
    normals = [[[0, 0, 0] for n in frame] for frame in normals]
json.dump({"positions": positions, "normals": normals}, open(name, "w"))
PYTHON
rm results/bend-90.*
verdict "the folder has no bend-90.json, .npy, .pc2 or .glb, and no folder bend-90"
for row in "far|scaled by 100 about the origin, as with another unit, or with weights that sum to 100" "frames|has 56 positions in 3 frames, expected 56 in 4 frames" "vertices|has 55 positions in 4 frames" \
    "ragged|positions[2] has 55 vertices, but the first frame has 56" "flat|positions[3][7] is [" "nan|positions[3][7] is [null" \
    "huge|positions[3][7] is [1" "moved|departs first in frame 3 at vertex 7" "normal|normals are off by 30 degrees" \
    "none-of-them|normals are off by 90 degrees"; do
    python3 engine.py "${row%%|*}" results/bend-90.json
    verdict "${row#*|}"
done
python3 engine.py none results/bend-90.json
expected 0 pack --json
python3 -c '
import json
row = json.load(open("out"))
assert row["passed"] == row["count"] == 2 and row["version"] == 2
case, = (c for c in row["cases"] if c["case"] == "bend-90")
assert case["method"] == "lbs" and case["distance"] < 1e-6 and case["angle_max_degrees"] < 0.01 and case["reason"] == ""' || fail "$(cat out)"
echo '{"positions": [' >results/bend-90.json
verdict "results/bend-90.json"
rm results/bend-90.json
head -c 700 pack/bend-90.lbs.npy >results/bend-90.npy
verdict "results/bend-90.npy"
rm results/bend-90.npy
cp small/bend-90.lbs.npy results
python3 -c '
import struct
data = open("small/bend-90.lbs.npy", "rb").read()
open("results/bend-90.npy", "wb").write(data[:-4] + struct.pack("<f", float("nan")))'
verdict "results/bend-90.npy"
grep "^FAILS  bend-90" out | grep -q "nan" || fail "$(grep bend-90 out)"
rm results/bend-90*

# an engine that drops the scale, in its joints or from their matrices
cat >scale.py <<'PYTHON'
"""Writes what an engine computes for scale-uniform if it drops the scale s of the second joint, whose origin is e = (0, 1, 0). The right
place of a vertex p of weight w is p + w (s - 1) (p - e). If only the matrix loses s, it is p + w (1 - s) e."""
import json, sys
right = next(e["positions"] for e in json.load(open("pack/scale-uniform.json"))["expected"] if e["method"] == "lbs")
def lost(p, q):
    axis = max(range(3), key=lambda i: abs(p[i] - (i == 1)))
    return [p[0], p[1] - (q[axis] - p[axis]) / (p[axis] - (axis == 1)), p[2]]
frames = [right[0]] * 4 if sys.argv[1] == "joint" else [[lost(p, q) for p, q in zip(right[0], frame)] for frame in right]
json.dump({"positions": frames}, open("results/scale-uniform.json", "w"))
PYTHON
cp pack/scale-uniform.* small
sed 's/"cases":.*/"cases":["scale-uniform"]}/' pack/pack.json >small/pack.json
for row in "joint|the scale of the joints is missing" "matrix|the matrices of the joints lost their scale"; do
    python3 scale.py "${row%%|*}"
    expected 1 pack
    grep -qF "it looks like lbs, except that ${row#*|}" out || fail "$(cat out)"
done
sed 's/"cases":.*/"cases":["still","bend-90"]}/' pack/pack.json >small/pack.json

# point caches, and frames baked as morph targets
"$skinbench" import pack/bend-90.glb -o bend.h5 --quiet
"$skinbench" skin bend.h5 --method dqs -o skinned.h5 --quiet
for format in pc2 "glb --baked"; do
    # shellcheck disable=SC2086 # words
    "$skinbench" export $format skinned.h5 -o "results/bend-90.${format% *}" --quiet
    expected 0 pack --method dqs
    grep -q "^passes bend-90 .* dqs " out || fail "$format: $(cat out)"
    rm results/bend-90.*
done
# a mesh for each frame, with lines that an engine may leave out
"$skinbench" export obj-sequence skinned.h5 -o sequence --quiet
mkdir results/bend-90
for f in 1 2 3 4; do
    grep -h "^v " sequence/000$f.obj >results/bend-90/frame_000$f.obj
done
expected 0 pack --method dqs
grep -q "^passes bend-90 .* dqs " out || fail "OBJ: $(cat out)"
rm results/bend-90/frame_0004.obj
verdict "has 56 positions in 3 frames, expected 56 in 4 frames"
echo "v 0 0 0" >results/bend-90/frame_0004.obj
verdict "results/bend-90/frame_0004.obj"
rm results/bend-90/*
verdict "results/bend-90"
rm -r results/bend-90
cp pack/bend-90.glb results
verdict "a rig must be baked first"
rm results/bend-90.glb
mkfifo results/bend-90.json
verdict "results/bend-90.json"
rm results/bend-90.json

# packs of others: spoiled NAME CHANGE PART
spoiled() {
    cp -r small other
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
place = f"other/{sys.argv[1]}.json"
row = json.load(open(place))
exec(sys.argv[2])
json.dump(row, open(place, "w"))
PYTHON
    refused 3 "$3" "$skinbench" identify --pack other results
    rm -r other
}
spoiled pack 'row["cases"][0] = "../pack/still"' "other/pack.json"
spoiled pack 'row["version"] = 3' "is version 3 of"
spoiled pack 'row["cases"] = []' "has no cases"
spoiled pack 'row["cases"][0] = "none"' "other/none.json"
spoiled still 'row["expected"] = []' "has no expected positions"
spoiled still 'row["expected"][0]["method"] = "a\x1b[31m"' "other/still.json"
spoiled still 'row["expected"][0]["positions"][1][2] = [0, 1e999, 2]' "other/still.json"
spoiled still 'row["expected"][0]["positions"] = [[[0, 0, 0]] * 56] * 4' "have no extent"
spoiled still 'del row["expected"][0]["positions"]' "has no member positions"
refused 3 "none/pack.json" "$skinbench" identify --pack none results
refused 2 "one folder" "$skinbench" identify --pack pack results results
refused 2 "expected RIG and POSITIONS" "$skinbench" identify results
refused 2 "--method is for --pack" "$skinbench" identify a b --method lbs
cp -r small other
echo broken >other/bend-90.glb
python3 engine.py moved results/bend-90.json
refused 3 "other/bend-90.glb" "$skinbench" identify --pack other results
rm -r other

refused 3 "the rig has none, or moves its morph targets" "$skinbench" identify pack/morph-moves.glb pack/morph-moves.lbs.npy

# the order of influences is identified
name=chain-twist-210
expected 0 "$skinbench" identify "pack/$name.glb" "pack/$name.dqs-running-sum-influences-by-joint.npy"
grep -q "^is  *dqs hemisphere=running-sum, influences by joint " out || fail "$(cat out)"
expected 0 "$skinbench" identify "pack/$name.glb" "pack/$name.dqs-running-sum-influences-by-joint.npy" \
    --normals "pack/$name.dqs-running-sum-influences-by-joint.normals.npy"
grep -q "^normals: largest angle 0" out || fail "$(tail -1 out)"

# normals of identify: right, reversed, of length 2, one turned
cat >normals.py <<'PYTHON'
import struct, sys
data = open("small/bend-90.lbs.normals.npy", "rb").read()
at = len(data) - 4 * 56 * 12
values = list(struct.unpack(f"<{4 * 56 * 3}f", data[at:]))
if sys.argv[1] == "turned":  # about y, by 40 degrees
    k, c, s = 3 * 60, 0.76604444, 0.64278761
    x, z = values[k], values[k + 2]
    values[k], values[k + 2] = c * x + s * z, c * z - s * x
    print(1 - (1 - c) * (x * x + z * z))
factor = {"reversed": -1, "double": 2, "none": 0}.get(sys.argv[1], 1)
open("normals.npy", "wb").write(data[:at] + struct.pack(f"<{len(values)}f", *(factor * v for v in values)))
PYTHON
normals() {
    python3 normals.py "$1" >cosine
    expected 0 "$skinbench" identify small/bend-90.glb small/bend-90.lbs.npy --normals normals.npy
    grep -q -- "$2" out || fail "normals $1: $(tail -1 out)"
}
normals same "normals: largest angle 0"
normals reversed "normals: largest angle 180 degrees; all point the other way"
normals double "their lengths are 2 to 2 instead of 1"
normals none "normals: largest angle 90 degrees; their lengths are 0 to 0 instead of 1"
normals turned "normals: largest angle"
expected 0 "$skinbench" identify small/bend-90.glb small/bend-90.lbs.npy --normals normals.npy --json
python3 -c '
import json, math
found, cosine = json.load(open("out")), float(open("cosine").read())
assert abs(found["normals"]["angle_max_degrees"] - math.degrees(math.acos(cosine))) < 0.01, found["normals"]' || fail "a turned normal: $(cat cosine)"
refused 3 "but the rig has" "$skinbench" identify small/bend-90.glb small/bend-90.lbs.npy --normals small/influences-8.lbs.normals.npy
