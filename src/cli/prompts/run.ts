/** How every prompt looks, and the ways to leave one. */

import { Interrupted } from '../errors/ended-run.ts';
import type { ExitCode } from '../errors/exit.ts';
import { exitCodeOf } from '../errors/exit-code.ts';
import type { Context } from '../framework/context.ts';
import { supportsUnicode } from '../terminal/ascii.ts';
import { holdNotices } from '../terminal/notices.ts';
import { sanitize } from '../terminal/text.ts';

/** What @inquirer/prompts needs to ask on this terminal. */
export interface PromptOptions {
  readonly input: Context['io']['stdin'];
  readonly output: Context['io']['stderr'];
  readonly signal: AbortSignal;
  /** Whether nothing of the prompt stays on the screen. */
  readonly clearPromptOnDone: boolean;
}

/** The person wants to correct an earlier answer. */
export class WentBack extends Error {}

interface Key {
  readonly ctrl?: boolean;
  readonly shift?: boolean;
  readonly name?: string;
}

const isBack = ({ name, shift }: Key) => name === 'escape' || (name === 'tab' && shift === true);

/** Runs one prompt. Ctrl-C, Ctrl-D and signals end it with `Interrupted`, a step back with `WentBack`. */
export async function runPrompt<T>({ io, asking }: Context, prompt: (options: PromptOptions) => Promise<T>): Promise<T> {
  const endOfInput = new AbortController();
  const back = new AbortController();
  const signal = AbortSignal.any([io.signal, endOfInput.signal, back.signal]);
  const options = { input: io.stdin, output: io.stderr, signal, clearPromptOnDone: false };
  const onKey = (_text: unknown, key: Key | undefined) => {
    // Ctrl-D on an empty line closes the prompt without an answer, and the program would just end.
    if (key?.ctrl && key.name === 'd') setImmediate(() => io.stdin.isPaused() && endOfInput.abort());
    if (!asking?.hasEarlier || !key || !isBack(key)) return;
    // Nothing stays on the screen of a question without an answer.
    options.clearPromptOnDone = true;
    back.abort();
  };
  if (asking) asking.prompted = true;
  io.stdin.on('keypress', onKey);
  try {
    return await holdNotices(io, () => prompt(options));
  } catch (error) {
    if (back.signal.aborted) throw new WentBack();
    if (io.signal.aborted) throw io.signal.reason;
    if (endOfInput.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')) throw new Interrupted('SIGINT');
    throw error;
  } finally {
    io.stdin.off('keypress', onKey);
  }
}

/** Reports leaving before anything was stored as one line instead of an error, in a terminal format. Returns the exit code then. */
export async function handleCancel<T>(context: Context, work: () => Promise<T>): Promise<T | ExitCode> {
  try {
    return await work();
  } catch (error) {
    const code = exitCodeOf(error);
    const cancelled = error instanceof Interrupted || code === 13;
    if (!cancelled || !context.output.forPeople) throw error;
    context.warn(code === 13 ? 'Nothing was stored.' : 'Stopped. Nothing was stored.');
    return code;
  }
}

/** Width of the label column, so that answers line up. */
export const labelWidth = 10;

interface ThemeOptions {
  /** Placeholder until something is typed. */
  readonly hint?: string;
  /** Keys of this prompt, listed before those for moving and choosing. */
  readonly keys?: string;
  /** Replaces the whole line of keys. */
  readonly help?: string;
}

export function promptTheme(
  { styles, io, asking }: Pick<Context, 'styles' | 'io' | 'asking'>,
  { hint = '', keys, help }: ThemeOptions = {},
) {
  return {
    prefix: { idle: styles.command('?'), done: styles.success('✓') },
    spinner: { interval: 120, frames: (supportsUnicode(io) ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '|/-\\').split('').map(styles.dim) },
    icon: { cursor: '❯' },
    style: {
      message: (text: string, status: string) => {
        // Labels share a column, sentences don't.
        const shown = /[?:]$/.test(text) ? sanitize(text) : sanitize(text).padEnd(labelWidth);
        return status === 'done' ? styles.dim(shown) : styles.title(shown);
      },
      answer: sanitize,
      highlight: styles.command,
      searchTerm: (text: string) => text || styles.dim(hint),
      description: (text: string) => styles.dim(sanitize(text)),
      defaultAnswer: (text: string) => styles.dim(`(${sanitize(text)})`),
      disabled: styles.dim,
      error: (text: string) => styles.error(sanitize(text)),
      keysHelpTip: () =>
        styles.dim(help ?? [keys, '↑↓ to move', 'Enter to choose', asking?.hasEarlier && 'Esc to go back'].filter(Boolean).join(' · ')),
    },
  };
}
