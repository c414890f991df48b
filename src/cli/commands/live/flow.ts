/**
 * Starts `cs dropoff`, `pickup` or `move` on this terminal, as a process of its own. There it works as if the person had typed it: Ctrl-C,
 * its questions, its journal and its exit code are its own, and an error in it doesn't end the view.
 */
import type { ReadStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import type { Context } from '../../context.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { clockTime } from '../../input/day.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { type Io, leavesOnEscape } from '../../terminal/io.ts';
import { hasColor } from '../../terminal/style.ts';
import { sanitize } from '../../terminal/text.ts';
import { describeChosen } from './draw.ts';
import { createKeyReader, type Key } from './keys.ts';
import type { Flow } from './picture.ts';
import type { Action, Message } from './state.ts';

const flowTitles: Readonly<Record<Flow, string>> = {
  dropoff: 'Drop-off',
  pickup: 'Pick-up',
  move: 'Move',
};

type Start = Extract<Action, { kind: 'start' }>;

/** The line about what was stored, or that the person left; undefined where the command failed or was stopped. */
export async function runFlow(
  context: Context,
  { flow, car }: Start,
  viewName: string,
): Promise<Message | undefined> {
  const { io, settings, styles } = context;
  // The result is text for the person, and the id never a name.
  const words = [
    flow,
    ...(car ? [`id:${car.car.id}`] : []),
    '--output',
    'table',
    '--color',
    // Its stdout is a pipe, whose text ends on this terminal.
    hasColor(io, 'stdout', settings.color) ? 'always' : 'never',
    ...connectionFlags(context),
  ];
  const title = [flowTitles[flow], ...(car ? [describeChosen(car)] : [])].join('  ');
  const toTerminal = asciiFallback(io);
  io.stderr.write(
    `\n${toTerminal(styles.title(sanitize(title)))}\n${styles.dim(`Esc at the first question: back to ${viewName}`)}\n`,
  );
  const { code, stdout } = await (io.foreground as NonNullable<Io['foreground']>)(words, {
    [leavesOnEscape]: '1',
  });
  // Stays on the terminal after the view.
  io.stdout.write(stdout);
  if (io.signal.aborted) return undefined;
  const headline = stripVTControlCharacters(stdout)
    .split('\n')
    .find((line) => line.trim() !== '');
  if ([0, 13].includes(code) && headline !== undefined)
    return { text: `${clockTime(io.now().toISOString())} ${headline.trim()}` };
  io.stderr.write(`\nEnter: back to ${viewName}\n`);
  await waitForEnter(io);
  return undefined;
}

const nameOf = (key: Key): string =>
  'name' in key ? key.name : 'character' in key ? key.character.toLowerCase() : '';

/** After an error, so that it can be read. Esc and q go back as Enter does. Ctrl-C leaves the view too. */
async function waitForEnter(io: Io): Promise<void> {
  const keyboard = io.stdin as ReadStream;
  const keysOf = createKeyReader();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onKeys = (chunk: Buffer | string) => {
    for (const key of keysOf(chunk)) {
      const name = nameOf(key);
      if (name === 'ctrlC') io.interrupt();
      if (['enter', 'escape', 'q', 'ctrlC'].includes(name)) resolve();
    }
  };
  const onAbort = () => resolve();
  io.signal.addEventListener('abort', onAbort, { once: true });
  keyboard.setRawMode(true).on('data', onKeys).resume();
  try {
    await promise;
  } finally {
    io.signal.removeEventListener('abort', onAbort);
    keyboard.off('data', onKeys).pause().setRawMode(false);
  }
}
