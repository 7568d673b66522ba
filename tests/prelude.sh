# Sourced by the end-to-end tests: strict bash, a folder of their own to work in, and how to fail.
# shellcheck shell=bash
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
