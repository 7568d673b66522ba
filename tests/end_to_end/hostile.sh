#!/usr/bin/env bash
# Tests hostile or merely odd input from outside: names that are not UTF-8 or contain control characters,
# archives that unpack to far more than their size, pipes in place of files. Each ends with its exit code and one line.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
cd "$folder"

"$skinbench" generate bar -o bar.h5 --quiet

# more memory than --memory-limit allows
refused 5 "out of memory for" "$skinbench" generate cloth -o cloth.h5 --memory-limit 1M --quiet
grep -qF -- "--memory-limit is 1 MB" err || fail "the limit is not named: $(cat err)"
"$skinbench" generate walk -o walk.h5 --quiet # HDF5 itself asks for more
refused 5 "out of memory" "$skinbench" skin walk.h5 --method lbs -o skinned.h5 --memory-limit 1M
grep -qF -- "--memory-limit is 1 MB" err || fail "the limit is not named: $(cat err)"
[ ! -e cloth.h5 ] || fail "a file of a refused generator"

# quiet COMMAND...: succeeds, and prints nothing but printable lines (and its own marks of intervals)
quiet() {
    "$@" >out 2>err || fail "exit code $?: $* ($(cat err))"
    LC_ALL=C sed -i 's/±//g; s/†//g' out
    if LC_ALL=C grep -q '[^ -~]' out err; then fail "not printable: $* ($(LC_ALL=C grep -h '[^ -~]' out err | od -c | head -3))"; fi
}
is_json() {
    python3 -c 'import json, sys; [json.loads(line) for line in open("out", encoding="utf-8", errors="strict")]' ||
        fail "no JSON: $(cat out)"
}

# names of files, and texts in files, that are not UTF-8 or would start a line or move the cursor
odd=$'caf\xe9\n\033[2J\xe2\x80\xae'
mkdir "$odd"
"$skinbench" generate jelly -o jelly.h5 --set frames=3 --quiet
cp jelly.h5 "$odd/jelly.h5"
for verb in info check "fit --method coordinate-descent --bones 2 -o fit.h5" "measure jelly.h5"; do
    # shellcheck disable=SC2086
    quiet "$skinbench" $verb "$odd/jelly.h5"
    # shellcheck disable=SC2086
    quiet "$skinbench" $verb "$odd/jelly.h5" --json
    is_json
done
"$skinbench" export obj-sequence jelly.h5 -o frames --quiet
refused 2 "--name is 'caf\\xE9" "$skinbench" import obj-sequence frames --name "$odd" -o "$odd/named.h5"
refused 2 "--title is 'bad\\xFF', which is not valid UTF-8" "$skinbench" import obj-sequence frames --title $'bad\xff' -o "$odd/named.h5"
odd_name=$'cafe\n\033[2J\xe2\x80\xae'
quiet "$skinbench" import obj-sequence frames --name "$odd_name" --title "$odd_name" -o "$odd/named.h5"
quiet "$skinbench" info "$odd/named.h5"
grep -qF 'name          cafe\x0A\x1B[2J\xE2\x80\xAE' out || fail "the name: $(cat out)"
quiet "$skinbench" info "$odd/named.h5" --json
is_json
cp -r frames "$odd/fr"$'\xe9'
"$skinbench" import obj-sequence "$odd/fr"$'\xe9' -o unnamed.h5 --quiet
quiet "$skinbench" info unnamed.h5
grep -qF 'name          fr\xE9' out || fail "the name from the path: $(cat out)"
refused 3 'caf\xE9\x0A\x1B[2J' "$skinbench" info "$odd/none.h5"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" "$odd"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" info jelly.h5 "--$odd"
refused 2 'caf\xE9\x0A\x1B[2J' "$skinbench" fit jelly.h5 --method "$odd" --bones 2 -o fit.h5

