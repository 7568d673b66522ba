#!/usr/bin/env bash
# Fails every allocation of every command in turn (tests/fail_allocation.c): a run must then end with exit code 5, one
# line on stderr and no file, or as if nothing had happened.
#   tests/end_to_end/fail_allocations.sh PROGRAM LIBRARY [--most N] [--seed S] [--all-after | --both] [CASE...]
#     PROGRAM LIBRARY   build/release/skinbench build/release/tests/fail_allocation.so
#     --most N          at most N allocations of each case, evenly spread (default: all of them; hours)
#     --seed S          where the spread starts (default 1)
#     --all-after       from the K-th on, all allocations fail, as if memory had run out for good
#     --both            the K-th alone, and with the first and every second K also all that follow
#     CASE              a case below, or a part of its name (default: all; with --most, those that are not slow)
# Not covered: allocations before main, by an OpenCL driver (hidden: PoCL compiles with LLVM, which ends the process
# when out of memory), and by gnuplot, which is a separate process. Counted separately: the thread-local data of a library
# that is loaded at run time, without which the C library's loader ends the process on the spot, with exit code 127.
[ $# -ge 2 ] || { sed -n '2,12p' "$0"; exit 2; }
skinbench=$(realpath "$1") library=$(realpath "$2") corpus=$(realpath "$(dirname "$0")/../fuzz/corpus/import")
. "$(dirname "$0")/../prelude.sh"
set +o pipefail
shift 2
most=0 seed=1 afters=("") both=no chosen=()
while [ $# -gt 0 ]; do
    case $1 in
        --most) most=$2; shift ;;
        --seed) seed=$2; shift ;;
        --all-after) afters=(+) ;;
        --both) both=yes ;;
        -*) echo "no option $1" >&2; exit 2 ;;
        *) chosen+=("$1") ;;
    esac
    shift
done
# The program is not to execute itself once more, with a wait policy and kernels of OpenBLAS set (processors.h).
export SKINBENCH_SETTLED="" OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OCL_ICD_VENDORS=/nonexistent LC_ALL=C.UTF-8

# ---- the data that the cases work on ----

mkdir "$folder/data" "$folder/run" "$folder/again"
cd "$folder/data"
"$skinbench" generate bar --set around=4 --set along=5 --set frames=3 -o rig.h5
"$skinbench" generate walk --set vertices=1000 --set frames=4 -o walk.h5
"$skinbench" skin rig.h5 --method lbs --backend reference -o skinned.h5 --quiet
"$skinbench" export obj-sequence skinned.h5 -o frames
tar -cJf frames.tar.xz frames
"$skinbench" export ply-sequence skinned.h5 -o plys
"$skinbench" export obj-sequence skinned.h5 -o rest.obj
"$skinbench" export npy skinned.h5 -o skinned.npy --quiet
cp skinned.npy positions.npy
"$skinbench" export glb rig.h5 -o rig.glb --quiet
"$skinbench" conformance -o pack --quiet >/dev/null
mkdir results # of a pack of two cases, one of which departs
cp pack/still.lbs.npy results/still.npy
cp pack/bend-150.lbs.npy results/bend-90.npy
sed -i 's/"cases":.*/"cases":["still","bend-90"]}/' pack/pack.json
"$skinbench" import rig.glb -o of-glb.h5 --quiet
"$skinbench" add-twist-joint of-glb.h5 --joint base -o twisted.h5
cp "$corpus"/skinned.glb "$corpus"/morphed.gltf "$corpus"/beam.dae .
mkdir -p poses-1 # a rig of one bone with one pose
printf '1 0 0 0\n2 1 0 0\n#\n1 2\n' >bone.tgf
printf '1 3\n1\n1\n1\n' >bone.DMAT
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' | tee bone.obj >poses-1/bone-1.obj
printf '{"dQ-0": [0, 0, 0, 1]}' >poses-1/bone-1.json
printf '1 0 0\n0 1 0\n0 0 1\n0 0 0\n' >poses-1/bone-1.Tmat
cat >suite.json <<'SUITE'
{"datasets": [{"file": "../data/rig.h5"}],
 "skinning": {"methods": ["lbs"], "backends": ["scalar", "opencl"], "threads": [1]},
 "decomposition": [{"method": "svd", "bones": [1], "iterations": 1}]}
