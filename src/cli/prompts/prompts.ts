/** Prompts for a value, on stderr. Callers check `context.interactive` first and fail with `missingInput` without a terminal. */
import { CliError, usage } from '../errors/exit.ts';
import type { Context } from '../framework/context.ts';
import { grouped, sanitize } from '../terminal/text.ts';
import { promptTheme, runPrompt } from './run.ts';

interface Question {
  readonly label: string;
  /** Placeholder until something is typed. */
  readonly hint?: string;
}

export interface Option<T> {
  /** Sanitized by the caller, since it may be styled. */
  readonly name: string;
  /** Shown as the answer (default: the name). */
  readonly short?: string;
  readonly value: T;
  /** Shown below the list while the cursor is on this option. */
  readonly about?: string;
  /** Ignores an Enter that was pressed before the option was on the screen. */
  readonly deliberate?: boolean;
}

/** A title above the options that follow. */
export interface Heading {
  readonly heading: string;
}

/** The last line of a list that is cut. */
export const moreHeading = (count: number): Heading[] =>
  count > 0 ? [{ heading: ` … and ${grouped(count)} more: keep typing to narrow the list` }] : [];

export interface SearchQuestion<T> extends Question {
  /** Options for a search term. Called again for each change; `signal` aborts a search that is out of date. */
  readonly find: (term: string, signal: AbortSignal) => Promise<readonly (Option<T> | Heading)[]>;
  /** Where the cursor starts. */
  readonly first?: T;
  /** Initial search term. */
  readonly initial?: string;
}

const toChoice = <T>({ name, short = name, value, about }: Option<T>) => ({ name, short: sanitize(short), value, description: about });

/** One option of many, found by typing. */
export async function askSearch<T>(context: Context, { label, hint, find, first, initial }: SearchQuestion<T>): Promise<T> {
  const { search, Separator } = await import('@inquirer/prompts');
  const enter = replayEarlyEnter(context);
  const failure = new AbortController();
  let typed = initial;
  const source = async (term: string | undefined, { signal }: { signal: AbortSignal }) => {
    enter.searching();
    typed = term;
    const found = await find(term?.trim() ?? '', signal).catch((error: unknown) => {
      // A form knows what to do without the server; elsewhere the prompt shows the error, and the person types again.
      if (context.asking && !signal.aborted) failure.abort(error);
      throw error;
    });
    if (!signal.aborted) enter.found(found.find((item): item is Option<T> => 'value' in item)?.deliberate !== true);
    return found.map((item) => ('heading' in item ? new Separator(context.styles.dim(sanitize(item.heading))) : toChoice(item)));
  };
  const theme = promptTheme(context, { hint, keys: 'type to search' });
  const start = first === undefined ? {} : { default: first as never };
  const config = () => ({ message: label, source, pageSize: 10, initialValue: typed, theme, ...start });
  return runPrompt(context, (options) => search<T>(config(), options), failure.signal).finally(enter.stop);
}

interface OptionQuestion<T> extends Question {
  readonly options: readonly Option<T>[];
  /** Where the cursor starts. */
  readonly first?: T;
}

/** One option of a few. */
export async function askOption<T>(context: Context, { label, options, first }: OptionQuestion<T>): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const choices = options.map(toChoice);
  const start = first === undefined ? {} : { default: first };
  const config = { message: label, choices, ...start, pageSize: 12, loop: false, theme: promptTheme(context) };
  return runPrompt(context, (terminal) => select<T>(config, terminal));
}

export interface LineQuestion extends Question {
  readonly required?: boolean;
  /** Shown as the answer when it is empty. */
  readonly blank?: string;
  /** Initial text. */
  readonly initial?: string | undefined;
  /** Returns what is wrong with the text. */
  readonly check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** How the answer is shown (default: as it is). */
  readonly show?: (answer: string) => string;
  /** Returns the text that Tab appends to the line. */
  readonly complete?: (line: string) => Promise<string>;
}

