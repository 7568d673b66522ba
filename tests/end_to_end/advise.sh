#!/usr/bin/env bash
# Tests advise: its sentence on a rig that only bends, one that only twists, and a stiff one; a file of another format; the members of
# --json; the page; inputs that are refused.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"
bar=(--set around=16 --set along=41 --set frames=6)
advise() { "$skinbench" advise "$@" --quiet; }
# member NAME FILE: its text in a file of one JSON object
member() { grep -o "\"$1\": *\"[^\"]*\"" "$2" | head -n 1 | sed 's/.*: *"//; s/"$//'; }
# of METHOD NAME FILE: a number of a method
of() { grep -o "\"method\": *\"$1\".*" "$3" | grep -o "\"$2\": *[-0-9.e+]*" | head -n 1 | sed 's/.*: *//'; }

"$skinbench" generate bar "${bar[@]}" --set motion=bend-120 -o bend.h5
"$skinbench" generate bar "${bar[@]}" --set motion=twist-135 -o twist.h5
"$skinbench" weights prune bend.h5 --influences 1 -o stiff.h5

# A bend makes dual quaternions bulge, centres of rotation less; about one axis blended twists are rigid, and lbs alone collapses.
advise bend.h5 --own-poses --json >bend.json
member advised bend.json | grep -qx 'cor\|bulging-free-dqs' || fail "bend: $(cat bend.json)"
awk -v cor="$(of cor bulge_percent bend.json)" -v dqs="$(of dqs bulge_percent bend.json)" 'BEGIN { exit !(cor < dqs) }' || fail "bulge"
advise twist.h5 --own-poses --json >twist.json
member sentence twist.json | grep -q '^Use [a-z-]*: it loses [5-9][0-9] % less shape than lbs at .*; the difference shows at tip$' || fail "$(cat twist.json)"
awk -v collapse="$(of dqs collapse_percent twist.json)" -v bulge="$(of dqs bulge_percent twist.json)" \
    'BEGIN { exit !(collapse + bulge < 0.05) }' || fail "dqs loses shape in a twist"
# Where no skin blends joints all methods are one.
advise stiff.h5 --json >stiff.json
member sentence stiff.json | grep -q '^LBS suffices: no other method moves the skin' || fail "stiff: $(cat stiff.json)"
[ "$(member advised stiff.json)" = lbs ] || fail "stiff: $(member advised stiff.json)"

# The table by which the report ranks direct methods has the same numbers for the same rig.
"$skinbench" generate bar -o bar.h5
advise bar.h5 --json >bar.json
"$skinbench" table direct-methods --rows bar --json --quiet >table.jsonl
for method in lbs dqs cor bulging-free-dqs; do
    measured=$(grep "\"column\":\"$method\"" table.jsonl | sed 's/.*"measured":\([-0-9.e]*\).*/\1/')
    [ -n "$measured" ] && [ "$(of $method loss_of_shape bar.json)" = "$measured" ] ||
        fail "$method: advise says $(of $method loss_of_shape bar.json), the table '$measured'"
done

# Your own rigs in --data have rows named by their files. A file that cannot be read is a row, too, and not the end.
mkdir rigs
"$skinbench" generate bar --set around=12 --set along=25 --quiet -o rigs/bar.h5
"$skinbench" export glb rigs/bar.h5 --quiet -o rigs/tube.glb >/dev/null
echo nothing >rigs/broken.h5
"$skinbench" table direct-methods --data rigs --rows bar.h5,broken.h5,tube.glb --json --quiet -o own.jsonl >own-table.jsonl || fail "own rigs: no table"
for row in bar.h5:measured broken.h5:failed tube.glb:measured; do
    grep "\"row\":\"${row%:*}\",\"column\":\"dqs\"" own-table.jsonl | grep -q "\"state\":\"${row#*:}\"" || fail "own rig $row: $(cat own-table.jsonl)"