SUITE
mkdir arrays # a program that gives every vertex to one bone that does not move
one='\0\0\0\0\0\0\360\077' row='\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' # 1, and 4 times 0, in 64 bits
array() { # SHAPE COUNT NUMBERS: an array of so many times these numbers
    LC_ALL=C printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': $1}"
    for ((i = 0; i < $2; i++)); do printf '%b' "$3"; done
}
array '(4, 1, 3, 4)' 4 "$one$row$one$row$one\0\0\0\0\0\0\0\0" >arrays/transforms.npy
array '(1000, 1)' 1000 "$one" >arrays/weights.npy
echo '{"name": "still", "kind": "fit", "command": ["cp", "{folder}/arrays/transforms.npy", "{folder}/arrays/weights.npy", "{output}"]}' >still.json
short=(--rounds 2 --precision 0 --time-budget 60 --frames 2)
cd ../run
"$skinbench" bench --suite ../data/suite.json "${short[@]}" --threads 1 --quiet -o ../data/run.jsonl >../stdout
"$skinbench" bench ../data/rig.h5 --no-generated --methods lbs,dqs --backends simd "${short[@]}" --threads 1 --quiet -o ../data/two.jsonl >../stdout

# ---- the cases: name, what of its output changes from run to run (- nothing, times, answers), the command ----

