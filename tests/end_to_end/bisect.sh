#!/usr/bin/env bash
# Tests scripts/bisect on a small repository whose "build" copies a script: it finds the commit that changed a metric and the one
# that slowed a cell down, skips commits that do not build, and leaves the checkout unchanged.
. "$(dirname "$0")/../prelude.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
needs git python3 cmake ninja
cd "$folder"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main repository
cd repository
mkdir -p scripts results/baseline
cp "$source/scripts/bisect" scripts/
echo '{}' | tee results/baseline/suite.json >results/baseline/times.json
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(stub NONE)
add_custom_target(skinbench COMMAND sh ${CMAKE_SOURCE_DIR}/make.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/skinbench)
EOF
cat >make.sh <<'EOF'
set -e
. "$1/values"
sed -e "s/ERROR/$error/; s/TIME/$time/" "$1/program" >"$2"
chmod +x "$2"
EOF
cat >program <<'EOF'
#!/usr/bin/env python3
import json, subprocess, sys
error, time = ERROR, TIME
verb, rest = sys.argv[1], sys.argv[2:]
if verb == "time":
    print(time)
elif verb == "bench":
    open(rest[rest.index("-o") + 1], "w").write(str(error))
elif rest[0] == "--binary":
    old, new = (float(subprocess.check_output([path, "time"])) for path in rest[1:3])
    kind = "slower" if new > 1.02 * old else "same"
    print(json.dumps({"cell": "walk: dqs on simd", "metric": "skin", "finding": kind}))
    sys.exit(kind == "slower")
else:
    base, new = (float(open(path).read()) for path in rest[:2])
    if base != new:
        print(json.dumps({"cell": "walk: dqs on reference", "metric": "e_rms", "finding": "worse"}))
    sys.exit(base != new)
EOF
commit() { printf 'error=%s\ntime=%s\n%s\n' "$1" "$2" "${3:-}" >values; git add -A; git commit -qm "values $1 $2 ${3:-}"; }
for _ in 1 2 3; do commit 1.0 10 "# $_"; done
echo '{}' >results/baseline/accepted.json
commit 1.0 10 "# accepted"
good=$(git rev-parse HEAD)
commit 1.0 10 "# still"
commit 1.0 10 "exit 1"
commit 1.0 11
slow=$(git rev-parse HEAD)
commit 1.0 11 "# more"
commit 1.5 11
worse=$(git rev-parse HEAD)
commit 1.5 11 "exit 1"
commit 1.5 11 "# and more"
echo "of the user" >notes
git branch -q other

bisect() { scripts/bisect "$@" --folder "$folder/work"; }
bisect "walk: dqs" e_rms --good "$good" >out || fail "$(cat out ../work/bisect.log)"
[ "$(tail -1 out)" = "$worse" ] || fail "e_rms: $(cat out), not $worse"
grep -q "values 1.5 11" out || fail "$(cat out)"
bisect "walk: dqs" e_rms --good "$good" --bad "$worse" >out
[ "$(tail -1 out)" = "$worse" ] || fail "from --bad: $(cat out)"
# The commit before the slow one does not build: git names both.
code=0
bisect "walk: dqs" skin --good "$good" >out 2>err || code=$?
[ $code = 1 ] && grep -q "$slow" err && [ "$(grep -c '^  ' err)" = 2 ] || fail "skin: $code $(cat out err)"
refused 3 "'walk: lbs' does not differ in e_rms" bisect "walk: lbs" e_rms --good "$good"
refused 3 "does not differ in e_rms" bisect "walk: dqs" e_rms --good "$good" --bad "$slow"
refused 3 "no commit nonsense" bisect "walk: dqs" e_rms --good nonsense
bisect dqs e_rms >out
[ "$(tail -1 out)" = "$worse" ] || fail "from the accepted commit: $(cat out)"
[ "$(git symbolic-ref --short HEAD)" = main ] && [ "$(cat notes)" = "of the user" ] || fail "the checkout was touched"
[ -z "$(git for-each-ref refs/bisect)" ] || fail "a bisection was left in the repository"
echo "bisect finds the commit that changed a metric or a time"
