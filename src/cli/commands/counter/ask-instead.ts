/** In a terminal a value of a flag that is refused becomes a question. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isMissing } from '../../errors/missing-path.ts';
import { isRefused } from '../../errors/refusal.ts';
import { sentence } from '../../errors/report.ts';

type What = 'car' | 'place' | 'appointment';

/** Looks up what a flag names. */
export type Find = <T>(what: What, find: () => Promise<T>) => Promise<T | undefined>;

/** What is refused ends the command. */
export const orFail: Find = (_what, find) => find();

/** On a terminal undefined after a warning where it is refused: the question for `what` follows. */
export const orAskInstead =
  (context: Context, onRefused: (what: What) => void = () => {}): Find =>
  async (what, find) => {
    try {
      return await find();
    } catch (error) {
      const isUnknown = error instanceof CliError && error.code === 'not_found';
      // The question for the car searches for the text, and offers to add it.
      if (context.interactive && what === 'car' && isUnknown) return undefined;
      const isWrong = isRefused(error) || isMissing(error) || isUnknown;
      if (!context.interactive || context.settings.yes || !isWrong) throw error;
      context.warn(`${sentence(error.message)} Choose another ${what}.`);
      onRefused(what);
      return undefined;
    }
  };
