#!/usr/bin/env bash
# Kills each command that writes at random moments of its run. Its output is complete or unchanged,
# no line of results is lost, and the next run removes temporary files of a killed run.
#   kills.sh SKINBENCH    KILLS: kills per command (default 3); SEED: seed of the moments (default 1)
# Four of five kills are SIGKILL, the others SIGTERM and SIGHUP, after which no temporary file may be left.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
kills=${KILLS:-3}
RANDOM=${SEED:-1}
still=$(cd "$(dirname "$0")" && pwd)/still.json
cd "$folder"
mkdir work scratch data golden
export TMPDIR=$folder/scratch
all=0 late=0

# What is temporary now, in either place.
remains() {
    find work scratch -name '.skinbench-*' -prune
}

# Runs a command and sends it a signal at a moment between its start and a little more than its usual end. Leaves `code`
# and `number`, the signal's.
run_and_kill() {
    local usual_ms=$1 pid pause
    shift
    pause=$((RANDOM * (usual_ms + usual_ms / 8 + 5) / 32768))
    number=$((RANDOM % 10))
    case $number in 8) number=15 ;; 9) number=1 ;; *) number=9 ;; esac
    "$@" >out 2>err &
    pid=$!
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    kill "-$number" $pid 2>/dev/null || true
    code=0
    { wait $pid || code=$?; } 2>/dev/null
    what="signal $number after $pause ms of $usual_ms (exit code $code): $*"
    all=$((all + 1))
    case $number:$code in
        *:0 | *:4) late=$((late + 1)) ;;
        9:137 | 15:130 | 1:129 | 15:143) ;; # 143: before the program was there to answer
        *) fail "$what: $(cat err)" ;;
    esac
    [ "$(remains | wc -l)" -le 1 ] || fail "$what: more than one folder is left: $(remains)"
    [ $number = 9 ] || [ $code = 143 ] || [ -z "$(remains)" ] || [ -n "$left_before" ] || fail "$what: left $(remains)"
    left_before=$(remains)
}

# How long a command takes, in ms; its output is kept as what it should be.
usual() {
    local begin
    begin=$(date +%s%N)
    "$@" >out 2>&1 || [ $? = 4 ] || fail "$*: $(cat out)"
    usual_ms=$((($(date +%s%N) - begin) / 1000000))
}

# $1 is none, or the same as the golden one or the one that was there before. Reports differ in their times alone.
whole_or_before() {
    local path=$1
    if [ ! -e "$path" ]; then
        [ "$before" = none ] || fail "$what: what was there is gone"
    elif [ "${golden##*.}" = report ]; then
        { diff -rq -I 'written[":]* *20' -x '*.p[dn][fg]' -x skinbench-files.txt "$golden" "$path" &&
            (cd "$path" && sha256sum --quiet -c skinbench-files.txt) && diff <(ls "$golden") <(ls "$path") && [ -z "$(find "$path" -empty)" ]; } >out ||
            { [ "$before" = old ] && [ "$(cat "$path/report.md")" = old ]; } || fail "$what: a report is not whole: $(cat out)"
    elif ! diff -rq "$golden" "$path" >/dev/null; then
        [ "$before" = old ] && [ "$(cat "$path")" = old ] || fail "$what: a file is torn"
    fi
}