# results and reports of data sets of one name
sed 's/^v 0/v 1/' frames/0001.obj >frames/0001.new && mv frames/0001.new frames/0001.obj
"$skinbench" import obj-sequence frames --name "$odd_name" -o "$odd/other.h5" --quiet
bench() {
    quiet "$skinbench" bench "$odd/named.h5" "$odd/other.h5" --no-generated --methods coordinate-descent --bones 2 \
        --iterations 1 --threads 1 --quiet -o "$odd/run.jsonl" "$@"
}
bench
grep -q '^2 ok.* 0 cells were already in ' out || fail "two data sets of one name: $(cat out)"
bench --json
is_json
bench
grep -q '^0 ok.* 2 cells were already in ' out || fail "measured again: $(cat out)"
[ "$(grep -c '"name":"cafe\\\\x0A' "$odd/run.jsonl")" = 2 ] || fail "the names: $(cat "$odd/run.jsonl")"
"$skinbench" report "$odd/run.jsonl" -o "$odd/report" --quiet || [ $? = 4 ] || fail "no report"
if LC_ALL=C grep -rlP '[\x00-\x08\x0b-\x1f\x7f]' "$odd/report" --include='*.md' --include='*.tex' --include='*.csv' --include='*.svg'; then
    fail "control characters in the report"
fi

# a result file whose names mean something to gnuplot, XML, Markdown and LaTeX
"$skinbench" bench bar.h5 --no-generated --methods lbs --backends scalar --threads 1 --frames 2 --rounds 3 --time-budget 1 \
    --quiet -o lbs.jsonl >out
python3 - <<'EOF'
import json
name = "x'; system('touch run1'); \"; `touch run2` | <script>alert(1)</script> & _^{}@~\\ $(touch run3) \\input{run4} é" * 2
lines = [json.loads(line) for line in open("lbs.jsonl")]
cells = [line for line in lines if line["kind"] == "skinning"]
second = json.loads(json.dumps(cells[0]))
second["dataset"]["sha256"] = "0" * 64
for cell in cells + [second]:
    cell["dataset"]["name"] = name[:90]
with open("named.jsonl", "w") as file:
    file.writelines(json.dumps(line) + "\n" for line in lines + [second])
EOF
code=0
"$skinbench" report named.jsonl -o named --quiet 2>err || code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "exit code $code: $(cat err)"
[ -z "$(find . -name 'run[0-9]')" ] || fail "a name was run"
if grep -q '<script' named/report.md && ! grep -q '\\<script' named/report.md; then fail "HTML in the report"; fi
[ "$(find named -name 'skinning-*.tex' | wc -l)" = 2 ] || fail "two data sets of one name share their files: $(ls named)"
if [ $code = 0 ]; then
    python3 -c 'import glob, xml.dom.minidom as x; [x.parse(p) for p in glob.glob("named/*.svg")] or exit(1)' || fail "no XML"
fi

# names and digests that are none, and numbers that their units do not have: refused with the line and the member;
# what may be any text is escaped in the lines that merge writes
python3 - <<'EOF'
import json
lines = [json.loads(line) for line in open("lbs.jsonl")]
place = next(i for i, line in enumerate(lines) if line["kind"] == "skinning")
def put(path, value):
    changed = json.loads(json.dumps(lines))
    node = changed[place]
    *groups, last = path.split(".")
    for group in groups:
        node = node[group]
    node[last] = value
    return "".join(json.dumps(line) + "\n" for line in changed)
bad = [("dataset.sha256", "'`touch run5`'"), ("dataset.sha256", "A" * 64), ("dataset.name", "a\x1b[2J"), ("method", "lbs\ntouch run6"),
       ("backend", "$(touch run7)"), ("level", "../v3"), ("environment", '"><script>'), ("run", "a b"), ("time", "now\u202e"),
       ("timing.frame.median_s", -1), ("timing.frame.samples_s", [1e308]), ("metrics.tolerance", -1e308), ("frames", -5),
       ("parameters.normal-matrix", "\x9b31m"), ("timing.roof.memory", "`L2`")]
for number, (path, value) in enumerate(bad):
    with open(f"bad-{number:02}.jsonl", "w") as file:
        file.write(put(path, value))
    with open(f"bad-{number:02}.say", "w") as file:
        file.write(f"bad-{number:02}.jsonl:{place + 1}: {path}")
with open("free.jsonl", "w") as file:
    file.write(put("reason", "\u202e \u009b \x1b[2J `touch run8`"))
EOF
for file in bad-*.jsonl; do
    refused 3 "$(cat "${file%.jsonl}.say")" "$skinbench" report "$file" -o no-report --quiet
    refused 3 "$(cat "${file%.jsonl}.say")" "$skinbench" merge "$file" -o no-merge.jsonl --quiet
done
[ ! -e no-report ] && [ ! -e no-merge.jsonl ] || fail "a refused file left something"
quiet "$skinbench" merge free.jsonl -o merged.jsonl
if LC_ALL=C grep -q '[^ -~]' merged.jsonl; then fail "raw bytes in merged lines"; fi
grep -qF '\u202E' merged.jsonl || fail "the mark of direction is lost"
[ -z "$(find . -name 'run[0-9]')" ] || fail "a text was run"

# what bench writes of data with any name can be read
"$skinbench" import obj-sequence frames --name $'K\xc3\xbcrbis \xe5\xb1\xb1 `a` $(b) "c" <d> \\e' -o plain.h5 --quiet
"$skinbench" import obj-sequence frames --name "$(printf 'x%.0s' {1..5000})" -o long.h5 --quiet
"$skinbench" bench plain.h5 long.h5 --no-generated --methods coordinate-descent --bones 2 --iterations 1 --threads 1 --quiet -o names.jsonl >out
"$skinbench" merge names.jsonl -o again.jsonl --quiet >out
cmp names.jsonl again.jsonl || fail "merge changes the lines of bench"
code=0
"$skinbench" report again.jsonl -o names --quiet 2>err || code=$?
[ $code = 0 ] || [ $code = 4 ] || fail "exit code $code: $(cat err)"

# archives that unpack to far more than they are: refused before they take memory, whether a frame is the bomb or lies
# behind it
python3 - <<'EOF'
import gzip, lzma, tarfile, zipfile
zeros = b"v 0 0 0\n" * (70 << 20 >> 3)
def member(name, data=b""):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    return info.tobuf() + data + bytes(-len(data) % 512)
end = bytes(1024)
with lzma.open("bomb.tar.xz", "w", preset=0) as file:
    file.write(member("a.obj", zeros) + end)
with gzip.open("behind.tar.gz", "w", compresslevel=9) as file:
    file.write(member("big.txt", zeros) + member("a.obj", b"v 0 0 0\n") + end)
with lzma.open("empty.tar.xz", "w", preset=0) as file:
    file.write(member("a.obj") * 150000 + end)
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
    file.writestr("a.obj", zeros)
with zipfile.ZipFile("lines.zip", "w") as file:
    file.writestr("1.obj\n3.obj: all is well\x1b[A", "v x\n")
    file.writestr("2\n.obj", "v x\n")
EOF
most_mb=200
[ -z "${ASAN_OPTIONS:-}" ] || most_mb=600 # the address sanitizer's own
for bomb in bomb.tar.xz behind.tar.gz empty.tar.xz bomb.zip; do
    refused 3 "$bomb" python3 -c '
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
sys.exit(code if peak < int(sys.argv[1]) << 10 else f"{peak} KB at the peak")' "$most_mb" "$skinbench" import obj-sequence "$bomb" -o bomb.h5
    grep -qF "unpacks to more than 64 MB" err && grep -qF -- "--memory-limit SIZE" err || fail "$bomb: $(cat err)"
done

refused 3 'lines.zip:2\x0A.obj' "$skinbench" import obj-sequence lines.zip -o bomb.h5

# a FIFO, a device or a pipe in place of an input is refused at once, by every way in
mkfifo fifo fifo.obj fifo.tar
pipe() {
    refused 3 'is a FIFO or pipe, not a plain file' timeout 20 "$skinbench" "$@"
}
pipe info fifo
pipe check fifo
pipe skin fifo --method lbs -o none.h5
pipe fit fifo --method svd --bones 2 -o none.h5
pipe measure jelly.h5 fifo
pipe bench fifo --no-generated -o none.jsonl
pipe bench --suite fifo -o none.jsonl
pipe report fifo -o none
pipe compare lbs.jsonl fifo
pipe compare fifo lbs.jsonl
pipe import obj-sequence fifo.obj -o none.h5
pipe import obj-sequence fifo.tar -o none.h5
pipe import obj-sequence frames --rest fifo.obj -o none.h5
pipe export obj-sequence fifo -o none
pipe advise fifo
pipe centers fifo -o none.h5
pipe weights prune fifo -o none.h5 --influences 1
pipe add-twist-joint fifo --joint base -o none.h5
refused 3 'is a device, not a plain file' "$skinbench" info /dev/null
refused 3 'is a folder, not a plain file' "$skinbench" info frames
refused 3 '; save its output to a file and pass that' "$skinbench" report /dev/stdin -o none < <(cat lbs.jsonl)
refused 3 '; save its output to a file and pass that' "$skinbench" info <(cat bar.h5)
"$skinbench" info /dev/stdin <bar.h5 >out || fail "a plain file behind /dev/stdin"

# JSON that is too long or too deep
head -c 70000000 /dev/zero | tr '\0' ' ' >long.jsonl
refused 3 'long.jsonl:1: the line is longer than' "$skinbench" report long.jsonl -o none
refused 3 'is larger than' "$skinbench" bench --suite long.jsonl -o none.jsonl
python3 -c 'print("[" * 3000 + "]" * 3000)' >deep.jsonl
refused 3 'deep.jsonl:1: ' "$skinbench" report deep.jsonl -o none
refused 3 'deep.jsonl:1: ' "$skinbench" bench --suite deep.jsonl -o none.jsonl

# sparse files of 3 GB, empty or after a sound start, are refused in memory that would not hold them
# (the address sanitizer reserves more addresses than any limit allows, so with it there is no limit)
most=2500000
grep -q __asan_init "$skinbench" && most=unlimited
small() { (ulimit -v $most && "$@"); }
for start in "" "v 0 0 0" '{"asset":{"version":"2.0"}'; do
    for ending in obj off ply gltf glb tgf; do
        printf '%s\n' "$start" >"sparse.$ending"
        truncate -s 3G "sparse.$ending"
        format=$ending-sequence
        case $ending in glb | gltf) format=gltf ;; tgf) format=cragl-rig ;; esac
        refused 3 "sparse.$ending" small "$skinbench" import "$format" "sparse.$ending" -o none.h5
        rm "sparse.$ending"
    done
