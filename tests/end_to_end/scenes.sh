#!/usr/bin/env bash
# Reads the scenes of a report's 3D view with another program. Positions are within a quantisation step of the output of `skin` and
# `fit`, errors within one of `measure --per-vertex`, and the E_RMS of a repeated fit is that of its record.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
needs python3
cd "$folder"
mkdir data
"$skinbench" generate bar --set around=12 --set along=13 --set frames=70 -o data/bent.h5
"$skinbench" generate walk --set vertices=1000 --set frames=12 -o data/steps.h5
cat >suite.json <<'SUITE'
{"datasets": [{"file": "data/bent.h5"}, {"file": "data/steps.h5"}],
 "skinning": {"methods": ["lbs", "dqs"], "backends": ["simd"], "threads": [1]},
 "decomposition": [{"method": "coordinate-descent", "bones": [6], "iterations": 3, "repeats": 1},
                   {"method": "svd", "bones": [6], "iterations": 1, "repeats": 1}]}
SUITE
"$skinbench" bench --suite suite.json --rounds 2 --precision 0 --time-budget 1 --threads 1 --quiet -o run.jsonl >/dev/null
"$skinbench" report run.jsonl -o report --data data --scene-time 600 --quiet || [ $? = 4 ] || fail "report"
"$skinbench" report run.jsonl -o none --scene-time 0 --quiet || [ $? = 4 ] || fail "report without scenes"
[ ! -e none/scenes ] || fail "scenes without time"
[ "$(cd report/scenes && echo *.js)" = "decomposition-walk.js skinning-bar.js skinning-walk.js" ] || fail "scenes: $(ls report/scenes)"

# What the shapes must be.
for method in lbs dqs; do
    "$skinbench" skin data/bent.h5 --method $method -o bar-$method.h5 --quiet
    "$skinbench" skin data/steps.h5 --method $method -o walk-$method.h5 --quiet
    "$skinbench" export npy bar-$method.h5 -o bar-$method.npy --quiet
    "$skinbench" export npy walk-$method.h5 -o walk-$method.npy --quiet
done
"$skinbench" fit data/steps.h5 --method coordinate-descent --bones 6 --iterations 3 --threads 1 -o fit.h5 --quiet >/dev/null
"$skinbench" fit data/steps.h5 --method svd --bones 6 --threads 1 -o svd.h5 --quiet >/dev/null
"$skinbench" measure bar-lbs.h5 bar-dqs.h5 --per-vertex bar-errors.npy >/dev/null
"$skinbench" measure data/steps.h5 fit.h5 --per-vertex fit-errors.npy >/dev/null
"$skinbench" measure data/steps.h5 svd.h5 --per-vertex svd-errors.npy >/dev/null

cat >check.py <<'CHECK'
import ast, base64, gzip, json, math, struct, sys

def npy(path):
    data = open(path, "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    values = struct.unpack("<%df" % ((len(data) - 10 - length) // 4), data[10 + length :])
    return header["shape"], values

def scene(path):
    text = open(path).read()
    assert text.startswith("skinbenchScene(") and text.endswith(");\n")
    return json.loads(text[len("skinbenchScene(") : -3])

def unpack(text):
    return gzip.decompress(base64.b64decode(text, validate=True))

def positions(scene, shape):
    vertices, frames = scene["vertices"], scene["frames"]
    levels = list(struct.unpack("<%dH" % (3 * vertices * frames), unpack(shape["positions"])))
    for i in range(3 * vertices, len(levels)):
        levels[i] = (levels[i] + levels[i - 3 * vertices]) % 65536
    low, high = scene["minimum"], scene["maximum"]
    return [[[low[k] + levels[(f * 3 + k) * vertices + v] / 65535 * (high[k] - low[k]) for k in range(3)]
             for v in range(vertices)] for f in range(frames)]

def check(path, shape_name, expected_path, errors_path=None, diagonal=None):
    s = scene(path)
    shape = next(x for x in s["shapes"] if x["name"] == shape_name)
    (all_frames, vertices, _), values = npy(expected_path) if expected_path else ((None, s["vertices"], 3), None)
    assert vertices == s["vertices"]
    if values:
        assert s["frames"] == -(-all_frames // s["step"]) and s["frames"] <= 60, (s["frames"], s["step"])
        step = [(s["maximum"][k] - s["minimum"][k]) * 4 / 65535 for k in range(3)]
        got = positions(s, shape)
        for f in range(s["frames"]):
            for v in range(vertices):
                for k in range(3):
                    want = values[(f * s["step"] * vertices + v) * 3 + k]
                    assert abs(got[f][v][k] - want) <= 0.51 * step[k] + 1e-6, (path, shape_name, f, v, k)
    if errors_path:
        (all_frames, vertices), distances = npy(errors_path)
        shown = [[100 * distances[f * s["step"] * vertices + v] / diagonal for v in range(vertices)] for f in range(s["frames"])]
        worst, most = shape["worst"], max(map(max, shown))
        assert abs(worst["value"] - most) < 1e-4 * most, (worst, most)
        assert abs(shown[worst["frame"]][worst["vertex"]] - most) < 1e-4 * most, worst
        bytes = unpack(shape["errors"])
        assert len(bytes) == vertices * s["frames"]
        for f in range(s["frames"]):
            for v in range(vertices):
                want = min(255, 255 * shown[f][v] / s["error"]["maximum"])
                assert abs(bytes[f * vertices + v] - want) <= 0.51, (f, v, want)

def diagonal(path, vertices):
    _, values = npy(path)
    axis = [[values[3 * v + k] for v in range(vertices)] for k in range(3)]
    return math.sqrt(sum((max(a) - min(a)) ** 2 for a in axis))

bar = scene("report/scenes/skinning-bar.js")
assert [x["name"] for x in bar["shapes"]] == ["lbs", "dqs"] and "no animated positions" in bar["error"]["title"]
assert bar["error"]["changes"] and bar["error"]["unit"] == "%"
faces = struct.unpack("<%di" % (3 * bar["triangles"]), unpack(bar["faces"]))
assert max(faces) == bar["vertices"] - 1 and min(faces) == 0
check("report/scenes/skinning-bar.js", "lbs", "bar-lbs.npy")
check("report/scenes/skinning-bar.js", "dqs", "bar-dqs.npy")
# Without a target colours are changes of area against the rest pose, the first frame here; the places are rounded to steps.
def areas(places):
    sums = [0.0] * len(places)
    for t in range(0, len(faces), 3):
        a, b, c = (places[v] for v in faces[t:t + 3])
        u, w = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        area = math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0])
        for v in faces[t:t + 3]:
            sums[v] += area
    return sums

