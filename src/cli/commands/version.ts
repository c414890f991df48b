import { configurationProblem } from '../config/connection.ts';
import type { CommandBuilder } from '../framework/command.ts';
import { version as current } from '../framework/version.ts';
import { write } from '../terminal/io.ts';

export const version: CommandBuilder = (command) => {
  command
    .tolerateEnvironment()
    .description('Show the version, like `cs --version`.')
    .handle(async ({ io, warn }) => {
      await write(io.stdout, `${current}\n`);
      const broken = configurationProblem(io);
      if (broken) warn(broken);
    });
  command.examples(['cs version', 'cs --version']);
};
