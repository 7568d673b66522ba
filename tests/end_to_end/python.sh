#!/bin/bash
# Tests the Python module over libskinbench against h5py and NumPy, and the wheel that pip makes of it.
. "$(dirname "$0")/../prelude.sh"
SKINBENCH=$(realpath "$1")
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$SKINBENCH") python=""
export SKINBENCH SKINBENCH_PROGRAM=$SKINBENCH SKINBENCH_LIBRARY=$build/libskinbench.so PYTHONDONTWRITEBYTECODE=1
[ -e "$SKINBENCH_LIBRARY" ] || { echo "SKIPPED: there is no libskinbench.so beside the program (a build with sanitizers has none)"; exit 77; }
for candidate in python3 /usr/bin/python3; do # the first may be one without Debian's packages
    [ -n "$python" ] || ! $candidate -c 'import numpy, h5py' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "SKIPPED: python3 has no numpy and h5py (Debian's python3-numpy, python3-h5py)"; exit 77; }

cp -r "$(dirname "$0")/../../packaging/python" "$folder/source" # setuptools writes into it
cd "$folder"
PYTHONPATH=source "$python" source/tests/test_skinbench.py >log 2>&1 || fail "$(tail -n 40 log)"
tail -n 3 log

# The lines of packaging/README.md about five rigs.
if "$python" -c 'import pandas' 2>/dev/null; then
    sed -n '/^## Which method for my five rigs/,/^## /s/^    //p' "$tree/packaging/README.md" >five.py
    [ "$(wc -l <five.py)" = 10 ] || fail "packaging/README.md has $(wc -l <five.py) lines about five rigs"
    mkdir rigs
    for along in 7 8 9 10 11; do "$SKINBENCH" generate bar --set around=6 --set along=$along --set frames=2 -o rigs/bar-$along.h5 >/dev/null; done
    PYTHONPATH=source "$python" five.py >said 2>log || fail "the lines about five rigs: $(cat log)"
    [ "$(grep -c '^rigs/bar-[0-9]*.h5: ' said)" = 5 ] || fail "not five answers: $(cat said)"
    grep -q '^dqs  *[0-9.]*  *[0-9.]*  *[0-9.]*$' said || fail "no row of dqs: $(cat said)"
    cat said
else
    echo "not tried: the lines of packaging/README.md about five rigs (python3-pandas)"
fi

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
# The wheel of scripts/bundle, which needs nothing but NumPy: in a fresh environment, with the program in it.
if command -v patchelf >/dev/null && "$python" -m venv --without-pip --system-site-packages venv 2>/dev/null; then
    "$tree/scripts/bundle" --wheel --build "$build" -o . >made 2>log || fail "scripts/bundle --wheel: $(cat log)"
    venv/bin/python -m pip install --quiet --no-index --no-deps skinbench-*-manylinux_2_*.whl >log 2>&1 || fail "pip: $(cat log)"
    env -i venv/bin/skinbench doctor >log || fail "the wheel's program: $(cat log)"
    grep -q 'portable  *ok  *glibc' log || fail "the wheel's doctor: $(cat log)"
    cat >used.py <<'END'
import contextlib, io, subprocess, sys
import numpy, skinbench
assert "venv" in skinbench.__file__, skinbench.__file__
skinbench.generate("walk", vertices=1000, frames=6).save("walk.h5")
walk = skinbench.load("walk.h5")
assert "1000 vertices" in repr(walk) and "6 frames" in repr(walk), repr(walk)
with contextlib.redirect_stderr(io.StringIO()) as said:
    fit = skinbench.fit(walk, "coordinate-descent", bones=4, iterations=2, progress=True)
assert "\r" in said.getvalue() and "%" in said.getvalue(), said.getvalue()
positions = skinbench.skin(fit.model, "lbs")
assert abs(skinbench.measure(walk, positions)["e_rms"] - fit.e_rms) < 1e-3 * fit.e_rms
fit.model.save("fit.h5")
subprocess.run(["venv/bin/skinbench", "bench", "fit.h5", "--methods", "lbs", "--backends", "simd", "--no-times", "-o", "run.jsonl"],
               check=True, stdout=subprocess.DEVNULL, env={})
rows = skinbench.read_results("run.jsonl", "skinning", frame=False)
assert rows and {row["status"] for row in rows} == {"ok"}, rows
try:
    import matplotlib
    matplotlib.use("agg")
    walk.plot(frame=2).figure.savefig("walk.png")
except ImportError:
    print("not tried: plot (python3-matplotlib)")
END
    env -i venv/bin/python used.py || fail "the wheel"
    cat made
else
    echo "not tried: the wheel of scripts/bundle (patchelf, python3-venv)"
fi
SKINBENCH_LIBRARY=nothing.so PYTHONPATH=source "$python" -c 'import skinbench' 2>log && fail "a library that is not there is loaded"
grep -q 'ImportError: libskinbench cannot be loaded (nothing.so: .*); SKINBENCH_LIBRARY may name its file' log || fail "$(cat log)"
