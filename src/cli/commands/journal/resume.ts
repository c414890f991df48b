/** Finishes entries: one, or those that were queued without a server. */
import { isFinalError } from '../../errors/final.ts';
import { reportOf } from '../../errors/report.ts';
import type { Context } from '../../framework/context.ts';
import { type CommandName, type Entry, readEntry, removeEntry, type StoredEntry, type TypedFlags, typedFlags } from './entry.ts';
import { alreadyRunning, finishUnprinted, type Journaled, type OpenEntry, type Performed, resumeCommand } from './journal.ts';
import { lockEntry } from './lock.ts';
import { isUnreachable } from './offline.ts';
import { entriesHere } from './unfinished.ts';

// biome-ignore lint/suspicious/noExplicitAny: each command reads the plan that it wrote itself
type AnyJournaled = Journaled<any, unknown>;

const commands: Readonly<Record<CommandName, () => Promise<AnyJournaled>>> = {
  dropoff: async () => (await import('../dropoff/perform.ts')).journaledDropoff,
  pickup: async () => (await import('../pickup/perform.ts')).journaledPickup,
  move: async () => (await import('../move/perform.ts')).journaledMove,
  photos: async () => (await import('../cars/add-photos.ts')).journaledPhotos,
};

export const journaledOf = (command: CommandName): Promise<AnyJournaled> => commands[command]();

interface ResumeOptions {
  /** Send what the server can tell nothing about. */
  readonly resend?: boolean | undefined;
}

/** The result of an entry; undefined where it is finished or forgotten meanwhile. */
export async function resumeEntry(
  context: Context,
  { path, entry }: StoredEntry,
  options: ResumeOptions,
): Promise<Performed<unknown> | undefined> {
  let typed = typedFlags(entry);
  for (;;) {
    const open = await openOne(path, entry);
    if (!open) return undefined;
    try {
      return await finishUnprinted(context, await journaledOf(entry.command), open, { ...options, typed });
    } catch (error) {
      const answer = typed && (await answerConflict(context, entry, { typed, error }));
      if (!answer) throw error;
      if (answer === 'forget') {
        await forget(path, entry);
        return undefined;
      }
      typed = answer;
    }
  }
}

/** Undefined where it is gone. */
async function openOne(path: string, entry: Entry): Promise<OpenEntry | undefined> {
  const lock = await lockEntry(path);
  if (!lock) throw alreadyRunning(entry);
  const stored = await readEntry(path);
  if (stored && !('damaged' in stored)) return { stored, lock };
  lock.remove();
  return undefined;
}

/** Removes an entry. What it stored stays. */
export async function forget(path: string, entry: Entry): Promise<void> {
  const lock = await lockEntry(path);
  if (!lock) throw alreadyRunning(entry);
  await removeEntry(path);
  lock.remove();
}

interface Conflict {
  readonly typed: TypedFlags;
  readonly error: unknown;
}

/** What a person decides about a queued entry that the server, or a check before it, refused. Undefined: leave it for later. */
async function answerConflict(context: Context, entry: Entry, { typed, error }: Conflict): Promise<TypedFlags | 'forget' | undefined> {
  if (!context.interactive || context.settings.yes || isUnreachable(error)) return undefined;
  if (!isFinalError(error)) return undefined;
  const { code, message } = reportOf(error);
  const [{ askOption }, { localTime }] = await Promise.all([import('../../prompts/prompts.ts'), import('../../input/when.ts')]);
  context.warn(`The ${entry.what} at ${localTime(String(typed.at))} can't be stored: ${message}`);
  const { spot, zone, at, ...rest } = typed;
  const hasPlace = spot !== undefined || zone !== undefined;
  return askOption<TypedFlags | 'forget' | undefined>(context, {
    label: 'What now?',
    options: [
      ...(hasPlace ? [{ name: 'Choose another place', value: { ...rest, at } }] : []),
      ...(code === 'occurred_at_conflict' ? [{ name: 'Store it with the present time', value: { ...rest, spot, zone } }] : []),
      { name: 'Leave it for later', value: undefined },
      { name: 'Forget it', value: 'forget' },
    ],
  });
}

/**
 * Sends what was queued, the oldest first, before a command goes on. In a script, and where a person leaves one for later, the rest waits,
 * since it may depend on it. `words`: the arguments of that command.
 */
export async function sendQueued(context: Context, words: string): Promise<void> {
  const queued = (await entriesHere(context)).filter(({ entry }) => typedFlags(entry));
  for (const stored of queued) {
    // The same command line finishes it, and prints its result.
    if (stored.entry.words === words) return;
    try {
      const performed = await resumeEntry(context, stored, {});
      if (performed && context.output.forPeople) await performed.print();
    } catch (error) {
      // Still without a server: the command itself finds out.
      if (isUnreachable(error)) return;
      const { message } = reportOf(error);
      const { what } = stored.entry;
      context.warn(`The queued ${what} wasn't sent: ${message} Finish it with \`${resumeCommand(context, stored.entry)}\`.`);
      return;
    }
  }
}
