/** Questions to the person at the terminal, on stderr. Without one, what was not given is an error and never a wait. */
import type { Context } from './command.ts';
import { declined, usage } from './exit.ts';
import { sanitize } from './text.ts';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

/** What prompts need to ask on this terminal. */
export const promptOptions = ({ io }: Context) => ({ input: io.stdin, output: io.stderr, signal: io.signal });

/**
 * Goes on when the answer is yes, or with --yes; fails with exit 13 on no.
 * Without a terminal the flag must be given: exit 2.
 */
export async function confirm(context: Context, message: string): Promise<void> {
  if (context.settings.yes) return;
  if (!context.interactive) throw usage(`${message.replace(/\?$/, '')}: this needs a yes.`, 'give --yes to go on without being asked');
  const { confirm: ask } = await import('@inquirer/prompts');
  if (!(await ask({ message: sanitize(message), default: false }, promptOptions(context)))) throw declined();
}

/** A value that must be there: asked for on a terminal, otherwise exit 2 with the name of the flag. */
export async function askText(context: Context, { flag, message }: { flag: string; message: string }): Promise<string> {
  if (!context.interactive) throw missing([flag]);
  const { input } = await import('@inquirer/prompts');
  return input({ message, required: true }, promptOptions(context));
}

export async function askChoice<T>(context: Context, message: string, choices: readonly Choice<T>[]): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  const safe = choices.map((choice) => ({ ...choice, name: sanitize(choice.name) }));
  return select({ message: sanitize(message), choices: safe, pageSize: 12 }, promptOptions(context));
}

/** A secret, not shown while it is typed. */
export async function askSecret(context: Context, message: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return password({ message, mask: '•' }, promptOptions(context));
}

export function missing(flags: readonly string[]) {
  const names = flags.join(', ');
  return usage(`${names} ${flags.length === 1 ? 'is' : 'are'} missing.`, `give ${names}; on a terminal you would be asked`);
}
