/** The questions of the counter's flows: one look, the answers in one column, and one way to leave. */
import type { Context } from '../command.ts';
import { Interrupted } from '../io.ts';
import type { Paint } from '../paint.ts';
import { promptOptions } from '../question.ts';
import { sanitize } from '../text.ts';
import { listenForEnter, listenForTab } from './keys.ts';

/** Room for the longest label, so that what was answered reads as a table. */
export const labelWidth = 10;

export interface Question {
  readonly label: string;
  /** Stands where the answer will, until something is typed. */
  readonly hint?: string;
}

export interface Option<T> {
  /** May be styled, so it must have been made safe. */
  readonly name: string;
  /** What stays on the screen once it was chosen. */
  readonly short: string;
  readonly value: T;
  /** Shown below the list while it is the one pointed at. */
  readonly about?: string;
  /** Taken only by an Enter that was pressed while it was to be seen. */
  readonly deliberate?: boolean;
}

/** A title above the options that follow. */
export interface Heading {
  readonly heading: string;
}

export interface SearchQuestion<T> extends Question {
  /** The options for what was typed; called again with each change, the signal tells when nobody waits any more. */
  readonly find: (term: string, signal: AbortSignal) => Promise<readonly (Option<T> | Heading)[]>;
  /** The option pointed at first. */
  readonly first?: T;
}

/** One of many, found by typing. */
export async function askSearch<T>(context: Context, { label, hint, find, first }: SearchQuestion<T>): Promise<T> {
  const { search, Separator } = await import('@inquirer/prompts');
  const early = listenForEnter(context);
  const source = async (term: string | undefined, { signal }: { signal: AbortSignal }) => {
    early.looking();
    const found = await find(term?.trim() ?? '', signal);
    if (!signal.aborted) early.found(found.find((item): item is Option<T> => 'value' in item)?.deliberate !== true);
    return found.map((item) => ('heading' in item ? new Separator(context.paint.dim(item.heading)) : { ...item, description: item.about }));
  };
  const config = { message: label, source, pageSize: 10, theme: themeOf(context, { hint, keys: 'type to search' }) };
  return ask(context, (options) => search<T>(first === undefined ? config : { ...config, default: first as never }, options)).finally(
    early.end,
  );
}

/** One of a few. */
export async function askOption<T>(context: Context, question: Question & { options: readonly Option<T>[] }): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const choices = question.options.map((option) => ({ ...option, description: option.about }));
  const config = { message: question.label, choices, pageSize: 10, loop: false, theme: themeOf(context) };
  return ask(context, (options) => select<T>(config, options));
}

export interface LineQuestion extends Question {
  /** What an empty answer stands for; it stays on the screen. Nothing unless given. */
  readonly blank?: string;
  /** Answers what is wrong with the text, or nothing. */
  readonly check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** What Tab adds to the line. */
  readonly complete?: (line: string) => Promise<string>;
}

/** A line of text, without the space around it. */
export async function askLine(
  context: Context,
  { label, hint = '', blank = '–', check = () => undefined, complete }: LineQuestion,
): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  const validate = async (text: string) => (await check(text.trim())) ?? true;
  const tab = listenForTab(context, complete);
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => {
    tab.line(text);
    return text === '' ? context.paint.dim(isFinal ? blank : hint) : text;
  };
  const config = { message: label, validate, transformer, theme: themeOf(context) };
  return (await ask(context, (options) => input(config, options)).finally(tab.end)).trim();
}

/** Whether to write what was shown. Yes unless it is answered with no; on a production profile, which it names, the other way round. */
export async function askYes(context: Context, message: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts');
  const named = context.writes.naming(message);
  const agreed = await ask(context, (options) => confirm({ message: named, default: named === message, theme: themeOf(context) }, options));
  if (agreed) context.writes.agree();
  return agreed;
}

/** Every way to leave a question (Ctrl-C, Ctrl-D, a signal) ends in `Interrupted`. */
async function ask<T>(context: Context, prompt: (options: ReturnType<typeof promptOptions>) => Promise<T>): Promise<T> {
  const { io } = context;
  const end = new AbortController();
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    // Ctrl-D on an empty line closes the question without an answer; left alone, the program would just end.
    if (key?.ctrl && key.name === 'd') setImmediate(() => io.stdin.isPaused() && end.abort());
  };
  io.stdin.on('keypress', onKey);
  try {
    return await prompt({ ...promptOptions(context), signal: AbortSignal.any([io.signal, end.signal]) });
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason;
    if (end.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')) throw new Interrupted('SIGINT');
    throw error;
  } finally {
    io.stdin.off('keypress', onKey);
  }
}

function themeOf({ paint }: Context, { hint = '', keys }: { hint?: string; keys?: string } = {}) {
  return {
    prefix: { idle: paint.command('?'), done: paint.good('✓') },
    spinner: { interval: 120, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'].map(paint.dim) },
    icon: { cursor: '❯' },
    style: {
      message: (text: string, status: string) => messageOf(paint, sanitize(text), status),
      answer: (text: string) => text,
      highlight: paint.command,
      searchTerm: (text: string) => text || paint.dim(hint),
      description: paint.dim,
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      disabled: paint.dim,
      error: (text: string) => paint.bad(sanitize(text)),
      keysHelpTip: () => paint.dim([keys, '↑↓ to move', 'Enter to choose'].filter(Boolean).join(' · ')),
    },
  };
}

function messageOf(paint: Paint, text: string, status: string): string {
  // Labels keep their column; the one question that is a sentence does not.
  const shown = text.endsWith('?') ? text : text.padEnd(labelWidth);
  return status === 'done' ? paint.dim(shown) : paint.title(shown);
}
