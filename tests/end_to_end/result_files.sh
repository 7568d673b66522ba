#!/usr/bin/env bash
# Tests files that are not result files, suites, tables or claims, or are torn or from a newer program. Every command that reads
# one refuses it with exit code 3 and one line that names it, writes nothing, and leaves the file unchanged.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
home=${SKINBENCH_HOME:-$(realpath "$(dirname "$0")/../..")}
cd "$folder"
export OMP_WAIT_POLICY=passive
"$skinbench" generate bar --set around=4 --set along=5 --set frames=2 -o bar.h5 --quiet
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends scalar --rounds 2 --precision 0 --threads 1 --quiet \
    -o good.jsonl >out
lines=$(wc -l <good.jsonl)

# the files: what is wrong with them is their name
mkdir bad
: >bad/empty
python3 - <<'PY'
import random
random.seed(1)
noise = bytes(random.randrange(256) for _ in range(5000))
good = open("good.jsonl", "rb").read()
first, rest = good.split(b"\n", 1)
files = {
    "noise": noise,
    "noise-one-line": noise.replace(b"\n", b"."),
    "array": b"[1, 2, 3]\n",
    "other-lines": b'{"name": "x", "value": 1}\n{"name": "y", "value": 2}\n',
    "newer": good.replace(b'"schema":1', b'"schema":2'),
    "newer-later": good + rest.replace(b'"schema":1', b'"schema":2'),
    "no-schema": good.replace(b'"schema":1,', b""),
    "torn-first": first[:200],
    "torn": good[:-20],
    "noise-behind": good + noise[:100] + b"\n",
}
for name, content in files.items():
    open("bad/" + name, "wb").write(content)
PY
cp bar.h5 bad/hdf5

# untouched FILE: it is as it was, and nothing else was made
untouched() {
    cmp -s "$1" before || fail "$1 was changed"
    [ "$(find . -newer stamp -not -name out -not -name err -not -name . | wc -l)" = 0 ] ||
        fail "$1: made $(find . -newer stamp -not -name out -not -name err -not -name .)"
}
# bad FILE COMMAND...: refused with its name
bad() {
    local file=$1
    shift
    cp "$file" before
    touch stamp
    refused 3 "$(basename "$file")" "$skinbench" "$@"
    untouched "$file"
}
for file in bad/*; do
    kind=$(basename "$file")
    bad "$file" report "$file" -o new
    bad "$file" report good.jsonl "$file" -o new
    bad "$file" report --history "$file" -o new
    bad "$file" claims "$file"
    bad "$file" compare "$file" good.jsonl
    bad "$file" compare good.jsonl "$file"
    [ "$kind" = torn ] || bad "$file" merge good.jsonl "$file" -o new.jsonl
    case $kind in
    empty | torn | torn-first) ;; # what a run that was killed leaves: resumed
    *)
        bad "$file" bench bar.h5 --no-generated --methods lbs --backends scalar --rounds 2 --threads 1 -o "$file"
        bad "$file" table dqs-fig5 --quiet -o "$file"
        ;;
    esac
done
refused 3 "torn:$lines: the last line is torn" "$skinbench" report bad/torn -o new
refused 3 "newer-later:$((lines + 1)): is of schema 2" "$skinbench" merge bad/newer-later -o new.jsonl

# a torn line is left out by merge, and cut by a run that resumes
"$skinbench" merge bad/torn -o merged.jsonl >out 2>err
grep -q "bad/torn: the last line is torn (incomplete) and is left out" err || fail "a torn line: $(cat err)"
head -n $((lines - 1)) good.jsonl | cmp - merged.jsonl || fail "what is left of a torn file"
for kind in torn torn-first empty; do
    "$skinbench" bench bar.h5 --no-generated --methods lbs --backends scalar --rounds 2 --precision 0 --threads 1 \
        -o bad/$kind >out 2>err || fail "$kind: not resumed: $(cat err)"
    "$skinbench" report bad/$kind -o report-$kind --quiet >out 2>&1 || [ $? = 4 ] || fail "$kind: after a run: $(cat out)"
done

# suites, published tables and claims
mkdir -p home/results
cp -r "$home/results/published" home/results
for kind in empty noise array other-lines hdf5; do
    [ $kind != empty ] || : >bad/empty
    cp bad/$kind before
    touch stamp
    refused 3 "bad/$kind" "$skinbench" bench --suite bad/$kind -o new.jsonl
    untouched bad/$kind
    cp bad/$kind home/results/published/broken.json
    SKINBENCH_HOME=$PWD/home refused 3 "broken.json" "$skinbench" table broken
    rm home/results/published/broken.json
    cp bad/$kind home/results/published/claims/dqs.json
    SKINBENCH_HOME=$PWD/home refused 3 "dqs.json" "$skinbench" claims good.jsonl
done
sed 's/"schema": *1/"schema": 2/' "$home/results/published/dqs-fig5.json" >home/results/published/newer.json
SKINBENCH_HOME=$PWD/home refused 3 "newer.json: schema is not 1" "$skinbench" table newer
sed 's/"schema": *1/"schema": 2/' "$home/results/published/claims/dqs.json" >home/results/published/claims/dqs.json
SKINBENCH_HOME=$PWD/home refused 3 "dqs.json" "$skinbench" claims good.jsonl
