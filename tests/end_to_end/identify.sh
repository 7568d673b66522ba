#!/usr/bin/env bash
# Tests identify on positions of every method, and on positions that formulas written here compute, right and wrong.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"
"$skinbench" generate arm --set vertices=200 --set frames=5 -o arm.h5 --quiet

# every method identifies itself
for method in $("$skinbench" list methods --json | python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    if row.get("kind") == "skinning":
        print(row["name"])'); do
    "$skinbench" skin arm.h5 --method "$method" -o skinned.h5 --quiet 2>/dev/null || continue
    "$skinbench" export npy skinned.h5 -o skinned.npy --quiet
    "$skinbench" identify arm.h5 skinned.npy --json >found.json || fail "$method is not identified: $(head -c 500 found.json)"
    python3 -c "
import json
found = json.load(open('found.json'))
assert '$method' in [v['method'] for v in found['variants'] if v['matches']], found['variants'][:3]" || fail "$method is taken for another"
    methods=$((${methods:-0} + 1))
done
[ "${methods:-0}" -ge 1 ] || fail "only ${methods:-0} methods were identified"

# positions in other formats
"$skinbench" skin arm.h5 --method dqs -o skinned.h5 --quiet
for format in pc2 mdd "glb --baked" obj-sequence; do
    # shellcheck disable=SC2086 # words
    "$skinbench" export $format skinned.h5 -o "other.${format% *}" --quiet
    expected 0 "$skinbench" identify arm.h5 "other.${format% *}"
    grep -q "^is  *dqs " out || fail "$format: $(cat out)"
done

# the rig as arrays, by a program that copies its input
mkdir dump
echo '{"name": "copy", "kind": "skin", "command": ["cp", "-r", "{input}/.", "{folder}/dump"]}' >copy.json
"$skinbench" bench arm.h5 --no-generated --methods svd --external ./copy.json -o copy.jsonl --quiet >out
[ -e dump/transforms.npy ] || fail "the program got no rig"

cat >engine.py <<'ENGINE'
"""An engine with its own formulas: linear blending, and dual quaternions after libigl's dqs. Faults by name."""
import array, ast, math, sys
method, fault, out = sys.argv[1:4]
def load(name):
    data = open(f"dump/{name}.npy", "rb").read()
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:10 + size].decode())
    return header["shape"], array.array({"<f4": "f", "<f8": "d", "<i4": "i"}[header["descr"]], data[10 + size:])
(count, _), rest = load("rest")
(frames, joints, _, _), transforms = load("transforms")
_, dense = load("weights")
def quat(m):  # of the rotation of a 3x4 matrix
    w = math.sqrt(max(0.0, 1 + m[0] + m[5] + m[10])) / 2
    x, y, z = m[9] - m[6], m[2] - m[8], m[4] - m[1]
    return (w, x / (4 * w), y / (4 * w), z / (4 * w))
def times(a, b):
    return (a[0]*b[0]-a[1]*b[1]-a[2]*b[2]-a[3]*b[3], a[0]*b[1]+a[1]*b[0]+a[2]*b[3]-a[3]*b[2],
            a[0]*b[2]-a[1]*b[3]+a[2]*b[0]+a[3]*b[1], a[0]*b[3]+a[1]*b[2]-a[2]*b[1]+a[3]*b[0])
