#!/bin/bash
# Tests CUDA kernels compiled ahead of time: with them the backend needs only the driver. The driver is tests/fake_cuda.c, in which
# every frame is the rest pose, and a library with NVRTC's name and none of its functions hides NVRTC.
. "$(dirname "$0")/../prelude.sh"
SKINBENCH=$(realpath "$1")
fake=$(dirname "$SKINBENCH")/tests/libfake_cuda.so
[ -e "$fake" ] || { echo "SKIPPED: there is no tests/libfake_cuda.so"; exit 77; }
cd "$folder"
code=0
"$SKINBENCH" kernels --cuda sm_70,sm_80 --methods lbs -o kernels >made 2>err || code=$?
[ $code != 4 ] || { echo "SKIPPED: $(cat err)"; exit 77; }
[ $code = 0 ] || fail "kernels: $(cat err)"
count=$(sed -n 's/^\([0-9]*\) CUDA programs.*/\1/p' made)
architectures=$(sed -n 's/.* for \([0-9]*\) architectures.*/\1/p' made)
[ "$(find kernels -name '*.kernel' | wc -l)" = $((count * (architectures + 1) + 1)) ] || fail "$(cat made): $(find kernels | wc -l) files"
refused 2 "--cuda is 'sm80'" "$SKINBENCH" kernels --cuda sm80 -o other
# What is there is kept; what is missing or damaged is made again.
find kernels -type f -exec sha256sum {} + >sums
set -- kernels/*.kernel
rm "$1"; printf x >>"$2"; touch -d 2000-01-01 "$3"
"$SKINBENCH" kernels --cuda sm_70,sm_80 --methods lbs -o kernels 2>err | cmp - made || fail "once more: $(cat err)"
sha256sum --quiet -c sums || fail "other kernels than before"
[ "$(stat -c %Y "$3")" -lt 1000000000 ] || fail "what was there is made again"

mkdir driver
cp "$fake" driver/libcuda.so.1
for name in libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so; do cp "$fake" driver/$name; done
"$SKINBENCH" generate walk --set vertices=1000 --set frames=4 -o walk.h5
"$SKINBENCH" fit walk.h5 --method coordinate-descent --bones 3 --iterations 1 --set transforms=rigid -o rig.h5 >fit
export LD_LIBRARY_PATH=$PWD/driver SKINBENCH_CACHE=
refused 4 NVRTC "$SKINBENCH" skin rig.h5 --method lbs --backend cuda -o out.h5
export SKINBENCH_KERNELS=$PWD/kernels
"$SKINBENCH" skin rig.h5 --method lbs --backend cuda -o out.h5 >said || fail "with the kernels: $(cat said)"
"$SKINBENCH" doctor | grep -q 'cuda  *ok  *Fake GPU' || fail "doctor: $("$SKINBENCH" doctor | grep cuda)"
# Machine code runs on what is of its generation and no earlier.
FAKE_CUDA_ARCHITECTURE=86 "$SKINBENCH" skin rig.h5 --method lbs --backend cuda -o out.h5 >said || fail "on sm_86: $(cat said)"
FAKE_CUDA_ARCHITECTURE=90 refused 4 "the kernels compiled ahead" "$SKINBENCH" skin rig.h5 --method lbs --backend cuda -o out2.h5
# What is of another method, or damaged, is refused by name, never used.
refused 4 "the kernels compiled ahead of time do not belong to this program's dqs" "$SKINBENCH" skin rig.h5 --method dqs --backend cuda -o out2.h5
find kernels -size +1k -type f | while read -r file; do printf x >>"$file"; done # all but the list of architectures
refused 4 "do not belong to this program's lbs" "$SKINBENCH" skin rig.h5 --method lbs --backend cuda -o out2.h5
cat made
