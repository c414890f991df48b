/** Finishes entries: one, or those that were queued without a server. */

import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../errors/exit.ts';
import { isFinalError } from '../../errors/final.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import { localMoment } from '../../input/when.ts';
import { capitalized } from '../../terminal/text.ts';
import { lockBeside } from '../files/lock.ts';
import {
  type CommandName,
  type Entry,
  type KnownCar,
  type QueuedFlags,
  readEntry,
  removeEntry,
  type StoredEntry,
} from './entry.ts';
import { eventTime, inEventOrder } from './event-order.ts';
import {
  type Answer,
  alreadyRunning,
  type Finished,
  finishUnprinted,
  type Journaled,
  type OpenEntry,
  type Performed,
} from './journal.ts';
import { passOnPlace } from './known-car.ts';
import { isUnreachable } from './offline.ts';
import { answersByCode, answerTo, needsPerson } from './plan-queued.ts';
import { resumeCommand } from './resume-command.ts';
import { askedInTerminal } from './ways-out.ts';

// biome-ignore lint/suspicious/noExplicitAny: each command reads the plan that it wrote itself
type AnyJournaled = Journaled<any, unknown>;

const commands: Readonly<Record<CommandName, () => Promise<AnyJournaled>>> = {
  dropoff: async () => (await import('../dropoff/perform.ts')).journaledDropoff,
  pickup: async () => (await import('../pickup/perform.ts')).journaledPickup,
  move: async () => (await import('../move/perform.ts')).journaledMove,
  photos: async () => (await import('../cars/add-photos.ts')).journaledPhotos,
};

export const journaledOf = (command: CommandName): Promise<AnyJournaled> => commands[command]();

export interface ResumeOptions {
  /** Send what the server can tell nothing about. */
  readonly resend?: boolean | undefined;
  /** Store queued work wherever its car is by now. */
  readonly anyway?: boolean | undefined;
  /** Use the present time where the server refuses that of queued work. */
  readonly presentTime?: boolean | undefined;
}

interface ResumeInQueue extends ResumeOptions {
  /** All entries that are to be sent. */
  readonly queue: readonly StoredEntry[];
}

/** Finishes an entry. `gone`: another process did. `forgotten`: the person chose so after a conflict. */
export async function resumeEntry(
  context: Context,
  { path, entry }: StoredEntry,
  options: ResumeInQueue,
): Promise<Finished<unknown> | 'gone' | 'forgotten'> {
  const answered = new Set<string>();
  let answer: Answer | undefined;
  for (;;) {
    const open = await openOne(path, entry);
    if (!open) return 'gone';
    const finished = await finishUnprinted(context, await journaledOf(entry.command), open, {
      resend: options.resend,
      answer,
    });
    const current = { ...open.stored.entry, ...answer };
    if ('performed' in finished) {
      await passOnPlace(current, finished.performed.result, options.queue);
      return finished;
    }
    const { code } = reportOf(finished.error);
    const isAnswered = answered.has(code);
    answered.add(code);
    const given = isAnswered ? undefined : answerOfFlags(current, finished.error, options);
    const next = given ?? (await answerConflict(context, current, finished.error));
    if (!next) return finished;
    if (next === 'forget') {
      await forget(path, entry);
      return 'forgotten';
    }
    answer = next;
  }
}

/** Undefined where no flag answers this refusal. */
function answerOfFlags(entry: Entry, error: unknown, options: ResumeOptions): Answer | undefined {
  const { queued } = entry;
  const by = answersByCode[reportOf(error).code as ErrorCode]?.by;
  if (!queued || !by || !options[by]) return undefined;
  if (by === 'anyway') return { queued, known: anywhere };
  return needsPerson(entry, error) ? undefined : inPresentTime(queued);
}

const anywhere: KnownCar = { parkedIn: 'any' };

/** Without a time: it is that of the request. */
const inPresentTime = (queued: QueuedFlags): Answer => ({ queued: { ...queued, at: undefined } });

/** Undefined where it is gone. */
async function openOne(path: string, entry: Entry): Promise<OpenEntry | undefined> {
  const lock = await lockBeside(path);
  if (!lock) throw alreadyRunning(entry);
  const stored = await readEntry(path);
  if (stored && !('damaged' in stored)) return { stored, lock };
  lock.release();
  return undefined;
}

/** Removes an entry. What it stored stays. */
export async function forget(path: string, entry: Entry): Promise<void> {
  const lock = await lockBeside(path);
  if (!lock) throw alreadyRunning(entry);
  await removeEntry(path);
  lock.release();
}

