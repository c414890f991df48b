import { configurationProblem } from '../../config/connection.ts';
import { Argument, type CommandBuilder } from '../../framework/command.ts';
import { write } from '../../terminal/io.ts';
import { type Shell, scripts, shells } from './scripts.ts';

export const completion: CommandBuilder = (command) => {
  // Loaded by every shell that is opened, which is no place for an error.
  command
    .tolerateEnvironment()
    .description('Print what a shell loads to complete commands, flags and values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .handle(async ({ io, warn }, { args: [shell] }) => {
      await write(io.stdout, scripts[shell as Shell]);
      const broken = configurationProblem(io);
      if (broken) warn(broken);
    });
  command.examples(['source <(cs completion bash)', 'cs completion fish > ~/.config/fish/completions/cs.fish']);
};
