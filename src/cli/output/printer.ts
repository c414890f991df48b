/** Where results go: to stdout, or by way of a pager. */

import type { OutputSettings } from '../config/output-settings.ts';
import { type Io, write } from '../terminal/io.ts';

export interface Printer {
  print(text: string): Promise<void>;
  /** Ends one result: what was held back is written, and the pager has been left. */
  done(): Promise<void>;
}

/** Without somebody at a terminal there is nothing to page, and none of what that takes is loaded. */
export function createPrinter(io: Io, { pager, noInput }: Pick<OutputSettings, 'pager'> & { readonly noInput: boolean }): Printer {
  if (!io.stdoutIsTerminal || !io.openPager || noInput || pager === undefined || io.env.TERM === 'dumb')
    return { print: (text) => write(io.stdout, text), done: async () => {} };
  let paged: Promise<Printer> | undefined;
  return {
    async print(text) {
      paged ??= import('./pager.ts').then(({ pagedPrinter }) => pagedPrinter(io, pager));
      await (await paged).print(text);
    },
    done: async () => (await paged)?.done(),
  };
}
