/**
 * What a command is about to do is written down before anything is sent, so that a run that was cut off is finished and not repeated:
 * by the same command, or by `cs pending resume`.
 */

import type { Client } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { isFinalError } from '../../errors/final.ts';
import { handleCancel } from '../../prompts/run.ts';
import { rememberedOrigin } from '../connection/origin.ts';
import { warnOfClock } from '../counter/event-time.ts';
import type { Lock } from '../files/lock.ts';
import { warnOfChangedFiles } from './changed-files.ts';
import {
  type CommandName,
  createEntry,
  type Entry,
  type EntryWriter,
  type FileFacts,
  journalFolder,
  markIncomplete,
  newEntry,
  openEntry,
  type QueuedFlags,
  removeEntry,
  type StoredEntry,
  type TimeSpan,
} from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import type { Found } from './find-match.ts';
import { isFresh } from './fresh.ts';
import { passOnPlace } from './known-car.ts';
import { LeftForLater } from './left-for-later.ts';
import { serverTimeOf } from './moment.ts';
import { originOfPlan } from './origin-of-plan.ts';
import { explainRefusal, planQueued } from './plan-queued.ts';
import { discardCommand, resumeCommand } from './resume-command.ts';
import { outwait, refusedAgain, requireResend } from './second-try.ts';
import {
  type FindOptions,
  type JournalSteps,
  journalSteps,
  type Steps,
  withoutJournal,
} from './steps.ts';

/** A command that writes in several steps. */
export interface Journaled<P extends object, R> {
  readonly command: CommandName;
  /** In a sentence: `drop-off of HH-RS 73`. */
  readonly what: (plan: P) => string;
  /** Absolute paths of the files that it sends. */
  readonly files: (plan: P) => readonly string[];
  /** The plan with photos that came into its folders since. */
  readonly addFiles?: (context: Context, plan: P, paths: readonly string[]) => Promise<P>;
  /** The plan of a command line that was queued without a server, now that its names can be looked up. */
  readonly planQueued?: (context: Context, flags: QueuedFlags) => Promise<P>;
  /** The steps of its requests without the photos, in order. */
  readonly requests: (plan: P) => readonly string[];
  /** Asks the server for the record of its last request, for a command that may run again on another day. */
  readonly findLast?: (client: Client, plan: P, how: FindOptions) => Promise<Found<object>>;
  /** Sends what isn't stored yet. */
  readonly perform: (context: Context, plan: P, journal: Journal) => Promise<Performed<R>>;
}

export interface Performed<R> {
  /** Null where it is no longer true, which `failure` then tells. */
  readonly result: R | null;
  readonly print: () => Promise<void>;
  /** Thrown once the result is printed. */
  readonly failure?: CliError | undefined;
  /** Whether another try could store what is missing. */
  readonly open: boolean;
}

export interface Journal {
  readonly steps: Steps;
  /** The files as they were when the command began, by path. */
  readonly files: ReadonlyMap<string, FileFacts>;
  /** Whether an earlier run began it. */
  readonly resumed: boolean;
}

export const noJournal: Journal = { steps: withoutJournal, files: new Map(), resumed: false };

/** An entry that this process holds. */
export interface OpenEntry {
  readonly stored: StoredEntry;
  readonly lock: Lock;
}

export const alreadyRunning = ({ id, what }: Entry): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another process is at the ${what} (${id}). Nothing was sent.`,
    hint: 'wait for it, then look at `cs pending list`',
  });

/** `outcome`: what that means for the command. */
export const journalUnusable = ({ io }: Context, error: unknown, outcome: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `Couldn't use the journal in ${journalFolder(io)}: ${describeFsError(error)}. ${outcome}`,
    hint: 'make room on the disk, or check who may write there',
    cause: error,
  });

/** Writes the entry, then performs the plan and prints the result. */
export async function start<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  { plan, words }: { plan: P; words: string },
): Promise<ExitCode | undefined> {
  return performAndPrint(context, journaled, await begin(context, journaled, { plan, words }));
}

/** Finishes an entry, and prints the result. `queue`: the other entries. */
export async function finish<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  open: OpenEntry,
  queue: readonly StoredEntry[],
): Promise<ExitCode | undefined> {
  return performAndPrint(context, journaled, await resumed(context, open), queue);
}

export type Finished<R> =
  | { readonly performed: Performed<R> }
  /** `isOpen`: the entry waits for another try. */
  | { readonly error: unknown; readonly isOpen: boolean };

interface FinishOptions {
  /** Send what the server can tell nothing about. */
  readonly resend?: boolean | undefined;
  /** What a person decided after a conflict. */
  readonly answer?: Answer | undefined;
}

/** The queued flags and what is known of the car, as a person changed them. */
export type Answer = Pick<Entry, 'queued' | 'known'>;

/** Finishes an entry, and leaves it to the caller to print the result. */
export async function finishUnprinted<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  open: OpenEntry,
  { resend, answer }: FinishOptions,
): Promise<Finished<R>> {
  const opened = await resumed(context, open, resend);
  if (answer) await opened.steps.change(answer);
  try {
    const performed = await perform(
      context,
      journaled,
      answer ? { ...opened, entry: { ...opened.entry, ...answer, plan: null } } : opened,
    );
    await opened.end(performed.open);
    return { performed };
  } catch (error) {
    const isOpen = staysOpen(opened, error);
    await opened.end(isOpen);
    return { error, isOpen };
  }
}

interface Opened extends Journal {
  readonly entry: Entry;
  readonly begun: () => boolean;
  /** Keeps an entry that is still open, and removes any other. */
  readonly end: (open: boolean) => Promise<void>;
}