/** A line of text, trimmed. */
export async function askLine(
  context: Context,
  { label, hint = '', required, blank = '–', initial, check = () => undefined, show = (text) => text, complete }: LineQuestion,
): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  let line = initial ?? '';
  let answer = '';
  const validate = async (text: string) => {
    // The prompt answers an erased line with its initial text, and draws that as if it had been typed.
    answer = line === '' ? '' : text.trim();
    return (await check(answer)) ?? true;
  };
  const tab = completeOnTab(context, complete);
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => {
    if (!isFinal) line = text;
    tab.line(text);
    const shown = isFinal ? show(answer) : text;
    return shown === '' ? context.styles.dim(isFinal ? blank : hint) : shown;
  };
  const base = promptTheme(context);
  const theme = { ...base, style: { ...base.style, defaultAnswer: () => '' } };
  const prefilled = () => (line === '' ? {} : { default: line, prefill: 'editable' as const });
  const config = () => ({ message: label, required, validate, transformer, theme, ...prefilled() });
  await runPrompt(context, (options) => input(config(), options)).finally(tab.stop);
  return answer;
}

/** A secret, hidden while it is typed. */
export async function askSecret(context: Context, message: string): Promise<string> {
  const theme = promptTheme(context, { help: 'typing is hidden · Ctrl-T to show · Enter to continue' });
  const { password } = await import('@inquirer/prompts');
  return runPrompt(context, (options) => password({ message, mask: '•', theme }, options));
}

/** The message of an error that `read` throws for an answer, as a prompt shows it below the line. */
export async function validationMessage(read: () => unknown): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // An ambiguous name is chosen afterwards: prompts can't be nested.
    if (error.exitCode === 14) return undefined;
    // The label already names the value.
    const why = error.message.replace(/^[-\w]+: /, '').replace(/\.$/, '');
    return `${[why, error.hint].filter(Boolean).join(': ')}.`;
  }
}

/** The usage error (exit 2) for input that only a terminal could be asked for. Each is a flag, an argument, or `--spot or --zone`. */
export function missingInput(names: readonly string[]): CliError {
  const one = names.length === 1;
  const flags = names.every((name) => name.startsWith('-'));
  const list = names.map((name) => (!one && name.includes(' or ') ? `either ${name}` : name)).join(', ');
  return usage(
    `Missing required ${flags ? 'flag' : 'argument'}${one ? '' : 's'}: ${list}.`,
    `add ${one ? 'it' : 'them'}, or run the command in a terminal to be prompted`,
  );
}

/**
 * The search prompt ignores an Enter while it is searching, which scanners and fast typists send.
 * This replays it when the results have arrived.
 */
function replayEarlyEnter({ io }: Context) {
  let searching = false;
  let pressed = false;
  const onKey = (_text: unknown, key: { name?: string } | undefined) => {
    pressed = searching && key?.name === 'return';
  };
  io.stdin.prependListener('keypress', onKey);
  return {
    searching: () => {
      searching = true;
    },
    found: (accept: boolean) => {
      searching = false;
      if (pressed && accept) setImmediate(() => io.stdin.emit('keypress', '\r', { name: 'return', sequence: '\r' }));
      pressed = false;
    },
    stop: () => void io.stdin.off('keypress', onKey),
  };
}

/** The line prompt inserts a Tab as a character. This removes it and types the completion instead. */
function completeOnTab({ io }: Context, complete: LineQuestion['complete']) {
  let line = '';
  const press = (name: string, text = '') => io.stdin.emit('keypress', text, { name, sequence: text });
  const onKey = (_text: unknown, key: { name?: string } | undefined) => {
    if (key?.name !== 'tab' || !complete) return;
    setImmediate(async () => {
      if (line.endsWith('\t')) press('backspace');
      for (const character of await complete(line)) press('', character);
    });
  };
  io.stdin.on('keypress', onKey);
  return {
    line: (text: string) => {
      line = text;
    },
    stop: () => void io.stdin.off('keypress', onKey),
  };
}
