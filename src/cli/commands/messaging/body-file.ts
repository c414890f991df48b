/** `--body-file` for messages and content steps. */

import { usage } from '../../errors/exit.ts';
import { readText } from '../../input/input.ts';
import type { MoreFlags } from '../../resources/definition.ts';

export const bodyFile: MoreFlags = {
  add: (command) =>
    void command
      .option('--body-file <file|->', 'read the text from a file, or from stdin with -')
      .onlyOneOf('body', 'bodyFile'),
  async read(context, { options }) {
    if (typeof options.bodyFile !== 'string') return {};
    if (options.bodyFile === '-' && options.input === '-')
      throw usage('--body-file - and --input - both read stdin.', 'read one of them from a file');
    return { body: await readText(context, options.bodyFile, '--body-file') };
  },
};
