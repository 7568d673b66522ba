#!/bin/bash
# As dangerous_texts.sh, with every text in every place, and Chromium, pdflatex and cmark-gfm as judges. Skipped without them.
. "$(dirname "$0")/../prelude.sh"
cd "$folder"
python3 "$(dirname "$0")/dangerous_texts.py" "$1" "$(cd "$(dirname "$0")/../.." && pwd)" --programs
