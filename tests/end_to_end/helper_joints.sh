#!/usr/bin/env bash
# Tests fit --method helper-joints: a rig with more joints that other programs accept; its messages; inputs that are refused.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"
"$skinbench" generate bar --set motion=bend-120 --set around=16 --set along=41 --set frames=8 -o bar.h5
help() { "$skinbench" fit bar.h5 --method helper-joints --set poses=16 --quiet "$@"; }
help --bones 2 -o helped.h5 >text
grep -q '^2 helper joints, root mean square distance from dqs' text || fail "$(cat text)"
help --bones 2 -o again.h5 --json >json
for name in fitted held_out own_frames helpers turn move target; do grep -q "\"$name\":" json || fail "--json has no $name"; done
cmp helped.h5 again.h5 || fail "two fits differ"
"$skinbench" check helped.h5 --quiet >check || fail "$(cat check)"
"$skinbench" info helped.h5 | grep -q '^joints  *4 ' || fail "$("$skinbench" info helped.h5)"
# Ordinary joints with baked transformations: a file of another program has them, too.
"$skinbench" export glb helped.h5 -o helped.glb --quiet
"$skinbench" import glb helped.glb -o back.h5 --quiet
"$skinbench" info back.h5 | grep -q '^joints  *4 ' || fail "$("$skinbench" info back.h5)"
help --bones 1 --set target=delta-mush --set model=linear -o mush.h5 >text
grep -q 'distance from delta-mush' text || fail "$(cat text)"
# The file's own shapes: half of its frames are fitted to, the others held out.
"$skinbench" skin bar.h5 --method dqs -o shapes.h5 --quiet
"$skinbench" fit shapes.h5 --method helper-joints --set target=file --bones 2 -o own.h5 --quiet >text
awk '/frames held out/ { exit !($4 + 0 < 0.5 * substr($8, 1)) }' text || fail "$(cat text)"
refused 3 "has no skinned shape" "$skinbench" fit bar.h5 --method helper-joints --set target=file -o none.h5
"$skinbench" generate cloth --set across=5 --set up=5 --set frames=2 -o cloth.h5
refused 3 "cloth.h5: needs a rig" "$skinbench" fit cloth.h5 --method helper-joints -o none.h5
refused 2 "target" "$skinbench" fit bar.h5 --method helper-joints --set target=lbs -o none.h5
refused 2 "bones" "$skinbench" fit bar.h5 --method helper-joints --bones 65 -o none.h5
