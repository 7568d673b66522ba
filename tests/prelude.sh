# Sourced by the end-to-end tests: strict bash, a folder of their own to work in, and how to fail.
# shellcheck shell=bash
set -euo pipefail
export LC_ALL=C # scripts read numbers with points, whatever the language of whoever runs them
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    local text="FAILED: $*"
    echo "${text:0:2000}" >&2
    exit 1
}

# needs PROGRAM...: skips the test where one of them is missing
needs() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || { echo "SKIPPED: no $program on the PATH"; exit 77; }
    done
}

# expected CODE COMMAND...: the exit code; what it prints is in out and err of the folder
expected() {
    local expected=$1 code=0
    shift
    "$@" >"$folder/out" 2>"$folder/err" || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, expected $expected: $* ($(cat "$folder/err"))"
}

# refused CODE PART COMMAND...: the exit code, and one line on stderr that holds PART
refused() {
    local expected=$1 part=$2 code=0
    shift 2
    "$@" >out 2>err || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, expected $expected: $* ($(cat err))"
    [ "$(wc -l <err)" -eq 1 ] || fail "$(wc -l <err) lines on stderr: $*"
    grep -qF -- "$part" err || fail "'$(cat err)' does not say '$part'"
}