done
# so is a .glb whose header declares 3 GB of JSON
printf 'glTF\2\0\0\0\0\0\0\300\354\377\377\277JSON' >sparse.glb
truncate -s 3G sparse.glb
refused 3 'bytes of JSON' small "$skinbench" import sparse.glb -o none.h5
rm sparse.glb

# forty buffers that name one file of 64 MB, which no accessor needs
"$skinbench" export gltf bar.h5 -o bar.gltf --quiet
python3 - <<'EOF'
import json
root = json.load(open("bar.gltf"))
root["buffers"] += [{"byteLength": 1 << 26, "uri": "sixty.bin"}] * 40
json.dump(root, open("forty.gltf", "w"))
EOF
truncate -s 64M sixty.bin
small "$skinbench" import forty.gltf -o forty.h5 --memory-limit 64M --quiet || fail "forty buffers of one file"

# values of options that are too long, too large or no number
long=$(head -c 100000 /dev/zero | tr '\0' 9)
for value in "$long" -1e999 nan; do
    refused 2 "" "$skinbench" fit jelly.h5 --method coordinate-descent --bones "$value" -o none.h5
    refused 2 "" "$skinbench" fit jelly.h5 --method coordinate-descent --bones 2 --set "threshold=$value" -o none.h5
    refused 2 "" "$skinbench" fit jelly.h5 --method coordinate-descent --bones 2 --set "$value" -o none.h5
    refused 2 "" "$skinbench" generate bar --set "frames=$value" -o none.h5
    refused 2 "" "$skinbench" bench jelly.h5 --no-generated --bones "$value" -o none.jsonl
    refused 2 "" "$skinbench" bench jelly.h5 --no-generated --bones 2 --methods coordinate-descent --set "threshold=$value" \
        -o none.jsonl
    refused 2 "" "$skinbench" bench bar.h5 --no-generated --methods dqs --set "hemisphere=$value" -o none.jsonl
done
