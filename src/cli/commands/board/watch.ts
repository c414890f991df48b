/** Draws the board again and again in a screen of its own, until it is left. What was on the terminal before is there afterwards. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { reportOf } from '../../errors/text.ts';
import type { Context } from '../../framework/context.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { styleFor } from '../../terminal/style.ts';
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
/** One key each: an escape sequence, or a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal sends
const sequences = /\u001b\[[0-9;]*[A-Za-z~]|./gs;

interface Watch {
  readonly reader: BoardReader;
  readonly seconds: number;
  /** The picture in so many cells. */
  readonly draw: (records: BoardRecords, width: number) => string[];
}

/** Rate limits, broken connections and servers that are down pass; what else goes wrong does not get better by waiting. */
const passes = (error: unknown) => [8, 9, 10].includes(exitCodeOf(error));

/** Answers 0 when it is left with q, and the signal's code when it is stopped. */
export async function watchBoard(context: Context, { reader, seconds, draw }: Watch): Promise<ExitCode> {
  const { io, settings } = context;
  const screen = io.stdout as WriteStream;
  const paint = styleFor(io, 'stdout', settings.color);
  const signs = asciiFallback(io);
  const left = new AbortController();
  const signal = AbortSignal.any([io.signal, left.signal]);
  // Before the screen changes: what is wrong from the start is told as by every command.
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
      failure === undefined ? `Updated ${timeOf(updated)}` : `Not updated since ${timeOf(updated)}, trying again: ${whyNot(failure)}`;
    const head = signs(cut(state, width));
    const foot = signs(cut(`${below}every ${seconds} s · ↑↓ to scroll · q to leave`, width));
    const shown = lines.slice(top, top + room);
    const all = [
      failure === undefined ? paint.dim(head) : paint.careful(head),
      ...shown,
      ...Array(Math.max(0, room - shown.length)).fill(''),
    ];
    screen.write(`${home}${all.map((line) => `${line}${eraseLine}\r\n`).join('')}${paint.dim(foot)}${eraseLine}${eraseBelow}`);
  };
  const scroll = (by: number) => {
    top = Math.max(0, top + by);
    show();
  };
  const page = () => Math.max(1, (screen.rows ?? 24) - 3);
  const keys: Readonly<Record<string, () => void>> = {
    // Read raw, it is a key like any other and no signal comes.
    [ctrlC]: () => io.interrupt(),
    q: () => left.abort(),
    Q: () => left.abort(),
    '\u001b[A': () => scroll(-1),
    '\u001b[B': () => scroll(1),
    '\u001b[5~': () => scroll(-page()),
    '\u001b[6~': () => scroll(page()),
  };
  // Who holds a key down sends several at once.
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
        if (signal.aborted || !passes(error)) throw error;
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

const whyNot = (error: unknown) => sanitize(reportOf(error).message);

function timeOf(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
