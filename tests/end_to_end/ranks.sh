#!/usr/bin/env bash
# Tests fits over the processes of an mpirun: 1 to 4 processes find the same model, to the byte. If one fails or is killed, all end
# with a message and leave no file. Without the library that connects the processes there is no fit.
#   ranks.sh SKINBENCH
. "$(dirname "$0")/../prelude.sh"
skinbench=$(realpath "$1")
program=$skinbench # that is launched
command -v mpirun >/dev/null || { echo "SKIPPED: there is no mpirun (Debian's openmpi-bin)"; exit 77; }
[ -e "$(dirname "$skinbench")/skinbench_mpi.so" ] || { echo "SKIPPED: skinbench was built without MPI (Debian's libopenmpi-dev)"; exit 77; }
cd "$folder"
export TMPDIR=$folder OMP_NUM_THREADS=1
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:allocator_may_return_null=1 # Open MPI loses some, in unloaded objects
# Without the second, gcc 12's sanitizer hangs on a lock of its own: out of memory in the reading process, whose address space is limited, it
# cannot map what its report needs, and reports that while it holds the lock.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Processes of one machine; as many as asked for, however few its cores are.
ranks() { local count=$1; shift; mpirun --oversubscribe --mca btl self,vader --mca plm_rsh_agent false -n "$count" "$program" "$@"; }

# Failures print more lines than ours: those of mpirun, and what each rank says.
ranks_refused() {
    local expected=$1 part=$2 count=$3 code=0
    shift 3
    ranks "$count" "$@" >out 2>err || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, expected $expected: $count ranks of $* ($(cat err))"
    grep -qF -- "$part" err || fail "'$(cat err)' does not say '$part'"
}
# same_for_ranks "COUNT..." NAME INPUT OPTIONS...: alone and on as many ranks, files and errors
same_for_ranks() {
    local counts=$1 name=$2 input=$3
    shift 3
    "$skinbench" fit "$input" "$@" -o "$name.h5" --json --threads 1 >"$name.json"
    local errors
    errors=$(grep -o '"e_rms":[0-9.]*' "$name.json" | head -1 | cut -c 1-18)
    for count in $counts; do
        ranks "$count" fit "$input" "$@" -o "$name-$count.h5" --json --threads 1 >out 2>err || fail "$count ranks: $(cat err)"
        [ "$(wc -l <out)" -eq 1 ] || fail "$count ranks printed $(wc -l <out) lines"
        cmp "$name.h5" "$name-$count.h5" || fail "$count ranks found another model than one: $*"
        grep -qF "${errors:?}" out || fail "$count ranks: $(cat out), expected $errors"
    done
}

"$skinbench" generate jelly --set frames=20 -o jelly.h5 --quiet
"$skinbench" generate jelly -o longer.h5 --quiet
"$skinbench" generate jelly --set frames=7 -o short.h5 --quiet
same_for_ranks "1 2 3 4" affine jelly.h5 --method coordinate-descent --bones 6 --iterations 8
same_for_ranks 3 rigid short.h5 --method coordinate-descent --bones 6 --set transforms=rigid --iterations 4
same_for_ranks 4 svd jelly.h5 --method svd --bones 4
if [ -e "${SKINBENCH_TEST_DATA:-}/horse-gallop.tar.xz" ]; then
    "$skinbench" import "$SKINBENCH_TEST_DATA/horse-gallop.tar.xz" -o horse.h5 --quiet
    same_for_ranks 3 gallop horse.h5 --method coordinate-descent --bones 30 --iterations 6
fi
# What is measured is the same, but for the last digits.
"$skinbench" measure jelly.h5 affine.h5 >one
ranks 3 measure jelly.h5 affine.h5 >three
cmp one three || fail "three ranks measure something else"
"$skinbench" skin affine.h5 --method lbs --normals -o skinned.h5
ranks 3 skin affine.h5 --method lbs --normals -o skinned-3.h5
cmp skinned.h5 skinned-3.h5 || fail "three ranks skin otherwise than one"

# What does not go over ranks, or is no input, is said with the rank's number, and nothing is written.
ranks_refused 2 "fit, rank 0: sad cannot divide a fit among processes" 2 fit jelly.h5 --method sad --bones 4 -o no.h5
ranks_refused 3 "fit, rank 0: no.h5: cannot be opened" 3 fit no.h5 --method svd --bones 4 -o no.h5
# One rank alone runs out of memory: all end, with its message and its exit code.
cat >one_is_small <<END
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" = 2 ] && exec "$skinbench" "\$@" --memory-limit 1M
exec "$skinbench" "\$@"
END
chmod +x one_is_small
program=$folder/one_is_small
ranks_refused 5 "fit, rank 2: " 3 fit longer.h5 --method coordinate-descent --bones 8 -o no.h5
program=$skinbench
# One is killed in the middle of a fit that would take minutes.
ranks 3 fit longer.h5 --method coordinate-descent --bones 8 --iterations 1000000 -o no.h5 >out 2>err &
mpirun=$!
for _ in $(seq 100); do
    rank=$(pgrep -P $mpirun | tail -1) || true
    [ -z "$rank" ] || break
    sleep 0.1
done
[ -n "$rank" ] || fail "no rank has started: $(cat err)"
sleep 2
kill -KILL "$rank"
code=0
wait $mpirun || code=$?
[ $code -ne 0 ] || fail "a fit of which a rank was killed ended well"
grep -qE "signal 9|Killed" err || fail "'$(cat err)' says nothing of the rank that was killed"
[ ! -e no.h5 ] && [ ! -e no.npy ] && [ -z "$(find . -name '.skinbench-*')" ] || fail "something was written: $(ls -A)"

# A launch whose processes nothing connects.
cp "$skinbench" lonely
program=./lonely
ranks_refused 4 "2 processes were launched together" 2 fit jelly.h5 --method svd --bones 4 -o no.h5
[ "$(grep -c "were launched together" err)" = 1 ] || fail "said more than once: $(cat err)"
[ ! -e no.h5 ] || fail "lonely ranks wrote"
PMI_RANK=0 PMI_SIZE=2 refused 4 "libopenmpi-dev" ./lonely fit jelly.h5 --method svd --bones 4 -o no.h5
