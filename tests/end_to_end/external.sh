#!/usr/bin/env bash
# Tests external programs: what they compute is measured by the harness, and every way to fail is a failed cell with the
# program's last words. The programs are written here, in Python without NumPy.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
packaging=$(cd "$(dirname "$0")/../../packaging/external" && pwd)
cd "$folder"

cat >program.py <<'PROGRAM'
import array, ast, os, subprocess, sys, time
mode, source, target, bones, influences, seed, threads = sys.argv[1:8]
def load(name):
    data = open(f"{source}/{name}.npy", "rb").read()
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:10 + size].decode())
    return header["shape"], array.array({"<f4": "f", "<f8": "d", "<i4": "i"}[header["descr"]], data[10 + size:])
def save(name, shape, values):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple(shape)}}}".ljust(117) + "\n"
    with open(f"{target}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + array.array("d", values).tobytes())
(vertices, _), rest = load("rest")
empty = vertices == 4  # the run that measures the start-up
if mode == "weights":
    shape, parents = load("parents")
    save("weights", (vertices, shape[0]), [1.0 if j == v % shape[0] else 0.0 for v in range(vertices) for j in range(shape[0])])
    sys.exit()
if mode == "rig":
    with open(target, "w") as file:
        file.write("joints a 0 0 0\njoints b 0 1 0\nroot a\nhier a b\n")
        file.writelines(f"skin {v} a 0.5 b 0.5\n" for v in range(vertices))
    sys.exit()
if mode == "skin":
    (frames, joints, _, _), transforms = load("transforms")
    _, weights = load("weights")
    off, positions = float(seed) - 1.0, []
    for f in range(frames):
        for v in range(vertices):
            for row in range(3):
                value = off
                for j in range(joints):
                    if weights[v * joints + j]:
                        m = transforms[12 * (f * joints + j) + 4 * row:][:4]
                        value += weights[v * joints + j] * (sum(m[i] * rest[3 * v + i] for i in range(3)) + m[3])
                positions.append(value)
    save("positions", (frames, vertices, 3), positions)
    sys.exit()
(frames, _, _), positions = load("positions")
count = 1
if not empty:
    if mode == "exit":
        print("no licence\x1b[2J", file=sys.stderr); sys.exit(3)
    if mode == "hang":
        open("../../started", "w").write(str(os.getpid())); time.sleep(600)
    if mode == "segv":
        os.kill(os.getpid(), 11)
    if mode == "memory":
        bytearray(300 << 20)
    if mode == "children-memory":
        for child in [subprocess.Popen([sys.executable, "-c", "x = bytearray(60 << 20); import time; time.sleep(30)"]) for i in range(4)]:
            child.wait()
    if mode == "child":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        open("../../child", "w").write(str(child.pid))
    if mode == "nothing":
        sys.exit()
    if mode == "many-words":
        print("x" * 10000000 + " the end"); sys.exit(1)
    if mode == "bones":
        count = int(bones) + 1
    if mode == "frames":
        frames -= 1
still = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
transforms = still * (frames * count)
if mode == "nan" and not empty:
    transforms[5] = float("nan")
weights = [1.0 if j == 0 else 0.0 for v in range(vertices) for j in range(count)]
if mode == "influences" and not empty:
    count = int(influences) + 1
    transforms, weights = still * (frames * count), [1.0] * (vertices * count)
if mode == "negative" and not empty:
    weights[7] = -0.5
save("transforms", (frames, count, 3, 4), transforms)
save("weights", (vertices, count), weights)
print("threads", os.environ["OMP_NUM_THREADS"], threads)
print("skinbench-seconds 0.125")
PROGRAM
python=$(python3 -c 'import sys; print(sys.executable)') # a shim on the PATH would be slow

# describe NAME MODE [MEMBERS]: writes NAME.json
describe() {
    echo "{\"name\": \"$1\", \"kind\": \"fit\", \"time_limit_s\": 20, \"memory_mb\": 200, \"version\": [\"echo\", \"version 1\"], ${3:-}
        \"command\": [\"$python\", \"-S\", \"{folder}/program.py\", \"$2\", \"{input}\", \"{output}\", \"{bones}\", \"{influences}\", \"{seed}\", \"{threads}\"]}" >"$1.json"
}
"$skinbench" generate jelly --set around=8 --set along=10 --set frames=6 -o jelly.h5 --quiet
"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o bar.h5 --quiet
mkdir "a b'\"c"
export TMPDIR=$folder/"a b'\"c"
fit() { "$skinbench" fit jelly.h5 --external "$1" --bones 2 --threads 1 -o model.h5 --quiet "${@:2}"; }

# a program that keeps every vertex where it rests: its error follows from the positions
describe still still
fit ./still.json --json >fit.json || fail "a fit"
"$skinbench" fit jelly.h5 --external still.json --bones 2 -o model.h5 >out || fail "a fit without --json"
grep -q "start-up " out && grep -q "version  *version 1" out || fail "what is printed: $(cat out)"
"$skinbench" skin model.h5 --method lbs -o skinned.h5 --quiet
"$skinbench" measure jelly.h5 skinned.h5 --json >measured.json
sha256sum still.json >sum
python3 - <<'PYTHON' || fail "the fit: $(cat fit.json measured.json)"
import json
fit, measured = json.load(open("fit.json")), json.load(open("measured.json"))
external = fit["external"]
assert fit["method"] == "still" and fit["bones_delivered"] == 1 and fit["influences"] == 4
assert fit["metrics"]["e_rms"] > 1 and abs(fit["metrics"]["e_rms"] / measured["metrics"]["e_rms"] - 1) < 1e-5
assert external["sha256"] == open("sum").read().split()[0] and external["version"] == "version 1"
assert external["exit_code"] == 0 and external["reported_s"] == 0.125 and "{input}" in external["command"]
assert 0 < external["startup_s"] < 20 and 0 < external["processor_s"] < 20 and external["wall_s"] == fit["timing"]["total_s"]
PYTHON
[ -z "$(find "$TMPDIR" -mindepth 1)" ] || fail "something was left in the temporary folder"

# every way to fail
rm model.h5
while read -r mode part; do
    describe failing "$mode" "$([ "$mode" = hang ] && echo '"time_limit_s": 1,')"
    sed -i 's/"time_limit_s": 20, \(.*"time_limit_s"\)/\1/' failing.json
    refused 1 "$part" fit ./failing.json
    [ ! -e model.h5 ] || fail "$mode: a model was written"
done <<'MODES'
exit failing: exit code 3; its last words: no licence\x1B[2J
hang failing: ran longer than 1 s
segv failing: ended by a signal: Segmentation fault
memory MemoryError
children-memory failing: used more than 200 MB of memory
child failing: left 1 processes running
nothing cannot be
many-words xxx the end
bones failing: its output has 3 bones, but 2 were allowed
influences failing: a vertex of its output has 5 influences, but 4 were allowed
frames transforms.npy: has the extent 5 in dimension 0, expected 6
nan its output: rig/transforms
negative vertex 7 has the weight -0.5, expected at least 0
MODES
! kill -0 "$(cat child)" 2>/dev/null || fail "the child of a program is alive"
! kill -0 "$(cat started)" 2>/dev/null || fail "a program that hung is alive"

# an interrupt, and a kill, end the program, too
describe hanging hang
for signal in INT KILL; do
    rm -f started
    fit ./hanging.json 2>err &
    main=$!
    for ((i = 0; i < 200; i++)); do [ -s started ] && break || sleep 0.05; done
    child=$(pgrep -P "$main" skinbench || echo "$main") # bash forks for a function
    kill -"$signal" "$child"
    wait "$main" || code=$?
    [ "$signal" = KILL ] || [ "$code" -eq 130 ] || fail "exit code $code after an interrupt: $(cat err)"
    for ((i = 0; i < 200; i++)); do kill -0 "$(cat started)" 2>/dev/null && sleep 0.05 || break; done
    ! kill -0 "$(cat started)" 2>/dev/null || fail "a program is alive after SIG$signal"
done

# descriptions that are refused, before anything is run
describe bad still '"colour": 1,' && refused 3 'bad.json: unknown member "colour"' fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": "rm -rf x"}' >bad.json && refused 3 'bad.json: command is "rm -rf x"' fit ./bad.json
echo '{"name": "bad", "kind": "art", "command": ["true"]}' >bad.json && refused 3 'bad.json: kind is "art"' fit ./bad.json
echo '{"name": "../x", "kind": "fit", "command": ["true"]}' >bad.json && refused 3 'bad.json: name is "../x"' fit ./bad.json
echo '{"name": "ssdr", "kind": "fit", "command": ["true"]}' >bad.json && refused 3 "a method of skinbench" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true", "{inptu}"]}' >bad.json && refused 3 "{inptu}" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true"], "input": "fbx"}' >bad.json && refused 3 "input is 'fbx'" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true"], "memory_mb": 0}' >bad.json && refused 3 "must be positive" fit ./bad.json
echo '{"name": "bad", "kind": "weights", "command": ["true"]}' >bad.json && refused 2 "needs the kind 'fit'" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["/nonexistent"]}' >bad.json && refused 1 "cannot be started: No such file" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true"], "version": ["/nonexistent"]}' >bad.json && refused 4 "the command for its version failed" fit ./bad.json
refused 4 "has no description" fit absent
refused 2 "not both" fit ./still.json --method sad

