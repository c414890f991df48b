/** How every prompt looks, and the ways to leave one. */

import type { Context } from '../context.ts';
import { Interrupted } from '../errors/ended-run.ts';
import type { ExitCode } from '../errors/exit.ts';
import { exitCodeOf } from '../errors/report.ts';
import { labelWidth } from '../output/labelled.ts';
import { supportsUnicode } from '../terminal/ascii.ts';
import { leavesOnEscape } from '../terminal/io.ts';
import { lendKeyboard } from '../terminal/keyboard.ts';
import { holdNotices } from '../terminal/notices.ts';
import { alignValue, breakWords, sanitize } from '../terminal/text.ts';

/** What @inquirer/prompts needs to ask on this terminal. */
export interface PromptOptions {
  readonly input: Context['io']['stdin'];
  readonly output: Context['io']['stderr'];
  readonly signal: AbortSignal;
  /** Whether nothing of the prompt stays on the screen. */
  readonly clearPromptOnDone: boolean;
  /** For Ctrl-Z, which a prompt of ours reports: another one stops while it is on the screen. */
  readonly suspend: () => void;
}

/** The person wants to correct an earlier answer. */
export class WentBack extends Error {}

interface Key {
  readonly ctrl?: boolean;
  readonly shift?: boolean;
  readonly sequence?: string;
  readonly name?: string;
}

const isBack = ({ name, shift }: Key) => name === 'escape' || (name === 'tab' && shift === true);

interface Running<T> {
  /** What stays on the screen of the answered question (default: what the prompt leaves there). */
  readonly shown?: (answer: T) => { readonly label: string; readonly answer: string };
  /** Ends the prompt with its reason. */
  readonly failure?: AbortSignal | undefined;
}

/**
 * Runs one prompt. Ctrl-C, Ctrl-D and signals end it with `Interrupted`, a step back with
 * `WentBack`. Ctrl-Z takes it from the screen until `fg`. A terminal that changes its size gets it
 * drawn again, for which `prompt` is called again: it starts with what has been typed.
 */
export async function runPrompt<T>(
  context: Context,
  prompt: (options: PromptOptions) => Promise<T>,
  running: Running<T> = {},
): Promise<T> {
  const { io, asking } = context;
  if (asking) asking.prompted = true;
  return lendKeyboard(io, (typed) =>
    holdNotices(io, async () => {
      for (let ahead = typed; ; ahead = '') {
        const ended = await runOnce(context, prompt, { ...running, ahead });
        if ('left' in ended) {
          // Goes on here after `fg`.
          if (ended.left === 'suspended') io.suspend();
          continue;
        }
        if (running.shown) printAnswer(context, running.shown(ended.answer));
        return ended.answer;
      }
    }),
  );
}

function printAnswer(
  context: Context,
  { label, answer }: { readonly label: string; readonly answer: string },
): void {
  const { prefix, style } = promptTheme(context);
  print(
    context,
    `${prefix.done} ${style.message(label, 'done')} ${besideLabel(context, label, answer)}\n`,
  );
}

/**
 * Writes what belongs to a question. In a form it goes from the screen when the question is asked
 * again.
 */
export function print({ asking, io }: Pick<Context, 'asking' | 'io'>, text: string): void {
  if (asking) asking.print(text);
  else io.stderr.write(text);
}

/** Why a prompt ended without an answer. */
type Left = 'back' | 'end of input' | Redrawn | 'failed';
/** It is asked again. */
type Redrawn = 'resized' | 'suspended';

async function runOnce<T>(
  { io, asking }: Context,
  prompt: (options: PromptOptions) => Promise<T>,
  { shown, failure, ahead }: Running<T> & { readonly ahead: string },
): Promise<{ readonly answer: T } | { readonly left: Redrawn }> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([io.signal, leaving.signal]);
  let left: Left | undefined;
  let isStopped = false;
  const options = {
    input: io.stdin,
    output: io.stderr,
    signal,
    /**
     * Read when the prompt ends. Nothing stays of a question without an answer, unless the person
     * stopped there.
     */
    get clearPromptOnDone() {
      if (isStopped || io.signal.aborted || left === 'end of input') return false;
      return left !== undefined || shown !== undefined;
    },
    suspend: () => leave('suspended'),
  };
  function leave(why: Left): void {
    left ??= why;
    leaving.abort();
  }
  const onKey = (_text: unknown, key: Key | undefined) => {
    if (key?.ctrl && key.name === 'c') isStopped = true;
    // Ctrl-C right after Esc reads as one key, which prompts don't know.
    if (key?.sequence === '\u001b\u0003') leave('end of input');
    // Ctrl-D on an empty line closes the prompt without an answer, and the program would just end.
    if (key?.ctrl && key.name === 'd')
      setImmediate(() => io.stdin.isPaused() && leave('end of input'));
    if (asking?.canGoBack && key && isBack(key)) leave('back');
  };
  const onResize = () => leave('resized');
  const onFailure = () => leave('failed');
  io.stdin.on('keypress', onKey);
  io.stderr.on('resize', onResize);
  failure?.addEventListener('abort', onFailure);
  try {
    const answering = prompt(options);
    // A prompt on a terminal takes keys from its first drawing on, which it puts off by as much.
    setImmediate(() => typeText(io, ahead));
    const answer = await answering;
    // Ctrl-C may follow the answer before it is stored, also in one piece with it.
    if (isStopped) throw new Interrupted('SIGINT', { atQuestion: true });
    return { answer };
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason;
    if (left === 'resized' || left === 'suspended') return { left };
    if (left === 'failed') throw failure?.reason;
    if (left === 'back') throw new WentBack();
    if (left === 'end of input' || (error instanceof Error && error.name === 'ExitPromptError'))
      throw new Interrupted('SIGINT', { atQuestion: true });
    throw error;
  } finally {
    io.stdin.off('keypress', onKey);
    io.stderr.off('resize', onResize);
    failure?.removeEventListener('abort', onFailure);
  }
}