positions = []
for frame in range(frames):
    f = (frame + 1) % frames if fault == "shift" else frame
    matrices = [transforms[12 * (f * joints + j):12 * (f * joints + j) + 12] for j in range(joints)]
    quats = [quat(m) for m in matrices]
    duals = [tuple(c / 2 for c in times((0, m[3], m[7], m[11]), q)) for m, q in zip(matrices, quats)]
    for v in range(count):
        p = rest[3 * v:3 * v + 3]
        row = {j: dense[v * joints + j] for j in range(joints) if dense[v * joints + j]}
        faulty = f == 3 and len(row) > 1 and v >= 40
        if fault in ("lost", "unscaled") and faulty:
            row.pop(min(row, key=row.get))
            if fault == "lost":
                row = {j: w / sum(row.values()) for j, w in row.items()}
        if fault == "bits":
            steps = {j: math.floor(255 * w + 0.5) for j, w in row.items()}
            row = {j: s / sum(steps.values()) for j, s in steps.items()}
        if fault == "one":
            row = {max(row, key=row.get): 1.0}
        if method == "lbs":
            q = [sum(w * (sum(matrices[j][4 * r + c] * p[c] for c in range(3)) + matrices[j][4 * r + 3]) for j, w in row.items()) for r in range(3)]
        else:
            heaviest = max(row, key=row.get)
            real, dual = [0.0] * 4, [0.0] * 4
            for j, w in row.items():
                sign = 1.0 if sum(a * b for a, b in zip(quats[j], quats[heaviest])) >= 0 else -1.0
                if fault == "flip" and faulty and j == min(row, key=row.get):
                    sign = -sign
                for i in range(4):
                    real[i] += sign * w * quats[j][i]
                    dual[i] += sign * w * duals[j][i]
            norm = math.sqrt(sum(c * c for c in real))
            real, dual = [c / norm for c in real], [c / norm for c in dual]
            conjugate = (real[0], -real[1], -real[2], -real[3])
            turned = times(times(real, (0, *p)), conjugate)
            moved = times(dual, conjugate)
            q = [turned[i + 1] + 2 * moved[i + 1] for i in range(3)]
        positions += [100 * c for c in q] if fault == "centimetres" else q
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({frames}, {count}, 3)}}".ljust(117) + "\n"
with open(out, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + array.array("f", positions).tobytes())
ENGINE

# engine CODE METHOD FAULT PART: what identify says of the engine
engine() {
    python3 engine.py "$2" "$3" engine.npy
    expected "$1" "$skinbench" identify arm.h5 engine.npy
    grep -qF -- "$4" out || fail "$2, $3: '$(cat out)' does not say '$4'"
}
engine 0 lbs none "is       lbs "
engine 0 dqs none "is       dqs "
engine 0 lbs one "is       lbs, 1 influence "
engine 1 lbs shift "it is frame 1 of the rig"
engine 1 lbs centimetres "scaled by 100 about the origin, as with another unit"
engine 1 dqs centimetres "it looks like dqs, except that the whole frame is the expected one, scaled by 100"
engine 1 lbs lost "is missing, and the others are scaled to sum 1"
grep -q "^lbs departs first in frame 3 at vertex [4-9][0-9]," out || fail "the place of the fault: $(cat out)"
engine 1 lbs unscaled "is missing, and the others are not scaled"
engine 1 dqs flip "is flipped"
python3 engine.py lbs bits engine.npy
"$skinbench" identify arm.h5 engine.npy --json >found.json || true
python3 -c "
import json
nearest = json.load(open('found.json'))['variants'][0]
assert nearest['method'] == 'lbs' and nearest['bits'] == 8, nearest" || fail "8 bits: $(head -c 600 found.json)"

# what is not a rig, or not its frames
refused 3 "but the rig has" "$skinbench" identify arm.h5 dump/rest.npy
"$skinbench" generate walk --set vertices=1000 --set frames=5 -o walk.h5 --quiet
refused 3 "but the rig has" "$skinbench" identify arm.h5 walk.h5

# a benchmark of a program that skins: its distance from every method; seed 1 adds no fault
cat >skin.json <<'SKIN'
{"name": "engine", "kind": "skin", "command": ["cp", "{folder}/positions.npy", "{output}/positions.npy"]}
SKIN
python3 engine.py lbs none positions.npy
"$skinbench" bench arm.h5 --no-generated --methods svd --external ./skin.json -o skin.jsonl --quiet >out || fail "a skin: $(cat out)"
python3 - <<'PYTHON' || fail "the records of a skin: $(cat skin.jsonl)"
import json
record, = (r for r in map(json.loads, open("skin.jsonl")) if r.get("study") == "external-skin")
assert record["status"] == "ok" and record["method"] == "engine" and record["external"]["exit_code"] == 0
assert record["measures"]["lbs"] < 1e-3 < 0.1 < record["measures"]["dqs"]
PYTHON
"$skinbench" report skin.jsonl -o report --quiet || fail "a report of a skin"
