#!/usr/bin/env bash
# What comes from outside and means harm, or is only odd: names that are not UTF-8 or hold control characters,
# archives that unpack to far more than they are, pipes in place of files. Each ends with its exit code and one line.
. "$(dirname "$0")/prelude.sh"
skinbench=$1
cd "$folder"

"$skinbench" generate bar -o bar.h5 --quiet

# more memory than --memory-limit allows
refused 5 "out of memory for" "$skinbench" generate cloth -o cloth.h5 --memory-limit 1M --quiet
grep -qF -- "--memory-limit is 1 MB" err || fail "the limit is not named: $(cat err)"
[ ! -e cloth.h5 ] || fail "a file of a refused generator"
