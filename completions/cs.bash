# Completion of cs for bash. Load it with: source <(cs completion bash)
_cs() {
  local line first=1
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $first ]]; then COMPREPLY+=("$line")
    elif [[ $line != files ]]; then compopt +o default +o bashdefault 2>/dev/null
    fi
    first=
  done < <(cs __complete-line "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o bashdefault -o default -F _cs cs
