#!/usr/bin/env bash
# Tests another program beside the benchmark's own cells: it is found by name, timed if it is right, and refused if it is missing
# or has another interface. The peer is written here, in C; libraries made by scripts/build-peer are loaded the same
# way.
. "$(dirname "$0")/../prelude.sh"
needs python3
skinbench=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
cd "$folder"

cat >peer.c <<'PEER'
#include "harness/run/peers/peer.h"
static void *peer_bind(const PeerRig *rig) { return (void *)rig; }
static void peer_release(void *state) { (void)state; }
static int peer_skin(void *state, const double *m, float *positions)
{
    const PeerRig *rig = state;
    for (int v = 0; v < rig->vertex_count; v++)
        for (int row = 0; row < 3; row++) {
            double sum = 0.0;
            for (int k = 0; k < rig->influence_count; k++) {
                const double *r = m + 12 * rig->joints[v * rig->influence_count + k] + 4 * row;
                const float *p = rig->rest + 3 * v;
                sum += rig->weights[v * rig->influence_count + k] * (r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3]);
            }
            positions[3 * v + row] = (float)(OFF + sum);
        }
    return 1;
}
static const PeerFunctions functions = {PEER_ABI + OTHER, NAME, TITLE, peer_bind, peer_skin, peer_release};
const PeerFunctions *skinbench_peer(void) { return &functions; }
PEER
# build NAME OFF OTHER [NAME THAT IT GIVES ITSELF [TITLE]]
build() {
    cc -std=c11 -O1 -fPIC -shared -I "$source" -DNAME="\"${4:-$1}\"" -DOFF="$2" -DOTHER="$3" -DTITLE="\"${5:-written by a test}\"" \
        -o "$1.so" peer.c
}
build right 0.0 0
build wrong 0.5 0
build old 0.0 1
build odd 0.0 0 "a;b"
build long 0.0 0 long "$(printf '\\x1b[2J\\xff %.0s' {1..500})"

run() { SKINBENCH_PEERS=$folder "$skinbench" bench --methods lbs --backends simd --threads 1 --rounds 5 --time-budget 1 "$@"; }
run --peer right,wrong -o run.jsonl >table.txt 2>notes.txt || fail "code $?: $(cat notes.txt)"
python3 - <<'PYTHON' || fail "the records: $(cat run.jsonl)"
import json
lines = [json.loads(line) for line in open("run.jsonl")]
peers = {r["method"]: r for r in lines if r["kind"] == "peer" and r["dataset"]["name"] == "rig"}
assert set(peers) == {"right", "wrong", "plain-loop"}, peers.keys()
assert peers["right"]["status"] == "ok" and peers["right"]["device"] == "written by a test"
frame, ratio = peers["right"]["timing"]["frame"], peers["right"]["timing"]["frame_ratio_to_plain"]
assert frame["median_s"] > 0 and ratio["median"] > 0
# The ratio is that of the samples of the same rounds.
ratios = sorted(a / b for a, b in zip(frame["samples_s"], peers["plain-loop"]["timing"]["frame"]["samples_s"]))
assert abs(ratio["median"] / ratios[len(ratios) // 2] - 1) < 1e-9, (ratio, ratios)
assert peers["wrong"]["status"] == "wrong" and not peers["wrong"]["timing"]
assert all(r["method"] == "lbs" for r in lines if r["kind"] == "skinning")
PYTHON
grep -q "^\*\*Peers" table.txt && grep -q "| right " table.txt || fail "no table of peers: $(cat table.txt)"
grep -q "wrong.*differs from reference by" table.txt || fail "the wrong one is not named: $(cat table.txt)"
refused 4 "scripts/build-peer absent" run --peer absent -o other.jsonl
refused 4 "built for a different version of skinbench" run --peer old -o other.jsonl
refused 4 "may contain only lower-case letters, digits and hyphens" run --peer odd -o other.jsonl
[ ! -e other.jsonl ] || fail "something was run"

# a title of any bytes and length is cut and escaped, so that the line can be read
run --peer long -o long.jsonl --quiet >table.txt || fail "a peer with a long title"
"$skinbench" merge long.jsonl -o merged.jsonl --quiet >out || fail "its line cannot be read"
grep -qF '"device":"\\x1B[2J\\xFF ' long.jsonl || fail "the title: $(grep -o '"device":"[^"]*"' long.jsonl | head -c 200)"
