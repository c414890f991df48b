/** `--watch`: a picture in full screen that is drawn again. d, p and m run the ordinary commands on this terminal, and come back. */
import { emitKeypressEvents, type Key } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { CallOptions } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { type Io, leavesOnEscape } from '../../terminal/io.ts';
import { holdNotices } from '../../terminal/notices.ts';
import { stylesFor } from '../../terminal/style.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { cut } from '../../terminal/width.ts';

/** Lines of at most this width, styled. */
export type Picture = (width: number) => readonly string[];

interface Watched {
  /** `the board`, in sentences. */
  readonly name: string;
  /** Between two reads. */
  readonly seconds: number;
  readonly read: (call: CallOptions) => Promise<Picture>;
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';

const flows: Readonly<Record<string, string>> = { d: 'dropoff', p: 'pickup', m: 'move' };
const keyLine = 'd drop-off · p pick-up · m move · ↑↓ scroll · q to quit';

/** Rate limits, broken connections and server errors; waiting doesn't help with others. */
const isTemporary = (error: unknown) => [8, 9, 10].includes(exitCodeOf(error));

/** Exit 0 after q, the signal's code after a signal. */
export async function watchScreen(context: Context, watched: Watched): Promise<ExitCode> {
  // Before full screen: a first failure is reported as usual.
  const picture = await watched.read({ signal: context.io.signal });
  const watch = () => watchFrom(context, watched, picture);
  return context.io.stderrIsTerminal ? holdNotices(context.io, watch) : watch();
}

async function watchFrom(
  context: Context,
  { name, seconds, read }: Watched,
  first: Picture,
): Promise<ExitCode> {
  const { io, settings } = context;
  const output = io.stdout as WriteStream;
  const keyboard = context.interactive ? (io.stdin as ReadStream) : undefined;
  const styles = await stylesFor(io, 'stdout', settings.color);
  const toTerminal = asciiFallback(io);
  let picture = first;
  let readAt = io.now();
  let failure: unknown;
  /** The first line on the screen. */
  let top = 0;
  let pressed: string | undefined;
  let turn = new AbortController();

  const headLine = (hidden: number, width: number) => {
    const below = hidden > 0 ? ` · ${pluralize(hidden, 'line', 'lines')} more below` : '';
    const at = readAt.toTimeString().slice(0, 8);
    if (failure === undefined)
      return styles.dim(cut(`Updated ${at}, every ${seconds} s${below}`, width));
    const why = sanitize(reportOf(failure).message);
    return styles.warning(cut(`Not updated since ${at}, retrying${below}: ${why}`, width));
  };
  const show = () => {
    const [width, height] = [output.columns || 80, output.rows || 24];
    const lines = picture(width);
    const room = Math.max(1, height - 2);
    top = Math.max(0, Math.min(top, lines.length - room));
    const body = Array.from({ length: room }, (_, index) => lines[top + index] ?? '');
    const foot = styles.dim(cut(keyboard ? keyLine : 'Ctrl-C to quit', width));
    const screen = [headLine(lines.length - top - room, width), ...body, foot];
    const text = screen.map((line) => `${toTerminal(line)}\u001b[K`).join('\r\n');
    output.write(`\u001b[H${text}\u001b[J`);
  };
  const onKey = (_: unknown, { name, ctrl }: Key) => {
    const page = Math.max(1, (output.rows || 24) - 3);
    const lines = { up: -1, down: 1, pageup: -page, pagedown: page }[name ?? ''];
    // Keys after it were typed for another screen.
    if (pressed !== undefined) return;
    if (ctrl && name === 'c') io.interrupt();
    else if (lines !== undefined) {
      top += lines;
      show();
    } else if (name !== undefined && (name === 'q' || name in flows)) {
      pressed = name;
      turn.abort();
    }
  };
  const open = () => {
    output.write(enter);
    if (keyboard) {
      emitKeypressEvents(keyboard);
      keyboard.setRawMode(true).on('keypress', onKey).resume();
    }
    output.on('resize', show);
    show();
  };
  const close = () => {
    output.off('resize', show);
    keyboard?.off('keypress', onKey).pause().setRawMode(false);
    output.write(leave);
  };

  open();
  try {
    while (!io.signal.aborted) {
      await io.pause(seconds * 1_000, AbortSignal.any([io.signal, turn.signal])).catch(() => {});
      if (pressed === 'q') return 0;
      const flow = flows[pressed ?? ''];
      pressed = undefined;
      turn = new AbortController();
      if (flow) {
        close();
        try {
          await runFlow(context, flow, name);
        } finally {
          open();
        }
      }
      const signal = AbortSignal.any([io.signal, turn.signal]);
      try {
        picture = await read({ signal, retries: 0 });
        [readAt, failure] = [io.now(), undefined];
      } catch (error) {
        if (!signal.aborted && !isTemporary(error)) throw error;
        // It is read again soon: the last picture stays, with the time of its last update.
        if (!signal.aborted) failure = error;
      }
      show();
    }
  } finally {
    close();
  }
  return exitCodeOf(io.signal.reason);
}

/** A process of its own, so that Ctrl-C, its questions and its journal are its own, and an error in it doesn't end the screen. */
async function runFlow(context: Context, flow: string, back: string): Promise<void> {
  const { io, styles } = context;
  io.stderr.write(
    `\n${styles.title(`cs ${flow}`)}${styles.dim(`  Esc at the first question: back to ${back}`)}\n`,
  );
  const words = [flow, '--output', 'table', ...connectionFlags(context)];
  const code = await (io.foreground as NonNullable<Io['foreground']>)(words, {
    [leavesOnEscape]: '1',
  });
  // The person left it.
  if (code === 13 || io.signal.aborted) return;
  io.stderr.write(`\n${styles.dim(`Enter: back to ${back}`)}\n`);
  await untilEnter(io);
}

/** So that what the command printed can be read. */
async function untilEnter(io: Io): Promise<void> {
  const keyboard = io.stdin as ReadStream;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onKey = (_: unknown, { name = '', ctrl }: Key) => {
    if (ctrl && name === 'c') io.interrupt();
    if (['return', 'enter', 'escape', 'q', 'c'].includes(name)) resolve();
  };
  const onAbort = () => resolve();
  io.signal.addEventListener('abort', onAbort, { once: true });
  keyboard.setRawMode(true).on('keypress', onKey).resume();
  try {
    await promise;
  } finally {
    io.signal.removeEventListener('abort', onAbort);
    keyboard.off('keypress', onKey).pause().setRawMode(false);
  }
}
