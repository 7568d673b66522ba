#!/usr/bin/env bash
# The guard from end to end, with the real program on small data: a run is accepted, the same run passes, five millionths are
# named whichever way, a cell that is gone fails, files for others can be parsed, and bad files end with 3 and touch nothing.
#   guard.sh SKINBENCH
set -euo pipefail
skinbench=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $1" >&2; exit 1; }
expect() { # CODE COMMAND...
    local want=$1 code=0
    shift
    "$@" >"$work/out" 2>&1 || code=$?
    [ "$code" -eq "$want" ] || fail "exit code $code, expected $want: $*: $(cat "$work/out")"
}
says() { grep -qF -e "$1" "$work/out" || fail "does not say '$1': $(cat "$work/out")"; }

cat >"$work/suite.json" <<'END'
[{"datasets": [{"generate": "walk", "set": ["vertices=1000", "frames=4", "bulge=0.03"]}],
  "skinning": {"methods": ["lbs", "dqs"], "backends": ["reference", "scalar", "simd"], "threads": [1]},
  "decomposition": [{"method": "svd", "bones": [3]}]},
 {"tables": [{"name": "dqs-fig20"}]}]
END
expect 0 "$skinbench" bench --suite "$work/suite.json" --no-generated --no-times --threads 1 -o "$work/run.jsonl"
! grep -q '"median_s"' "$work/run.jsonl" || fail "a run without times has times"
expect 2 "$skinbench" accept "$work/base.jsonl" "$work/run.jsonl"
expect 2 "$skinbench" accept "$work/base.jsonl" "$work/run.jsonl" --reason ""
[ ! -e "$work/base.jsonl" ] || fail "a baseline without a reason"
expect 0 "$skinbench" accept "$work/base.jsonl" "$work/run.jsonl" --reason "the first"
expect 0 "$skinbench" compare "$work/base.jsonl" "$work/run.jsonl" --junit "$work/a.xml" --markdown "$work/a.md"
grep -q '"reason":"the first"' "$work/base.jsonl" || fail "the reason is not kept"

# By five millionths, up and down, of the first cell that has the number.
for factor in 1.000005 0.999995; do
    for number in e_rms kg_percent distance_p99 jump_half; do
        awk -v n="\"$number\":" -v f="$factor" '
            !done && (i = index($0, n)) {
                start = i + length(n); rest = substr($0, start); match(rest, /^[-0-9.e+]+/)
                if (substr(rest, 1, RLENGTH) + 0 != 0) {
                    $0 = substr($0, 1, start - 1) sprintf("%.17g", substr(rest, 1, RLENGTH) * f) substr(rest, RLENGTH + 1); done = 1
                }
            } { print }' "$work/run.jsonl" >"$work/moved.jsonl"
        ! cmp -s "$work/run.jsonl" "$work/moved.jsonl" || fail "no $number to move"
        expect 1 "$skinbench" compare "$work/base.jsonl" "$work/moved.jsonl" --junit "$work/b.xml" --markdown "$work/b.md"
        says "$number"
    done
done
grep -v '"svd"' "$work/run.jsonl" >"$work/fewer.jsonl"
expect 1 "$skinbench" compare "$work/base.jsonl" "$work/fewer.jsonl" --junit "$work/c.xml" --markdown "$work/c.md"
says "1 cells or numbers vanished"
expect 0 "$skinbench" compare "$work/fewer.jsonl" "$work/run.jsonl"
says "1 new"

if command -v python3 >/dev/null; then
    python3 - "$work"/a.xml "$work"/b.xml "$work"/c.xml <<'END' || fail "the JUnit files are not what readers expect"
import sys
import xml.etree.ElementTree as tree
for path, failing in zip(sys.argv[1:], (0, 1, 1)):
    root = tree.parse(path).getroot()
    assert root.tag == "testsuites", root.tag
    for suite in root:
        cases = suite.findall("testcase")
        assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases) > 5
        assert int(suite.get("failures")) == sum(c.find("failure") is not None for c in cases) == failing
        assert int(suite.get("skipped")) == sum(c.find("skipped") is not None for c in cases)
        assert all(c.get("name") and c.get("classname") and len(list(c)) < 2 for c in cases)
        assert len({c.get("name") for c in cases}) == len(cases)
END
fi
head -1 "$work/b.md" | grep -q '^### accuracy: changed$' || fail "the summary does not begin with what it found"
grep -q '^| ' "$work/b.md" || fail "the summary has no table"

# What the script refuses before it builds anything.
nightly=$(dirname "$0")/../../scripts/nightly
for options in "--accept" "--accept --matrix" "--matrix" "--only something" "--junit" "--unknown"; do
    read -ra words <<<"$options"
    expect 2 "$nightly" "${words[@]}"
done
expect 2 "$nightly" --accept " "

# Bad files: a message that names the file, 3, and nothing written.
: >"$work/empty.jsonl"
head -c 700 "$work/run.jsonl" >"$work/torn.jsonl"
echo '{"name": "foreign"}' >"$work/foreign.jsonl"
sed 's/"schema":1/"schema":9/' "$work/run.jsonl" >"$work/newer.jsonl"
head -n -1 "$work/base.jsonl" >"$work/cut.jsonl"
sed 's/"hash":"[^"]*"/"hash":"ffff"/; s/"machine":"[^"]*, /"machine":"Another, /; s/"environment":"[^"]*"/"environment":"ffff"/' \
    "$work/run.jsonl" | cat "$work/run.jsonl" - >"$work/two.jsonl"
cp "$work/base.jsonl" "$work/kept.jsonl"
for bad in empty torn foreign newer cut two; do
    expect 3 "$skinbench" compare "$work/$bad.jsonl" "$work/run.jsonl" --junit "$work/x.xml" --markdown "$work/x.md"
    says "$bad.jsonl"
    expect 3 "$skinbench" compare "$work/base.jsonl" "$work/$bad.jsonl" --junit "$work/x.xml"
    expect 3 "$skinbench" accept "$work/base.jsonl" "$work/$bad.jsonl" --reason "bad"
    cmp -s "$work/base.jsonl" "$work/kept.jsonl" || fail "$bad.jsonl was accepted"
    [ ! -e "$work/x.xml" ] && [ ! -e "$work/x.md" ] || fail "$bad.jsonl left a file behind"
done
echo "a run is accepted, five millionths are named, bad files are refused"