cases() {
    echo "generate - generate bar --set around=4 --set along=5 --set frames=3 -o out.h5
generate-rig - generate rig --set vertices=1000 --set frames=2 -o out.h5
generate-walk - generate walk --set vertices=1000 --set frames=2 -o out.h5
generate-arm - generate arm --set vertices=300 --set frames=2 -o out.h5
generate-hand - generate hand --set vertices=1000 --set frames=2 -o out.h5
generate-jelly - generate jelly --set frames=2 -o out.h5
generate-cloth - generate cloth --set frames=2 -o out.h5
info - info ../data/rig.h5
info-json - info ../data/walk.h5 --json
check - check ../data/rig.h5
check-json - check ../data/walk.h5 --json
gate - check --gate ../data/rig.h5 --json
import-folder - import obj-sequence ../data/frames -o out.h5
import-pattern - import obj-sequence ../data/frames/00*.obj -o out.h5
import-rig - import ../data/bone.tgf -o out.h5
import-archive - import obj-sequence ../data/frames.tar.xz -o out.h5
import-ply - import ../data/plys -o out.h5
import-glb - import ../data/skinned.glb --quiet -o out.h5
import-gltf - import ../data/morphed.gltf --quiet -o out.h5
import-dae - import ../data/beam.dae --quiet -o out.h5
import-npy - import ../data/skinned.npy --rest ../data/rest.obj -o out.h5
export-glb - export glb ../data/rig.h5 --color bones -o out.glb
export-into - export glb ../data/twisted.h5 --into ../data/rig.glb --quiet -o out.glb
export-baked - export gltf ../data/rig.h5 --baked --color error --target ../data/skinned.h5 -o out.gltf
export - export obj-sequence ../data/skinned.h5 -o out
export-mesh - export ply-sequence ../data/skinned.h5 -o out.ply
export-pc2 - export pc2 ../data/skinned.h5 -o out.pc2
skin-lbs - skin ../data/rig.h5 --method lbs --backend scalar --normals -o out.h5
skin-simd - skin ../data/rig.h5 --method dqs --backend simd -o out.h5
skin-sbs times skin ../data/rig.h5 --method sbs --set centers=svd --backend reference --counts --json -o out.h5
skin-cor - skin ../data/rig.h5 --method cor --backend reference -o out.h5
skin-opencl - skin ../data/rig.h5 --method lbs --backend opencl -o out.h5
skin-cuda - skin ../data/rig.h5 --method lbs --backend cuda -o out.h5
fit-coordinate-descent times fit ../data/walk.h5 --method coordinate-descent --bones 2 --iterations 1 --json -o out.h5
fit-fesam times fit ../data/walk.h5 --method coordinate-descent --set preset=paper --bones 2 --iterations 1 -o out.h5
fit-sma times fit ../data/walk.h5 --method sma --set samples=64 --set surplus=1 --bones 2 -o out.h5
fit-sad times fit ../data/walk.h5 --method sad --bones 2 -o out.h5
fit-svd times fit ../data/walk.h5 --method svd --bones 1 --json -o out.h5
fit-dgesdd times fit ../data/walk.h5 --method svd --set solver=dgesdd --bones 1 -o out.h5
fit-cpca times fit ../data/walk.h5 --method cpca --bones 2 -o out.h5
fit-eigenskin times fit ../data/walk.h5 --method eigenskin --set base=sad --set rank=1 --set rounds=1 --bones 2 -o out.h5
fit-external times fit ../data/walk.h5 --external ../data/still.json --bones 1 --json -o out.h5
fit-helpers - fit ../data/rig.h5 --method helper-joints --bones 1 --set poses=4 --json -o out.h5
fit-error times fit ../data/walk.h5 --method svd --error 20 --holdout 2 --json -o out.h5
measure - measure ../data/rig.h5 ../data/skinned.h5
measure-json - measure ../data/rig.h5 ../data/skinned.h5 --json
measure-csv - measure ../data/skinned.h5 ../data/rig.h5 --per-vertex out.csv
measure-h5 - measure ../data/skinned.h5 ../data/rig.h5 --per-vertex out.h5 --json
identify - identify ../data/rig.h5 ../data/positions.npy --json
conformance - conformance -o out --json
identify-pack - identify --pack ../data/pack ../data/results --json
score - score ../data/rig.h5 ../data/rig.h5 --variant magicarticulate --poses 1
score-file times score ../data/rig.h5 ../data/rig.h5 --poses 1 --quiet -o run.jsonl
rignet - export rignet ../data/rig.h5 -o out.txt
centers times centers ../data/rig.h5 -o out.h5 --json
weights - weights prune ../data/rig.h5 --influences 1 -o out.h5
weights-heat - weights bone-heat ../data/rig.h5 --skeleton ../data/rig.h5 -o out.h5
weights-quantise - weights quantise ../data/rig.h5 --json -o out.h5
weights-transfer - weights transfer ../data/rig.h5 ../data/walk.h5 --set distance=0.2 --json -o out.h5
weights-order - weights keep ../data/rig.h5 --order joint-sets -o out.h5
add-twist-joint - add-twist-joint ../data/rig.h5 --joint base -o out.h5
bench times bench --suite ../data/suite.json ${short[*]} --quiet -o run.jsonl
table times table dqs-local-scale ${short[*]} --quiet -o run.jsonl
table-csv times table dqs-dib ${short[*]} --quiet --format csv
slow-body times table sbs-table1 ${short[*]} --quiet -o run.jsonl
slow-table times table dqs-scale ${short[*]} --quiet --format csv
slow-study times table sbs-qlerp-bound --quiet
slow-reduction times table fesam-fig4 --quiet -o run.jsonl
slow-bench times bench ../data/rig.h5 --no-generated --methods sbs,cor,svd --bones 2 ${short[*]} --quiet -o run.jsonl
merge - merge ../data/run.jsonl ../data/run.jsonl -o out.jsonl
history times report --history ../data/run.jsonl ../data/run.jsonl -o out
report times report ../data/run.jsonl -o out
figures times report ../data/run.jsonl -o out
scenes times report ../data/two.jsonl --data ../data -o out
compare - compare ../data/run.jsonl ../data/run.jsonl
compare-json - compare ../data/run.jsonl ../data/run.jsonl --json
compare-binary times compare --binary $skinbench $skinbench --suite ../data/suite.json --rounds 1 --rounds-max 1
accept times accept ../data/run.jsonl ../data/run.jsonl --what all --reason tried -o out.json
advise answers advise ../data/rig.h5 --own-poses --json
render - render ../data/skinned.h5 --target ../data/rig.h5 --size 16x16 --samples 1 --json -o out.png
render-folder - render ../data/rig.h5 --color bones --size 16x16 --samples 1 -o out
list-methods - list methods
list-methods-json - list methods --json
list-backends - list backends
list-datasets - list datasets
list-upstream - list upstream
list-tables - list tables --json
doctor - doctor
doctor-json - doctor --json"
}