# weights and rigs; the second by way of other formats
describe corners weights && sed -i 's/"fit"/"weights"/' corners.json
"$skinbench" weights predict bar.h5 --external ./corners.json -o predicted.h5 --quiet || fail "predicted weights"
"$skinbench" export glb bar.h5 -o bar.glb --quiet
describe pairs rig '"input": "arrays", "output": "rignet",' && sed -i 's/"fit"/"rig"/' pairs.json
"$skinbench" weights predict bar.h5 --external ./pairs.json -o rig.h5 --json >rig.json || fail "a predicted rig"
"$skinbench" info rig.h5 --json | grep -q '"joints":2' || fail "the predicted rig: $("$skinbench" info rig.h5 --json)"
grep -q '"exit_code":0' rig.json || fail "what is printed: $(cat rig.json)"

refused 1 "but 1 were allowed" "$skinbench" weights predict bar.h5 --external ./pairs.json --influences 1 -o other.h5
refused 2 "is of the kind 'fit'" "$skinbench" weights predict bar.h5 --external ./still.json -o other.h5

# a benchmark: failures are cells, and what is done is not done again, unless the description changes
mkdir externals
describe failing exit && mv failing.json externals && cp program.py externals
cat >suite.json <<'SUITE'
{"datasets": [{"file": "jelly.h5"}],
 "decomposition": [{"external": "failing", "bones": [2]}, {"external": "absent", "bones": [2]}, {"method": "svd", "bones": [2]}]}
