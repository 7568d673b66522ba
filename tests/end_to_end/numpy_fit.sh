#!/usr/bin/env bash
# Tests the example and the template of packaging/external, which need NumPy.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
packaging=$(cd "$(dirname "$0")/../../packaging/external" && pwd)
export PATH=/usr/bin:$PATH # for the Python of the system, which has its packages
python3 -c "import numpy" || { echo "SKIPPED: needs NumPy" && exit 77; }
cd "$folder"
"$skinbench" generate jelly --set around=8 --set along=10 --set frames=6 -o jelly.h5 --quiet
"$skinbench" fit jelly.h5 --external "$packaging/numpy-fit.json" --bones 4 -o numpy.h5 --json >numpy.json || fail "the example"
"$skinbench" fit jelly.h5 --external "$packaging/template.json" --bones 4 -o template.h5 --json >template.json || fail "the template"
"$skinbench" fit jelly.h5 --method ssdr --bones 1 -o one.h5 --json >one.json
python3 - <<'PYTHON' || fail "$(cat numpy.json template.json one.json)"
import json
numpy, template, one = (json.load(open(f"{name}.json")) for name in ("numpy", "template", "one"))
assert numpy["metrics"]["e_rms"] < 0.7 * one["metrics"]["e_rms"] and one["metrics"]["e_rms"] < 1.001 * template["metrics"]["e_rms"]
assert numpy["external"]["deterministic"] and template["external"]["deterministic"]
PYTHON
