#!/usr/bin/env bash
# Tests the Debian package of a build: lintian finds no error in it, it has the script of the page if that was built, and its program
# runs from the folder where it is unpacked.
#   debian_package.sh SKINBENCH
# shellcheck source=tests/prelude.sh
. "$(dirname "$0")/../prelude.sh"
skinbench=$(realpath "$1")
page=$(cd "$(dirname "$0")/../.." && pwd)/harness/show/report/page/dist/page.js
for tool in cpack file dpkg-deb dpkg-shlibdeps lintian; do
    command -v $tool >/dev/null || { echo "SKIPPED: no $tool"; exit 77; }
done
cd "$folder"
cpack -G DEB --config "$(dirname "$skinbench")/CPackConfig.cmake" -B "$folder" >packed 2>&1 || fail "cpack: $(tail -3 packed)"
lintian --allow-root ./*.deb >found || true
! grep -q '^E:' found || fail "lintian: $(grep '^E:' found)"
dpkg-deb --extract ./*.deb root
[ ! -e "$page" ] || cmp "$page" root/usr/share/skinbench/harness/show/report/page/dist/page.js || fail "without the script of the page"
root/usr/bin/skinbench generate bar --quiet -o bar.h5
root/usr/bin/skinbench list tables >tables
grep -q fesam-table2 tables || fail "without the papers' tables"
echo "$(ls ./*.deb): $(grep -c '^W:' found) warnings"
