/** The entries that runs before this one left: found by the same command, and told at the start of any other. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { localMoment, localTime } from '../../input/when.ts';
import { type Lock, lockBeside } from '../files/lock.ts';
import { carIdIn } from './car-id.ts';
import { findElsewhere, tellUnfinished } from './elsewhere.ts';
import {
  type CommandName,
  type Entry,
  isBegun,
  readEntry,
  removeEntry,
  type StoredEntry,
} from './entry.ts';
import { eventTime, inEventOrder } from './event-order.ts';
import { isFresh } from './fresh.ts';
import { alreadyRunning, journalUnusable, type OpenEntry } from './journal.ts';
import { laterWork } from './later-work.ts';
import { learnServerTime } from './moment.ts';
import { carIdOf } from './open-work.ts';
import {
  type DamagedFile,
  damagedText,
  type EntriesHere,
  type WholeJournal,
} from './read-journal.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';
import { endOf } from './steps.ts';

interface CommandLine {
  readonly command: CommandName;
  readonly words: string;
}

/**
 * Throws where a damaged file may be that of the same command: how far it came is unknown. Once a person was told, they decide; a script is
 * refused until the file is forgotten, or so old that the line means new work: then it is warned.
 */
export async function requireWhole(
  context: Context,
  { damaged }: WholeJournal,
  { command, words }: CommandLine,
): Promise<void> {
  const isOwn = (one: DamagedFile) =>
    one.entry
      ? one.entry.command === command && one.entry.words === words
      : (one.command ?? command) === command;
  const isOld = ({ startedAt }: DamagedFile) =>
    startedAt !== null && !isFresh({ startedAt }, context.io);
  const own = damaged.filter((one) => isOwn(one) && !isOld(one));
  for (const one of damaged.filter((one) => !own.includes(one)))
    if (isOwn(one))
      context.warn(`${damagedText(one)} Then forget it with \`${discardCommand(one)}\`.`);
    else if (one.isNew) context.warn(damagedText(one));
  const isAlone = !context.interactive || context.settings.yes;
  const refused = own.find(({ isNew }) => isNew || isAlone);
  if (refused)
    throw new CliError({
      code: 'state_unusable',
      message: `${damagedText(refused)} Nothing was sent.`,
      hint: `once you know what is stored, forget it with \`${discardCommand(refused)}\`; then run this command again if it is still needed`,
      details: { id: refused.id, path: refused.aside },
    });
  const { confirm } = await import('../../prompts/confirm.ts');
  for (const one of own) {
    context.warn(damagedText(one));
    await confirm(context, 'Go on?', { local: true });
  }
}

/** The entries that a command line means when it is typed again. */
export async function meantBy(
  context: Context,
  entries: readonly StoredEntry[],
  { command, words }: CommandLine,
): Promise<ReadonlySet<string>> {
  const same = entries.filter(({ entry }) => entry.command === command && entry.words === words);
  const later = await Promise.all(
    same.map((stored) => laterWork(entries, stored, (one) => carIdOf(context, one))),
  );
  return new Set(same.filter((_, index) => !later[index]).map(({ entry }) => entry.id));
}

/**
 * The unfinished run of the same command, to be finished instead of a new one: asked on a terminal; in a script only if it began within a
 * day and nothing else happened to the car since. Elsewhere a line about what is unfinished.
 */
export async function findEarlier(
  context: Context,
  { own: entries, meant: ids, ...elsewhere }: EntriesHere & { readonly meant: ReadonlySet<string> },
  { command, words }: CommandLine,
): Promise<OpenEntry | undefined> {
  const same = entries.filter(({ entry }) => ids.has(entry.id));
  const alone = !context.interactive || context.settings.yes;
  for (const stored of same) {
    const held = await holdEntry(context, stored);
    if (held === 'busy' && alone) throw alreadyRunning(stored.entry);
    if (typeof held === 'string') continue;
    const { stored: current, lock } = held;
    const isMeant = alone
      ? requireSameWork(context, current).catch((error: unknown) => {
          lock.release();
          throw error;
        })
      : askToFinish(context, current, lock);
    if (await isMeant) {
      noteFinishing(context, stored.entry);
      return { stored: current, lock };
    }
    lock.release();
  }
  const others = entries.filter((stored) => !same.includes(stored));
  // A script is told what became of the queue when it is sent.
  await noteUnfinished(
    context,
    context.interactive ? others : others.filter(({ entry }) => !entry.queued),
  );
  const meant = await findElsewhere(context, elsewhere, { command, words });
  const held = meant && (await holdEntry(context, meant));
  if (held === 'busy') throw alreadyRunning((meant as StoredEntry).entry);
  return typeof held === 'object' ? held : undefined;
}