SUITE
bench() { SKINBENCH_EXTERNALS=$folder/externals "$skinbench" bench --threads 1 --no-generated --quiet -o run.jsonl "$@"; }
bench --suite suite.json >out || fail "a suite: $(cat out)"
bench bar.h5 jelly.h5 --methods svd --bones 2 --external ./still.json,./corners.json,./pairs.json,failing >out || fail "a benchmark: $(cat out)"
grep -q "| still " out && grep -q "failing.*exit code 3" out || fail "the tables: $(cat out)"
lines=$(wc -l <run.jsonl)
bench jelly.h5 --methods svd --bones 2 --external ./still.json >out
[ "$(wc -l <run.jsonl)" -eq "$lines" ] || fail "what was done was done again"
describe still still '"title": "changed",'
bench jelly.h5 --methods svd --bones 2 --external ./still.json >out
[ "$(wc -l <run.jsonl)" -gt "$lines" ] || fail "another description is not another program"
"$skinbench" report run.jsonl -o report --quiet || fail "a report"
python3 - <<'PYTHON' || fail "the records: $(cat run.jsonl)"
import json
records = [json.loads(line) for line in open("run.jsonl")]
fits = [r for r in records if r.get("kind") == "decomposition" and r["dataset"]["name"].startswith("jelly")]
by = {r["method"]: r for r in fits}
assert by["still"]["status"] == "ok" and by["still"]["backend"] == "external" and by["still"]["external"]["exit_code"] == 0
assert len(by["still"]["timing"]["total"]["samples_s"]) >= 1 and by["still"]["timing"]["total"]["median_s"] > 0
assert by["failing"]["status"] == "failed" and "no licence" in by["failing"]["reason"] and by["failing"]["external"]["exit_code"] == 3
assert by["absent"]["status"] == "skipped" and "external" not in by["absent"]
assert by["svd"]["status"] == "ok" and by["svd"]["backend"] == "host" and "external" not in by["svd"]
scores = {r["method"]: r for r in records if r.get("kind") == "score"}
assert scores["corners"]["status"] == "ok" and scores["corners"]["measures"]["l1_row"] > 0.1
assert scores["pairs"]["status"] == "ok" and scores["pairs"]["external"]["exit_code"] == 0
PYTHON