/** Whether a person is asked about a refusal: another try would meet it again. */
const isAsked = ({ interactive, settings }: Context, { queued }: Entry, error: unknown): boolean =>
  queued !== undefined && interactive && !settings.yes && isFinalError(error);

/** What a person decides about a queued entry that the server, or a check before it, refused. Undefined: leave it for later. */
async function answerConflict(
  context: Context,
  entry: Entry,
  error: unknown,
): Promise<Answer | 'forget' | undefined> {
  const { what, queued, known } = entry;
  if (!queued || !isAsked(context, entry, error)) return undefined;
  const { code, message } = reportOf(error);
  const { askOption } = await import('../../prompts/prompts.ts');
  context.warn(
    `The ${what} at ${localMoment(eventTime(entry))} can't be stored. ${sentence(message)}`,
  );
  const { spot, zone, ...rest } = queued;
  const hasPlace = spot !== undefined || zone !== undefined;
  const meant =
    known?.id === undefined
      ? []
      : [{ name: `Store it for ${known.title}`, value: { queued: { ...queued, car: known.id } } }];
  const own: Readonly<Record<string, readonly { name: string; value: Answer }[]>> = {
    parking_changed: [{ name: 'Store it all the same', value: { queued, known: anywhere } }],
    other_car: [
      ...meant,
      { name: 'Store it for the car of that name', value: { queued, known: anywhere } },
    ],
    occurred_at_conflict: [
      { name: 'Store it with the present time', value: inPresentTime(queued) },
    ],
    occurred_at_in_future: [
      { name: 'Store it with the present time', value: inPresentTime(queued) },
    ],
  };
  const isAboutCar = ['parking_changed', 'other_car', 'car_not_here', 'car_archived'].includes(
    code,
  );
  const stored = [
    ...(hasPlace && !isAboutCar ? [{ name: 'Choose another place', value: { queued: rest } }] : []),
    ...(own[code] ?? []),
  ];
  const unstored = [
    { name: 'Leave it for later', value: undefined },
    { name: 'Forget it', value: 'forget' as const },
  ];
  return askOption<Answer | 'forget' | undefined>(context, {
    label: 'What now?',
    // Enter stores nothing that would count as newer than what happened later.
    options:
      code === 'occurred_at_conflict' && needsPerson(entry, error)
        ? [...unstored, ...stored]
        : [...stored, ...unstored],
  });
}

/**
 * Sends what was queued, in the order in which it happened, before a command goes on. In a script, and where a person leaves one for later, the rest waits,
 * since it may depend on it. An entry that the command itself means is left to it: it prints the result. Returns the ids of those that ended.
 */
export async function sendQueued(
  context: Context,
  entries: readonly StoredEntry[],
  isMeant: (entry: Entry) => boolean,
): Promise<ReadonlySet<string>> {
  const queued = entries.filter(({ entry }) => entry.queued);
  const ended = new Set<string>();
  for (const stored of inEventOrder(queued)) {
    if (isMeant(stored.entry)) break;
    const finished = await resumeEntry(context, stored, { queue: queued }).catch(
      (error: unknown) => ({ error }),
    );
    if (typeof finished === 'string') {
      ended.add(stored.entry.id);
      continue;
    }
    if ('performed' in finished) {
      const { performed } = finished;
      if (!performed.open) ended.add(stored.entry.id);
      if (context.output.forPeople) await performed.print();
      // Its event is stored: the rest doesn't depend on its photos.
      if (performed.failure) await noteFailure(context, stored.entry, performed);
      continue;
    }
    // Still without a server: the command itself finds out.
    // A person who was asked knows why.
    if (!isUnreachable(finished.error) && !isAsked(context, stored.entry, finished.error))
      await noteUnsent(context, stored.entry, finished.error);
    break;
  }
  return ended;
}

/** Nothing is left to finish of an entry that ended. */
async function noteFailure(
  context: Context,
  entry: Entry,
  { failure, open }: Performed<unknown>,
): Promise<void> {
  if (open) await noteUnsent(context, entry, failure);
  else context.warn(sentence(reportOf(failure).message));
}

/** Why an entry stays, and the command that ends it. */
async function noteUnsent(context: Context, entry: Entry, error: unknown): Promise<void> {
  const command = resumeCommand(context, entry);
  const { code, hint } = reportOf(error);
  const otherwise =
    code === 'already_running' && hint
      ? hint
      : isFinalError(error)
        ? askedInTerminal(context, entry)
        : `finish it with \`${command}\``;
  const next = (await answerTo(context, entry, error)) ?? otherwise;
  context.warn(
    `The queued ${entry.what} (${localMoment(eventTime(entry))}) isn't finished. ${sentence(reportOf(error).message)} ${capitalized(next)}.`,
  );
}