/** `busy`: another process has it. `gone`: one has finished it. */
export async function holdEntry(
  context: Context,
  { path, entry }: StoredEntry,
): Promise<OpenEntry | 'busy' | 'gone'> {
  const lock = await lockBeside(path).catch((error: unknown) => {
    throw journalUnusable(context, error, `The ${entry.what} isn't finished; nothing was sent.`);
  });
  if (!lock) return 'busy';
  const stored = await readEntry(path);
  if (stored && !('damaged' in stored)) return { stored, lock };
  lock.release();
  return 'gone';
}

/** In a script, stderr holds the error object and nothing else. */
export function noteFinishing(context: Context, entry: Entry): void {
  if (!context.output.forPeople && !context.io.stderrIsTerminal) return;
  const { what, queued, startedAt } = entry;
  context.note(
    queued
      ? `Sending the ${what} (${localTime(eventTime(entry))}).`
      : `Finishing the ${what}, begun ${localTime(startedAt)}.`,
  );
}

async function requireSameWork(context: Context, { entry, lines }: StoredEntry): Promise<true> {
  await learnServerTime(context);
  const since = isFresh(entry, context.io) ? await laterEvent(context, entry) : undefined;
  if (isFresh(entry, context.io) && since === undefined) return true;
  const isSince = since === undefined ? '' : `, and the car had another event since (${since})`;
  // The later event says nothing about this one: the server may have it.
  const may = since !== undefined && isBegun(lines) ? 'may be stored' : "isn't finished";
  throw new CliError({
    code: 'unfinished',
    message: `The ${entry.what} that was begun ${since === undefined ? localTime(entry.startedAt) : localMoment(entry.startedAt)} ${may}${isSince}. Nothing was sent.`,
    hint: `finish it with \`${resumeCommand(context, entry)}\`, or forget it with \`${discardCommand(entry)}\``,
    details: { id: entry.id },
  });
}

/** The car's latest event, if it is later than that of the entry: the same line may then mean new work. Undefined where the server doesn't tell. */
async function laterEvent(
  context: Context,
  { command, plan, serverTime }: Entry,
): Promise<string | undefined> {
  const carId = carIdIn(plan);
  if (command === 'photos' || carId === undefined) return undefined;
  const at = isObject(plan) && typeof plan.at === 'string' ? plan.at : undefined;
  const client = await context.client();
  const [latest] = await client.carEvents.list(carId, { limit: 1 }).then(
    ({ data }) => data,
    () => [],
  );
  // An event that the server dated is as late as its request.
  const end = at === undefined ? endOf(serverTime) : new Date(Date.parse(at) + 1_000).toISOString();
  const isLater = latest?.occurredAt && Date.parse(latest.occurredAt) > Date.parse(end);
  return isLater
    ? `${latest.activityType ?? 'an event'} at ${localMoment(String(latest.occurredAt))}`
    : undefined;
}

async function askToFinish(context: Context, stored: StoredEntry, lock: Lock): Promise<boolean> {
  const { path, entry } = stored;
  const [{ askOption }, { labelled }, { describeState }] = await Promise.all([
    import('../../prompts/prompts.ts'),
    import('../../output/labelled.ts'),
    import('./describe.ts'),
  ]);
  const facts = labelled(context, [
    ['Unfinished', entry.what],
    ['Begun', localTime(entry.startedAt)],
    ['So far', describeState(stored)],
  ]);
  context.io.stderr.write(`\n${facts}\n`);
  const answer = await askOption<'finish' | 'new' | 'discard'>(context, {
    label: 'What now?',
    options: [
      { name: 'Finish it', value: 'finish' },
      { name: 'Keep it for later and start another', value: 'new' },
      { name: 'Forget it and start another', value: 'discard', about: 'What is stored stays.' },
    ],
  });
  if (answer === 'discard') {
    await removeEntry(path);
    lock.release();
  }
  return answer === 'finish';
}

/** One line at the start of a command. */
async function noteUnfinished(context: Context, entries: readonly StoredEntry[]): Promise<void> {
  const idle: StoredEntry[] = [];
  for (const stored of entries) {
    // On a full disk there is no lock: the command itself goes on.
    const lock = await lockBeside(stored.path).catch(() => undefined);
    if (lock) idle.push(stored);
    lock?.release();
  }
  if (idle.length > 0) tellUnfinished(context, inEventOrder(idle));
}
