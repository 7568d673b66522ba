#!/usr/bin/env bash
# scripts/lint_structure.py in a scratch tree: passes what is sound, and names both sides of each kind of fault.
. "$(dirname "$0")/prelude.sh"
lint=$(cd "$(dirname "$0")/.." && pwd)/scripts/lint_structure.py
for tool in python3 ctags git; do
    command -v $tool >/dev/null || { echo "SKIPPED: no $tool"; exit 77; }
done
cd "$folder"
git init -q

# add FILE TEXT: one more file of the tree.
add() {
    mkdir -p "$(dirname "$1")"
    printf '%b' "$2" > "$1"
}
# faulty TEXT: the tree has exactly this fault.
faulty() {
    local code=0 found
    found=$("$lint" "$folder" 2>&1) || code=$?
    [ "$code" = 1 ] || fail "exit code $code, expected '$1': $found"
    [ "$found" = "$1" ] || fail "'$found' is not '$1'"
    git clean -fdq && git checkout -q .
}

add datasets/base/status.h 'typedef struct Status Status;\nStatus status_ok(void);\n'
add datasets/base/status.c '#include "datasets/base/status.h"\nstruct Status { int code; };\n'
add methods/runtime/method.h '#include "datasets/base/status.h"\n'
add methods/runtime/backends/host.h '#include "methods/runtime/method.h"\n'
add methods/skinning/one/one.h 'int one(void);\n'
add methods/skinning/one/one.c '#include "methods/skinning/one/one.h"\n#include "methods/runtime/method.h"\n'
add methods/registry.h '#include "methods/runtime/method.h"\n'
add harness/run/bench/bench.c '/* Times methods. */\n#include "methods/registry.h"\n'
git add .
git -c user.name=test -c user.email=test commit -qm 'A sound tree'
"$lint" "$folder" || fail "a sound tree has faults"

add datasets/base/up.c '\n#include "methods/runtime/method.h"\n'
faulty 'datasets/base/up.c:2: includes methods/runtime/method.h, upwards: datasets/base stands below methods/runtime'
add methods/runtime/up.c '#include "methods/registry.h"\n'
faulty 'methods/runtime/up.c:1: includes methods/registry.h, upwards: methods/runtime stands below methods'
add methods/skinning/two/two.c '#include "methods/skinning/one/one.h"\n'
faulty 'methods/skinning/two/two.c:1: includes methods/skinning/one/one.h, of another method'
add methods/skinning/two/two.c '#include "methods/runtime/backends/host.h"\n'
faulty 'methods/skinning/two/two.c:1: includes methods/runtime/backends/host.h, of a backend'
add methods/decomposition/three/three.c '#include "methods/runtime/method.h"\n'
faulty 'methods/decomposition/three/three.c:1: includes methods/runtime/method.h, across: methods/decomposition/* and methods/runtime are different wings'
add elsewhere/a.c ''
faulty 'elsewhere/a.c:1: stands in a folder that is not in FLOORS of scripts/lint_structure.py'
add datasets/base/a.c '#include "b.h"\n'
add datasets/base/b.h ''
add datasets/base/b.c '#include "datasets/base/b.h"\n#include "datasets/base/a.h"\n'
add datasets/base/a.h ''
faulty 'datasets/base/a.c:1: a circle: datasets/base/a.c:1 includes datasets/base/b.h; datasets/base/b.c:2 includes datasets/base/a.h'
add harness/run/bench/type.h 'enum Status { GOOD };\n'
faulty 'harness/run/bench/type.h:1: enum Status is also defined in datasets/base/status.c:2'
add datasets/base/one.c 'static int count(void)\n{\n    return 1;\n}\n'
add harness/run/bench/two.c '\nstatic int count(void)\n{\n    return 2;\n}\n'
faulty 'harness/run/bench/two.c:2: function count is also defined in datasets/base/one.c:1'
add harness/run/bench/long.c "#include <math.h>\n$(printf '\\n%.0s' {1..60})"
faulty 'harness/run/bench/long.c:1: has 61 lines and no comment at its head that says what it does'
add README.md 'A program\nthat tells the time.\n'
faulty "README.md:2: 'tells': write print, report or say"
echo "every fault is named"
