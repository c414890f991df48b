/** The one look that every question has, and the ways to leave one. */
import type { Context } from '../framework/context.ts';
import { asciiFallback, supportsUnicode } from '../terminal/ascii.ts';
import { Interrupted } from '../terminal/io.ts';
import { sanitize } from '../terminal/text.ts';

/** What prompts need to ask on this terminal. */
export interface PromptOptions {
  readonly input: Context['io']['stdin'];
  readonly output: Context['io']['stderr'];
  readonly signal: AbortSignal;
}

/** Every way to leave a question (Ctrl-C, Ctrl-D, a signal) ends in `Interrupted`. */
export async function ask<T>(context: Context, prompt: (options: PromptOptions) => Promise<T>): Promise<T> {
  const { io } = context;
  const end = new AbortController();
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    // Ctrl-D on an empty line closes the question without an answer; left alone, the program would just end.
    if (key?.ctrl && key.name === 'd') setImmediate(() => io.stdin.isPaused() && end.abort());
  };
  io.stdin.on('keypress', onKey);
  try {
    return await prompt({ input: io.stdin, output: io.stderr, signal: AbortSignal.any([io.signal, end.signal]) });
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason;
    if (end.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')) throw new Interrupted('SIGINT');
    throw error;
  } finally {
    io.stdin.off('keypress', onKey);
  }
}

interface Look {
  /** Stands where the answer will, until something is typed. */
  readonly hint?: string;
  /** What can be done beside moving and choosing. */
  readonly keys?: string;
  /** Cells that the label takes at least, so that answers stand below each other. */
  readonly column?: number;
  /** What the line below the question tells in place of how to move and choose. */
  readonly below?: string;
}

export function themeOf({ paint, io }: Pick<Context, 'paint' | 'io'>, { hint = '', keys, column = 0, below }: Look = {}) {
  // Only what is this program's own: what others wrote is shown as they wrote it.
  const signs = asciiFallback(io);
  return {
    prefix: { idle: paint.command('?'), done: paint.good(signs('✓')) },
    spinner: { interval: 120, frames: (supportsUnicode(io) ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '|/-\\').split('').map(paint.dim) },
    icon: { cursor: signs('❯') },
    style: {
      message: (text: string, status: string) => {
        // Labels keep their column; a question that is a sentence does not.
        const shown = text.endsWith('?') ? sanitize(text) : sanitize(text).padEnd(column);
        return status === 'done' ? paint.dim(shown) : paint.title(shown);
      },
      answer: sanitize,
      highlight: paint.command,
      searchTerm: (text: string) => text || paint.dim(hint),
      description: (text: string) => paint.dim(sanitize(text)),
      defaultAnswer: (text: string) => paint.dim(`(${sanitize(text)})`),
      disabled: paint.dim,
      error: (text: string) => paint.bad(sanitize(text)),
      keysHelpTip: () => paint.dim(signs(below ?? [keys, '↑↓ to move', 'Enter to choose'].filter(Boolean).join(' · '))),
    },
  };
}
