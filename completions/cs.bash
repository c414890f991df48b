# Completion of cs for bash. Load it with: source <(cs completion bash)
_cs() {
  local line IFS=$'\n'
  COMPREPLY=()
  for line in $(cs __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    COMPREPLY+=("${line%%$'\t'*}")
  done
}
complete -o bashdefault -o default -F _cs cs
