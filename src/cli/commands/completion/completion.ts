import { Argument } from 'commander';
import { brokenConfiguration } from '../../config/connection.ts';
import { examples, type Fill, toleratesEnvironment } from '../../framework/command.ts';
import { write } from '../../terminal/io.ts';
import { type Shell, scripts, shells } from './scripts.ts';

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
