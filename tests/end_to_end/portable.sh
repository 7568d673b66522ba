#!/bin/bash
# Tests the portable archive of this build (scripts/bundle): unpacked, read-only, with an empty environment, by an unprivileged user, in a
# root with nothing but glibc, /proc and /dev. Archives that the script builds run on glibc 2.31; this one needs this machine's glibc.
. "$(dirname "$0")/../prelude.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$(dirname "$1")" && pwd)
command -v patchelf >/dev/null || { echo "SKIPPED: no patchelf"; exit 77; }
[ -e "$build/libskinbench.so.0" ] || { echo "SKIPPED: there is no libskinbench.so beside the program"; exit 77; }
cd "$folder"
kernels=() fake=$build/tests/libfake_cuda.so
! "$build/skinbench" kernels --cuda sm_80 --methods lbs -o kernels >/dev/null 2>err || kernels=(--kernels kernels)
XZ_OPT=-0 "$tree/scripts/bundle" --build "$build" "${kernels[@]}" -o . >made 2>log || fail "scripts/bundle: $(cat log)"
mkdir -p root/{proc,dev,opt,work}
tar -xJf skinbench-*.tar.xz -C root/opt
archive=$(echo root/opt/skinbench-*)
rm skinbench-*.tar.xz

# What it holds: every library that any file names, or glibc's; a licence for each.
licenses=$archive/share/doc/skinbench/licenses
plugins=() # of Draco
[ ! -e "$build/skinbench_draco.so" ] || plugins=("$archive/lib/skinbench/skinbench_draco.so")
for file in "$archive"/bin/skinbench "$archive"/lib/*.so* "${plugins[@]}"; do
    readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
done | sort -u | while read -r name; do
    [ -e "$archive/lib/$name" ] || [[ $name =~ ^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec))\.so ]] || fail "$name is not in it"
    ! [ -e "$archive/lib/$name" ] || licence=$(awk -v name="$name" '$1 == name { print $4 }' "$licenses/LIBRARIES")
    ! [ -e "$archive/lib/$name" ] || [ -s "$licenses/$licence" ] || fail "$name has no licence"
done

# A root with glibc alone.
interpreter=$(readelf -l "$1" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
mkdir -p "root$(dirname "$interpreter")"
cp -L "$interpreter" "root$interpreter"
for name in libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libutil.so.1 libmvec.so.1 libc.so.6; do
    path=$(/sbin/ldconfig -p | sed -n "s/^\s*$name (libc6,x86-64.* => //p" | head -n 1)
    [ -z "$path" ] || { mkdir -p "root$(dirname "$path")" && cp -L "$path" "root$path"; }
done
[ ! -e kernels ] || [ ! -e "$fake" ] || cp "$fake" "root$(dirname "$path")/libcuda.so.1" # a driver that runs nothing
chmod 777 root/work
chmod 755 "$folder"
cat >within <<'END'
root=$1 archive=$2
shift 2
mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" || exit 99
mount --bind "$root/opt" "$root/opt" && mount -o remount,ro,bind "$root/opt" || exit 99
user=--userspec=12345:12345
[ -z "${MAPPED:-}" ] || user=--userspec=0:0
exec env -i "$(command -v chroot)" $user "$root" "$archive/bin/skinbench" "$@"
END
enter=(unshare --mount)
if ! "${enter[@]}" true 2>/dev/null; then
    enter=(env MAPPED=1 unshare --map-root-user --mount)
    "${enter[@]}" true 2>/dev/null || { echo "SKIPPED: no root can be made here; what the archive holds is right"; exit 77; }
fi
bare() { "${enter[@]}" bash "$folder/within" "$folder/root" "${archive#root}" "$@"; }
bare doctor >doctor.txt || fail "doctor: $(cat doctor.txt)"
grep -q 'build  *portable  *ok  *glibc 2\.[0-9]* or newer, [0-9]* libraries beside it' doctor.txt || fail "$(grep build doctor.txt)"
grep -q "home  *ok  *${archive#root}/share/skinbench" doctor.txt || fail "$(grep home doctor.txt)"
[ ${#plugins[@]} = 0 ] || grep -q "draco  *ok .*/lib/skinbench/skinbench_draco.so" doctor.txt || fail "$(grep draco doctor.txt)"
bare generate walk --set vertices=1000 --set frames=6 -o /work/walk.h5
bare fit /work/walk.h5 --method coordinate-descent --bones 4 --iterations 2 -o /work/fit.h5 >fit.txt
bare skin /work/fit.h5 --method lbs -o /work/lbs.h5 >skin.txt
bare bench /work/fit.h5 --methods lbs --backends reference,simd --no-times -o /work/run.jsonl >bench.txt || fail "bench: $(cat bench.txt)"
grep -q ' ok, 0 skipped, 0 wrong, 0 failed' bench.txt || fail "bench: $(tail -n 2 bench.txt)"
bare table dqs-fig16 -o /work/run.jsonl >table.txt
bare claims /work/run.jsonl >claims.txt
grep -q '3 confirmed' claims.txt || fail "no claims: $(head -n 1 claims.txt)"
expected 4 bare report /work/run.jsonl -o /work/report
[ "$(cat out err | grep -c gnuplot)" = 1 ] || fail "gnuplot's absence is not said once: $(cat out err)"
[ -s root/work/report/index.html ] || fail "no report"
# CUDA with the driver and the archive's own kernels: there is no NVRTC.
if [ -e kernels ] && [ -e "$fake" ]; then
    bare skin /work/fit.h5 --method lbs --backend cuda -o /work/cuda.h5 >cuda.txt || fail "cuda: $(cat cuda.txt)"
    refused 4 "the kernels compiled ahead of time do not belong" bare skin /work/fit.h5 --method delta-mush --backend cuda -o /work/cuda2.h5
else
    echo "not tried: kernels of CUDA in the archive: $(tail -n 1 err)"
fi
cat made