for shape in bar["shapes"]:
    got, bytes, most = positions(bar, shape), unpack(shape["errors"]), bar["error"]["maximum"]
    rest, last = areas(got[0]), bar["frames"] - 1
    for v, area in enumerate(areas(got[last])):
        want = max(-most, min(most, 100 * (area / rest[v] - 1)))
        is_ = most * (bytes[last * bar["vertices"] + v] / 127.5 - 1)
        assert abs(is_ - want) < 2 + most / 127, (shape["name"], v, is_, want)
# The rig: weights of a vertex sum to 1, the bone of 4 keeps its length until it is translated as well, and fits have none.
rig, joints = bar["rig"], len(bar["rig"]["names"])
weights, numbers = unpack(rig["weights"]), struct.unpack("<%dH" % (bar["vertices"] * rig["influences"]), unpack(rig["joints"]))
assert max(numbers) == joints - 1 and all(abs(sum(weights[at:at + rig["influences"]]) - 255) <= rig["influences"]
                                          for at in range(0, len(weights), rig["influences"]))
places = struct.unpack("<%df" % (3 * joints * bar["frames"]), unpack(rig["places"]))
at = lambda f, j: places[3 * (f * joints + j):3 * (f * joints + j) + 3]
for j, parent in enumerate(rig["parents"]):
    lengths = [math.dist(at(f, j), at(f, parent)) for f in range(40) if parent >= 0]
    assert all(abs(length - 4) < 1e-5 for length in lengths), lengths
assert "rig" not in scene("report/scenes/decomposition-walk.js")
walk = scene("report/scenes/skinning-walk.js")
assert [x["name"] for x in walk["shapes"]] == ["target", "lbs", "dqs"]
check("report/scenes/skinning-walk.js", "target", "walk-lbs.npy") # that is how it was made
check("report/scenes/skinning-walk.js", "dqs", "walk-dqs.npy")
fits = scene("report/scenes/decomposition-walk.js")
assert [x["name"] for x in fits["shapes"]] == ["target", "coordinate-descent-best", "svd"], [x["name"] for x in fits["shapes"]]
check("report/scenes/decomposition-walk.js", "target", "walk-lbs.npy")
size = diagonal("walk-lbs.npy", fits["vertices"])
check("report/scenes/decomposition-walk.js", "coordinate-descent-best", None, "fit-errors.npy", size)
check("report/scenes/decomposition-walk.js", "svd", None, "svd-errors.npy", size)

records = [json.loads(line) for line in open("run.jsonl")]
for shape in fits["shapes"][1:]:
    method = shape["label"].split(",")[0]
    record = next(r for r in records if r["kind"] == "decomposition" and r["method"] == method)
    assert "its record" not in shape["label"], shape["label"]
    assert abs(float(shape["label"].split("E_RMS ")[1]) / record["metrics"]["e_rms"] - 1) < 0.005, shape["label"]
    assert len(shape["record"]) == 16
CHECK
python3 check.py || fail "a scene is not what skin, fit and measure say"

# Pictures where they can be drawn; a data set that is not there is said.
pictures=$(find report/scenes -name '*.png' | wc -l)
if "$skinbench" render data/bent.h5 --size 16x16 --samples 1 --quiet -o one.png 2>/dev/null; then
    [ "$pictures" = 8 ] || fail "$pictures pictures of 8 shapes"
else
    [ "$pictures" = 0 ] || fail "pictures from a program that draws none"
fi
"$skinbench" report run.jsonl -o without --scene-time 600 --quiet || [ $? = 4 ] || fail "report without data"
[ ! -e without/scenes ] || fail "scenes of data that are not there"
refused 3 '--data is not the name of an existing folder' "$skinbench" report run.jsonl -o more --data nowhere
