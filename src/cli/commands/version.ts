import { delivery } from '../../parts.ts';
import { configurationProblem } from '../config/connection.ts';
import type { CommandBuilder } from '../framework/command.ts';
import { version as current } from '../framework/version.ts';
import { write } from '../terminal/io.ts';

export const version: CommandBuilder = (command) => {
  command
    .tolerateEnvironment()
    .description(
      'Show the version, and whether this is the executable, the npm package or a checkout.',
    )
    .handle(async ({ io, warn }) => {
      await write(io.stdout, `${current} (${delivery()})\n`);
      const broken = configurationProblem(io);
      if (broken) warn(broken);
    });
  command.examples(['cs version', 'cs --version']);
};
