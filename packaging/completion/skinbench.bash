# Completion of skinbench in bash. The program itself suggests the words.
# shellcheck shell=bash
_skinbench() {
    local words=() word candidate
    # bash splits words at "=", but here "=" belongs to a word.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [ "${#words[@]}" -gt 0 ] && [[ $word = "=" || ${words[-1]} = *= ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    word=${words[-1]}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        case $candidate in
            :files) compopt -o default ;; # what readline itself offers where there is nothing else
            :folders) compopt -o dirnames ;;
            *=) compopt -o nospace && COMPREPLY+=("$candidate") ;;
            *) COMPREPLY+=("$candidate") ;;
        esac
    done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
    # Only what follows the last "=" is replaced.
    [[ $word != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%=*}="}")
}
complete -F _skinbench skinbench
