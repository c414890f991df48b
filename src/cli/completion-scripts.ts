/** What a shell loads to complete `cs`. The work is done by `cs __complete`, so that a script never grows old. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Where each shell's script is kept in the package. */
export const scriptNames: Readonly<Record<Shell, string>> = { bash: 'cs.bash', zsh: '_cs', fish: 'cs.fish' };

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of cs for bash. Load it with: source <(cs completion bash)
_cs() {
  local line IFS=$'\\n'
  COMPREPLY=()
  for line in $(cs __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done
}
complete -o bashdefault -o default -F _cs cs
`,
  zsh: `#compdef cs
# Completion of cs for zsh. Load it with: source <(cs completion zsh)
_cs() {
  local line
  local -a found
  for line in "\${(@f)$(cs __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe cs found; else _files; fi
}
compdef _cs cs
`,
  fish: `# Completion of cs for fish. Load it with: cs completion fish | source
complete -c cs -a '(cs __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};
