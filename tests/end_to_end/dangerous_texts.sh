#!/bin/bash
# Every text that a stranger can write, in every command that shows it: dangerous_texts.py says what is looked at. The same with
# Chromium, LaTeX and cmark-gfm as judges is dangerous_pages.sh.
. "$(dirname "$0")/../prelude.sh"
needs python3
cd "$folder"
python3 "$(dirname "$0")/dangerous_texts.py" "$1" "$(cd "$(dirname "$0")/../.." && pwd)"
