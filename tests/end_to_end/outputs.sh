#!/usr/bin/env bash
# Tests what `-o` replaces and refuses, through the program. The next run removes temporary files of a killed run.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# refused WHAT COMMAND... : exit code 3, one line that says what stands there and names it.
refused() {
    local what=$1 code=0
    shift
    timeout 60 "$@" >out 2>err || code=$?
    [ "$code" = 3 ] || fail "$*: exit code $code, expected 3: $(cat err)"
    [ "$(wc -l <err)" = 1 ] && grep -q "$what" err || fail "$*: $(cat err)"
}

"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o bar.h5
"$skinbench" generate walk --set vertices=1000 --set frames=4 -o walk.h5
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends reference --rounds 3 --threads 1 --quiet -o run.jsonl >out
"$skinbench" export obj-sequence walk.h5 -o frames
mkfifo fifo
# Names of our own in place of those in /dev, which a program that fails here would replace, run by root.
ln -s /proc/self/fd/1 stdout
ln -s /dev/full device
mknod null c 1 3 2>/dev/null || ln -s /dev/null null
for place in "fifo|a FIFO" "device|a device" "null|a device" "stdout|the system's name for an open file" "frames|a folder"; do
    name=${place%|*} what=${place#*|}
    facts=$(stat -c '%F %t %T' "$name")
    for command in "generate bar" "fit walk.h5 --method svd --bones 2" "skin bar.h5 --method lbs" "centers bar.h5" \
        "weights prune bar.h5" "add-twist-joint bar.h5 --joint base" "import obj-sequence frames" \
        "bench bar.h5 --no-generated --methods lbs" "table sbs-table1"; do
        read -ra words <<<"$command"
        refused "$name: is $what" "$skinbench" "${words[@]}" -o "$name"
    done
    refused "$name: \(is\|already exists\)" "$skinbench" export obj-sequence walk.h5 -o "$name"
    [ "$name" = frames ] || refused "$name: is $what" "$skinbench" report run.jsonl -o "$name"
    [ "$(stat -c '%F %t %T' "$name")" = "$facts" ] || fail "$name was replaced"
done
[ "$(find . -name '.skinbench-*' -o -name '*.journal' | wc -l)" = 0 ] || fail "something is left: $(ls -A)"
[ -L device ] && [ -L stdout ] || fail "a link was replaced"

# A link's target is written, the link stays; permissions stay.
mkdir other
ln -s other/target.h5 link.h5
"$skinbench" generate bar -o link.h5
[ -L link.h5 ] && [ -f other/target.h5 ] && [ ! -L other/target.h5 ] || fail "the target of a link is not what was written"
chmod 640 other/target.h5
"$skinbench" generate walk --set vertices=1000 --set frames=4 -o link.h5
[ -L link.h5 ] && cmp -s other/target.h5 walk.h5 && [ "$(stat -c %a other/target.h5)" = 640 ] || fail "a replaced file is not as it was"
ln -s other/run.jsonl run-link.jsonl
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends reference --rounds 3 --threads 1 --quiet -o run-link.jsonl >out
[ -L run-link.jsonl ] && [ -s other/run.jsonl ] || fail "results did not go to the target of a link"
ln -s report other/report-link
for _ in 1 2; do
    "$skinbench" report run.jsonl -o other/report-link >out 2>&1 || [ $? = 4 ] || fail "no report: $(cat out)"
    [ -L other/report-link ] && [ -s other/report/report.md ] || fail "a report did not go to the target of a link"
done
# Only a report, or a folder with nothing in it, is replaced by one.
mkdir hidden && touch hidden/.keep
"$skinbench" report run.jsonl -o hidden >out 2>&1 && fail "a folder with a hidden file was replaced"
[ -e hidden/.keep ] || fail "a hidden file is gone"

# A folder whose owner is dead is removed by the next run of any command that writes there; another's stays.
mkdir .skinbench-dead01 .skinbench-live01
echo half >.skinbench-dead01/half.h5
exec 8<.skinbench-live01
flock 8
for command in "generate bar -o new.h5" "bench bar.h5 --no-generated --methods lbs --backends reference --rounds 3 --threads 1 -o run.jsonl" \
    "report run.jsonl -o report" "export obj-sequence walk.h5 -o frames2"; do
    mkdir -p .skinbench-dead01/sub
    read -ra words <<<"$command"
    "$skinbench" "${words[@]}" >out 2>&1 || [ $? = 4 ] || fail "$command: $(cat out)"
    [ ! -e .skinbench-dead01 ] || fail "$command: what a dead process left is still there"
    [ -d .skinbench-live01 ] || fail "$command: the folder of a living process is gone"
done
mkdir scratch scratch/.skinbench-dead01
TMPDIR=$PWD/scratch "$skinbench" table sbs-table1 --rounds 3 --quiet >out 2>&1 || fail "table: $(cat out)"
[ -z "$(ls -A scratch)" ] || fail "table leaves something: $(ls -A scratch)"

# doctor lists what a killed report left, until the next command that writes there.
mkdir killed
cp run.jsonl killed
for pause in 0.1 0.05 0.2 0.3 0.02; do
    (cd killed && exec "$skinbench" report run.jsonl -o report >/dev/null 2>&1) &
    sleep "$pause"
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    left=$(ls -d killed/.skinbench-* 2>/dev/null || true)
    [ -z "$left" ] || break
    rm -rf killed/report
done
[ -n "$left" ] || fail "no killed report left anything"
(cd killed && "$skinbench" doctor) >out
grep "left over" out | grep -q "${left#killed/}" || fail "doctor does not list $left: $(grep 'left over' out)"
(cd killed && "$skinbench" generate bar -o bar.h5 && "$skinbench" doctor) >out
grep -q "left over .*no files left by killed processes" out || fail "something is left: $(grep 'left over' out)"

# Few file descriptors are no lack of memory.
for command in "info bar.h5" "skin bar.h5 --method lbs -o s.h5" "import frames.tar -o s.h5" "fit walk.h5 --method svd --bones 2 -o s.h5" \
    "merge run.jsonl -o s.jsonl" "claims run.jsonl"; do
    read -ra words <<<"$command"
    [ -f frames.tar ] || tar -cf frames.tar frames
    for limit in 5 6 8 10 16; do
        code=0
        (ulimit -n "$limit" && exec "$skinbench" "${words[@]}") >out 2>err || code=$?
        [ "$code" = 0 ] || { [ "$code" = 5 ] && grep -qiE "open files|descriptors" err && ! grep -q memory err; } ||
            fail "$limit descriptors, $command: $code $(cat err)"
    done
    [ "$code" = 0 ] || fail "16 descriptors are too few for $command: $(cat err)"
done

# What a command has to print and cannot is exit code 5, closed or full, and its files are there all the same; one that prints
# nothing ends as ever. Every command's help prints.
cp frames/0001.obj one.obj 2>/dev/null || cp "$(find frames -name '*.obj' | head -1)" one.obj
for command in "list methods" "skin bar.h5 --method lbs -o s.h5" "skin bar.h5 --method lbs -o s.h5 --json" "fit walk.h5 --method svd --bones 2 -o s.h5" \
    "fit walk.h5 --method svd --bones 2 -o s.h5 --json" "measure walk.h5 walk.h5" "merge run.jsonl -o s.jsonl" "compare run.jsonl run.jsonl" "claims run.jsonl" \
    "bench bar.h5 --no-generated --methods lbs --backends reference --rounds 3 --threads 1 -o s.jsonl" "generate bar -o s.h5" "import one.obj -o s.h5" \
    "export glb bar.h5 -o s.glb" "info bar.h5" "check bar.h5" "weights prune bar.h5 --influences 1 -o s.h5" "centers bar.h5 -o s.h5" \
    "add-twist-joint bar.h5 --joint base -o s.h5" "accept run.jsonl --what all --reason why -o s.json" "manual" "complete bash" "--version"; do
    read -ra words <<<"$command"
    code=0 closed=0 full=0 named=${command##*-o } && named=${named%% *}
    rm -f s.*
    "$skinbench" "${words[@]}" >out 2>err || code=$?
    [ ! -s out ] || code=5
    files=$(ls s.* 2>/dev/null || true)
    rm -f s.*
    "$skinbench" "${words[@]}" >&- 2>err || closed=$?
    [ "$files" = "$(ls s.* 2>/dev/null || true)" ] || fail "$command: a file is missing where stdout is closed"
    rm -f s.*
    "$skinbench" "${words[@]}" >/dev/full 2>err || full=$?
    [ "$closed $full" = "$code $code" ] || fail "$command: exit codes $closed with stdout closed and $full with a full one, expected $code"
done
while read -r command; do
    code=0
    "$skinbench" "$command" --help >&- 2>err || code=$?
    [ "$code" = 5 ] && grep -q "cannot write to standard output" err || fail "$command --help with stdout closed: $code $(cat err)"
done < <("$skinbench" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')

# Without standard streams no file takes their place.
"$skinbench" generate bar -o streams.h5 --quiet
"$skinbench" generate bar -o closed.h5 --quiet <&- >&- 2>&- || fail "generate with no standard streams"
cmp -s streams.h5 closed.h5 || fail "a file got what is printed"
"$skinbench" info streams.h5 >&- 2>/dev/null && fail "info with no stdout succeeded"
"$skinbench" check streams.h5 --json <&- 2>&- >out || fail "check with no stdin and stderr"
