/** An entry of a script's line that is too old to be meant by it: closed once the server told what it has of it, so that the line runs again. */
import type { Context } from '../../context.ts';
import { localTime } from '../../input/when.ts';
import { lockBeside } from '../files/lock.ts';
import { photoStep } from './describe.ts';
import { isBegun, readEntry, removeEntry, type StoredEntry } from './entry.ts';
import { ageByServer, freshMs } from './fresh.ts';
import type { Journaled } from './journal.ts';
import { learnServerTime, serverTimeOf } from './moment.ts';

/** The ids of those that are closed. The others stay: the server can't tell, or photos of a stored event are missing. */
export async function settleOld<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  entries: readonly StoredEntry[],
): Promise<ReadonlySet<string>> {
  const settled = new Set<string>();
  if (entries.length === 0 || (context.interactive && !context.settings.yes)) return settled;
  await learnServerTime(context);
  for (const { path, entry } of entries) {
    // By this machine's clock alone, work of a minute ago may look old after a correction, and would be stored twice.
    if (!((ageByServer(entry, context.io) ?? 0) >= freshMs)) continue;
    // Without a lock, the command itself tells what is wrong.
    const lock = await lockBeside(path).catch(() => undefined);
    try {
      const stored = lock && (await readEntry(path));
      if (!stored || 'damaged' in stored) continue;
      const outcome = await outcomeOf(context, journaled, stored);
      if (outcome === 'unknown') continue;
      await removeEntry(path);
      settled.add(entry.id);
      const begun = `The ${entry.what} that was begun ${localTime(entry.startedAt)}`;
      if (outcome === 'nothing')
        context.warn(
          `${begun} was never stored: the server has nothing of it. It is forgotten, and this runs as new work.`,
        );
      else if (context.output.forPeople) context.note(`${begun} is stored. This runs as new work.`);
    } finally {
      lock?.release();
    }
  }
  return settled;
}

async function outcomeOf<P extends object, R>(
  context: Context,
  { requests, findLast }: Journaled<P, R>,
  { entry, lines, isIncomplete }: StoredEntry,
): Promise<'stored' | 'nothing' | 'unknown'> {
  const plan = entry.plan as P | null;
  // What was queued happened: it waits until it is stored.
  if (!plan || !findLast || entry.queued || isIncomplete) return 'unknown';
  if (!isBegun(lines)) return 'nothing';
  const steps = requests(plan);
  const line = lines.get(steps.at(-1) as string);
  const hasPhotos = entry.files.every((_, index) => lines.get(photoStep(index))?.state === 'done');
  if (line?.state === 'done') return hasPhotos ? 'stored' : 'unknown';
  // With a new car, a part may be stored.
  if (
    line?.state !== 'sent' ||
    line.contradicted ||
    steps.length > 1 ||
    serverTimeOf(context.io) < line.during.until
  )
    return 'unknown';
  const found = await findLast(await context.client(), plan, { during: line.during }).catch(
    () => 'unknown' as const,
  );
  if (typeof found === 'string') return found;
  return hasPhotos ? 'stored' : 'unknown';
}
