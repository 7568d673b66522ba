#!/bin/bash
# Tests the manual page, and completion in bash, zsh and fish, which all ask the program: commands, options, names of methods,
# backends and tables, parameters and their values, files.
. "$(dirname "$0")/../prelude.sh"
scripts=$(cd "$(dirname "$0")/../../packaging/completion" && pwd)
PATH="$(cd "$(dirname "$1")" && pwd):$PATH"
cd "$folder"

# ---- bash: as readline calls it; compopt, which only works there, prints what it was asked for ----
asked=""
compopt() { asked=$*; }
# shellcheck source=packaging/completion/skinbench.bash
. "$scripts/skinbench.bash"
# expected REPLY ASKED WORD...
expected() {
    local reply=$1 option=$2
    shift 2
    # shellcheck disable=SC2034 # _skinbench reads them
    COMP_WORDS=(skinbench "$@") COMP_CWORD=$#
    asked=""
    _skinbench
    [ "${COMPREPLY[*]} $asked" = "$reply $option" ] || fail "bash: $*: '${COMPREPLY[*]}', '$asked', expected '$reply', '$option'"
}
expected bench "" be
expected "--json" "" bench --js
expected "markdown csv latex" "" table cor-fig2 --format ""
expected "dqs-fig10 dqs-fig15 dqs-fig16 dqs-fig18 dqs-fig19" "" table dqs-fig1
expected "scalar simd" "" skin rig.h5 --backend s
expected "compressed-skinning coordinate-descent cpca" "" fit mesh.h5 --method c
expected cor "" skin rig.h5 --method co
expected "lbs,delta-mush lbs,dib lbs,direct-delta-mush lbs,dqs" "" bench --methods lbs,d
expected "biped biped-large" "" generate bip
expected "stride=" "-o nospace" generate walk --set stri
expected "best paper" "" fit mesh.h5 --method coordinate-descent --set preset =
expected "" "-o default" skin ""
expected "" "-o default" report run.jso
expected "" "-o dirnames" report run.jsonl -o ""
expected "gltf glb" "-o default" import gl
expected "" "" nothing ""
expected "" "" fit mesh.h5 --bones ""

# ---- zsh: as its completion system calls it ----
if command -v zsh >/dev/null; then
    zsh -n "$scripts/_skinbench" || fail "zsh does not read _skinbench"
    cat >ask.zsh <<'END'
_files() { echo "files $*"; }
_describe() { print -l -- $found $open; }
script=$1
shift
words=(skinbench "$@") CURRENT=$((1 + $#)) PREFIX=${@[-1]}
source $script
END
    zsh -f ask.zsh "$scripts/_skinbench" skin "my rig.h5" --method q >zsh.txt
    [ "$(cut -d: -f1 zsh.txt)" = qb ] || fail "zsh: $(cat zsh.txt)"
    zsh -f ask.zsh "$scripts/_skinbench" report run.jsonl -o "" >zsh.txt
    grep -q 'files -/' zsh.txt || fail "zsh: $(cat zsh.txt)"
else
    echo "no zsh here"
fi

# ---- fish, which can be asked itself ----
if command -v fish >/dev/null; then
    export HOME=$folder
    touch skinned.h5
    ask() { fish -c "source '$scripts/skinbench.fish'; complete -C '$1'" | cut -f1 | tr '\n' ' '; }
    [ "$(ask 'skinbench bench rig.h5 --backends opencl,cu')" = "opencl,cuda " ] || fail "fish: $(ask 'skinbench bench rig.h5 --backends opencl,cu')"
    [ "$(ask 'skinbench info skinn')" = "skinned.h5 " ] || fail "fish: $(ask 'skinbench info skinn')"
else
    echo "no fish here"
fi

# ---- the manual page: every command and option of --help ----
skinbench manual >skinbench.1
if command -v mandoc >/dev/null; then
    mandoc -Tlint -W warning skinbench.1 >lint.txt || fail "mandoc: $(cat lint.txt)"
else
    echo "no mandoc here"
fi
for verb in $(skinbench complete -- "" | cut -f1 | grep -v -- --); do
    grep -q "^\.SS \"$verb " skinbench.1 || fail "the manual page lacks $verb"
    skinbench "$verb" --help | grep -o '^  [-o, ]*--[a-z-]*' | grep -o -- '--.*' >options.txt
    skinbench complete -- "$verb" -- | cut -f1 | cmp -s - options.txt || fail "the options completed of $verb are not those of its help"
    while read -r option; do
        grep -qF -- "${option//-/\\-}" skinbench.1 || fail "the manual page lacks $verb $option"
    done <options.txt
done
echo "completion and manual page"
