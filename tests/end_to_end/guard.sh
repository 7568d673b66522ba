#!/usr/bin/env bash
# Tests the guard from end to end, with the real program on small data: a run is accepted and passes again, changes of 5e-6 and 5 % are
# named on every method and backend, a missing cell fails, files for other programs can be parsed, and bad files change nothing.
#   guard.sh SKINBENCH
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
says() { grep -qF -e "$1" "$folder/out" "$folder/err" || fail "does not say '$1': $(cat "$folder/out" "$folder/err")"; }

# Every method on every backend that is here, every fit, and a study.
cat >"$folder/suite.json" <<'END'
[{"datasets": [{"generate": "sheet", "set": ["across=5", "joints=2", "influences=2", "frames=3", "positions=yes"]}],
  "skinning": {"threads": [1]},
  "decomposition": [{"method": "svd", "bones": [1]}, {"method": "cpca", "bones": [1]},
                    {"method": "coordinate-descent", "bones": [2], "iterations": 2},
                    {"method": "sad", "bones": [2], "iterations": 2, "seeds": [1, 2, 3, 4, 5]},
                    {"method": "sma", "bones": [2], "iterations": 2, "set": ["samples=16"]},
                    {"method": "ssdr", "bones": [2], "iterations": 2},
                    {"method": "compressed-skinning", "bones": [2], "iterations": 2, "set": ["steps=20"]},
                    {"method": "hyperspectral", "bones": [2], "iterations": 2},
                    {"method": "eigenskin", "bones": [2], "iterations": 2, "set": ["base=sad", "rank=1"]}]},
 {"tables": [{"name": "dqs-fig20"}]}]
END
expected 0 "$skinbench" bench --suite "$folder/suite.json" --no-generated --no-times --threads 1 -o "$folder/run.jsonl"
! grep -q '"median_s"' "$folder/run.jsonl" || fail "a run without times has times"
expected 2 "$skinbench" accept "$folder/run.jsonl" -o "$folder/accepted.json" --what all
expected 2 "$skinbench" accept "$folder/run.jsonl" -o "$folder/accepted.json" --what all --reason ""
expected 2 "$skinbench" accept "$folder/run.jsonl" -o "$folder/accepted.json" --reason "why"
expected 2 "$skinbench" compare "$folder/run.jsonl"
[ ! -e "$folder/accepted.json" ] || fail "accepted without a reason"
expected 0 "$skinbench" accept "$folder/run.jsonl" --what all --reason "the first" -o "$folder/accepted.json"
grep -q '"reason": "the first"' "$folder/accepted.json" || fail "the reason is not kept"
# helper joints are added to a rig; no suite runs them
for method in $("$skinbench" list methods --json | grep -v '"kind":"rig"' | sed -n 's/^{"kind":"[a-z]*","name":"\([^"]*\)".*/\1/p'); do
    grep -q "{\"method\": \"$method\", " "$folder/accepted.json" || fail "no E_RMS of $method: $(cat "$folder/accepted.json")"
done
expected 0 "$skinbench" compare "$folder/run.jsonl" "$folder/run.jsonl" --accepted "$folder/accepted.json" --junit "$folder/a.xml" --markdown "$folder/a.md"
expected 0 "$skinbench" compare "$folder/run.jsonl" --accepted "$folder/accepted.json"

# A number of every cell, by five millionths and by 5 %, up and down: each is named, and the whole is accepted.
needs python3
for factor in 1.000005 0.999995 1.05 0.95; do
    python3 - "$folder" $factor >"$folder/planted" <<'END'
import json, sys
folder, factor = sys.argv[1], float(sys.argv[2])
with open(f"{folder}/moved.jsonl", "w") as out:
    for line in open(f"{folder}/run.jsonl"):
        record = json.loads(line)
        numbers = record.get("metrics") or record.get("measures") or {}
        names = [name for name in ("e_rms", "kg_percent", "reference_distance_max", "jump_half") if numbers.get(name)]
        if record.get("status") == "ok" and record["kind"] in ("skinning", "decomposition", "study") and names:
            numbers[names[0]] *= factor
            print(record.get("method") or record["study"], record.get("backend") or "-", names[0])
        out.write(json.dumps(record) + "\n")
