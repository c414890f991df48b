/** Confirmations. Without a terminal they need a flag: exit 2. A declined one is exit 13. */

import type { Context } from '../context.ts';
import { type CliError, declined, usage } from '../errors/exit.ts';
import { fold } from '../input/matching.ts';
import { quote } from '../terminal/text.ts';
import { askLine } from './prompts.ts';

/**
 * Asks before something is changed (default: no). --yes confirms.
 * `local`: nothing is written to the server, so the profile doesn't matter. `otherwise`: the error
 * after No.
 */
export async function confirm(
  context: Context,
  message: string,
  { local = false, otherwise = declined() }: { local?: boolean; otherwise?: CliError } = {},
): Promise<void> {
  const question = local ? message : context.writes.questionFor(message);
  if (context.settings.yes) return;
  if (!context.interactive)
    throw usage(`${message.replace(/\?$/, '')}: confirmation required.`, 'add --yes to confirm');
  if (!(await askYesOrNo(context, question, false))) throw otherwise;
  if (!local) context.writes.approve();
}

/** Asks whether to write to a production profile (default: no). */
export const askToWrite = (context: Context, message: string): Promise<boolean> =>
  askYesOrNo(context, message, false);

/** Any other text is refused, so that nothing pasted or typed ahead confirms. */
export async function askYesOrNo(
  context: Context,
  message: string,
  byDefault: boolean,
): Promise<boolean> {
  const read = (text: string): boolean | undefined => {
    const typed = text.toLowerCase();
    if (typed === '') return byDefault;
    return ['y', 'yes', 'n', 'no'].includes(typed) ? typed.startsWith('y') : undefined;
  };
  const answer = await askLine(context, {
    label: message,
    hint: byDefault ? '(Y/n)' : '(y/N)',
    check: (text) => (read(text) === undefined ? 'Type y for yes or n for no.' : undefined),
    show: (text) => (read(text) ? 'Yes' : 'No'),
  });
  return read(answer) === true;
}

/**
 * For irreversible changes of many records: `expected`, a count or a name, is typed or given as
 * --confirm. `or` is accepted too.
 * --yes alone isn't enough. A --confirm that doesn't match is exit 2.
 */
export async function confirmByTyping(
  context: Context,
  {
    message,
    expected,
    or,
    given,
  }: { message: string; expected: string; or?: string; given: string | undefined },
): Promise<void> {
  const what = context.writes.questionFor(message.replace(/\?$/, ''));
  const matches = (text: string) =>
    text.trim() === expected || (or !== undefined && fold(text) === fold(or));
  if (given !== undefined) {
    // Once before the first write, not as the failure of each.
    if (matches(given)) return context.writes.permit();
    throw usage(
      `--confirm ${given} doesn't match: expected ${expected}. Nothing was done.`,
      `check the list, then use --confirm ${expected}`,
    );
  }
  if (!context.interactive)
    throw usage(`${what}: confirmation required.`, `add --confirm ${quote(expected)} to confirm`);
  const typed = await askLine(context, { label: `${what}? Type ${expected} to confirm:` });
  if (!matches(typed)) throw declined();
  context.writes.approve();
}