# A command that writes `work/NAME` at once. replaces: whether it replaces what is there.
verb() {
    local name=$1 replaces=$2
    shift 2
    golden=golden/$name
    usual "$@" -o "$golden"
    left_before=""
    local done_at_start=$late
    for ((k = 0; k < kills; k++)); do
        rm -rf "work/$name"
        before=none
        if [ "$replaces" != no ] && [ $((RANDOM % 2)) = 0 ]; then
            before=old
            if [ "$replaces" = folder ]; then # with the list that lets a report replace it
                mkdir "work/$name" && (cd "work/$name" && echo old >report.md && sha256sum report.md >skinbench-files.txt)
            else
                echo old >"work/$name"
            fi
        fi
        run_and_kill "$usual_ms" "$@" -o "work/$name"
        whole_or_before "work/$name"
    done
    rm -rf "work/$name"
    "$@" -o "work/$name" >out 2>&1 || [ $? = 4 ] || fail "$*: $(cat out)"
    before=none what="the last $*"
    whole_or_before "work/$name"
    [ "$(ls -A work)" = "$name" ] || fail "$*: the next run left $(ls -A work)"
    echo "$kills kills of $2 $3, $((late - done_at_start)) of them too late"
    rm -rf work/*
}

# A command that appends to work/run.jsonl and resumes; a finished run begins again.
results() {
    local rounds=0 done_at_start=$late
    rm -rf work/*
    usual "$@" -o work/run.jsonl
    rm -rf work/run.jsonl*
    left_before=""
    for ((k = 0; k < kills; k++)); do
        touch work/run.jsonl
        cp work/run.jsonl kept
        run_and_kill "$usual_ms" "$@" -o work/run.jsonl
        # What was there is there, but for a torn last line; and what was added are whole lines and at most a torn one.
        head -c "$(wc -c <work/run.jsonl)" kept | grep '^{.*}$' >kept_lines || true
        head -n "$(wc -l <kept_lines)" work/run.jsonl | cmp -s - kept_lines || fail "$what: a line is lost"
        [ "$(grep -c '' kept_lines)" -ge "$(grep -c '}$' kept || true)" ] || fail "$what: the file is shorter than it was"
        # Every line is read before a file without a number is refused: a kill may come before the first one.
        [ ! -s work/run.jsonl ] || "$skinbench" compare work/run.jsonl work/run.jsonl >out 2>&1 ||
            grep -q 'run.jsonl: the file has no cells$' out || fail "$what: not readable: $(cat out)"
        if [ $code = 0 ]; then
            [ ! -e work/run.jsonl.journal ] || fail "$what: a journal is left by a run that is done"
            rm -rf work/*
            rounds=$((rounds + 1))
        fi
    done
    "$@" -o work/run.jsonl >out 2>&1 || fail "$*: does not finish: $(cat out)"
    [ -z "$(find work -mindepth 1 -not -name run.jsonl -not -name imported -not -name horse-gallop.h5)" ] ||
        fail "$*: the next run left $(find work)"
    echo "$kills kills of $2 -o, $rounds whole runs, $((late - done_at_start)) kills too late"
    rm -rf work/*
}

walk=(walk --set vertices=1000 --set frames=40)
"$skinbench" generate "${walk[@]}" -o walk.h5
"$skinbench" generate bar --set frames=20 -o bar.h5
"$skinbench" export obj-sequence walk.h5 -o frames
tar -cJf data/horse-gallop.tar.xz frames
bench=(bench bar.h5 --no-generated --methods "lbs,dqs" --backends "reference,scalar,simd" --rounds 4 --precision 0 --threads 1 --quiet)
"$skinbench" "${bench[@]}" -o run.jsonl >out

verb new.h5 file "$skinbench" generate walk --set vertices=20000 --set frames=10
verb new.h5 file "$skinbench" import obj-sequence frames
verb new no "$skinbench" export obj-sequence walk.h5
verb new.glb file "$skinbench" export glb walk.h5 --baked
verb pack no "$skinbench" conformance --quiet
verb new.h5 file "$skinbench" fit walk.h5 --method svd --bones 8 --threads 1
verb new.h5 file "$skinbench" fit walk.h5 --method sad --bones 8 --threads 1
verb new.h5 file "$skinbench" fit walk.h5 --external "$still" --bones 2 --threads 1
verb new.h5 file "$skinbench" skin bar.h5 --method dqs --normals --threads 1
verb new.h5 file "$skinbench" centers bar.h5 --threads 1
verb new.h5 file "$skinbench" weights prune bar.h5 --influences 1
verb new.h5 file "$skinbench" add-twist-joint bar.h5 --joint base
verb new.report folder "$skinbench" report run.jsonl
results "$skinbench" "${bench[@]}"
results "$skinbench" bench walk.h5 --no-generated --methods svd --bones 2 --external "$still" --no-times --threads 1 --quiet
results "$skinbench" table fesam-table1 --data data --threads 1 --quiet

# A table without -o works in a temporary folder of its own.
usual "$skinbench" table sbs-table1 --data data --rounds 3 --threads 1 --quiet
left_before=""
for ((k = 0; k < kills; k++)); do
    run_and_kill "$usual_ms" "$skinbench" table sbs-table1 --data data --rounds 3 --threads 1 --quiet
done
"$skinbench" table sbs-table1 --data data --rounds 3 --threads 1 --quiet >out 2>&1 || fail "$(cat out)"
[ -z "$(ls -A scratch)" ] || fail "a table left $(ls -A scratch)"
echo "$kills kills of table"
echo "$all kills, $late of them too late; nothing lost, torn or left"
