/** The question after the server went away: another try, or one of the other ways. */
import type { Context } from '../context.ts';
import type { Option } from './options.ts';
import { askOption } from './prompts.ts';

export async function askWhatNow<T extends string>(
  context: Context,
  why: string,
  others: readonly Option<T>[],
): Promise<'again' | T> {
  context.warn(why);
  return askOption<'again' | T>(context, {
    label: 'What now?',
    options: [{ name: 'Try again', value: 'again' }, ...others],
  });
}
