#!/bin/bash
# Tests what a build says about its commit: it is dirty if a file was changed, if a folder of sources holds a file that git does
# not know, or if methods outside the tree are built, and clean otherwise.
. "$(dirname "$0")/../prelude.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v git >/dev/null || { echo "SKIPPED: no git"; exit 77; }
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
mkdir -p tree/methods/skinning/lbs tree/results
cp "$root/harness/measure/environment/commit.cmake" .
# In an archive this file holds a commit; in a clone, as here, a place for it.
echo 'Format' >commit.txt
touch tree/methods/skinning/lbs/lbs.c
git -C tree init -q
git -C tree add .
git -C tree commit -q -m first
dirty() { # EXPECTED WHAT [OPTION...]
    cmake "${@:3}" -DSOURCE="$folder/tree" -DOUTPUT="$folder/commit.h" -P commit.cmake
    grep -q "SKINBENCH_COMMIT \"$(git -C tree rev-parse HEAD)\"" commit.h || fail "$2: $(cat commit.h)"
    grep -q "SKINBENCH_DIRTY $1" commit.h || fail "$2: $(cat commit.h)"
}
dirty 0 "the tree of a commit"
touch tree/results/run.jsonl
dirty 0 "a result beside the sources"
dirty 1 "a method outside the tree" -DEXTRA_METHODS=/elsewhere/my-method
mkdir tree/methods/skinning/my-method
touch tree/methods/skinning/my-method/my-method.c
dirty 1 "a method that git does not know"
rm -r tree/methods/skinning/my-method
echo "int x;" >tree/methods/skinning/lbs/lbs.c
dirty 1 "a changed file"
