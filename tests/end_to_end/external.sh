#!/usr/bin/env bash
# Tests external programs: what they compute is measured by the harness, and every way to fail is a failed cell with the
# program's last words.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
here=$(cd "$(dirname "$0")" && pwd)
packaging=$here/../../packaging/external
cd "$folder"

cp "$here/external_program.py" program.py
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
grep -q "the program does not find the best rig; sad reaches" out && ! grep -q sweeps out || fail "why it is poor: $(cat out)"
"$skinbench" skin model.h5 --method lbs -o skinned.h5 --quiet
"$skinbench" measure jelly.h5 skinned.h5 --json >measured.json
{ sha256sum still.json; sha256sum program.py; } | cut -c 1-64 | tr -d '\n' | sha256sum >sum # the program's file counts, too
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

# what says that it is deterministic is run twice, and believed if both runs agree; a relative TMPDIR is as good as another
describe still still '"deterministic": true,'
fit ./still.json --json | grep '"deterministic":true' >out || fail "a program that is deterministic"
describe chance chance '"deterministic": true,'
TMPDIR=. fit ./chance.json --json | grep '"deterministic":false' >out || fail "a program that is not deterministic"
"$skinbench" fit jelly.h5 --external ./chance.json --bones 2 -o model.h5 | grep "two runs gave different models" >out || fail "what is said of it"
describe still still

# arrays that are stored by columns are the same arrays
describe columns columns
fit ./columns.json --json >by_columns.json || fail "arrays by columns"
grep -o '"e_rms":[^,]*' by_columns.json | cmp - <(grep -o '"e_rms":[^,]*' fit.json) || fail "arrays by columns are other arrays"

# a file in another order of the vertices is the same model; slots that no vertex uses are named as such
"$skinbench" fit jelly.h5 --method ssdr --bones 2 -o made.h5 --json --quiet >made.json
"$skinbench" weights keep made.h5 --order joint-sets -o ordered.h5
echo '{"name": "copy", "kind": "fit", "command": ["cp", "{folder}/ordered.h5", "{output}"], "output": "skinbench"}' >copy.json
fit ./copy.json --json >copied.json || fail "a model in another order"
grep -o '"e_rms":[0-9.]\{8\}' copied.json | head -n 1 | cmp - <(grep -o '"e_rms":[0-9.]\{8\}' made.json | head -n 1) ||
    fail "another order is another model: $(cat copied.json made.json)"
refused 1 "copy: its output has 4 slots per vertex for influences, but 2 were allowed" fit ./copy.json --influences 2

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
influences failing: vertex 0 of its output has 5 influences, but 4 were allowed
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
echo '{"name": "bad", "kind": "art", "command": ["true"]}' >bad.json && refused 3 'bad.json: kind is "art", expected one of fit, weights, rig, skin' fit ./bad.json
echo '{"name": "../x", "kind": "fit", "command": ["true"]}' >bad.json && refused 3 'bad.json: name is "../x"' fit ./bad.json
echo '{"name": "ssdr", "kind": "fit", "command": ["true"]}' >bad.json && refused 3 "a method of skinbench" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true", "{inptu}"]}' >bad.json && refused 3 "'{inptu}', expected one of {folder} {input} {output}" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true"], "input": "fbx"}' >bad.json && refused 3 "input is 'fbx'" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["true"], "memory_mb": 0}' >bad.json && refused 3 "must be positive" fit ./bad.json
echo '{"name": "bad", "kind": "weights", "command": ["true"]}' >bad.json && refused 2 "needs the kind 'fit'" fit ./bad.json
echo '{"name": "bad", "kind": "fit", "command": ["/nonexistent"]}' >bad.json && refused 1 "/nonexistent cannot be started: No such file" fit ./bad.json
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
lines=$(wc -l <run.jsonl)
echo >>program.py
bench jelly.h5 --methods svd --bones 2 --external ./still.json >out
[ "$(wc -l <run.jsonl)" -gt "$lines" ] || fail "a changed program is the same program"
bench bar.h5 --methods svd --external ./corners.json >out
grep -q "Scores of corners" out || fail "scores are not printed: $(cat out)"
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

