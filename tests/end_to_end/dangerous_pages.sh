#!/bin/bash
# As dangerous_texts.sh, with Chromium, pdflatex and cmark-gfm as judges. Skipped without them. EVERY=1 tries every text in every
# place, which takes half an hour (scripts/check --deep).
. "$(dirname "$0")/../prelude.sh"
needs python3
cd "$folder"
python3 "$(dirname "$0")/dangerous_texts.py" "$1" "$(cd "$(dirname "$0")/../.." && pwd)" --programs ${EVERY:+--every}
