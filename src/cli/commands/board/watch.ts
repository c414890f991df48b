/** Refreshes the board in full screen until q or a signal, then restores the terminal. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { reportOf } from '../../errors/report.ts';
import type { Context } from '../../framework/context.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { stylesFor } from '../../terminal/style.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { cut } from '../../terminal/width.ts';
import type { BoardRecords } from './model.ts';
import type { BoardReader } from './read.ts';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
const ctrlC = '\u0003';
/** Each key is an escape sequence or a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const sequences = /\u001b\[[0-9;]*[A-Za-z~]|./gs;

interface Watch {
  readonly reader: BoardReader;
  readonly seconds: number;
  /** Lines of at most `width` columns. */
  readonly draw: (records: BoardRecords, width: number) => string[];
}

/** Rate limits, broken connections and server errors; waiting doesn't help with others. */
const isTemporary = (error: unknown) => [8, 9, 10].includes(exitCodeOf(error));

/** Exit 0 after q, the signal's code after a signal. */
export async function watchBoard(context: Context, { reader, seconds, draw }: Watch): Promise<ExitCode> {
  const { io, settings } = context;
  const screen = io.stdout as WriteStream;
  const styles = stylesFor(io, 'stdout', settings.color);
  const toTerminal = asciiFallback(io);
  const quit = new AbortController();
  const signal = AbortSignal.any([io.signal, quit.signal]);
  // Before full screen: a first failure is reported as usual.
  let records = await reader.refresh(signal);
  let updated = io.now();
  let failure: unknown;
  let top = 0;

  const show = () => {
    const [width, height] = [screen.columns ?? io.columns ?? 80, screen.rows ?? 24];
    const lines = draw(records, width);
    const room = height - 2;
    top = Math.max(0, Math.min(top, lines.length - room));
    const hidden = lines.length - top - room;
    const below = hidden > 0 ? `${pluralize(hidden, 'line', 'lines')} more below · ` : '';
    const state =
      failure === undefined
        ? `Updated ${timeOf(updated)}`
        : `Not updated since ${timeOf(updated)}, retrying: ${sanitize(reportOf(failure).message)}`;
    const head = toTerminal(cut(state, width));
    const foot = toTerminal(cut(`${below}every ${seconds} s · ↑↓ to scroll · q to quit`, width));
    const shown = lines.slice(top, top + room);
    const all = [
      failure === undefined ? styles.dim(head) : styles.warning(head),
      ...shown,
      ...Array(Math.max(0, room - shown.length)).fill(''),
    ];
    screen.write(`${home}${all.map((line) => `${line}${eraseLine}\r\n`).join('')}${styles.dim(foot)}${eraseLine}${eraseBelow}`);
  };
  const scroll = (by: number) => {
    top = Math.max(0, top + by);
    show();
  };
  const page = () => Math.max(1, (screen.rows ?? 24) - 3);
  const keys: Readonly<Record<string, () => void>> = {
    // In raw mode, Ctrl-C sends no signal.
    [ctrlC]: () => io.interrupt(),
    q: () => quit.abort(),
    Q: () => quit.abort(),
    '\u001b[A': () => scroll(-1),
    '\u001b[B': () => scroll(1),
    '\u001b[5~': () => scroll(-page()),
    '\u001b[6~': () => scroll(page()),
  };
  // A key that is held down sends several at once.
  const onKeys = (typed: Buffer | string) => {
    for (const key of String(typed).match(sequences) ?? []) keys[key]?.();
  };

  const keyboard = context.interactive ? (io.stdin as ReadStream) : undefined;
  keyboard?.setRawMode(true).on('data', onKeys).resume();
  screen.write(enter);
  screen.on('resize', show);
  try {
    show();
    while (!signal.aborted) {
      await delay(seconds * 1_000, undefined, { signal });
      try {
        records = await reader.refresh(signal);
        updated = io.now();
        failure = undefined;
      } catch (error) {
        if (signal.aborted || !isTemporary(error)) throw error;
        failure = error;
      }
      show();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    screen.off('resize', show);
    screen.write(leave);
    keyboard?.off('data', onKeys).pause().setRawMode(false);
  }
  return io.signal.aborted ? exitCodeOf(io.signal.reason) : 0;
}

function timeOf(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
