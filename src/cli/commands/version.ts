import { brokenConfiguration } from '../config/connection.ts';
import { examples, type Fill, toleratesEnvironment } from '../framework/command.ts';
import { version as current } from '../framework/version.ts';
import { write } from '../terminal/io.ts';

/** As `cs --version`, for whoever types the word. */
export const version: Fill = (command, on) => {
  toleratesEnvironment(command)
    .description('Show the version, as `cs --version` does.')
    .action(
      on(async ({ io, warn }) => {
        await write(io.stdout, `${current}\n`);
        const broken = brokenConfiguration(io);
        if (broken) warn(broken);
      }),
    );
  examples(command, ['cs version', 'cs --version']);
};
