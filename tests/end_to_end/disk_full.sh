#!/usr/bin/env bash
# Tests a full disk, for every command that writes: one line names the user's path and the system's reason, the exit code is 5, no
# file is left, and earlier files are unchanged. A limit on the size of files stands in for the disk wherever the
# test runs, and a small file system is used if one can be mounted. LIMITS and SIZES (both in KiB) try others.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cp "$(dirname "$0")"/{still.json,external_program.py} "$folder"
cd "$folder"
mkdir place
failures=0

# full REASON COMMAND... : exit code 5 as described (5), or success (0), as `code`.
full() {
    local reason=$1 message
    shift
    code=0
    # What the program prints on stderr is no file, so the limit does not cut it. Without gnuplot a report ends with 4.
    message=$("$@" 2>&1 >/dev/null) || code=$?
    [ $code = 4 ] && code=0
    [ -z "$(find . -name '.skinbench-*')" ] || fail "$*: left $(find . -name '.skinbench-*')"
    [ $code = 0 ] && return
    [ $code = 5 ] || fail "$*: exit code $code, expected 5: $message"
    grep -q "^skinbench [a-z-]*: place/.*: \($reason\)" <<<"$message" || fail "$*: does not say the path and the reason: $message"
    [ "$(wc -l <<<"$message")" = 1 ] || fail "$*: more than a line: $message"
    failures=$((failures + 1))
}

# The lines of results of a run that met a full disk are whole.
results_whole() {
    [ ! -s "$1" ] || "$skinbench" compare "$1" "$1" >/dev/null || fail "after $2 $1 is not readable"
}

"$skinbench" generate walk --set vertices=1000 --set frames=20 -o walk.h5
"$skinbench" generate bar --set around=16 --set along=48 --set frames=4 -o bar.h5
"$skinbench" export obj-sequence walk.h5 -o frames
bench=(bench bar.h5 --no-generated --methods "lbs,dqs" --backends "reference,scalar" --rounds 3 --threads 1 --quiet)
"$skinbench" "${bench[@]}" -o run.jsonl >out
cat >commands <<'COMMANDS'
generate walk --set vertices=1000 --set frames=20 -o place/new.h5
generate bar -o place/new.h5
import obj-sequence frames -o place/new.h5
export obj-sequence walk.h5 -o place/new
export glb walk.h5 -o place/new.glb
export gltf walk.h5 --baked -o place/new.gltf
fit walk.h5 --method svd --bones 4 -o place/new.h5
fit walk.h5 --method sad --bones 6 -o place/new.h5
skin bar.h5 --method lbs --normals -o place/new.h5
centers bar.h5 -o place/new.h5
weights prune bar.h5 --influences 2 -o place/new.h5
add-twist-joint bar.h5 --joint base -o place/new.h5
measure walk.h5 walk.h5 --per-vertex place/new.csv
measure walk.h5 walk.h5 --per-vertex place/new.h5
export rignet bar.h5 -o place/new.txt
report run.jsonl -o place/new
advise bar.h5 --own-poses -o place/new
conformance -o place/new
COMMANDS
if "$skinbench" doctor | grep -q '^ *build *pictures *ok'; then
    echo "render bar.h5 --size 80x80 --samples 1 -o place/new.png" >>commands
    echo "render bar.h5 --size 80x80 --samples 1 -o place/new" >>commands
fi

limits="1 8 40 120 240 1000000" # KiB
while read -r command; do
    read -ra words <<<"$command"
    before=$failures done=0
    for limit in ${LIMITS:-$limits}; do
        if (ulimit -S -f "$limit" && full 'File too large\|gnuplot failed: File size limit exceeded' "$skinbench" "${words[@]}" && exit $((code == 0 ? 0 : 42))); then
            [ "$(ls place)" ] || fail "$command: nothing was written"
            rm -rf place/new*
            done=1
        else
            [ $? = 42 ] || exit 1
            failures=$((failures + 1))
            [ -z "$(ls place)" ] || fail "$command: something was written: $(ls place)"
        fi
    done
    [ $failures -gt "$before" ] && [ $done = 1 ] || fail "$command: $((failures - before)) failures, success $done"