done
"$skinbench" report own.jsonl -o own-report --quiet >/dev/null 2>&1 || [ $? = 4 ] || fail "own rigs: no report"
grep -q 'tube\.glb' own-report/direct-methods.csv && grep -q 'broken\.h5.*is not an HDF5 file' own-report/report.md ||
    fail "own rigs are not in the report"

# A budget of what lbs costs leaves lbs; the members of --json; the same seed makes the same poses.
advise bend.h5 --own-poses --budget 1x --threads 1 >budget.txt
head -n 1 budget.txt | grep -q 'LBS suffices\|its cost\|same cost' || fail "$(cat budget.txt)"
advise bend.h5 --json --seed 3 >one.json
advise bend.h5 --json --seed 3 >two.json
for name in schema file sentence caveat stress rule advised budget seed own_poses gauntlet_poses poses_beyond backend methods joints views \
    engines commands loss_of_shape_beyond volume_change_percent \
    edge_stretch_percent area_distortion_percent collapse_percent bulge_percent self_intersection_percent gap_percent jump_percent difference_percent e_rms \
    loss_of_shape ratio_to_lbs ratio_interval bytes_per_vertex bytes_per_joint precompute_s dominated_by named; do
    grep -q "\"$name\":" one.json || fail "--json has no $name"
done
for name in volume_change_percent gap_percent jump_percent bulge_percent; do
    [ "$(of dqs $name one.json)" = "$(of dqs $name two.json)" ] || fail "$name differs under one seed"
done
# Nothing turns rigidly faster than its joint: between 179 and 181 degrees a vertex of lbs goes no further than 2 degrees of its radius.
awk -v jump="$(of lbs jump_percent one.json)" 'BEGIN { exit !(jump > 0 && jump < 2 * 3.1416 / 180 * 100) }' || fail "jump of lbs"

# At equal cost against a reference: it has no error, and what it does itself is the answer where it is asked for.
advise bend.h5 --reference dqs --json >reference.json
[ "$(of dqs error_percent reference.json)" = 0.0 ] || fail "dqs is off itself by $(of dqs error_percent reference.json)"
[ "$(of lbs loss_of_shape reference.json)" = 1.0 ] || fail "lbs is $(of lbs loss_of_shape reference.json) times as far as lbs"
grep -q '"direct-delta-mush-4-v5"' reference.json || fail "no variants"
# Helper joints bring lbs nearer, the more the nearer; a device that is here is timed, too.
awk -v none="$(of lbs error_percent reference.json)" -v one="$(of lbs-helpers-1 error_percent reference.json)" \
    -v four="$(of lbs-helpers-4 error_percent reference.json)" 'BEGIN { exit !(four < one && one < 0.8 * none) }' || fail "helper joints"
if "$skinbench" list backends | grep -q '^ *opencl *available'; then
    awk -v ratio="$(of dqs device_ratio_to_lbs reference.json)" 'BEGIN { exit !(ratio > 0) }' || fail "no times on a device"
fi
member sentence reference.json | grep -q ' nearer to dqs than lbs at \|^Use dqs itself' || fail "$(member sentence reference.json)"
# What costs several times as much as the reference is dominated by it.
[ "$(member advised reference.json)" != dib ] || fail "dib is advised to imitate dqs"
"$skinbench" table equal-cost bend.h5 twist.h5 --quiet >equal.txt
[ "$(grep -c '| \(advised, \)*the reference ' equal.txt)" = 2 ] || fail "equal-cost: $(cat equal.txt)"
"$skinbench" table equal-cost bend.h5 --reference elastic --quiet >elastic.txt
grep -q ' nearer to elastic than lbs' elastic.txt || fail "elastic: $(cat elastic.txt)"
refused 2 "the reference is 'nothing'" "$skinbench" advise bend.h5 --reference nothing
refused 3 "has no shapes" "$skinbench" advise bend.h5 --reference file
refused 2 "writes no result file" "$skinbench" table equal-cost bend.h5 -o run.jsonl
refused 2 "needs at least one file with a rig" "$skinbench" table equal-cost
refused 2 "no table 'bend.h5'" "$skinbench" table cor-fig2 bend.h5
refused 2 "only the table equal-cost" "$skinbench" table cor-fig2 --reference elastic