/** Types a text into the open prompt. */
function typeText({ stdin }: Pick<Context['io'], 'stdin'>, text: string): void {
  for (const character of text)
    stdin.emit('keypress', character, { name: '', sequence: character });
}

const nothingStored = 'Nothing was stored.';

/**
 * Reports leaving before anything was stored as one line instead of an error, in a terminal format.
 * Returns the exit code then.
 */
export async function handleCancel<T>(
  context: Context,
  work: () => Promise<T>,
): Promise<T | ExitCode> {
  try {
    return await work();
  } catch (error) {
    const code = exitCodeOf(error);
    const cancelled = error instanceof Interrupted || code === 13;
    if (!cancelled || !context.output.forPeople) throw error;
    // As a result, for the view that the person goes back to.
    if (code === 13 && context.io.env[leavesOnEscape] !== undefined)
      context.io.stdout.write(`${nothingStored}\n`);
    else context.warn(code === 13 ? nothingStored : `Stopped. ${nothingStored}`);
    return code;
  }
}

/** Joined by dots, with as many on a line as fit. */
function inLines(items: readonly string[], columns = Number.POSITIVE_INFINITY): string {
  const lines: string[] = [];
  for (const item of items) {
    const longer = [...lines.slice(-1), item].join(' · ');
    if (longer.length < columns) lines.splice(-1, 1, longer);
    else lines.push(item);
  }
  return lines.join('\n');
}

/** Labels share a column, sentences don't. */
const shownLabel = (label: string): string =>
  /[?:]$/.test(label) ? sanitize(label) : sanitize(label).padEnd(labelWidth);

/**
 * Text after the label of a question, broken between words to fit the terminal, with a cell for the
 * cursor.
 */
const besideLabel = ({ io }: Pick<Context, 'io'>, label: string, text: string): string =>
  alignValue((room) => breakWords(text, room), marginOf({ io }, label));

const marginOf = ({ io }: Pick<Context, 'io'>, label: string) => ({
  width: io.columns && io.columns - 1,
  margin: '? '.length + shownLabel(label).length + 1,
});

/** A placeholder stays on its line: where it doesn't fit, its last parts are left out. */
export const placeholderBeside = (
  { io }: Pick<Context, 'io'>,
  label: string,
  text: string,
): string => alignValue((room) => fitting(text, room), marginOf({ io }, label));

function fitting(text: string, room = Number.POSITIVE_INFINITY): string {
  if (text.length <= room) return text;
  const end = Math.max(...[', ', '; '].map((mark) => text.lastIndexOf(mark, room)));
  return end > 0 ? text.slice(0, end) : `${text.slice(0, room - 1).trimEnd()}…`;
}

interface ThemeOptions {
  /** Of the question with the placeholder. */
  readonly label?: string;
  /** Placeholder until something is typed. */
  readonly hint?: string;
  /** Keys of this prompt, listed before those for moving and choosing. */
  readonly keys?: string;
  /** Replaces the whole line of keys. */
  readonly help?: string;
}

export function promptTheme(
  { styles, io, asking }: Pick<Context, 'styles' | 'io' | 'asking'>,
  { label = '', hint = '', keys, help }: ThemeOptions = {},
) {
  return {
    prefix: { idle: styles.command('?'), done: styles.success('✓') },
    spinner: {
      interval: 120,
      frames: (supportsUnicode(io) ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '|/-\\').split('').map(styles.dim),
    },
    icon: { cursor: '❯' },
    style: {
      message: (text: string, status: string) => {
        const shown = shownLabel(text);
        return status === 'done' ? styles.dim(shown) : styles.title(shown);
      },
      answer: sanitize,
      highlight: styles.command,
      searchTerm: (text: string) => text || styles.dim(placeholderBeside({ io }, label, hint)),
      description: (text: string) => styles.dim(sanitize(text)),
      disabled: styles.dim,
      error: (text: string) => styles.error(breakWords(sanitize(text), io.columns)),
      keysHelpTip: () => {
        const all = [
          keys,
          '↑↓ to move',
          'Enter to choose',
          asking?.canGoBack ? 'Esc to go back' : undefined,
        ];
        return styles.dim(
          help ??
            inLines(
              all.filter((one) => one !== undefined),
              io.columns,
            ),
        );
      },
    },
  };
}