END
    code=0
    "$skinbench" compare "$folder/run.jsonl" "$folder/moved.jsonl" --json >"$folder/found.json" 2>/dev/null || code=$?
    [ $code = 1 ] || fail "planted changes end with $code"
    python3 - "$folder" $factor <<'END' || fail "not every planted change was named"
import json, re, sys
folder, factor = sys.argv[1], float(sys.argv[2])
planted = {tuple(line.split()) for line in open(f"{folder}/planted")}
named = set()
for finding in map(json.loads, open(f"{folder}/found.json")):
    if finding["finding"] in ("worse", "better", "moved", "changed") and finding["metric"] != "median e_rms":
        metric = finding["metric"].removeprefix("measures.")
        of = re.search(r": (?:study )?(\S+)(?:.* on (\S+))?", finding["cell"])
        named.add((of[1], (of[2] or "-").rstrip(","), metric))
        assert abs(finding["ratio"] / factor - 1) < 1e-9, finding
print(sorted(planted - named), len(planted), file=sys.stderr)
sys.exit(planted != named or len(planted) < 40)
END
done
# A wrong cell is not accepted, whatever is named.
sed '0,/"status":"ok"/s//"status":"wrong"/' "$folder/run.jsonl" >"$folder/wrong.jsonl"
expected 1 "$skinbench" accept "$folder/run.jsonl" "$folder/wrong.jsonl" --what all --reason "wrong" -o "$folder/accepted.json"
says "the run cannot be accepted, because 1 cells are wrong or failed"
grep -q '"reason": "the first"' "$folder/accepted.json" || fail "a wrong cell was accepted"

# One method alone: its line and what was given up are stored; the others stay open, also if the program is the same again.
expected 2 "$skinbench" accept "$folder/run.jsonl" "$folder/moved.jsonl" --what "the signs" --reason "signs" -o "$folder/accepted.json"
says "the signs is not the name of a method or a cell"
cp "$folder/accepted.json" "$folder/one.json"
expected 0 "$skinbench" accept "$folder/run.jsonl" "$folder/moved.jsonl" --what dqs --reason "signs" -o "$folder/one.json"
diff "$folder/accepted.json" "$folder/one.json" >"$folder/diff" || true
[ "$(grep -c '^> .*"method": ' "$folder/diff")" = 1 ] && grep -q '^> .*"method": "dqs"' "$folder/diff" || fail "$(cat "$folder/diff")"
grep -qE '^> .*"name": "dqs", .*"reason": "signs", .*"found": "better on every backend' "$folder/diff" || fail "$(cat "$folder/diff")"
expected 1 "$skinbench" compare "$folder/moved.jsonl" "$folder/moved.jsonl" --accepted "$folder/one.json" --json
grep -q '"cell":"not accepted on [^"]*: svd"' "$folder/out" && ! grep -q '": dqs".*"open"' "$folder/out" || fail "$(tail -1 "$folder/out")"
expected 0 "$skinbench" accept "$folder/run.jsonl" "$folder/moved.jsonl" --what all --reason "all of it" -o "$folder/accepted.json"
says " better"
grep -q '"found": ".* better' "$folder/accepted.json" || fail "what was found is not kept: $(cat "$folder/accepted.json")"
! grep -q '"open"' "$folder/accepted.json" || fail "all leaves something open: $(cat "$folder/accepted.json")"
expected 0 "$skinbench" compare "$folder/moved.jsonl" --accepted "$folder/accepted.json"
expected 1 "$skinbench" compare "$folder/run.jsonl" --accepted "$folder/accepted.json" --junit "$folder/b.xml" --markdown "$folder/b.md"
says "any machine: dqs"
expected 1 "$skinbench" compare "$folder/run.jsonl" "$folder/moved.jsonl" --junit "$folder/b.xml" --markdown "$folder/b.md"
grep -v '"svd"' "$folder/run.jsonl" >"$folder/fewer.jsonl"
expected 1 "$skinbench" compare "$folder/run.jsonl" "$folder/fewer.jsonl" --junit "$folder/c.xml" --markdown "$folder/c.md"
says "1 cells or numbers vanished"
expected 0 "$skinbench" compare "$folder/fewer.jsonl" "$folder/run.jsonl"
says "1 new"

