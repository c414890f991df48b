/**
 * Prompts for a value, on stderr. Callers check `context.interactive` first and fail with
 * `missingInput` without a terminal.
 */

import type { Context, Entered } from '../context.ts';
import { CliError, usage } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { sanitize } from '../terminal/text.ts';
import type { Heading, Option } from './options.ts';
import { type PromptOptions, placeholderBeside, promptTheme, runPrompt } from './run.ts';

interface Question {
  readonly label: string;
  /** Placeholder until something is typed. */
  readonly hint?: string;
}

/** The hint of a search for names. */
export const nameHint = 'a name, or a part of it';

export interface SearchQuestion<T> extends Question {
  /** What is searched for, such as `parked car` (default: the label). */
  readonly one?: string | undefined;
  /** What to do where a search finds nothing. */
  readonly otherwise?: string | undefined;
  /**
   * Options for a search term. Called again for each change; `signal` aborts a search that is out
   * of date.
   */
  readonly find: (term: string, signal: AbortSignal) => Promise<readonly (Option<T> | Heading)[]>;
  /** Where the cursor starts. */
  readonly first?: T;
  /** Initial search term. */
  readonly initial?: string;
}

/**
 * Rows of a list: those of the terminal, without the question, what is below the list, and the last
 * answers above it.
 */
const listRows = ({ rows = 24 }: Pick<Io, 'rows'>): number => Math.max(5, rows - 12);

/** Records that a search shows, with a line for those beyond them. */
export const recordsShown = (io: Pick<Io, 'rows'>): number => listRows(io) - 1;

/** One option of many, found by typing. In a form it starts as the person left it. */
export async function askSearch<T>(context: Context, question: SearchQuestion<T>): Promise<T> {
  const { label, hint, one = label.toLowerCase(), otherwise, find, first, initial = '' } = question;
  const failure = new AbortController();
  const entered = context.asking?.entered;
  const start = entered?.get(label) ?? {
    typed: initial,
    ...(first !== undefined && { chosen: { value: first } }),
  };
  const items = (term: string, signal: AbortSignal) =>
    find(term, signal).catch((error: unknown) => {
      // A form knows what to do without the server; elsewhere the prompt shows the error, and the
      // person types again.
      if (context.asking && !signal.aborted) failure.abort(error);
      throw error;
    });
  const theme = promptTheme(context, { label, hint, keys: 'type to search' });
  const onMove = (position: Entered) => void entered?.set(label, position);
  const noMatch = (typed: string) =>
    [`No ${one} matches “${typed}”`, otherwise].filter(Boolean).join(': ');
  const list = { message: label, theme, items, start, onMove, noMatch };
  const chosen = await askList(context, list, failure.signal);
  entered?.set(label, { typed: entered.get(label)?.typed ?? '', chosen: { value: chosen } });
  return chosen as T;
}

interface OptionQuestion<T> extends Question {
  readonly options: readonly Option<T>[];
  /** Where the cursor starts. */
  readonly first?: T;
}

/** One option of a few. */
export async function askOption<T>(
  context: Context,
  { label, options, first }: OptionQuestion<T>,
): Promise<T> {
  const start = { typed: '', ...(first !== undefined && { chosen: { value: first } }) };
  const theme = promptTheme(context);
  return (await askList(context, {
    message: label,
    theme,
    items: options,
    start,
    onMove: () => {},
  })) as T;
}

type List = Omit<
  Parameters<typeof import('./list-prompt.ts').listPrompt>[0],
  'columns' | 'height' | 'onSuspend'
>;

async function askList(context: Context, list: List, failure?: AbortSignal): Promise<unknown> {
  const { listPrompt } = await import('./list-prompt.ts');
  let { start } = list;
  const onMove = (position: Entered) => {
    start = position;
    list.onMove(position);
  };
  const ask = (terminal: PromptOptions) =>
    listPrompt(
      {
        ...list,
        columns: context.io.columns ?? 80,
        height: listRows(context.io),
        start,
        onMove,
        onSuspend: terminal.suspend,
      },
      terminal,
    );
  const shown = ({ name, short = name }: Option<unknown>) => ({
    label: list.message,
    answer: sanitize(short),
  });
  return (await runPrompt(context, ask, { shown, failure })).value;
}

export interface LineQuestion extends Question {
  readonly required?: boolean;
  /** Shown as the answer when it is empty. */
  readonly blank?: string;
  /** Initial text. */
  readonly initial?: string | undefined;
  /** What is wrong with the initial text. */
  readonly wrong?: string | undefined;
  /** Returns what is wrong with the text. */
  readonly check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** How the answer is shown (default: as it is). */
  readonly show?: (answer: string) => string;
  /** Returns the text that Tab appends to the line. */
  readonly complete?: (line: string) => Promise<string>;
}

/** A line of text, trimmed. In a form it starts as the person left it. */
export async function askLine(
  context: Context,
  {
    label,
    hint = '',
    required,
    blank = '–',
    initial = '',
    wrong,
    check = () => undefined,
    show = (text) => text,
    complete,
  }: LineQuestion,
): Promise<string> {
  const { linePrompt } = await import('./line-prompt.ts');
  const entered = context.asking?.entered;
  let start = entered?.get(label)?.typed ?? initial;
  const onType = (typed: string) => {
    start = typed;
    entered?.set(label, { typed });
  };
  const checkAnswer = (text: string) =>
    required && text === '' ? `${label} is required.` : check(text);
  const ask = (terminal: PromptOptions) =>
    linePrompt(
      {
        message: label,
        theme: promptTheme(context),
        placeholder: placeholderBeside(context, label, hint),
        start,
        wrong,
        onType,
        onSuspend: terminal.suspend,
        check: (text) => checkAnswer(text.trim()),
        complete,
      },
      terminal,
    );
  const shown = (text: string) => ({
    label,
    answer: show(text.trim()) || context.styles.dim(blank),
  });
  const answer = await runPrompt(context, ask, { shown });
  // It is the earlier answer from now on.
  entered?.delete(label);
  return answer.trim();
}

/** A secret, hidden while it is typed. */
export async function askSecret(context: Context, message: string): Promise<string> {
  const theme = promptTheme(context, {
    help: 'typing is hidden · Ctrl-T to show · Enter to continue',
  });
  const { password } = await import('@inquirer/prompts');
  return runPrompt(context, (options) => password({ message, mask: '•', theme }, options));
}

/**
 * The message of an error that `read` throws for an answer, as a prompt shows it below the line.
 */
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

/**
 * The usage error (exit 2) for input that only a terminal could be asked for. Each is a flag, an
 * argument, or `--spot or --zone`.
 */
export function missingInput(names: readonly string[]): CliError {
  const one = names.length === 1;
  const flags = names.every((name) => name.startsWith('-'));
  const list = names
    .map((name) => (!one && name.includes(' or ') ? `either ${name}` : name))
    .join(', ');
  return usage(
    `Missing required ${flags ? 'flag' : 'argument'}${one ? '' : 's'}: ${list}.`,
    `add ${one ? 'it' : 'them'}, or run the command in a terminal to be prompted`,
  );
}
