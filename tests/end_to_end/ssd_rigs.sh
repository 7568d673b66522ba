#!/bin/bash
# Tests the public rigs of SSD, packed and unpacked, with the archives of their sequences: E_RMS agrees to 0.1 % with the values
# printed by their authors (unit: half the diagonal) and with values computed elsewhere in FESAM's unit. Needs
# SKINBENCH_TEST_DATA.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
data=${SKINBENCH_TEST_DATA:-}
[ -n "$data" ] && [ -e "$data/ssd" ] || {
    echo "SKIPPED: no rigs of SSD (set SKINBENCH_TEST_DATA to the folder of the data sets)"
    exit 77
}
data=$(cd "$data" && pwd)
cd "$folder"

near() { # measured, expected
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.999 * b && a < 1.001 * b) }' || fail "$name: E_RMS $1, not $2"
}

check() { # rig, E_RMS in FESAM's unit, by half the diagonal
    name=$1 sequence=${1%-*}
    [ -e "$sequence.h5" ] || "$skinbench" import "$data/$sequence.tar.xz" -o "$sequence.h5" --quiet
    "$skinbench" import ssd "$data/ssd/$name-unconstrained.txt.xz" --mesh "$data/$sequence.tar.xz" -o rig.h5 --quiet
    "$skinbench" measure "$sequence.h5" rig.h5 >measured
    near "$(awk '$1 == "E_RMS" && NF == 2 { print $2 }' measured)" "$2"
    near "$(awk '/E_RMS relative to half/ { print $NF }' measured)" "$3"
}

check horse-gallop-10 5.572 5.65183
check horse-gallop-20 2.762 2.80112
check horse-gallop-30 1.734 1.758598
check horse-collapse-10 5.375 4.59932
check horse-collapse-20 3.736 3.19631

# an unpacked rig on a data set is the same rig
xz -dc "$data/ssd/horse-collapse-20-unconstrained.txt.xz" >rig.txt
"$skinbench" import ssd rig.txt --mesh horse-collapse.h5 -o other.h5 --name horse-collapse-20 --quiet
"$skinbench" measure horse-collapse.h5 other.h5 | diff measured - || fail "unpacked, the rig measures something else"
"$skinbench" import rig.txt --mesh nothing.h5 -o other.h5 2>err && fail "a mesh that is not there is taken"
grep -q "nothing.h5: cannot be opened" err || fail "$(cat err)"
