#!/usr/bin/env bash
# Tests scripts/fetch-datasets on a small generated tree: from a folder, and from a server on the loopback that cuts off every
# answer. Files that were tampered with, and licences that are not accepted, are refused.
. "$(dirname "$0")/../prelude.sh"
skinbench=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
cd "$folder"
export SKINBENCH_PROGRAM=$skinbench SKINBENCH_HOME=$folder/home
fetch=$source/scripts/fetch-datasets
commit=0123456789012345678901234567890123456789

# The upstream: two generated sequences as OBJ text, one with a rest pose elsewhere.
mkdir -p tree/models home/datasets/upstream
for name in jelly cloth; do
    size=(--set around=20 --set along=30)
    [ $name = jelly ] || size=(--set across=12 --set up=9)
    "$skinbench" generate $name "${size[@]}" --set frames=6 -o $name.h5
    "$skinbench" export obj-sequence $name.h5 -o tree/models/$name
    mv tree/models/$name/rest.obj tree/models/$name.obj
done
list() {
    (cd tree && find "$@" -name '*.obj' | sort -V | while read -r path; do
        printf '%s\t%s\t%s\n' "$path" "$(stat -c %s "$path")" "$(sha256sum <"$path" | cut -c1-64)"
    done)
}
list models/jelly models/jelly.obj >home/datasets/upstream/soft.tsv
list models/cloth >home/datasets/upstream/flag.tsv

# entry NAME ADDRESS IMPORT [SHA256]
entry() {
    printf '{"name": "%s", "title": "A %s", "kind": "skinbench", "vertices": 0, "triangles": 0, "frames": 6, "joints": 0, "influences": 0, "source": "a/b@%s models/",' "$1" "$1" "$commit"
    printf '"license": "to be accepted", "redistributable": true, "paper": [], "note": "n", "upstream": {"address": "%s", "citation": "cite me", "import": [%s]%s}}' "$2" "$3" "${4:+, \"sha256\": \"$4\"}"
}
# catalogue ADDRESS [SHA256 of soft.h5]
catalogue() {
    printf '{"about": "", "datasets": [%s, %s]}' "$(entry soft "$1" '"obj-sequence", "models/jelly", "--rest", "models/jelly.obj"' "${2:-}")" \
        "$(entry flag "$1" '"obj-sequence", "models/cloth", "--fps", "25"')" >home/datasets/catalogue.json
}
catalogue "https://example.invalid/a/b/$commit/"

# Nothing before the licences are accepted; they are shown.
expected 2 "$fetch" --from tree data </dev/null
grep -q 'nothing was loaded' err && grep -q 'licence  to be accepted' out && grep -q 'cite     cite me' out || fail "$(cat out err)"
[ ! -e data ] || fail "something was made before the licences were accepted"
refused 2 "no data set 'x' to download; there is soft flag" "$fetch" --only x data
refused 3 "no folder nowhere" "$fetch" --from nowhere data

# From a folder: the files are imported as by hand, and the copies go.
"$fetch" --accept-licences --from tree data >out
"$skinbench" import obj-sequence tree/models/jelly --rest tree/models/jelly.obj --name soft --title "A soft" --source "a/b@$commit models/" \
    --license "to be accepted" -o soft.h5
