#!/usr/bin/env bash
# Tests scripts/nightly on a small repository whose "build" copies a script: it compares with the accepted commit, builds that once,
# accepts a change, and ends with exit code 4 if there is nothing to compare with.
. "$(dirname "$0")/../prelude.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
for program in git python3 cmake ninja; do
    command -v $program >/dev/null || { echo "SKIPPED: no $program"; exit 77; }
done
cd "$folder"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
unset SKINBENCH_BUILD SKINBENCH_HOME
git init -q -b main repository
cd repository
mkdir -p scripts results/baseline
cp "$source/scripts/nightly" scripts/
printf '#!/bin/sh\n' >scripts/install-dependencies
chmod +x scripts/install-dependencies
echo build >.gitignore
echo 7 >results/baseline/suite.json
cat >CMakePresets.json <<'EOF'
{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}
EOF
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(stub C)
add_custom_target(skinbench COMMAND sh ${CMAKE_SOURCE_DIR}/make.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/skinbench)
EOF
cat >make.sh <<'EOF'
set -e
. "$1/values"
sed -e "s/ERROR/$error/" "$1/program" >"$2"
chmod +x "$2"
EOF
# A run is its suite's text and the error; what is accepted, the same and the reason.
cat >program <<'EOF'
#!/usr/bin/env python3
import os, sys
error = ERROR
verb, rest = sys.argv[1], sys.argv[2:]
value = lambda name: rest[rest.index(name) + 1]
read = lambda path: open(path).read()
runs = [path for path in rest if path.endswith(".jsonl")]
if verb == "bench":
    assert value("--suite").startswith(os.environ["SKINBENCH_HOME"])
    open(value("-o"), "w").write(read(value("--suite")) + str(error))
elif verb == "accept":
    open(value("-o"), "w").write(read(runs[-1]) + "\n" + value("--reason"))
elif verb == "compare":
    changed = len(runs) > 1 and read(runs[0]) != read(runs[1])
    changed |= "--accepted" in rest and abs(float(read(value("--accepted")).split()[1]) - error) >= 1
    found = "times" if "--binary" in rest else " then ".join(read(run).split()[1] for run in runs)
    for name in ("--junit", "--markdown"):
        open(value(name), "w").write(f"1\n2\n{found}\n4\n")
    print("found:", found)
    sys.exit(changed)
EOF
commit() { printf 'error=%s\n%s\n' "$1" "${2:-}" >values; git add -A; git commit -qm "value $1 ${2:-}"; }
night() { # CODE TEXT OPTION...: the exit code, and a line of what it prints
    local want=$1 text=$2 code=0
    shift 2
    scripts/nightly "$@" >../out 2>&1 || code=$?
    [ "$code" = "$want" ] || fail "exit code $code, expected $want: $* ($(cat ../out))"
    grep -qF -- "$text" ../out || fail "$* does not say '$text': $(cat ../out)"
}

commit 1.0
night 4 "no commit of this history has accepted anything"
grep -q "times: skipped" ../out || fail "$(cat ../out)"
night 0 "accepted: commit results/baseline/accepted.json" --accept "the first"
grep -q "the first (digits not compared: no commit" results/baseline/accepted.json || fail "$(cat results/baseline/accepted.json)"
commit 1.0 "# accepted"
accepted=$(git rev-parse HEAD)
night 0 "this machine has not seen the accepted commit ${accepted:0:12} yet"
grep -q "found: 1.0 then 1.0" ../out && grep -q "found: times" ../out || fail "$(cat ../out)"
commit 1.5
night 1 "found: 1.0 then 1.5" --only accuracy --junit ../night.xml --markdown ../night.md
! grep -q "has not seen" ../out || fail "the accepted program was built again"
grep -q "1.0 then 1.5" ../night.xml && grep -q "1.0 then 1.5" ../night.md || fail "no files"
night 0 "found: 1.5 then 1.5" --only accuracy --against HEAD
night 4 "there is no commit nonsense here" --only accuracy --against nonsense
echo 8 >results/baseline/suite.json # each program runs its own suite
night 1 "found: 1.0 then 1.5" --only accuracy --against HEAD~1
git checkout -q results
night 0 "accepted: commit" --accept "better"
commit 1.5 "# accepted"
night 0 "has not seen" --only accuracy

# What there is to compare with: nothing but E_RMS, which fails too.
commit 1.6
git clone -q --depth 1 "file://$PWD" ../short
cd ../short
night 4 "history is too short for the accepted commit"
grep -q "found: 1.6$" ../out && grep -q "times: skipped" ../out || fail "$(cat ../out)"
commit 3.5
night 1 "found: 3.5" --only accuracy
cd ../repository
echo again >>results/baseline/accepted.json
commit 1.6 "exit 1"
commit 1.6
night 4 "does not build here"
echo "a night compares with the accepted commit, or says why not"
