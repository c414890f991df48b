/** A text from a file: of a content step, of a message. */

import type { MoreFlags } from '../../crud/definition.ts';
import { usage } from '../../errors/exit.ts';
import { readText } from '../../input/input.ts';

export const bodyFile: MoreFlags = {
  add: (command) => void command.option('--body-file <file|->', 'the text from a file, - for stdin; instead of --body'),
  async read(context, { options }) {
    if (typeof options.bodyFile !== 'string') return {};
    if (options.body !== undefined) throw usage('--body and --body-file exclude each other.', 'leave one of them out');
    if (options.bodyFile === '-' && options.input === '-')
      throw usage('--body-file - and --input - both read stdin.', 'give one of them another way');
    return { body: await readText(context, options.bodyFile, '--body-file') };
  },
};
