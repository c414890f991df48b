/** The questions of the counter's flows: one look, the answers in one column, and one way to leave. */

import type { Context } from '../framework/context.ts';
import { sanitize } from '../terminal/text.ts';
import { listenForEnter, listenForTab } from './keys.ts';
import { ask, themeOf as lookOf } from './theme.ts';

/** Room for the longest label, so that what was answered reads as a table. */
export const labelWidth = 10;

const themeOf = (context: Context, look: Parameters<typeof lookOf>[1] = {}) => lookOf(context, { ...look, column: labelWidth });

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
  /** What stands there as if it had been typed. */
  readonly typed?: string;
}

const asChoice = <T>(option: Option<T>) => ({ ...option, short: sanitize(option.short), description: option.about });

/** One of many, found by typing. */
export async function askSearch<T>(context: Context, { label, hint, find, first, typed }: SearchQuestion<T>): Promise<T> {
  const { search, Separator } = await import('@inquirer/prompts');
  const early = listenForEnter(context);
  const source = async (term: string | undefined, { signal }: { signal: AbortSignal }) => {
    early.looking();
    const found = await find(term?.trim() ?? '', signal);
    if (!signal.aborted) early.found(found.find((item): item is Option<T> => 'value' in item)?.deliberate !== true);
    return found.map((item) => ('heading' in item ? new Separator(context.paint.dim(sanitize(item.heading))) : asChoice(item)));
  };
  const config = { message: label, source, pageSize: 10, initialValue: typed, theme: themeOf(context, { hint, keys: 'type to search' }) };
  return ask(context, (options) => search<T>(first === undefined ? config : { ...config, default: first as never }, options)).finally(
    early.end,
  );
}

/** One of a few. */
export async function askOption<T>(context: Context, question: Question & { options: readonly Option<T>[] }): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const choices = question.options.map(asChoice);
  const config = { message: question.label, choices, pageSize: 10, loop: false, theme: themeOf(context) };
  return ask(context, (options) => select<T>(config, options));
}

export interface LineQuestion extends Question {
  /** What an empty answer stands for; it stays on the screen. Nothing unless given. */
  readonly blank?: string;
  /** What stands there as if it had been typed. */
  readonly typed?: string;
  /** Answers what is wrong with the text, or nothing. */
  readonly check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** What Tab adds to the line. */
  readonly complete?: (line: string) => Promise<string>;
}

/** A line of text, without the space around it. */
export async function askLine(
  context: Context,
  { label, hint = '', blank = '–', typed, check = () => undefined, complete }: LineQuestion,
): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  let line = typed ?? '';
  // An empty line is sent as what stood there first; whoever has erased it wants nothing.
  const given = (text: string) => (line === '' ? '' : text.trim());
  const validate = async (text: string) => (await check(given(text))) ?? true;
  const tab = listenForTab(context, complete);
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => {
    if (!isFinal) line = text;
    tab.line(text);
    const shown = isFinal ? given(text) : text;
    return shown === '' ? context.paint.dim(isFinal ? blank : hint) : shown;
  };
  const look = themeOf(context);
  const theme = { ...look, style: { ...look.style, defaultAnswer: () => '' } };
  const prefilled = typed === undefined ? {} : { default: typed, prefill: 'editable' as const };
  const config = { message: label, validate, transformer, theme, ...prefilled };
  return given(await ask(context, (options) => input(config, options)).finally(tab.end));
}

/** Whether to write what was shown. Yes unless it is answered with no; on a production profile, which it names, the other way round. */
export async function askYesNo(context: Context, message: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts');
  const named = context.writes.naming(message);
  const agreed = await ask(context, (options) => confirm({ message: named, default: named === message, theme: themeOf(context) }, options));
  if (agreed) context.writes.agree();
  return agreed;
}