done <commands
rm -rf place/new*
cp run.jsonl kept.jsonl
for limit in 1 4 8 13; do
    for result in new.jsonl kept.jsonl; do
        [ $result = new.jsonl ] || cp run.jsonl place/kept.jsonl
        (ulimit -S -f "$limit" && full 'File too large\|cannot append a result: File too large' "$skinbench" "${bench[@]}" --backends simd -o place/$result && exit "$code") || [ $? = 5 ] || exit 1
        results_whole place/$result "a limit of $limit"
        [ $result = new.jsonl ] || head -c "$(wc -c <run.jsonl)" place/kept.jsonl | cmp -s - run.jsonl || fail "results are lost at a limit of $limit"
        rm -f place/new.jsonl*
    done
done
# an external program, whose input is on the full disk
for limit in 1 8 40 120; do
    code=0
    message=$( (ulimit -S -f $limit && TMPDIR=place "$skinbench" fit walk.h5 --external ./still.json --bones 2 -o place/new.h5) 2>&1 >/dev/null) || code=$?
    [ $code = 5 ] && [[ $message == "skinbench fit: "*/place/*": File too large" ]] && [ -z "$(find place -name new.h5 -o -name ".skinbench-*")" ] || fail "an external program: exit code $code: $message"
    failures=$((failures + 1))
done
for command in "--help" "list methods" "list methods --json" "fit --help" "info walk.h5" "info walk.h5 --json" "check walk.h5 --json" "measure walk.h5 walk.h5" "doctor" "compare run.jsonl run.jsonl"; do
    read -ra words <<<"$command"
    code=0
    "$skinbench" "${words[@]}" >/dev/full 2>err || code=$?
    [ $code = 5 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'cannot write to standard output: No space left on device' err || fail "$command >/dev/full: exit code $code: $(cat err)"
done

if unshare -Urm true 2>/dev/null; then apart="unshare -Urm"; elif unshare -m true 2>/dev/null; then apart="unshare -m"; else apart=; fi
mounts() {
    $apart mount -t tmpfs tmpfs "$folder/place" 2>/dev/null
}
if [ -z "$apart" ] || ! mounts; then
    echo "$failures failures; no file system can be mounted here: a disk that is really full is not tried"
    exit 0
fi
export -f full fail results_whole
cat >inside.sh <<'INSIDE'
set -euo pipefail
failures=0
while read -r command; do
    read -ra words <<<"$command"
    for size in ${SIZES:-4 16 60 160 300}; do
        mount -t tmpfs -o size=${size}k tmpfs place
        full 'No space left on device' "$skinbench" "${words[@]}"
        [ $code = 0 ] || [ -z "$(ls place)" ] || fail "$size KB: $command: something was written: $(ls place)"
        umount place
    done
done <commands
for size in 8 16 20; do
    mount -t tmpfs -o size=${size}k tmpfs place
    full 'No space left on device\|cannot append a result: No space left on device' "$skinbench" "$@" -o place/new.jsonl
    results_whole place/new.jsonl "$size KB"
    umount place
done
mount -t tmpfs -o nr_inodes=1 tmpfs place
code=0
message=$(TMPDIR=$PWD/place "$skinbench" table fesam-table1 --threads 1 --quiet 2>&1 >/dev/null) || code=$?
[ $code = 5 ] && grep -q "place.*No space left on device" <<<"$message" && [ -z "$(ls -A place)" ] || fail "table: exit code $code: $message"
echo "$failures"
INSIDE
more=$(skinbench=$skinbench $apart bash inside.sh "${bench[@]}") || fail "on a full file system: $more"
echo "$failures failures of a limit on size, $more of a full file system"
