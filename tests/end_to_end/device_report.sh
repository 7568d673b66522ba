#!/bin/bash
# Tests scripts/device-report --quick with PoCL as the device, or with none: every step ends, and the page and its records are there.
# Then with a driver that runs no kernel (tests/fake_cuda.c) and kernels compiled ahead: a wrong result is named with its first
# vertex, measurements before a lost device are kept, and if memory runs out a smaller size is used.
. "$(dirname "$0")/../prelude.sh"
SKINBENCH=$(realpath "$1")
export SKINBENCH
tree=$(cd "$(dirname "$0")/../.." && pwd)
fake=$(dirname "$SKINBENCH")/tests/libfake_cuda.so
cd "$folder"
HOME=$PWD/none/here "$tree/scripts/device-report" --quick --patience 10 -o report >said 2>&1 || fail "$(cat said)"
for step in doctor right-1 right-two-phase devices times-2000-1 merge report; do
    grep -qE "^(ok|partly not available|cut off after [0-9]* s, what was measured is kept): $step" report/steps.txt || fail "$step: $(cat report/steps.txt)"
done
[ -s report/report/index.html ] || fail "no page"
"$SKINBENCH" merge report/run.jsonl report/run.jsonl -o again.jsonl >/dev/null
grep -q '"two_phase"' report/run.jsonl || fail "no records of two phases"
! "$SKINBENCH" doctor | grep -q 'opencl  *ok' || grep -q '"gflop_per_s"' report/run.jsonl || fail "no limits of the device"
cat report/steps.txt

code=0
[ -e "$fake" ] && "$SKINBENCH" kernels --cuda sm_75 --methods lbs -o kernels >made 2>err || code=$?
[ $code = 0 ] || { echo "not tried: CUDA, $(tail -n 1 err)"; exit 0; }
mkdir driver
for name in libcuda.so.1 libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so; do cp "$fake" driver/$name; done
on_stub() { # DIR NAME=VALUE...: of LBS alone, without OpenCL
    ! env LD_LIBRARY_PATH="$PWD/driver" SKINBENCH_KERNELS="$PWD/kernels" OCL_ICD_VENDORS=/nonexistent "${@:2}" \
        "$tree/scripts/device-report" --quick --patience 10 --methods lbs -o "$1" >said 2>&1 || fail "$1 finds nothing wrong: $(cat said)"
}
on_stub lost FAKE_CUDA_LAUNCHES=1000
grep -q '^WRONG or failed: right-1: .*lbs on cuda: wrong: differs from reference by .*, first at vertex [0-9]* of frame [0-9]' lost/steps.txt ||
    fail "no wrong vertex is named: $(cat lost/steps.txt)"
grep -q '^WRONG or failed: devices: .*the kernel that textbooks describe differs' lost/steps.txt || fail "devices: $(cat lost/steps.txt)"
for part in '"gflop_per_s"' '"ns_16_frames_256_items"' 'illegal memory access'; do
    grep -q "$part" lost/run.jsonl || fail "no $part in the records of a lost device: $(cat lost/steps.txt)"
done
[ -s lost/report/index.html ] || fail "no page of a lost device"
on_stub small FAKE_CUDA_BYTES=20000
grep -q '^memory is out with 2000 vertices and 1 frames: half as many' small/steps.txt || fail "$(cat small/steps.txt)"
[ -s small/report/index.html ] || fail "no page where memory is out"
