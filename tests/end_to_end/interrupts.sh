#!/usr/bin/env bash
# Tests signals: every command ends soon after one, with its exit code, and leaves neither an output nor temporary files. Earlier
# files stay. Set PAUSES to try moments other than these (seconds after the start).
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cp "$(dirname "$0")"/{still.json,external_program.py} "$folder"
cd "$folder"
mkdir work
stops=0 ends=0 early=0 slowest=0

# interrupted SIGNAL CODE PAUSE COMMAND... : signalled so long after its start, the command ends with that code and no
# `new` of any kind stands in work/; or it was done before, with code 0 (4: without gnuplot).
interrupted() {
    local signal=$1 expected=$2 pause=$3 code=0 pid start after
    shift 3
    rm -rf work/new*
    env --default-signal=INT "$@" >out 2>err & # which bash ignores for what it runs in the background
    pid=$!
    sleep "$pause"
    start=$(date +%s%N)
    kill "-$signal" $pid 2>/dev/null || true
    wait $pid || code=$?
    after=$((($(date +%s%N) - start) / 1000000))
    [ -z "$(find . -name '.skinbench-*')" ] || fail "$signal at $pause s: $*: left $(find . -name '.skinbench-*')"
    if [ $code = "$expected" ]; then
        [ -z "$(find work -mindepth 1 -not -name 'run.jsonl*' -not -name imported)" ] || fail "$signal at $pause s: $*: wrote $(ls work)"
        [ "$(wc -l <err)" -le 1 ] || fail "$signal at $pause s: $*: $(cat err)"
        [ -n "${VERBOSE:-}" ] && echo "$signal at $pause s, ended after $after ms: $*: $(cat err)"
        slowest=$((after > slowest ? after : slowest))
        stops=$((stops + 1))
    elif [ $code = 143 ]; then # on a busy machine: before the program was there to answer
        early=$((early + 1))
    else
        [ $code = 0 ] || [ $code = 4 ] || fail "$signal at $pause s: $*: exit code $code, expected $expected: $(cat err)"
        ends=$((ends + 1))
    fi
}

"$skinbench" generate walk --set vertices=12000 --set frames=60 -o walk.h5
"$skinbench" generate bar -o bar.h5
"$skinbench" export obj-sequence walk.h5 -o frames
"$skinbench" bench bar.h5 --no-generated --methods lbs,dqs --backends reference,scalar --rounds 3 --threads 1 --quiet -o run.jsonl >out
signals=("INT 130" "TERM 130" "HUP 129")
turn=0
while read -r command; do
    read -ra words <<<"$command"
    for pause in ${PAUSES:-0.15 0.5}; do
        read -r signal code <<<"${signals[turn++ % 3]}"
        interrupted "$signal" "$code" "$pause" "$skinbench" "${words[@]}" --quiet
    done
done <<'COMMANDS'
generate walk --set vertices=200000 --set frames=30 -o work/new.h5
import obj-sequence frames -o work/new.h5
export obj-sequence walk.h5 -o work/new
export gltf walk.h5 --baked -o work/new.gltf
fit walk.h5 --method svd --bones 20 -o work/new.h5
fit walk.h5 --method svd --set solver=dgesdd --bones 20 -o work/new.h5
fit walk.h5 --method cpca --bones 20 -o work/new.h5
fit walk.h5 --method eigenskin --bones 20 -o work/new.h5
fit walk.h5 --method sma --bones 20 -o work/new.h5
fit walk.h5 --method sad --bones 20 -o work/new.h5
fit walk.h5 --method coordinate-descent --bones 20 -o work/new.h5
fit walk.h5 --method coordinate-descent --set preset=paper --bones 20 -o work/new.h5
fit walk.h5 --method coordinate-descent --error 0.001 -o work/new.h5
fit walk.h5 --external ./still.json --bones 20 -o work/new.h5
bench walk.h5 --methods svd --external ./still.json --bones 20 -o work/run.jsonl
skin walk.h5 --method lbs --backend reference -o work/new.h5
skin walk.h5 --method sbs --backend reference -o work/new.h5
skin walk.h5 --method cor --set search=brute-force -o work/new.h5
centers walk.h5 --set search=brute-force -o work/new.h5
weights prune walk.h5 --influences 2 -o work/new.h5
score walk.h5 walk.h5 -o work/run.jsonl
bench walk.h5 --methods lbs,svd --bones 20 -o work/run.jsonl
table fesam-table1 -o work/run.jsonl
report run.jsonl -o work/new
advise walk.h5 -o work/new
conformance -o work/new
render walk.h5 --samples 16 -o work/new.png
render walk.h5 -o work/new
measure walk.h5 walk.h5 --per-vertex work/new.csv
check walk.h5
info walk.h5
COMMANDS
echo "$stops stops, the slowest after $slowest ms; $ends verbs were done before, $early not begun"
[ $stops -ge 10 ] || fail "only $stops verbs were interrupted"

