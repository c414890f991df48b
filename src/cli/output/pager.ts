/** Writes results to stdout, or through a pager when they are longer than the terminal. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ClosedPipe } from '../errors/ended-run.ts';
import { CliError } from '../errors/exit.ts';
import { type Io, type Pager, write } from '../terminal/io.ts';
import type { OutputSettings } from './settings.ts';
import { widthsFor } from './widths.ts';

export interface Printer {
  print(text: string): Promise<void>;
  /** Ends one result: writes the buffered rest and waits until the person quits the pager. */
  done(): Promise<void>;
}

/** Pages only for a person at a terminal. */
export function createPrinter(
  io: Io,
  { pager, noInput }: Pick<OutputSettings, 'pager'> & { readonly noInput: boolean },
): Printer {
  if (
    !io.stdoutIsTerminal ||
    !io.openPager ||
    noInput ||
    pager === undefined ||
    io.env.TERM === 'dumb'
  )
    return { print: (text) => write(io.stdout, text), done: async () => {} };
  return pagedPrinter(io, pager);
}

/** Exit codes of a shell that could not start the pager. */
const missing = new Set([126, 127]);

/**
 * Buffers a result until it is longer than the screen. `chosen` is the pager command (default:
 * `less`).
 */
function pagedPrinter(io: Io, chosen: string): Printer {
  let held = '';
  let pager: Pager | undefined;
  let paging = true;

  async function print(text: string): Promise<void> {
    if (!paging) return write(io.stdout, text);
    held += text;
    if (!pager) {
      if (await fits(held, io)) return;
      pager = await open();
      if (!pager) return giveUp();
      return send(held);
    }
    await send(text);
  }

  async function open(): Promise<Pager | undefined> {
    if (chosen !== 'less') return io.openPager?.(chosen);
    // A missing default pager isn't an error.
    return isInstalled('less', io) ? io.openPager?.('less -FRX') : undefined;
  }

  async function send(text: string): Promise<void> {
    try {
      await write((pager as Pager).stdin, text);
    } catch {
      // It stopped reading: the person left it, it couldn't start, or it failed.
      if (!(await wasStarted(pager as Pager))) return giveUp();
      throw new ClosedPipe();
    }
    if (held.length > 1024 * 1024) held = '';
  }

  /**
   * Whether the pager could be started. Fails where it broke off, since part of the result may be
   * missing.
   */
  async function wasStarted({ ended }: Pager): Promise<boolean> {
    const code = await ended;
    if (missing.has(code)) return false;
    if (code === 0) return true;
    throw new CliError({
      code: 'file_unusable',
      message: `The pager \`${chosen}\` failed with exit code ${code}.`,
      hint: 'set another in CS_PAGER, or CS_PAGER=cat for none',
    });
  }

  async function giveUp(): Promise<void> {
    paging = false;
    pager = undefined;
    await write(io.stdout, held);
    held = '';
  }

  return {
    print,
    async done() {
      if (pager) {
        pager.stdin.end();
        if (!(await wasStarted(pager))) await giveUp();
      } else if (held !== '') await write(io.stdout, held);
      held = '';
      pager = undefined;
    },
  };
}

/** Whether the text fits on the screen, with a line left for the prompt. */
async function fits(text: string, { rows = 24, columns = 80 }: Io): Promise<boolean> {
  if (text.length < columns && !text.includes('\n')) return true;
  const shown = stripVTControlCharacters(text).split('\n');
  const { widthOf } = await widthsFor(shown);
  let lines = 0;
  for (const line of shown) {
    lines += Math.max(1, Math.ceil(widthOf(line) / columns));
    if (lines > rows) return false;
  }
  return true;
}

function isInstalled(name: string, { env, platform }: Io): boolean {
  const file = platform === 'win32' ? `${name}.exe` : name;
  return (env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && isExecutable(join(folder, file)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