cmp soft.h5 data/soft.h5 || fail "not what import makes of the files"
[ "$("$skinbench" info data/flag.h5 --json | sed 's/.*"fps":\([0-9.]*\).*/\1/')" = 25.0 ] || fail "the arguments of import"
[ "$(ls -A data)" = "flag.h5
soft.h5" ] || fail "left behind: $(ls -A data)"
grep -q 'soft.h5, SHA-256 .*none is recorded' out || fail "$(cat out)"
"$fetch" data </dev/null >out || fail "what is there was asked for again"

# The hash of the result: what was recorded, or nothing.
digest=$(sha256sum <soft.h5 | cut -c1-64)
catalogue "https://example.invalid/a/b/$commit/" "$digest"
"$fetch" --accept-licences --from tree recorded >out
grep -q 'soft.h5, as recorded' out || fail "$(cat out)"
catalogue "https://example.invalid/a/b/$commit/" "${digest//[0-9]/0}"
refused 3 "data/soft.h5 is there, and is not the one recorded" "$fetch" --accept-licences --only soft --from tree data
mkdir -p other/upstream
echo mine >other/upstream/mine
refused 1 "recorded is ${digest//[0-9]/0}; removed" "$fetch" --accept-licences --only soft --from tree other
[ "$(sha256sum <data/soft.h5 | cut -c1-64)" = "$digest" ] || fail "an older result was touched"
[ ! -e other/upstream/soft.h5 ] || fail "a result that is not the one recorded was kept"

"$fetch" --accept-licences --only flag --from tree other >out
[ "$(cat other/upstream/mine)" = mine ] && [ ! -e "other/upstream/a/b/$commit/models/cloth" ] || fail "copies stay, or others go: $(find other)"

# A tampered byte is found and removed, of the copy; the other data set comes all the same.
catalogue "https://example.invalid/a/b/$commit/"
cp -r tree tampered
sed -i '10s/[0-9]/7/3' tampered/models/jelly/0003.obj
cmp -s tree/models/jelly/0003.obj tampered/models/jelly/0003.obj && fail "nothing was tampered with"
refused 3 "soft: not as recorded (bytes or SHA-256), removed: models/jelly/0003.obj" "$fetch" --accept-licences --from tampered torn
[ -e torn/flag.h5 ] && [ ! -e torn/soft.h5 ] && [ -e tampered/models/jelly/0003.obj ] || fail "$(find torn)"
[ ! -e "torn/upstream/a/b/$commit/models/jelly/0003.obj" ] || fail "a tampered file was kept"
rm tampered/models/jelly/0003.obj
refused 3 "soft: no file $folder/tampered/models/jelly/0003.obj" "$fetch" --accept-licences --from tampered --only soft torn
"$fetch" --accept-licences --from tree --only soft torn >out || fail "a run after a refusal"
cmp soft.h5 torn/soft.h5 || fail "after a refusal"

# Without curl.
mkdir bin
for tool in bash env dirname sed awk cut sha256sum; do ln -s "$(command -v $tool)" bin; done
refused 4 "curl is not there: install it" env PATH="$folder/bin" "$fetch" --accept-licences none

if ! command -v curl >/dev/null || ! command -v python3 >/dev/null; then
    echo "no curl or no python3 here: nothing is downloaded"
    exit 0
fi

# serve BYTES [plain]: a server of the tree, which ends every answer after BYTES; the catalogue names it
serve() {
    [ -z "${server:-}" ] || kill "$server"
    rm -rf log net
    exec {answers}< <(exec python3 "$source/tests/end_to_end/range_server.py" tree log "$@")
    server=$!
    read -r port <&"$answers"
    catalogue "http://127.0.0.1:$port/" "$digest"
}
trap 'kill "${server:-}" 2>/dev/null; rm -rf "$folder"' EXIT
total=$(awk -F'\t' '{ bytes += $2 } END { print bytes }' home/datasets/upstream/soft.tsv)
sent() {
    awk '{ bytes += $3 } END { print bytes + 0 }' log
}

# Every answer is cut off: what came stays, and no byte is sent twice.
serve 20000
"$fetch" --accept-licences --only soft net >out 2>err || fail "cut off: $(cat err)"
cmp soft.h5 net/soft.h5 || fail "loaded in parts: not what it was"
[ "$(awk '$2 > 0' log | wc -l)" -ge 7 ] && [ "$(sent)" -eq "$total" ] || fail "$(sent) bytes sent of $total, $(wc -l <log) answers: $(cat log)"
[ -z "$(awk '{ print $1, $2 }' log | sort | uniq -d)" ] || fail "a part was sent twice: $(cat log)"

# What an earlier run left is continued; what is damaged in it is found in the end, and loaded again by the next run.
serve 0
tree=net/upstream/models
mkdir -p $tree/jelly
head -c 1000 tree/models/jelly.obj >$tree/jelly.obj
cp tree/models/jelly/0001.obj $tree/jelly
"$fetch" --accept-licences --only soft net >out 2>err || fail "continued: $(cat err)"
[ "$(sent)" -eq $((total - 1000 - $(stat -c %s tree/models/jelly/0001.obj))) ] || fail "$(sent) bytes sent: $(cat log)"
cmp soft.h5 net/soft.h5 || fail "continued: not what it was"
serve 0
mkdir -p $tree
head -c 1000 tree/models/jelly.obj | tr 0-4 5-9 >$tree/jelly.obj
refused 3 "soft: not as recorded (bytes or SHA-256), removed: models/jelly.obj" "$fetch" --accept-licences --only soft net
[ ! -e net/soft.h5 ] && [ ! -e $tree/jelly.obj ] && [ -e $tree/jelly/0001.obj ] || fail "$(find net)"
"$fetch" --accept-licences --only soft net >out 2>err || fail "after a damaged part: $(cat err)"
cmp soft.h5 net/soft.h5 || fail "after a damaged part: not what it was"

# A server that knows no ranges begins again; what it does not have is no data set.
serve 0 plain
mkdir -p $tree
head -c 1000 tree/models/jelly.obj >$tree/jelly.obj
"$fetch" --accept-licences --only soft net >out 2>err || fail "without ranges: $(cat err)"
cmp soft.h5 net/soft.h5 || fail "without ranges: not what it was"
mv tree/models/cloth/0002.obj away
expected 4 "$fetch" --accept-licences --only flag net
grep -q "flag: cannot be loaded from http://127.0.0.1:$port/" err && [ ! -e net/flag.h5 ] || fail "404: $(cat err)"
mv away tree/models/cloth/0002.obj
"$fetch" --accept-licences --only flag net >out 2>err || fail "after a 404: $(cat err)"

if [ -n "${SKINBENCH_TEST_DATA:-}" ] && [ -e "$SKINBENCH_TEST_DATA/horse-gallop.tar.xz" ]; then
    # The catalogue's own: the horse of the papers comes out as recorded.
    mkdir -p real/models
    tar -xJf "$SKINBENCH_TEST_DATA/horse-gallop.tar.xz" -C real/models
    mv real/models/horse-gallop/rest.obj real/models/horse-gallop.obj
    SKINBENCH_HOME=$source "$fetch" --accept-licences --from real --only horse-gallop horse >out 2>err || fail "horse-gallop: $(cat err)"
    grep -q 'horse-gallop.h5, as recorded' out || fail "$(cat out)"
fi
echo "ok"
