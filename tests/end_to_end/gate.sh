#!/usr/bin/env bash
# Tests check --gate: its exit code and JSON for files in several formats.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"
"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o bar.h5 --quiet
"$skinbench" export glb bar.h5 -o bar.glb --quiet
"$skinbench" check --gate bar.h5 bar.glb --json >out || fail "a clean rig: $(cat out)"
python3 - <<'PYTHON' || fail "the numbers: $(cat out)"
import json
files = [json.loads(line) for line in open("out")]
assert [f["file"] for f in files] == ["bar.h5", "bar.glb"] and all(f["passed"] for f in files)
assert files[0]["numbers"]["sums"]["limit"] == 0.001 and files[0]["numbers"]["unreached"]["limit"] is None
PYTHON
# weights that sum to 2, which an import would scale without failing
python3 - <<'PYTHON'
import json, struct
data = open("bar.glb", "rb").read()
size = struct.unpack("<I", data[12:16])[0]
document, binary = json.loads(data[20:20 + size]), bytearray(data[28 + size:])
accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]]
view = document["bufferViews"][accessor["bufferView"]]
assert accessor["componentType"] == 5126
start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
for i in range(4 * accessor["count"]):
    value, = struct.unpack_from("<f", binary, start + 4 * i)
    struct.pack_into("<f", binary, start + 4 * i, 2 * value)
accessor.pop("max", None), accessor.pop("min", None)
text = json.dumps(document).encode()
text += b" " * (-len(text) % 4)
open("twice.glb", "wb").write(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(binary), len(text), 0x4E4F534A) + text
                              + struct.pack("<II", len(binary), 0x004E4942) + binary)
PYTHON
refused 1 "twice.glb: over the limit: sums" "$skinbench" check --gate twice.glb
expected 0 "$skinbench" check --gate twice.glb --limit sums=1.5
grep -q "^ok  *sums .* 1 (limit 1.5)$" out && grep -q "^ok  *unreached .* 0 (no limit)$" out || fail "the limit is not printed: $(cat out)"
refused 1 "over the limit: influences" "$skinbench" check --gate bar.h5 --influences 1 --limit few-influences=1000
refused 2 "expected NAME=NUMBER" "$skinbench" check --gate bar.h5 --limit sum=1
refused 2 "only with --gate" "$skinbench" check bar.h5 --bits 4
refused 2 "only with --gate" "$skinbench" check bar.h5 bar.h5
head -c 3000 bar.glb >cut.glb
refused 3 "cut.glb" "$skinbench" check --gate cut.glb
expected 3 "$skinbench" check --gate cut.glb bar.h5 --json
[ "$(grep -c '"passed":true' out)" -eq 1 ] || fail "a damaged file hides another: $(cat out)"
