# Completion of cs for fish. Load it with: cs completion fish | source
function __cs_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  # Without an open quote.
  set -l plain (string unescape -- "$word"; or string replace -r "^[\"']" '' -- "$word")
  for line in (cs __complete $words[2..] "$plain" 2>/dev/null)
    if test "$line" = files
      __fish_complete_path $word
    else
      echo $line
    end
  end
end
complete -c cs -f -a '(__cs_complete)'