# The page has a plot for each cost; the file's own shapes are a reference, too.
"$skinbench" skin bend.h5 --method dqs -o shapes.h5 --quiet
advise shapes.h5 --reference file -o own >own.txt 2>err || [ $? = 4 ] || fail "$(cat err)"
grep -q ' nearer to file than lbs' own.txt || fail "$(cat own.txt)"
[ -s own/plot-001.tsv ] && [ -s own/plot-002.tsv ] || fail "the page lacks plots"

# A file of another format, and the page.
"$skinbench" export glb bend.h5 -o bend.glb --quiet
code=0
advise bend.glb -o page >glb.txt 2>err || code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "exit code $code: $(cat err)"
grep -q 'less shape than lbs' glb.txt || fail "$(cat glb.txt)"
grep -qF "$(head -n 1 glb.txt)" page/index.html || fail "the page does not say what the command says"
[ -s page/plot-001.tsv ] && [ -s page/methods.csv ] || fail "the page lacks files"
# The method that is advised stands first, and the commands for the file are on the page.
grep '^| ' glb.txt | sed -n 2p | grep -q '| advised ' || fail "the advised method does not stand first: $(cat glb.txt)"
grep -qx 'skinbench fit bend.h5 --method helper-joints .*' page/index.html || fail "the page has no commands"
grep -q 'Blender  ' glb.txt || fail "$(cat glb.txt)"

# The commands run as they are printed, and --apply does the same at once; its output is a file with more joints, never the input.
mkdir bin && ln -s "$skinbench" bin/skinbench
sed -n 's/^    \(skinbench .*\)/\1/p' glb.txt >commands
[ "$(wc -l <commands)" = 3 ] || fail "commands: $(cat commands)"
PATH=$PWD/bin:$PATH sh -e commands >commands.log 2>&1 || fail "$(cat commands.log)"
[ -s bend-helpers.glb ] || fail "the commands write no file"
advise bend.glb --apply applied.glb --json >applied.json
"$skinbench" import applied.glb -o applied.h5 --quiet
joints() { "$skinbench" info "$1" --json | grep -o '"joints": *[0-9]*' | head -n 1 | sed 's/.*: *//'; }
[ "$(joints applied.h5)" -gt "$(joints bend.h5)" ] || fail "--apply adds no joints"
refused 2 "bend.glb" "$skinbench" advise bend.glb --apply bend.glb
refused 2 "glb" "$skinbench" advise bend.glb --apply out.h5
"$skinbench" list methods | grep -q '^ *helper-joints ' || fail "list methods has no helper-joints"
refused 2 "transforms=affine asks for others" "$skinbench" fit bend.h5 --method coordinate-descent --bones 2 --for-engine --set transforms=affine \
    -o engine.h5

"$skinbench" generate cloth --set across=5 --set up=5 --set frames=2 -o cloth.h5
echo "no rig" >text.glb
refused 3 "cloth.h5: has no rig" "$skinbench" advise cloth.h5
refused 3 "text.glb" "$skinbench" advise text.glb
refused 3 "none.h5" "$skinbench" advise none.h5
refused 2 "--budget is 'cheap'" "$skinbench" advise bend.h5 --budget cheap

# bench of a file runs that file alone.
"$skinbench" bench bend.h5 --methods lbs --backends scalar --threads 1 --dry-run -o run.jsonl >dry.txt
grep -q '^1 cells to run' dry.txt || fail "a generated rig is benched beside a file: $(cat dry.txt)"
"$skinbench" bench --methods lbs --backends scalar --threads 1 --dry-run -o run.jsonl >dry.txt
grep -q ' rig: lbs' dry.txt || fail "nothing is generated without a file: $(cat dry.txt)"
