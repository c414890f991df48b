import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Entry } from './entry.ts';

/** The command that finishes an entry. */
export const resumeCommand = (
  context: Pick<Context, 'settings'>,
  { id }: Pick<Entry, 'id'>,
  flags: readonly string[] = [],
): string => nextCommand(['pending', 'resume', id, ...flags], connectionFlags(context));

/** The command that forgets an entry. */
export const discardCommand = ({ id }: Pick<Entry, 'id'>): string =>
  nextCommand(['pending', 'discard', id]);