# a column of a published table names a program, and no more
mkdir -p home/results
cp -r "$packaging/../../results/published" home/results/
cp -r "$packaging/../../scripts" home/
cat >home/results/published/others.json <<'TABLE'
{"schema": 1, "name": "others", "title": "Other programs", "source": {"paper": "none", "place": "a test"},
 "settings": {"rest": "file", "influences": 4, "iterations": 15},
 "columns": [{"name": "still", "title": "still", "external": "still", "quantity": "e_rms"},
             {"name": "absent", "title": "absent", "external": "absent", "quantity": "e_rms"},
             {"name": "svd", "title": "SVD", "method": "svd", "quantity": "e_rms"}],
 "rows": [{"name": "jelly", "generate": "jelly", "set": ["around=8", "along=10", "frames=6"], "bones": 2, "published": {"still": null, "absent": null, "svd": null}}]}
TABLE
cp still.json externals/still.json
table() { SKINBENCH_HOME=$folder/home SKINBENCH_EXTERNALS=$folder/externals "$skinbench" table others --no-times "$@"; }
table -o table.jsonl --json >table.json 2>err || fail "a table: $(cat err)"
python3 - <<'PYTHON' || fail "the table: $(cat table.json)"
import json
cells = {cell["column"]: cell for cell in map(json.loads, open("table.json"))}
assert abs(cells["still"]["measured"] / json.load(open("fit.json"))["metrics"]["e_rms"] - 1) < 1e-4, cells
assert cells["absent"].get("measured") is None and cells["svd"]["measured"] > 0
PYTHON
sed -i 's/"external": "still"/"external": "still", "method": "svd"/' home/results/published/others.json
refused 3 "takes no method" table --quiet

# the example, if NumPy is there
if /usr/bin/python3 -c "import numpy" 2>/dev/null; then
    PATH=/usr/bin:$PATH "$skinbench" fit jelly.h5 --external "$packaging/numpy-fit.json" --bones 4 -o numpy.h5 --json >numpy.json || fail "the example"
    "$skinbench" fit jelly.h5 --method ssdr --bones 1 -o one.h5 --json >one.json
    python3 -c "
import json
numpy, one = (json.load(open(name))['metrics']['e_rms'] for name in ('numpy.json', 'one.json'))
assert numpy < 0.7 * one, (numpy, one)" || fail "the example is not better than one bone"
else
    echo "SKIPPED: the example needs NumPy"
fi