async function performAndPrint<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  opened: Opened,
  queue: readonly StoredEntry[] = [],
): Promise<ExitCode | undefined> {
  const performing = async () => {
    try {
      return await perform(context, journaled, opened);
    } catch (error) {
      await opened.end(staysOpen(opened, error));
      throw error;
    }
  };
  // Where an earlier run stored something, "Nothing was stored" would be wrong.
  const performed = opened.begun() ? await performing() : await handleCancel(context, performing);
  if (typeof performed === 'number') return performed;
  // A result that can't be printed is reported as stored: nothing is left to finish.
  await performed.print().finally(() => opened.end(performed.open));
  await passOnPlace(opened.entry, performed.result, queue);
  if (performed.failure) throw performed.failure;
  return undefined;
}

/** What was queued happened: it waits for an answer. What a person sees refused for good is ended, and what stored nothing when it began. */
function staysOpen({ entry, resumed, begun }: Opened, error: unknown): boolean {
  if (entry.queued || error instanceof LeftForLater) return true;
  return (resumed || begun()) && !isFinalError(error);
}

async function perform<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  opened: Opened,
): Promise<Performed<R>> {
  const performed = await performPlan(context, journaled, opened);
  if (opened.resumed) await warnOfChangedFiles(context, opened);
  return performed;
}

/** A queued entry of which nothing is stored is looked up again each time: its names may stand for other records by now. */
async function performPlan<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  opened: Opened,
): Promise<Performed<R>> {
  const { queued, plan } = opened.entry;
  if (!queued || (plan && opened.begun())) return journaled.perform(context, plan as P, opened);
  let planned: P | undefined;
  try {
    planned = await planQueued(context, journaled, { ...opened.entry, queued });
    await opened.steps.change({ plan: planned });
    const performed = await journaled.perform(context, planned, opened);
    if (queued.at !== undefined) warnOfClock(context);
    return performed;
  } catch (error) {
    throw await explainRefusal(context, opened.entry, { error, plan: planned });
  }
}

/** A journal that can't be written is told, and the run goes on without it. */
async function begin<P extends object, R>(
  context: Context,
  { command, what, files }: Journaled<P, R>,
  { plan, words }: { plan: P; words: string },
): Promise<Opened> {
  const folder = journalFolder(context.io);
  const facts = await readFileFacts(files(plan));
  const entry = await entryOf(context, { command, what: what(plan), words, files: facts, plan });
  try {
    const { path, lock, writer } = await createEntry(folder, entry);
    return open(
      context,
      { stored: { path, entry, lines: new Map(), isIncomplete: false }, lock },
      { writer },
    );
  } catch (error) {
    context.warn(
      `Couldn't write the journal in ${folder}: ${describeFsError(error)}. If this run is cut off, check what is stored before you repeat it.`,
    );
    return { ...noJournal, entry, files: byPath(facts), begun: () => false, end: async () => {} };
  }
}

export const entryOf = async (
  context: Context,
  given: Pick<Entry, 'command' | 'what' | 'words' | 'files' | 'plan' | 'queued' | 'known'>,
): Promise<Entry> => {
  const { now, run } = context.io;
  // Of one reading: equal times tell that the server's clock wasn't known.
  const startedAt = now();
  return newEntry({
    ...given,
    startedAt: startedAt.toISOString(),
    serverTime: serverTimeOf({ now: () => startedAt, run }),
    ...(await originOfPlan(context, given.plan)),
  });
};

const byPath = (files: readonly FileFacts[]) => new Map(files.map((facts) => [facts.path, facts]));

const resumed = async (context: Context, held: OpenEntry, resend?: boolean): Promise<Opened> => {
  const { path, entry } = held.stored;
  const earlierRun = { from: entry.serverTime, until: serverTimeOf(context.io) };
  return {
    ...open(context, held, { writer: await openEntry(path), resend, earlierRun }),
    resumed: true,
  };
};

interface OpenOptions {
  readonly writer: EntryWriter;
  readonly resend?: boolean | undefined;
  readonly earlierRun?: TimeSpan;
}

function open(
  context: Context,
  { stored: { path, entry, lines, isIncomplete }, lock }: OpenEntry,
  { writer, resend = false, earlierRun }: OpenOptions,
): Opened {
  let warned = false;
  const steps: JournalSteps = journalSteps({
    writer,
    keyBase: entry.keyBase,
    resume: resumeCommand(context, entry),
    discard: discardCommand(entry),
    lines,
    serverTime: () => serverTimeOf(context.io),
    earlierRun,
    isIncomplete,
    async recognises() {
      const client = await context.client();
      const isSameKey = entry.key === (await rememberedOrigin(context)).key;
      return isSameKey && isFresh(entry, context.io) && client.transport.knowsIdempotencyKeys();
    },
    outwait: async (sentAt) => !resend && outwait(context, entry.what, sentAt),
    async requireResend(step, runsUntil) {
      if (!resend)
        await requireResend(context, {
          entry,
          step,
          resume: resumeCommand(context, entry),
          runsUntil,
        });
    },
    refusedAgain: (step, error) => refusedAgain(entry, step, error),
    async onWriteError(error) {
      await markIncomplete(path).catch(() => {});
      if (!warned)
        context.warn(
          `Couldn't write ${path}: ${describeFsError(error)}. If this run is cut off, check what is stored.`,
        );
      warned = true;
    },
  });
  return {
    steps,
    entry,
    files: byPath(entry.files),
    resumed: false,
    begun: steps.begun,
    async end(open) {
      await writer.close();
      if (!open) await removeEntry(path);
      lock.release();
    },
  };
}