# LAPACK cannot be asked to stop; it is ended all the same, and what was there before stays.
"$skinbench" generate bar -o work/kept.h5
cp work/kept.h5 before.h5
for pause in 1 0.5 0.25 0.12; do # until it is early enough for this machine
    code=0
    cp before.h5 work/kept.h5
    timeout --preserve-status -s TERM "$pause" "$skinbench" fit walk.h5 --method svd --set solver=dgesdd --bones 20 -o work/kept.h5 >out 2>err || code=$?
    [ "$code" = 0 ] || break
done
# 143: before the program was there to answer; 0: it was done, as where the signal came at its very end
[[ $code =~ ^1(30|43)$ ]] && cmp -s work/kept.h5 before.h5 || fail "exit code $code, or an interrupted fit changed a file"

# --keep-on-interrupt writes the best model so far, which is as good as it says, and ends with the signal's code.
kept() {
    local pause=$1 code=0 pid
    shift
    rm -f kept.h5
    env --default-signal=INT "$skinbench" fit walk.h5 --keep-on-interrupt --json -o kept.h5 "$@" >out 2>err &
    pid=$!
    sleep "$pause"
    kill -INT $pid
    wait $pid || code=$?
    [ "$code" = 130 ] || fail "an interrupted fit that keeps its model ended with $code: $(cat err)"
    [ -e kept.h5 ] || { grep -qE "before there was a model|stopped while reading" err && return 1; fail "no model is kept: $(cat err)"; }
    stated=$(sed 's/.*"metrics":{"e_rms":\([0-9.e+-]*\).*/\1/' out)
    measured=$("$skinbench" measure walk.h5 kept.h5 --json | sed 's/.*"metrics":{"e_rms":\([0-9.e+-]*\).*/\1/')
    [ "$stated" = "$measured" ] || fail "the model kept has E_RMS $measured, stated is $stated"
}
for fit in "--bones 20 --iterations 1000000" "--error 0.001 --bones 1000"; do
    for pause in 1 2 4 8 16; do
        # shellcheck disable=SC2086
        kept $pause --method coordinate-descent $fit && continue 2
    done
    fail "no model within 16 seconds: $fit"
done
# The second interrupt leaves none.
rm -f kept.h5
env --default-signal=INT "$skinbench" fit walk.h5 --method svd --set solver=dgesdd --bones 20 --keep-on-interrupt -o kept.h5 >out 2>err &
pid=$!
sleep 0.3
kill -INT $pid && sleep 0.1 && kill -INT $pid || true
code=0
wait $pid || code=$?
[ $code = 130 ] && { [ ! -e kept.h5 ] || grep -q "best model so far" err; } || [ $code = 0 ] || [ $code = 143 ] ||
    fail "two interrupts: exit code $code: $(cat err) $(ls kept.h5)"

# Under nohup a hang-up is no reason to stop.
(trap '' HUP && exec "$skinbench" fit walk.h5 --method svd --bones 20 -o work/kept.h5) >out 2>err &
sleep 0.1
kill -HUP $! 2>/dev/null || true # done already, on a fast machine
wait $! || fail "a verb that ignores hang-ups ended with $?: $(cat err)"
cmp -s work/kept.h5 before.h5 && fail "a verb that ignores hang-ups wrote nothing"

# The reader of stdout is gone: the code of SIGPIPE, and not a word.
for command in "list methods" "bench walk.h5 --methods lbs --backends reference --rounds 3 -o work/run.jsonl" "--help" "info bar.h5 --json"; do
    read -ra words <<<"$command"
    code=0
    { "$skinbench" "${words[@]}" --quiet 2>err || echo $? >code; } | true
    grep -q 141 code && [ ! -s err ] || fail "$command, its reader gone: exit code $(cat code): $(cat err)"
done
