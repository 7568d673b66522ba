#!/bin/bash
# Tests scripts/test and scripts/reproduce in unusual places: from a path with a blank and non-ASCII letters, by an
# unprivileged user (if root starts this), in a read-only source tree with the build and the results elsewhere,
# with temporary files in such a path, and in a locale that writes numbers with a comma. This takes minutes, so ctest
# does not run it; odd_places.sh is the part that ctest runs.
#   tests/end_to_end/odd_places_in_full.sh [CTEST-OPTION...]      options for scripts/test, such as -R NAME
. "$(dirname "$0")/../prelude.sh"
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
tree=$(cd "$(dirname "$0")/../.." && pwd)
place="$folder/Größe und Maß"
mkdir -p "$place/tmp" "$place/elsewhere"
git -C "$tree" rev-parse --verify -q HEAD >/dev/null || fail "no git repository to copy"
git clone -q --no-local "file://$tree" "$place/source"
chmod -R a-w,a+rX "$place/source"

language=C
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1; then
    language=de_DE.UTF-8
else
    echo "no sources of locales here: the language stays C"
fi
chmod a+rx "$folder"
user=()
if [ "$(id -u)" = 0 ]; then
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod a+rwx "$place/tmp" "$place/elsewhere"
fi
there() {
    env -u HOME TMPDIR="$place/tmp" LOCPATH="$folder" LC_ALL="$language" SKINBENCH_BUILD="$place/elsewhere/build" \
        "${user[@]}" "$@" || fail "exit code $?: $*"
}

cd "$place/elsewhere"
there "$place/source/scripts/test" "$@"
there "$place/source/scripts/reproduce" --output "$place/elsewhere/results" ${SKINBENCH_TEST_DATA:+--data "$SKINBENCH_TEST_DATA"}
[ -s results/report/report.md ] || fail "no report"
! command -v gnuplot >/dev/null || ! grep -q 'figures are missing' results/report/report.md || fail "no figures"
grep -q "\"commit\":\"$(git -C "$tree" rev-parse HEAD)\"" results/run-quick.jsonl || fail "the results do not name the commit"
[ -z "$(find "$place/source" -newer "$folder/de_DE.UTF-8" -type f)" ] || fail "the source tree was written to"
[ -z "$(find "$place/tmp" -mindepth 1)" ] || fail "left in TMPDIR: $(ls -A "$place/tmp")"
echo "both from $place/source, by uid $("${user[@]}" id -u), in $language"
