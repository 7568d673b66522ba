#!/usr/bin/env bash
# Runs three.js through the conformance pack with the lines that the pack's README.md has for it. three.js keeps four influences per
# vertex. After scaling weights that are stored as bytes, it rounds them to bytes again. All other cases have to pass. Skipped
# without Node or the packages of the report's page, one of which is three.js.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
page=$(cd "$(dirname "$0")/../../harness/show/report/page" && pwd)
command -v node >/dev/null || { echo "SKIPPED: no node (apt-get install nodejs)"; exit 77; }
[ -d "$page/node_modules/three" ] || { echo "SKIPPED: no three.js (in harness/show/report/page: npm ci)"; exit 77; }
cd "$folder"
"$skinbench" conformance -o pack --quiet >out
# shellcheck disable=SC2016 # the marks of code are no command
sed -n '/^```js$/,/^```$/p' pack/README.md | sed '1d;$d' >engine.mjs
[ "$(wc -l <engine.mjs)" -le 22 ] || fail "the lines for an engine are $(wc -l <engine.mjs)"
ln -s "$page/node_modules" node_modules
mkdir results
node engine.mjs pack results >out 2>&1 || fail "three.js: $(cat out)"
expected 1 "$skinbench" identify --pack pack results --method lbs
cp out verdicts
diff - <(sed -n 's/^FAILS  \([a-z0-9-]*\) .*/\1/p' verdicts) <<'FAILS' || fail "three.js fails other cases: $(cat verdicts)"
chain-twist-385
influences-5
influences-8
influences-12
weights-u8-8
weights-u16-8
sums-half-8
sums-half-u8
FAILS
grep -q "^44 of 52 cases pass" verdicts
for name in chain-twist-385 influences-5 influences-8 influences-12 sums-half-8; do
    grep "^FAILS  $name " verdicts | grep -q "it is lbs, 4 influences$" || fail "$(grep "$name" verdicts)"
done
grep "^FAILS  sums-half-u8 " verdicts | grep -q "it is lbs, weights of 8 bits$" || fail "$(grep sums-half-u8 verdicts)"
