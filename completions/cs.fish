# Completion of cs for fish. Load it with: cs completion fish | source
complete -c cs -a '(cs __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
