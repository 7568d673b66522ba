#!/usr/bin/env bash
# Tests identify on positions that ozz-animation computes: right, and with two faults. Needs ozz' sources, in peers/ beside the folder of
# the data sets.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${SKINBENCH_TEST_DATA:-}
sources=$data/../peers/ozz-animation.tar.xz
[ -e "$sources" ] || { echo "SKIPPED: no sources of ozz-animation (SKINBENCH_TEST_DATA/../peers/ozz-animation.tar.xz)"; exit 77; }
CXXFLAGS="-O2 -DNDEBUG" "$here/scripts/build-peer" ozz "$sources" "$folder" >"$folder/out" 2>&1 || fail "ozz is not built: $(tail -3 "$folder/out")"
cd "$folder"

cat >engine.py <<'ENGINE'
"""ozz-animation skins the rig in dump/ with the largest INFLUENCES weights of each vertex. In the last frame, from the middle vertex on, the
smallest weight of each vertex that has several is lost or flipped if FAULT says so.   engine.py INFLUENCES FAULT OUT"""
import array, ast, ctypes as c, sys
influences, fault, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
class Rig(c.Structure):
    _fields_ = [("vertices", c.c_int), ("joints", c.c_int), ("influences", c.c_int), ("rest", c.c_void_p), ("of", c.c_void_p), ("weights", c.c_void_p)]
class Peer(c.Structure):
    _fields_ = [("abi", c.c_int), ("name", c.c_char_p), ("title", c.c_char_p), ("bind", c.CFUNCTYPE(c.c_void_p, c.POINTER(Rig))),
                ("skin", c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_void_p)), ("release", c.CFUNCTYPE(None, c.c_void_p))]
def load(name):
    data = open(f"dump/{name}.npy", "rb").read()
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:10 + size].decode())
    return header["shape"], array.array({"<f4": "f", "<f8": "d"}[header["descr"]], data[10 + size:])
library = c.CDLL("./ozz.so")
library.skinbench_peer.restype = c.POINTER(Peer)
ozz = library.skinbench_peer().contents
assert ozz.abi == 1
(count, _), rest = load("rest")
(frames, joints, _, _), transforms = load("transforms")
_, dense = load("weights")
address = lambda values: values.buffer_info()[0]
def bind(faulty):
    of, weights = array.array("H"), array.array("f")
    for v in range(count):
        row = sorted(((w, j) for j, w in enumerate(dense[v * joints:(v + 1) * joints]) if w), key=lambda r: -r[0])[:influences]  # ties: the first joint
        if faulty and v >= count // 2 and len(row) > 1 and (len(row) > 2 or row[1][0] < row[0][0]):
            row = row[:-1] + ([(-row[-1][0], row[-1][1])] if fault == "flipped" else [])
        row += [(0.0, 0)] * (influences - len(row))
        of.extend(j for w, j in row)
        weights.extend(w / sum(w for w, j in row) for w, j in row)
    rig = Rig(count, joints, influences, address(rest), address(of), address(weights))
    return ozz.bind(c.byref(rig)), rig, of, weights
right = bind(False)
wrong = right if fault == "none" else bind(True)
positions = array.array("f", bytes(12 * count * frames))
for f in range(frames):
    assert ozz.skin((wrong if f == frames - 1 else right)[0], address(transforms) + 96 * joints * f, address(positions) + 12 * count * f)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({frames}, {count}, 3)}}".ljust(117) + "\n"
open(out, "wb").write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + positions.tobytes())
ENGINE
echo '{"name": "copy", "kind": "skin", "command": ["cp", "-r", "{input}/.", "{folder}/dump"]}' >copy.json

"$skinbench" generate arm --set vertices=200 --set frames=5 -o arm.h5 --quiet
# prepare RIG: the rig as arrays in dump, by a program that copies its input
prepare() {
    rm -rf dump && mkdir dump
    "$skinbench" bench "$1" --no-generated --methods svd --external ./copy.json -o copy.jsonl --quiet >out 2>&1 || true
    [ -e dump/transforms.npy ] || fail "the program got no rig: $(cat out)"
    rig=$1
}
# engine CODE INFLUENCES FAULT PART: what identify says of ozz
engine() {
    python3 engine.py "$2" "$3" ozz.npy
    expected "$1" "$skinbench" identify "$rig" ozz.npy
    grep -q -- "$4" out || fail "$rig, $2, $3: '$(cat out)' does not say '$4'"
    ! grep '^is ' out | grep -qv ' lbs' || fail "another method than lbs is named: $(cat out)"
}

prepare arm.h5
engine 0 9 none "^is  *lbs  "
engine 1 9 lost "it looks like lbs, .* is missing, and the others are scaled to sum 1"
engine 1 9 flipped "it looks like lbs, .* the sign of joint .* is flipped"
grep -q "^lbs departs first in frame 4 at vertex 1[0-9][0-9]" out || fail "the place of the fault: $(cat out)"
"$skinbench" import "$data/gltf/Fox.glb" -o fox.h5 --quiet 2>err
prepare fox.h5
engine 0 2 none "^is  *lbs, 2 influences  "
cp "$data/makehuman.h5" .
prepare makehuman.h5
engine 0 4 none "^is  *lbs, 4 influences  "
