import { Argument } from 'commander';
import { examples, type Fill, toleratesEnvironment } from '../command.ts';
import { type Shell, scripts, shells } from '../completion/completion-scripts.ts';
import { write } from '../io.ts';
import { brokenConfiguration } from '../settings/connection.ts';

export const completion: Fill = (command, on) => {
  // Loaded by every shell that is opened, which is no place for an error.
  toleratesEnvironment(command)
    .description('Print what a shell loads to complete commands, flags and values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(
      on(async ({ io, warn }, { args: [shell] }) => {
        await write(io.stdout, scripts[shell as Shell]);
        const broken = brokenConfiguration(io);
        if (broken) warn(broken);
      }),
    );
  examples(command, ['source <(cs completion bash)', 'cs completion fish > ~/.config/fish/completions/cs.fish']);
};
