#!/usr/bin/env bash
# Tests scripts/nightly on a small repository whose "build" copies a script: it compares with the accepted commit, builds that once,
# keeps the results of each commit and those of the accepted program, times what is compiled to other bytes, shows what the deep
# checks found, accepts what is named, with its times, and ends with exit code 4 if there is nothing to compare with.
. "$(dirname "$0")/../prelude.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
needs git python3 cmake ninja
cd "$folder"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
unset SKINBENCH_BUILD SKINBENCH_HOME
git init -q -b main repository
cd repository
mkdir -p scripts results/baseline
cp "$source/scripts/nightly" scripts/
printf '#!/bin/sh\n' >scripts/install-dependencies
# The deep checks: one fails. The page that was written before them is kept.
cat >scripts/check <<'EOF'
#!/bin/sh
cp ../night.md ../before.md
printf 'passed\tformat\nFAILED\tsanitizers\n' >>"$STAGES"
exit 1
EOF
chmod +x scripts/*
echo build >.gitignore
echo 7 >results/baseline/suite.json
cat >CMakePresets.json <<'EOF'
{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release",
 "cacheVariables": {"CMAKE_C_COMPILER": "cc"}}]}
EOF
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(stub NONE)
add_custom_target(skinbench COMMAND sh ${CMAKE_SOURCE_DIR}/make.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/skinbench)
EOF
cat >make.sh <<'EOF'
set -e
. "$1/values"
sed -e "s/ERROR/$error/" "$1/program" >"$2"
chmod +x "$2"
cp -r "$1/objects/." "${2%/*}/"
EOF
for object in methods/CMakeFiles/m.dir/skinning/dqs/dqs.c.o methods/skinning/cor/CMakeFiles/v3.dir/__/loops.c.o \
    methods/CMakeFiles/m.dir/decomposition/sad/sad.c.o methods/CMakeFiles/m.dir/fitting/seeds.c.o \
    methods/CMakeFiles/m.dir/registry_tables.c.o datasets/CMakeFiles/d.dir/Unity/unity_base_c.c.o; do
    mkdir -p "objects/${object%/*}"
    echo add >"objects/$object"
done
mkdir -p methods/skinning/{dqs,cor} methods/decomposition/{sad,svd,_template}
touch methods/skinning/{dqs,cor}/x methods/decomposition/{sad,svd,_template}/x
# A run is its suite's text and the error; an acceptance is a run, what is accepted, and the reason. A page has a line per finding.
printf '#!%s\n' "$(python3 -c 'import sys; print(sys.executable)')" >program # found once, as a search can take a second
cat >>program <<'EOF'
import json, os, sys
error = ERROR
verb, rest = sys.argv[1], sys.argv[2:]
values = lambda name: [rest[i + 1] for i, word in enumerate(rest) if word == name]
read = lambda path: open(path).read()
also = values("--also")
runs = [path for path in rest if path.endswith(".jsonl") and path not in also]
if verb == "bench":
    suite, = values("--suite")
    assert suite.startswith(os.environ["SKINBENCH_HOME"])
    environment = '\n{"kind":"environment","hash":"%s"}\n' % os.environ.get("MACHINE", "1234")
    open(values("-o")[0], "w").write(read(suite) + str(error) + environment)
    open("../ran", "a").write(os.environ["SKINBENCH_HOME"] + "\n")
elif verb == "accept":
    parts = [json.loads(line)["part"] for path in also for line in open(path)]
    text = "\n".join([read(runs[-1]), *values("--what"), *values("--reason"), *parts])
    open(values("-o")[0], "w").write(text)
elif also:
    lines = [json.loads(line) for path in also for line in open(path)]
    page = "\n".join(" ".join((f["part"], f["finding"], f["cell"], f.get("reason", ""))) for f in lines)
    for path in values("--junit") + values("--markdown"):
        open(path, "w").write(page)
    print(page)
    sys.exit(any(f["finding"] in ("changed", "failed") for f in lines))
elif verb == "compare":
    assert "--json" in rest
    changed = len(runs) > 1 and read(runs[0]) != read(runs[1])
    changed |= "--accepted" in rest and abs(float(read(values("--accepted")[0]).split()[1]) - error) >= 1
    part = "times" if "--binary" in rest else "accuracy"
    cell = " then ".join(read(run).split()[1] for run in runs) + " ".join(values("--methods") + values("--time-budget"))
    print(json.dumps({"part": part, "finding": "changed" if changed else "same", "cell": cell}))
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
grep -q "times skipped" ../out && grep -q "digits skipped" ../out || fail "$(cat ../out)"
expected 2 scripts/nightly --accept all
expected 2 scripts/nightly --accept "the first"
expected 2 scripts/nightly --reason "the first"
night 0 "accepted: commit results/baseline/accepted.json" --accept all --reason "the first"
grep -q "the first (digits and times not compared: no commit" results/baseline/accepted.json || fail "$(cat results/baseline/accepted.json)"
commit 1.0 "# accepted"
accepted=$(git rev-parse HEAD)
night 0 "this machine has not seen the accepted commit ${accepted:0:12} yet"
grep -q "accuracy same 1.0 then 1.0" ../out && grep -q "times skipped times methods/ and datasets/ are compiled" ../out ||
    fail "$(cat ../out)"
night 0 "times same" --only times
# timed WHAT OBJECT...: compiles these objects otherwise, and says what is timed
timed() {
    local what=$1
    shift
    git checkout -q objects
    for object; do find objects -name "$object" -exec sh -c 'echo subtract >"$1"' _ {} \;; done
    commit 1.0 "# $*"
    night 0 "times $what"
    git checkout -q "$accepted" objects
}
timed "same dqs 15" dqs.c.o
grep -q "times skipped other methods they are compiled to the same bytes" ../out || fail "$(cat ../out)"
timed "same cor,dqs,sad 45" dqs.c.o loops.c.o sad.c.o
timed "same sad,svd 30" seeds.c.o
timed "skipped times methods/ and datasets/ are compiled" registry_tables.c.o
timed "same " unity_base_c.c.o dqs.c.o
! grep -q "other methods" ../out || fail "$(cat ../out)"
accepted_runs() { grep -c accepted ../ran; }
[ "$(accepted_runs)" = 1 ] || fail "the accepted program ran again: $(cat ../ran)"
MACHINE=5678 night 0 "accuracy same"
MACHINE=5678 night 0 "accuracy same"
[ "$(accepted_runs)" = 2 ] || fail "results of another environment were compared: $(cat ../ran)"
commit 1.5
night 1 "accuracy changed 1.0 then 1.5" --only accuracy --junit ../night.xml --markdown ../night.md
! grep -q "has not seen" ../out || fail "the accepted program was built again"
grep -q "1.0 then 1.5" ../night.xml && grep -q "1.0 then 1.5" ../night.md || fail "no files"
[ -e "build/nights/$(git rev-parse HEAD).jsonl" ] && [ "$(find build/nights -name '*.jsonl' | wc -l)" = 8 ] ||
    fail "the results of eight commits are not kept"
night 0 "accuracy same 1.5 then 1.5" --only accuracy --against HEAD
night 1 "checks failed sanitizers" --only accuracy --against HEAD --deep --markdown ../night.md
grep -q "checks same format" ../night.md && grep -q "checks failed scripts/check --deep did not end" ../before.md ||
    fail "the page does not show the checks: $(cat ../night.md ../before.md)"
night 4 "there is no commit nonsense here" --only accuracy --against nonsense
echo 8 >results/baseline/suite.json # each program runs its own suite
night 1 "accuracy changed 1.0 then 1.5" --only accuracy --against HEAD~1
[ "$(find build/nights -name '*.jsonl' | wc -l)" = 8 ] && grep -q 7 "build/nights/$(git rev-parse HEAD).jsonl" ||
    fail "the results of a changed tree are kept as those of its commit"
git checkout -q results
night 0 "accepted: commit" --accept dqs --accept "bar: lbs on simd, threads 1" --reason "better"
[ "$(tail -4 results/baseline/accepted.json | tr '\n' ';')" = "dqs;bar: lbs on simd, threads 1;better;times" ] ||
    fail "accepted without names, reason or times: $(cat results/baseline/accepted.json)"
commit 1.5 "# accepted"
night 0 "has not seen" --only accuracy

# What there is to compare with: nothing but E_RMS, which fails too.
commit 1.6
git clone -q --depth 1 "file://$PWD" ../short
cd ../short
night 4 "history is too short for the accepted commit"
grep -q "accuracy same 1.6" ../out && grep -q "times skipped" ../out || fail "$(cat ../out)"
commit 3.5
night 1 "accuracy changed 3.5" --only accuracy
cd ../repository
echo again >>results/baseline/accepted.json
commit 1.6 "exit 1"
commit 1.6
night 4 "does not build here"
echo "a night compares with the accepted commit, or says why not"