# a program that uses more threads than it was given is not ranked
grep -q "still, external" report/index.html && ! grep -q "used more threads" report/index.html || fail "a program is not ranked"
sed 's/"processor_s":[0-9.e-]*/"processor_s":1000/' run.jsonl >greedy.jsonl
"$skinbench" report greedy.jsonl -o greedy --quiet || fail "a report"
grep -q "used more threads" greedy/index.html && ! grep -q "still, external" greedy/index.html || fail "a program with more threads is ranked"

# a column of a published table names a program, and no more
mkdir -p home/results
cp -r "$packaging/../../results/published" home/results/
cp -r "$packaging/../../scripts" home/
cat >home/results/published/others.json <<'TABLE'
{"schema": 1, "name": "others", "title": "Other programs", "source": {"paper": "none", "place": "a test"},
 "settings": {"rest": "file", "influences": 4, "iterations": 15},
 "columns": [{"name": "still", "title": "still", "external": "still", "quantity": "e_rms"},
             {"name": "absent", "title": "absent", "external": "absent", "quantity": "e_rms"},
             {"name": "failing", "title": "Failing", "external": "failing", "quantity": "e_rms"},
             {"name": "failing-time", "title": "Failing, time", "external": "failing", "quantity": "time_s"},
             {"name": "svd", "title": "SVD", "method": "svd", "quantity": "e_rms"}],
 "rows": [{"name": "jelly", "generate": "jelly", "set": ["around=8", "along=10", "frames=6"], "bones": 2, "published": {"still": null, "absent": null, "failing": null, "failing-time": null, "svd": null}}]}
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
table -o table.jsonl >out
[ "$(grep -c "^failed: jelly, Failing: failing: exit code 3; its last words: no licence" out)" = 1 ] || fail "the reason of a failure: $(cat out)"
grep -A4 "external programs, E_RMS" out | grep "| *still" >apart && grep -A4 "test: E_RMS" out | grep " SVD" >apart || fail "programs are not apart: $(cat out)"
SKINBENCH_EXTERNALS=$folder/none table --external ./still.json -o given.jsonl --json >given.json || fail "a description by --external"
cmp <(grep '"still"' table.json | sed 's/.*"measured":\([^,]*\).*/\1/') <(grep '"still"' given.json | sed 's/.*"measured":\([^,]*\).*/\1/') || fail "$(cat given.json)"

# a table of predictions has rows for the programs that it is given
"$skinbench" table weights --external ./corners.json,./still.json --rows "bar, falloff,bar, Blender,arm, falloff" --json -o weights.jsonl >weights.json 2>err || fail "$(cat err)"
python3 - <<'PYTHON' || fail "the table of weights: $(cat weights.json)"
import json
cells = {(cell["row"], cell["column"]): cell for cell in map(json.loads, open("weights.json"))}
assert cells["bar, corners", "l1"]["measured"] > cells["bar, falloff", "l1"]["measured"] > 0
assert cells["bar, Blender", "l1"].get("measured") is None and ("arm, corners", "l1") not in cells and ("bar, still", "l1") not in cells
records = [json.loads(line) for line in open("weights.jsonl")]
assert [r["external"]["exit_code"] for r in records if r.get("row") == "bar, corners" and r["kind"] == "study"] == [0]
PYTHON

# a program that failed in a table is tried again
describe corners -exit && sed -i 's/"fit"/"weights"/' corners.json # no such mode, so positions are missing
for status in failed ok; do
    "$skinbench" table weights --external ./corners.json --rows "bar, Blender" --quiet -o again.jsonl >out
    grep '"row":"bar, corners"' again.jsonl | tail -n 1 | grep -q "\"status\":\"$status\"" || fail "not $status: $(cat again.jsonl)"
    sed -i 's/"-exit"/"weights"/' corners.json
done
sed -i 's/"external": "still"/"external": "still", "method": "svd"/' home/results/published/others.json
refused 3 "takes no method" table --quiet
