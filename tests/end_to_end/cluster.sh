#!/usr/bin/env bash
# Tests the script for sweeps over many nodes without any scheduler: shards that are killed and run again lose and repeat
# no cell (scripts/cluster/try), and unsupported requests are refused. .ci/run tests it with GNU parallel and Slurm.
. "$(dirname "$0")/../prelude.sh"
scripts=$(cd "$(dirname "$0")/../../scripts/cluster" && pwd)
SKINBENCH=$(realpath "$1")
export SKINBENCH
sweep=$scripts/sweep.sbatch
unset "${!SLURM_@}" SHARD
"$scripts/try" --program "$SKINBENCH" shell

cd "$folder"
refused 2 "expected FOLDER" "$sweep"
refused 2 "expected FOLDER" "$sweep" --suite suite.json
refused 2 "expected a job array from 1" "$sweep" sweep --no-times
refused 2 "expected a job array from 1" env SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MAX=3 "$sweep" sweep
refused 2 "--merge takes the folder" "$sweep" --merge sweep
[ ! -e sweep ] || fail "a refused sweep made its folder"
mkdir sweep
echo 4 >sweep/shards
refused 2 "sweep is of 4 shards, not of 5" env SHARD=1/5 "$sweep" sweep
refused 2 "sweep is of 4 shards: there is no shard 5" env SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MAX=5 "$sweep" sweep
refused 2 "no shard has results yet" "$sweep" --merge sweep

# The threads that Slurm gave, and what bench says of its arguments; a task that cannot begin is not put back.
cat >scontrol <<'END'
#!/bin/sh
echo "$@" >>requeued
END
chmod +x scontrol
task() { env PATH="$PWD:$PATH" SLURM_JOB_ID=77 SLURM_ARRAY_JOB_ID=70 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MAX=2 SLURM_CPUS_PER_TASK=3 "$@"; }
code=0
task "$sweep" sweep --suite none.json >out 2>err || code=$?
[ $code = 3 ] && grep -q "shard 2/4 on .*, 3 threads" err && grep -q none.json err || fail "exit code $code: $(cat err)"
[ ! -e requeued ] && [ ! -e sweep/shard-2.done ] || fail "a task that fails was put back, or is done"

# A bench that dies is started again as long as it got further.
cat >dying <<'END'
#!/usr/bin/env bash
output=${!#}
[ ! -e further ] || echo '{}' >>"$output"
kill -SEGV $$
END
chmod +x dying
for further in no yes; do
    [ $further = no ] || touch further
    code=0
    SKINBENCH=$PWD/dying task "$sweep" sweep >out 2>err || code=$?
    [ $code = 139 ] || fail "a bench that died ended with $code: $(cat err)"
    [ $further = "$([ -e requeued ] && echo yes || echo no)" ] || fail "further: $further, but $(cat requeued)"
done
grep -qx "requeue 77" requeued || fail "$(cat requeued)"
