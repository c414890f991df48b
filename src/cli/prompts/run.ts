/** How every prompt looks, and the ways to leave one. */

import { Interrupted } from '../errors/ended-run.ts';
import type { ExitCode } from '../errors/exit.ts';
import { exitCodeOf } from '../errors/exit-code.ts';
import type { Context } from '../framework/context.ts';
import { supportsUnicode } from '../terminal/ascii.ts';
import { holdNotices } from '../terminal/notices.ts';
import { breakWords, sanitize } from '../terminal/text.ts';

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

/**
 * Runs one prompt. Ctrl-C, Ctrl-D and signals end it with `Interrupted`, a step back with `WentBack`. A terminal that changes its size
 * gets it drawn again, for which `prompt` is called again: it starts with what has been typed. `failure` ends it with its reason.
 */
export async function runPrompt<T>(context: Context, prompt: (options: PromptOptions) => Promise<T>, failure?: AbortSignal): Promise<T> {
  const { io, asking } = context;
  if (asking) asking.prompted = true;
  return holdNotices(io, async () => {
    for (;;) {
      const ended = await runOnce(context, prompt, failure);
      if ('answer' in ended) return ended.answer;
    }
  });
}

/** Why a prompt ended without an answer. */
type Left = 'back' | 'end of input' | 'resized' | 'failed';

async function runOnce<T>(
  { io, asking }: Context,
  prompt: (options: PromptOptions) => Promise<T>,
  failure: AbortSignal | undefined,
): Promise<{ readonly answer: T } | { readonly left: 'resized' }> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([io.signal, leaving.signal]);
  const options = { input: io.stdin, output: io.stderr, signal, clearPromptOnDone: false };
  let left: Left | undefined;
  const leave = (why: Left) => {
    left ??= why;
    // Nothing stays on the screen of a question without an answer.
    options.clearPromptOnDone = why !== 'end of input';
    leaving.abort();
  };
  const onKey = (_text: unknown, key: Key | undefined) => {
    // Ctrl-D on an empty line closes the prompt without an answer, and the program would just end.
    if (key?.ctrl && key.name === 'd') setImmediate(() => io.stdin.isPaused() && leave('end of input'));
    if (asking?.hasEarlier && key && isBack(key)) leave('back');
  };
  const onResize = () => leave('resized');
  const onFailure = () => leave('failed');
  io.stdin.on('keypress', onKey);
  io.stderr.on('resize', onResize);
  failure?.addEventListener('abort', onFailure);
  try {
    return { answer: await prompt(options) };
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason;
    if (left === 'resized') return { left };
    if (left === 'failed') throw failure?.reason;
    if (left === 'back') throw new WentBack();
    if (left === 'end of input' || (error instanceof Error && error.name === 'ExitPromptError')) throw new Interrupted('SIGINT');
    throw error;
  } finally {
    io.stdin.off('keypress', onKey);
    io.stderr.off('resize', onResize);
    failure?.removeEventListener('abort', onFailure);
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
      error: (text: string) => styles.error(breakWords(sanitize(text), io.columns)),
      keysHelpTip: () =>
        styles.dim(help ?? [keys, '↑↓ to move', 'Enter to choose', asking?.hasEarlier && 'Esc to go back'].filter(Boolean).join(' · ')),
    },
  };
}
