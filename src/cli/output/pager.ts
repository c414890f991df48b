/** Long results a screen at a time: the program that shows them, and what becomes of them when it is not there. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CliError } from '../errors/exit.ts';
import { ClosedPipe, type Io, type Pager, write } from '../terminal/io.ts';
import { widthsFor } from '../terminal/plain-width.ts';
import type { Printer } from './printer.ts';

/** A pager that the shell does not find ends with one of these. */
const missing = new Set([126, 127]);

/** Holds a result back until it is known to be longer than the screen. `chosen` is the command; `less` is the one that nobody chose. */
export function pagedPrinter(io: Io, chosen: string): Printer {
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
    // The one that nobody named may not be there; then nothing is said of it.
    return (await isInstalled('less', io)) ? io.openPager?.('less -FRX') : undefined;
  }

  async function send(text: string): Promise<void> {
    try {
      await write((pager as Pager).stdin, text);
    } catch {
      // It reads no more: the person has seen enough, or it couldn't start, or it failed.
      if (!(await wasStarted(pager as Pager))) return giveUp();
      throw new ClosedPipe();
    }
    if (held.length > 1024 * 1024) held = '';
  }

  /** Whether the pager ran until the person left it. Fails where nobody can know how much of the result it showed. */
  async function wasStarted({ ended }: Pager): Promise<boolean> {
    const code = await ended;
    if (missing.has(code)) return false;
    if (code === 0) return true;
    throw new CliError({
      code: 'pager_failed',
      message: `The pager \`${chosen}\` failed with exit code ${code}.`,
      hint: 'leave the pager out with --no-pager, or name another one in CS_PAGER',
      exitCode: 1,
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

/** Whether it can be seen at once, with a line left for the prompt. */
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

async function isInstalled(name: string, { env, platform }: Io): Promise<boolean> {
  const file = platform === 'win32' ? `${name}.exe` : name;
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const found = await access(join(folder, file), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