python3 - "$folder"/a.xml "$folder"/b.xml "$folder"/c.xml <<'END' || fail "the JUnit files are not what readers expect"
import sys
import xml.etree.ElementTree as tree
for path, failing in zip(sys.argv[1:], (0, None, 1)):
    root = tree.parse(path).getroot()
    assert root.tag == "testsuites", root.tag
    for suite in root:
        cases = suite.findall("testcase")
        failures = sum(c.find("failure") is not None for c in cases)
        assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases) > 5
        assert int(suite.get("failures")) == failures and (failures > 40 if failing is None else failures == failing)
        assert int(suite.get("skipped")) == sum(c.find("skipped") is not None for c in cases)
        assert all(c.get("name") and c.get("classname") and len(list(c)) < 2 for c in cases)
        assert len({c.get("name") for c in cases}) == len(cases)
END
head -1 "$folder/b.md" | grep -q '^### Verdict on accuracy: changed$' || fail "the summary does not begin with what it found"
grep -q '^| ' "$folder/b.md" || fail "the summary has no table"

# What the script refuses before it builds anything.
nightly=$(dirname "$0")/../../scripts/nightly
for options in "--accept" "--accept dqs" "--reason why" "--accept dqs --reason why --only accuracy" "--only something" "--against" "--threads none" "--junit" "--unknown"; do
    read -ra words <<<"$options"
    expected 2 "$nightly" "${words[@]}"
done
expected 2 "$nightly" --accept dqs --reason " "

# Bad files: a message that names the file, 3, and nothing written.
: >"$folder/empty.jsonl"
head -c 700 "$folder/run.jsonl" >"$folder/torn.jsonl"
echo '{"name": "foreign"}' >"$folder/foreign.jsonl"
sed 's/"schema":1/"schema":9/' "$folder/run.jsonl" >"$folder/newer.jsonl"
sed 's/"hash":"[^"]*"/"hash":"ffffffffffffffff"/; s/"machine":"[^"]*, /"machine":"Another, /; s/"environment":"[^"]*"/"environment":"ffffffffffffffff"/' \
    "$folder/run.jsonl" | cat "$folder/run.jsonl" - >"$folder/two.jsonl"
cp "$folder/accepted.json" "$folder/kept.json"
for bad in empty torn foreign newer two; do
    expected 3 "$skinbench" compare "$folder/$bad.jsonl" "$folder/run.jsonl" --junit "$folder/x.xml" --markdown "$folder/x.md"
    says "$bad.jsonl"
    expected 3 "$skinbench" compare "$folder/run.jsonl" "$folder/$bad.jsonl" --junit "$folder/x.xml"
    expected 3 "$skinbench" accept "$folder/$bad.jsonl" --what all --reason "bad" -o "$folder/accepted.json"
    cmp -s "$folder/accepted.json" "$folder/kept.json" || fail "$bad.jsonl was accepted"
    [ ! -e "$folder/x.xml" ] && [ ! -e "$folder/x.md" ] || fail "$bad.jsonl left a file behind"
done
expected 3 "$skinbench" compare "$folder/run.jsonl" --accepted "$folder/foreign.jsonl"
says "foreign.jsonl"
echo "a run is accepted, five millionths and 5 % are named in every method on every backend, bad files are refused"
