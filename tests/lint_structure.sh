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
add harness/records/cell.h ''
add harness/run/bench/bench.c '/* Times methods. */\n#include "methods/registry.h"\n#include "harness/records/cell.h"\n'
git add .
git -c user.name=test -c user.email=test commit -qm 'A sound tree'
"$lint" "$folder" || fail "a sound tree has faults"

add datasets/base/up.c '\n#include "methods/runtime/method.h"\n'
faulty 'datasets/base/up.c:2: includes methods/runtime/method.h, upwards: datasets/base is a layer below methods/runtime'
add methods/runtime/up.c '#include "methods/registry.h"\n'
faulty 'methods/runtime/up.c:1: includes methods/registry.h, upwards: methods/runtime is a layer below methods'
add methods/skinning/two/two.c '#include "methods/skinning/one/one.h"\n'
faulty 'methods/skinning/two/two.c:1: includes methods/skinning/one/one.h, of another method'
add methods/skinning/two/two.c '#include "methods/runtime/backends/host.h"\n'
faulty 'methods/skinning/two/two.c:1: includes methods/runtime/backends/host.h, of a backend'
add methods/decomposition/three/three.c '#include "methods/runtime/method.h"\n'
faulty 'methods/decomposition/three/three.c:1: includes methods/runtime/method.h, across: methods/decomposition/* and methods/runtime never include each other'
add datasets/base/base.h '#include "datasets/base/status.h"\n#include <math.h>\n'
add datasets/base/a.h '#include "datasets/base/base.h"\n'
add datasets/base/a.c '#include "datasets/base/a.h"\n#include <math.h>\n#include <time.h>\n'
faulty 'datasets/base/a.c:2: includes math.h, which datasets/base/base.h brings'
add elsewhere/a.c ''
faulty 'elsewhere/a.c:1: stands in a folder that is in no layer of scripts/lint_structure.py'
add datasets/base/a.c '#include "b.h"\n'
add datasets/base/b.h ''
add datasets/base/b.c '#include "datasets/base/b.h"\n#include "datasets/base/a.h"\n'
add datasets/base/a.h ''
faulty 'datasets/base/a.c:1: a circle of includes: datasets/base/a.c:1 includes datasets/base/b.h; datasets/base/b.c:2 includes datasets/base/a.h'
add harness/records/up.c '#include "harness/run/bench/bench.h"\n'
add harness/run/bench/bench.h ''
faulty 'harness/records/up.c:1: includes harness/run/bench/bench.h, against ARROWS of scripts/lint_structure.py: records does not use run'
add harness/elsewhere/a.c ''
faulty 'harness/elsewhere/a.c:1: stands in a folder that is in no layer of scripts/lint_structure.py'
add harness/run/fit/fit.h '#include "harness/run/bench/bench.h"\n'
add harness/run/bench/bench.h ''
add harness/run/bench/other.c '#include "harness/run/fit/fit.h"\n'
faulty 'harness/run/bench/other.c:1: a circle of folders: harness/run/bench/other.c:1 includes harness/run/fit/fit.h; harness/run/fit/fit.h:1 includes harness/run/bench/bench.h'
# One header hides a circle of the .c files that implement it.
add datasets/base/both.h 'int one_step(int n);\nint two_steps(int n);\nextern const int limit;\n'
add datasets/base/one.c '#include "datasets/base/both.h"\nconst int limit = 3;\nint one_step(int n)\n{\n    return n > 0 ? two_steps(n - 1) : 0;\n}\n'
add datasets/base/two.c '#include "datasets/base/both.h"\nint two_steps(int n)\n{\n    return n < limit; /* one_step */\n}\n'
faulty 'datasets/base/one.c:5: a circle of .c files: datasets/base/one.c:5 uses two_steps of datasets/base/two.c; datasets/base/two.c:4 uses limit of datasets/base/one.c'
add harness/run/bench/type.h 'enum Status { GOOD };\n'
faulty 'harness/run/bench/type.h:1: enum Status is also defined in datasets/base/status.c:2'
add datasets/base/one.c 'int count(void)\n{\n    return 1;\n}\n'
add harness/run/bench/two.c '\nint count(void)\n{\n    return 2;\n}\n'
faulty 'harness/run/bench/two.c:2: function count is also defined in datasets/base/one.c:1'
add datasets/base/one.c 'static int count(void)\n{\n    return 1;\n}\n'
add harness/run/bench/two.c 'static int count(void)\n{\n    return 2;\n}\n'
"$lint" "$folder" || fail "static functions may share a name"
git clean -fdq
add harness/run/bench/long.c "#include <math.h>\n$(printf '\\n%.0s' {1..60})"
faulty 'harness/run/bench/long.c:1: has 61 lines and no comment at its head that says what it does'
add datasets/base/wide.h "/* $(printf 'wide %.0s' {1..22}) */\n"
faulty 'datasets/base/wide.h:1: a comment goes beyond column 110'
add datasets/base/table.h "// clang-format off\n/* $(printf 'wide %.0s' {1..22}) */\n"
add datasets/base/names.h '\n/* See datasets/base/status.h, status.c, folder/name.gp and "gone.h" in a string. */\n/* As gone.c\n * and base/status.h do. */\n'
add README.md "Read base/status.h.\n\nThen old/gone.h.\n"
git add README.md
code=0
found=$("$lint" "$folder" 2>&1) || code=$?
[ "$code" = 1 ] && [ "$found" = "README.md:3: names old/gone.h, which does not exist
datasets/base/names.h:2: names gone.h, which does not exist
datasets/base/names.h:3: names gone.c, which does not exist" ] || fail "$found"
git rm -qf README.md
git clean -fdq

measured=$("$lint" --measure "$folder")
[[ $measured == *"harness/run                  1       3       2       1      0          0      0    0%    0"* ]] || fail "$measured"
[[ $measured == *"harness: 1 arrows, 2 levels"*"1 run > records 1"*"circles of .c files: 0" ]] || fail "$measured"
echo "every fault is named"