# ---- one run ----

# run ARGUMENTS...: in the folder run/, its texts in ../stdout and ../stderr, its exit code in $code.
run() {
    code=0
    timeout -s KILL 120 env PATH="$program_path" LD_PRELOAD="$library" "$skinbench" "$@" >../stdout 2>../stderr || code=$?
}

# list_left: $left, what is in the folder run/
shopt -s nullglob dotglob
list_left() {
    left=(*)
}

# clear: an empty folder run/
clear() {
    list_left
    [ ${#left[@]} -eq 0 ] || rm -rf -- "${left[@]}"
}

# results_settled FILE: the cells that have a number, whatever came before they had it.
results_settled() {
    grep -v -e '"kind":"environment"' -e '"status":"failed"' "$1" | sort -u >../settled || true
    mv ../settled "$1"
}

# keep FOLDER: a copy of what a run made, without what changes from run to run, and ratios, which are null for good where
# the cell that they are to had no memory, and so has a run's noise.
keep() {
    rm -rf "$1"
    mkdir "$1"
    cp -r . "$1/files"
    cp ../stdout "$1/stdout"
    [ "$varies" != answers ] || : >"$1/stdout" # words that follow from times
    [ "$varies" = times ] || return 0
    find "$1" -type f \( -name stdout -o -name '*.jsonl' -o -name '*.md' -o -name '*.html' -o -name '*.js' \) -exec sed -Ei \
        -e 's/"(run|time|written)":"[^"]*"//g' -e 's/, written [^ .]*//' -e 's/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/#/g' \
        -e 's/null/#/g' -e 's/"ratio_to_[a-z_]+":(\{[^}]*\}|#)/"ratio":#/g' -e 's/  +/ /g' -e 's/--+/-/g' \
        -e '/"kind":"noise"/d' -e "/^Noise of this run/d" -e '/^(±|†): /d' -e '/^$/d' -e 's/"disturbed":(true|false)/"disturbed":#/g' \
        -e 's/ ± # %//g' -e 's/ \(# samples?\)//g' -e 's/ †//g' -e 's/not measured/#/g' {} +
    find "$1" -type f -name '*.pdf' -exec sed -i 's#/CreationDate ([^)]*)##' {} +
    find "$1" -type f -name skinbench-files.txt -delete # digests of what differs
    [ ! -e "$1/files/run.jsonl" ] || results_settled "$1/files/run.jsonl"
}

# The fault of the run that has just ended, empty: none. A result file keeps whole lines, and the same command
# finishes the rest.
fault=""
judge() {
    local lines
    fault=""
    if [ "$code" -eq "$good_code" ]; then
        if keep "$folder/again" && ! diff -rq "$folder/good" "$folder/again" >../differ 2>&1; then
            fault="exit code $code, but another result: $(diff -r "$folder/good" "$folder/again" | head -3 | cut -c1-300 | tr '\n' ' ')"
        fi
        [ "$code" -eq 5 ] || return 0
    elif [ "$code" -eq 127 ] && grep -q 'thread-local data: ABORT' ../stderr; then
        return 0
    elif [ "$code" -ne 5 ]; then
        fault="exit code $code: $(head -c 200 ../stderr | tr '\n' ' ')"
        return 0
    fi
    # A library may have its own line before it ends the program.
    mapfile -t lines < <(grep -v -e '^$' -e 'Internal Error in libarchive' -e '^libgomp: ' ../stderr)
    [ ${#lines[@]} -eq 1 ] || fault="exit code 5 with ${#lines[@]} lines on stderr: ${lines[*]:0:3}"
    list_left
    left=("${left[@]/#run.jsonl*/}")
    [ -z "$(printf %s "${left[@]}")" ] || fault="exit code 5, and left behind: ${left[*]}"
    [ -s run.jsonl ] || return 0
    local before=$code
    run "$@"
    if [ "$code" -ne 0 ]; then
        fault="exit code $before, and the same command does not finish the rest: exit code $code, $(head -c 200 ../stderr | tr '\n' ' ')"
    elif keep "$folder/again" && ! diff -q "$folder/good/files/run.jsonl" "$folder/again/files/run.jsonl" >/dev/null; then
        fault="exit code $before, and the finished results differ: $(diff "$folder/good/files/run.jsonl" "$folder/again/files/run.jsonl" | head -3 | cut -c1-200 | tr '\n' ' ')"
    fi
    code=$before
}

# ---- all runs ----

# selected NAME: whether the command line asks for the case
selected() {
    local part
    if [ ${#chosen[@]} -eq 0 ]; then
        [ "$most" -eq 0 ] || [[ $1 != slow-* ]]
        return
    fi
    for part in "${chosen[@]}"; do
        [[ $1 == *"$part"* ]] && return 0
    done
    return 1
}

findings=0 failed_in_all=0
printf '%-24s %11s %7s %7s %7s %7s %9s\n' case allocations failed code-5 success loader findings
while read -r name varies arguments; do
    selected "$name" || continue
    read -ra command <<<"$arguments"
    program_path=$PATH
    [[ $name = report || $name = scenes ]] && program_path=/nonexistent # no gnuplot there
    clear
    export SKINBENCH_COUNT_ALLOCATIONS="$folder/count"
    run "${command[@]}"
    good_code=$code
    [ $code -lt 124 ] || fail "$name: exit code $code without a failed allocation: $(cat ../stderr)"
    keep "$folder/good"
    count=$(cat "$folder/count")
    unset SKINBENCH_COUNT_ALLOCATIONS
    [ $both = no ] || afters=("")
    step=1 machine=0 success=0 loader=0 wrong=0 failed=0
    [ "$most" -gt 0 ] && [ "$count" -gt "$most" ] && step=$(((count + most - 1) / most))
    for ((k = (seed * 7919) % step + 1; k <= count; k += step)); do
        if [ $both = yes ]; then
            [ ${#afters[@]} -eq 1 ] && afters=("" +) || afters=("")
        fi
        for after in "${afters[@]}"; do
            clear
            export SKINBENCH_FAIL_ALLOCATION=$k$after
            run "${command[@]}"
            unset SKINBENCH_FAIL_ALLOCATION
            judge "${command[@]}"
            failed=$((failed + 1))
            if [ -n "$fault" ]; then
                wrong=$((wrong + 1))
                echo "FINDING $name, allocation $k$after of $count: $fault"
            elif [ "$code" -eq 5 ]; then
                machine=$((machine + 1))
            elif [ "$code" -eq 127 ]; then
                loader=$((loader + 1))
            else
                success=$((success + 1))
            fi
        done
    done
    printf '%-24s %11d %7d %7d %7d %7d %9d\n' "$name" "$count" "$failed" "$machine" "$success" "$loader" "$wrong"
    findings=$((findings + wrong)) failed_in_all=$((failed_in_all + failed))
done < <(cases)
echo "$failed_in_all allocations failed, $findings findings"
[ "$findings" -eq 0 ]
