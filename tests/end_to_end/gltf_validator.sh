#!/usr/bin/env bash
# The Khronos validator finds no error and no warning in any glTF file that is exported: rigs with and without hierarchy,
# fitted bones, many influences, colours, morph targets. SKINBENCH_GLTF_VALIDATOR names the folder of the npm package
# gltf-validator (default: build/npm/node_modules/gltf-validator, where .ci/run installs it); skipped without it or node.
#   gltf_validator.sh SKINBENCH
# shellcheck source=tests/prelude.sh
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
validator=${SKINBENCH_GLTF_VALIDATOR:-$(cd "$(dirname "$0")/../.." && pwd)/build/npm/node_modules/gltf-validator}
if ! command -v node >/dev/null || [ ! -f "$validator/index.js" ]; then
    echo "SKIPPED: no node, or no package gltf-validator in $validator (npm install --no-save --prefix build/npm gltf-validator)"
    exit 77
fi
cd "$folder"

"$skinbench" generate bar --set frames=8 -o bar.h5
"$skinbench" generate rig --set vertices=1500 --set frames=8 -o rig.h5
"$skinbench" generate walk --set vertices=1000 --set frames=12 -o walk.h5
"$skinbench" generate sheet --set influences=9 -o sheet.h5
"$skinbench" generate jelly --set frames=8 -o jelly.h5
"$skinbench" fit walk.h5 --method coordinate-descent --bones 6 --iterations 3 --quiet -o fit.h5 >out
"$skinbench" fit walk.h5 --method svd --bones 4 --quiet -o svd.h5 >out
"$skinbench" fit walk.h5 --method ssdr --bones 6 --iterations 5 --for-engine --quiet -o engine.h5 >out
"$skinbench" fit bar.h5 --method helper-joints --set target=dqs --bones 2 --quiet -o helpers.h5 >out
"$skinbench" generate face -o face.h5 --quiet
for name in bar rig walk sheet jelly fit svd engine helpers face; do
    "$skinbench" export glb $name.h5 -o $name.glb --quiet
done
for name in rig sheet fit; do
    "$skinbench" export gltf $name.h5 -o $name-bones.gltf --color bones --quiet
done
"$skinbench" export glb fit.h5 -o fit-error.glb --color error --target walk.h5 --quiet
"$skinbench" export gltf fit.h5 -o fit-baked.gltf --baked --quiet
if [ -n "${SKINBENCH_TEST_DATA:-}" ]; then
    "$skinbench" export glb "$SKINBENCH_TEST_DATA/wolf.h5" -o wolf.glb --color bones --quiet
fi

# A rig of the file's own joints and one more, put into the file.
"$skinbench" import rig.glb -o again.h5 --quiet
"$skinbench" add-twist-joint again.h5 --joint left_upper_arm -o twisted.h5
"$skinbench" export glb twisted.h5 --into rig.glb -o into.glb --quiet

# advise puts helper joints into a file, or writes a data set with them.
"$skinbench" advise bar.glb --own-poses --reference dqs --apply applied.glb --quiet >out
"$skinbench" advise bar.h5 --own-poses --reference dqs --apply applied-new.glb --quiet >out

# A file with two skins that bind the same nodes differently: rig.glb with its mesh twice, and inverse bind matrices that
# are moved by 0.1 along x for the second.
cat >twice.js <<'JS'
const fs = require('fs'), file = fs.readFileSync('rig.glb'), length = file.readUInt32LE(12);
const gltf = JSON.parse(file.subarray(20, 20 + length)), buffer = file.subarray(20 + length + 8);
const binds = gltf.accessors[gltf.skins[0].inverseBindMatrices], view = gltf.bufferViews[binds.bufferView];
const start = (view.byteOffset || 0) + (binds.byteOffset || 0), moved = Buffer.from(buffer.subarray(start, start + 64 * binds.count));
for (let i = 0; i < binds.count; i++)
    moved.writeFloatLE(moved.readFloatLE(64 * i + 48) + 0.1, 64 * i + 48);
gltf.bufferViews.push({ buffer: 0, byteOffset: buffer.length, byteLength: moved.length });
gltf.accessors.push({ ...binds, bufferView: gltf.bufferViews.length - 1, byteOffset: 0 });
gltf.skins.push({ ...gltf.skins[0], inverseBindMatrices: gltf.accessors.length - 1 });
const body = gltf.nodes.findIndex(node => node.skin === 0);
gltf.nodes.push({ ...gltf.nodes[body], name: 'second', skin: 1 });
gltf.scenes[0].nodes.push(gltf.nodes.length - 1);
gltf.buffers[0].byteLength = buffer.length + moved.length;
let json = JSON.stringify(gltf);
json += ' '.repeat((4 - Buffer.byteLength(json) % 4) % 4);
const head = Buffer.alloc(20), chunk = Buffer.alloc(8), size = Buffer.byteLength(json), data = buffer.length + moved.length;
[0x46546c67, 2, 28 + size + data, size, 0x4e4f534a].forEach((word, i) => head.writeUInt32LE(word, 4 * i));
[data, 0x004e4942].forEach((word, i) => chunk.writeUInt32LE(word, 4 * i));
fs.writeFileSync('twice.glb', Buffer.concat([head, Buffer.from(json), chunk, buffer, moved]));
JS
node twice.js
"$skinbench" import glb twice.glb -o twice.h5 --quiet
"$skinbench" export glb twice.h5 --into twice.glb -o twice-into.glb --quiet

cat >validate.js <<'JS'
const validator = require(process.argv[2]), fs = require('fs');
(async () => {
    for (const file of process.argv.slice(3)) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        const { numErrors, numWarnings, messages } = report.issues;
        if (numErrors + numWarnings > 0) {
            console.error(file, JSON.stringify(messages.slice(0, 3)));
            process.exit(1);
        }
        console.log(file, report.info.totalVertexCount, report.info.animationCount, report.info.maxInfluences,
            report.info.hasSkins, report.info.hasMorphTargets);
    }
})().catch(error => { console.error(String(error)); process.exit(1); });
JS
node validate.js "$validator" ./*.glb ./*.gltf >found || fail "the validator refuses a file"
# What it has read is what was to be written: vertices, clips, influences, skin, morph targets.
grep -q '^./sheet.glb 2601 1 12 true false$' found || fail "sheet.glb: $(grep sheet found)"
grep -q '^./jelly.glb 2882 1 0 false true$' found || fail "jelly.glb: $(grep jelly found)"
grep -q '^./face.glb [0-9]* 1 0 false true$' found || fail "face.glb: $(grep face found)"
for name in engine helpers applied applied-new; do
    grep -q "^./$name.glb [0-9]* 1 4 true false$" found || fail "$name.glb: $(grep "$name" found)"
done
grep -q '^./svd.glb [0-9]* 1 0 false true$' found || fail "svd.glb: $(grep svd found)"
echo "$(wc -l <found) files are valid"
