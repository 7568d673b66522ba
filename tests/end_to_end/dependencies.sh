#!/bin/bash
# Tests scripts/install-dependencies on each system, by its os-release file: the packages it would install, or their description.
. "$(dirname "$0")/../prelude.sh"
script=$(cd "$(dirname "$0")/../.." && pwd)/scripts/install-dependencies
cd "$folder"
# on OS-RELEASE OPTION...: what it prints
on() {
    printf '%b' "$1" >os-release
    shift
    SKINBENCH_OS_RELEASE=os-release "$script" --print "$@" >out 2>err
}
for system in 'ID=debian\nVERSION_ID="12"' 'ID=debian\nVERSION_ID="13"' 'ID=debian' 'ID=ubuntu\nVERSION_ID="22.04"' 'ID=ubuntu\nVERSION_ID="24.04"'; do
    on "$system" || fail "$system: $(cat err)"
    [ "$(cut -d ' ' -f 3-4 out)" = "apt-get install" ] && grep -q ' libhdf5-dev .* libcmocka-dev$' out || fail "$system: $(cat out)"
    ! grep -q embree out || fail "$system: what is optional without --optional"
    on "$system" --optional
    grep -q ' libembree-dev libpng-dev ' out || fail "$system --optional: $(cat out)"
done
on 'ID=ubuntu\nVERSION_ID="24.04"' --lint
grep -q ' shellcheck ' out && ! grep -q chromium out || fail "Ubuntu --lint: $(cat out)"
on 'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43' --optional
[ "$(cut -d ' ' -f 1-2 out)" = "dnf install" ] && grep -q ' hdf5-devel .* embree-devel ' out || fail "Fedora: $(cat out)"
! grep -q -e '-dev ' out || fail "Fedora gets names of Debian: $(cat out)"
# Systems that are not known, or too old: words, and no failure.
for system in 'ID=arch' 'ID=debian\nVERSION_ID="11"' 'ID=ubuntu\nVERSION_ID="20.04"' ''; do
    on "$system" || fail "$system: exit code $?"
    [ ! -s out ] && grep -q '^  HDF5: .*(Debian: libhdf5-dev)$' err || fail "$system: $(cat out err)"
done
expected 2 "$script" --everything
echo "packages of every system"
