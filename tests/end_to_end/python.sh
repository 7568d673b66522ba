#!/bin/bash
# The Python module over libskinbench: its tests against h5py and NumPy, and the wheel that pip makes of it.
. "$(dirname "$0")/../prelude.sh"
SKINBENCH=$(realpath "$1")
build=$(dirname "$SKINBENCH") python=""
export SKINBENCH SKINBENCH_LIBRARY=$build/libskinbench.so PYTHONDONTWRITEBYTECODE=1
[ -e "$SKINBENCH_LIBRARY" ] || { echo "SKIPPED: there is no libskinbench.so beside the program (a build with sanitizers has none)"; exit 77; }
for candidate in python3 /usr/bin/python3; do # the first may be one without Debian's packages
    [ -n "$python" ] || ! $candidate -c 'import numpy, h5py' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "SKIPPED: python3 has no numpy and h5py (Debian's python3-numpy, python3-h5py)"; exit 77; }

cp -r "$(dirname "$0")/../../packaging/python" "$folder/source" # setuptools writes into it
cd "$folder"
PYTHONPATH=source "$python" source/tests/test_skinbench.py >log 2>&1 || fail "$(tail -n 40 log)"
tail -n 3 log

# Installed by pip without a network, with the library beside it.
if "$python" -c 'import setuptools, wheel' 2>/dev/null && "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --no-index --no-build-isolation --no-deps --target installed ./source >log 2>&1 || fail "pip: $(cat log)"
    cp "$build/libskinbench.so.0" installed/skinbench/
    env -u SKINBENCH_LIBRARY PYTHONPATH=installed "$python" -c 'import skinbench; print(skinbench.__version__)' >version
    [ "$(cat version)" = "$("$SKINBENCH" --version | cut -d' ' -f2)" ] || fail "the version is $(cat version)"
    [ "$(sed -n 's/^Version: //p' installed/skinbench-*/METADATA)" = "$(cat version)" ] || fail "pyproject.toml has another version"
else
    echo "not tried: pip install (python3-pip, python3-setuptools, python3-wheel)"
fi
SKINBENCH_LIBRARY=nothing.so PYTHONPATH=source "$python" -c 'import skinbench' 2>log && fail "a library that is not there is loaded"
grep -q 'ImportError: libskinbench cannot be loaded (nothing.so: .*); SKINBENCH_LIBRARY may name its file' log || fail "$(cat log)"
