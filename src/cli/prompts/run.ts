/** How every prompt looks, and the ways to leave one. */

import { Interrupted } from '../errors/ended-run.ts';
import type { ExitCode } from '../errors/exit.ts';
import { exitCodeOf } from '../errors/exit-code.ts';
import type { Context } from '../framework/context.ts';
import { asciiFallback, supportsUnicode } from '../terminal/ascii.ts';
import { holdNotices } from '../terminal/notices.ts';
import { sanitize } from '../terminal/text.ts';

/** What @inquirer/prompts needs to ask on this terminal. */
export interface PromptOptions {
  readonly input: Context['io']['stdin'];
  readonly output: Context['io']['stderr'];
  readonly signal: AbortSignal;
}

/** Runs one prompt. Ctrl-C, Ctrl-D and signals end it with `Interrupted`. */
export async function runPrompt<T>({ io }: Context, prompt: (options: PromptOptions) => Promise<T>): Promise<T> {
  const endOfInput = new AbortController();
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    // Ctrl-D on an empty line closes the prompt without an answer, and the program would just end.
    if (key?.ctrl && key.name === 'd') setImmediate(() => io.stdin.isPaused() && endOfInput.abort());
  };
  io.stdin.on('keypress', onKey);
  try {
    const options = { input: io.stdin, output: io.stderr, signal: AbortSignal.any([io.signal, endOfInput.signal]) };
    return await holdNotices(io, () => prompt(options));
  } catch (error) {
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

export function promptTheme({ styles, io }: Pick<Context, 'styles' | 'io'>, { hint = '', keys, help }: ThemeOptions = {}) {
  // Only our own text: server text keeps its characters.
  const toTerminal = asciiFallback(io);
  return {
    prefix: { idle: styles.command('?'), done: styles.success(toTerminal('✓')) },
    spinner: { interval: 120, frames: (supportsUnicode(io) ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '|/-\\').split('').map(styles.dim) },
    icon: { cursor: toTerminal('❯') },
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
      keysHelpTip: () => styles.dim(toTerminal(help ?? [keys, '↑↓ to move', 'Enter to choose'].filter(Boolean).join(' · '))),
    },
  };
}
