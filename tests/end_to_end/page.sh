#!/usr/bin/env bash
# Tests the page of a real report, opened from its folder in headless Chromium; harness/show/report/page/test/page_test.js lists
# the checks. Skipped without Chromium, Node, the page's script or its packages.
#   page.sh SKINBENCH [PICTURES]    PICTURES: a folder for screenshots of the page
# shellcheck source=tests/prelude.sh
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
pictures=${2:+$(realpath -- "$2")}
page=$(cd "$(dirname "$0")/../../harness/show/report/page" && pwd)
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "SKIPPED: no chromium (apt-get install chromium)"; exit 77; }
command -v node >/dev/null || { echo "SKIPPED: no node (apt-get install nodejs)"; exit 77; }
if [ ! -f "$page/dist/page.js" ] || [ ! -d "$page/node_modules/puppeteer-core" ]; then
    echo "SKIPPED: no script of the page, or no packages of its test (in harness/show/report/page: npm ci && npm run build)"
    exit 77
fi
cd "$folder"

"$skinbench" generate rig --set vertices=1500 --set frames=12 -o rig.h5
"$skinbench" generate walk --set vertices=1000 --set frames=12 -o walk.h5
"$skinbench" bench rig.h5 walk.h5 --no-generated --methods lbs,dqs,cor,coordinate-descent,svd --backends scalar,simd --bones 4,8 \
    --iterations 3 --rounds 3 --time-budget 0.5 --threads 1 --quiet -o run.jsonl >out
"$skinbench" report run.jsonl --data . -o report >out
node "$page/test/page_test.js" "$chromium" report ${pictures:+"$pictures"}
