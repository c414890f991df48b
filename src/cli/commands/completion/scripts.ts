/** Completion scripts. They only call `cs __complete`, so they never get outdated. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** File names in `completions/`. */
export const scriptNames: Readonly<Record<Shell, string>> = {
  bash: 'cs.bash',
  zsh: '_cs',
  fish: 'cs.fish',
};

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of cs for bash. Load it with: source <(cs completion bash)
_cs() {
  local line first=1
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $first ]]; then COMPREPLY+=("$line")
    elif [[ $line != files ]]; then compopt +o default +o bashdefault 2>/dev/null
    fi
    first=
  done < <(cs __complete-line "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o bashdefault -o default -F _cs cs
`,
  zsh: `#compdef cs
# Completion of cs for zsh. Load it with: source <(cs completion zsh)
_cs() {
  local line value about files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line != *$'\\t'* ]]; then files=1; continue; fi
    value=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    value=\${value//\\\\/\\\\\\\\}
    found+=("\${value//:/\\\\:}\${about:+:$about}")
  done < <(cs __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( \${#found} )) && _describe cs found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
  (( files )) && _files
}
# In fpath, the first Tab calls it; when sourced, it registers itself.
if [[ $funcstack[1] == _cs ]]; then
  _cs "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _cs cs
fi
`,
  fish: `# Completion of cs for fish. Load it with: cs completion fish | source
function __cs_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  # Without an open quote.
  set -l plain (string unescape -- "$word"; or string replace -r "^[\\"']" '' -- "$word")
  for line in (cs __complete $words[2..] "$plain" 2>/dev/null)
    if test "$line" = files
      __fish_complete_path $word
    else
      echo $line
    end
  end
end
complete -c cs -f -a '(__cs_complete)'
`,
};
