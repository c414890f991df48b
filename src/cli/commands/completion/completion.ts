import { configurationProblem } from '../../config/connection.ts';
import { Argument, type CommandBuilder } from '../../framework/command.ts';
import { write } from '../../terminal/io.ts';
import { type Shell, scripts, shells } from './scripts.ts';

export const completion: CommandBuilder = (command) => {
  // Every new shell runs this, so a broken configuration must not make it fail.
  command
    .tolerateEnvironment()
    .description('Print the completion script for commands, flags and values of a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .handle(async ({ io, warn }, { args: [shell] }) => {
      await write(io.stdout, scripts[shell as Shell]);
      const broken = configurationProblem(io);
      if (broken) warn(broken);
    });
  command.examples([
    'source <(cs completion bash)',
    'cs completion fish > ~/.config/fish/completions/cs.fish',
  ]);
};
