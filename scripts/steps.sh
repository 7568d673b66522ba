# shellcheck shell=bash
# scripts/test and scripts/reproduce source this file after setting `log` and `steps`. Each step prints one line, and its output goes
# into the log. A failure prints the end of the log and ends the script with the step's exit code.
: "${log:?}" "${steps:?}"
step_number=0
step() { # what, command...
    local what=$1 code=0 begin=$SECONDS
    shift
    step_number=$((step_number + 1))
    printf '\n== %s\n' "$what" >>"$log"
    "$@" >>"$log" 2>&1 || code=$?
    printf 'step %d of %d  %-64s %d:%02d\n' $step_number "$steps" "$what" $(((SECONDS - begin) / 60)) $(((SECONDS - begin) % 60))
    [ $code -eq 0 ] && return
    tail -n 30 "$log" | cut -c1-118 >&2
    echo "${0##*/}: failed with exit code $code at: $what (all of it: $log)" >&2
    exit $code
}
