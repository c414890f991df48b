/**
 * What a command is about to do is written down before anything is sent, so that a run that was cut off is finished and not repeated:
 * by the same command, or by `cs pending resume`.
 */
import { describeKey } from '../../config/connection.ts';
import { settingList } from '../../config/setting-list.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { isFinalError } from '../../errors/final.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { handleCancel } from '../../prompts/run.ts';
import { isPhotoStep } from './describe.ts';
import {
  type CommandName,
  createEntry,
  type Entry,
  type FileFacts,
  journalFolder,
  newEntry,
  openEntry,
  type QueuedPlan,
  removeEntry,
  type StoredEntry,
  type TypedFlags,
  typedFlags,
} from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import { LeftForLater } from './left-for-later.ts';
import { type Lock, lockEntry } from './lock.ts';
import { serverTimeOf } from './moment.ts';
import { type JournalSteps, journalSteps, type Steps, withoutJournal } from './steps.ts';

/** A command that writes in several steps. */
export interface Journaled<P extends object, R> {
  readonly command: CommandName;
  /** In a sentence: `drop-off of HH-RS 73`. */
  readonly what: (plan: P) => string;
  /** Absolute paths of the files that it sends. */
  readonly files: (plan: P) => readonly string[];
  /** The plan of a command line that was queued without a server, now that its names can be looked up. */
  readonly planQueued?: (context: Context, flags: TypedFlags) => Promise<P>;
  /** The steps of its requests without the photos, in order. */
  readonly requests: (plan: P) => readonly string[];
  /** Sends what isn't stored yet. */
  readonly perform: (context: Context, plan: P, journal: Journal) => Promise<Performed<R>>;
}

export interface Performed<R> {
  readonly result: R;
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
  readonly entry?: Entry;
  /** Whether an earlier run began it. */
  readonly resumed: boolean;
}

export const noJournal: Journal = { steps: withoutJournal, files: new Map(), resumed: false };

/** An entry that this process holds. */
export interface OpenEntry {
  readonly stored: StoredEntry;
  readonly lock: Lock;
}

/** After this time a server has forgotten the Idempotency-Key, and nobody expects the same command to mean the same drop-off. */
const freshMs = 23 * 3_600_000;

export const isFresh = ({ startedAt }: Entry, now: Date): boolean => now.getTime() - Date.parse(startedAt) < freshMs;

export const resumeCommand = (context: Pick<Context, 'settings'>, { id }: Entry): string =>
  nextCommand(['pending', 'resume', id], connectionFlags(context));

/** Flags that choose how a command answers and whom it asks, not what it does. */
export const settingNames: ReadonlySet<string> = new Set(
  settingList.map(({ flag = '' }) => flag.replace(/^--(no-)?/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
);

/** The arguments of a command line as one text. Relative paths of files mean the same in the same folder alone. */
export function wordsOf(
  context: Context,
  { dryRun: _, offline: __, ...given }: Readonly<Record<string, unknown>>,
  files?: readonly string[],
): string {
  const cwd = files && files.length > 0 ? { cwd: context.io.cwd } : {};
  const words = Object.entries({ ...given, ...cwd }).filter(([name, value]) => value !== undefined && !settingNames.has(name));
  return JSON.stringify(words.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function originOf(context: Context): Pick<Entry, 'server' | 'key'> {
  const { baseUrl, key } = context.settings.connection();
  return { server: baseUrl.value, key: key.value ? describeKey(key.value) : '' };
}

export const alreadyRunning = ({ id, what }: Entry): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another process is at the ${what} (${id}). Nothing was sent.`,
    hint: 'wait for it, then look at `cs pending list`',
  });

/** Writes the entry, then performs the plan and prints the result. */
export async function start<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  { plan, words }: { plan: P; words: string },
): Promise<ExitCode | undefined> {
  const opened = await begin(context, journaled, { plan, words });
  return performAndPrint(context, journaled, plan, opened);
}

/** Finishes an entry, and prints the result. */
export async function finish<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  open: OpenEntry,
): Promise<ExitCode | undefined> {
  return performAndPrint(context, journaled, open.stored.entry.plan, await resumed(context, open));
}

/** Finishes an entry, and leaves it to the caller to print the result. */
export async function finishUnprinted<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  open: OpenEntry,
  { resend, typed }: { readonly resend?: boolean | undefined; readonly typed?: TypedFlags | undefined },
): Promise<Performed<R>> {
  const opened = await resumed(context, open, resend);
  const performed = await performOrKeep(context, journaled, typed ? ({ typed } satisfies QueuedPlan) : open.stored.entry.plan, opened);
  await opened.end(performed.open);
  return performed;
}

interface Opened extends Journal {
  readonly begun: () => boolean;
  /** Keeps an entry that is still open, and removes any other. */
  readonly end: (open: boolean) => Promise<void>;
}

async function performAndPrint<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  plan: unknown,
  opened: Opened,
): Promise<ExitCode | undefined> {
  const performing = () => performOrKeep(context, journaled, plan, opened);
  // Where an earlier run stored something, "Nothing was stored" would be wrong.
  const performed = opened.begun() ? await performing() : await handleCancel(context, performing);
  if (typeof performed === 'number') return performed;
  // A result that can't be printed is reported as stored: nothing is left to finish.
  await performed.print().finally(() => opened.end(performed.open));
  if (performed.failure) throw performed.failure;
  return undefined;
}

async function performOrKeep<P extends object, R>(
  context: Context,
  journaled: Journaled<P, R>,
  plan: unknown,
  opened: Opened,
): Promise<Performed<R>> {
  const typed = typedFlags({ plan });
  try {
    return await journaled.perform(context, typed ? await planNow(context, journaled, typed, opened) : (plan as P), opened);
  } catch (error) {
    const isOpen = error instanceof LeftForLater || (opened.begun() && !isFinalError(error instanceof CliError ? error.cause : error));
    // What was queued happened: it waits for an answer.
    if (typed && !isOpen) await opened.steps.change({ typed });
    await opened.end(isOpen || typed !== undefined);
    throw error;
  }
}

async function planNow<P extends object, R>(
  context: Context,
  { planQueued, command }: Journaled<P, R>,
  typed: TypedFlags,
  { steps }: Opened,
) {
  if (!planQueued) throw new Error(`cs ${command} queues nothing`);
  const plan = await planQueued(context, typed);
  await steps.change(plan);
  return plan;
}

/** A journal that can't be written is told, and the run goes on without it. */
async function begin<P extends object, R>(
  context: Context,
  { command, what, files }: Journaled<P, R>,
  { plan, words }: { plan: P; words: string },
): Promise<Opened> {
  const { io } = context;
  const facts = await readFileFacts(files(plan));
  const entry = entryOf(context, { command, what: what(plan), words, files: facts, plan });
  try {
    const writer = await createEntry(journalFolder(io), entry);
    const lock = await lockEntry(writer.path);
    if (!lock) throw alreadyRunning(entry);
    const stored = { path: writer.path, entry, lines: new Map() };
    return await opened(context, { stored, lock }, { writer });
  } catch (error) {
    if (error instanceof CliError) throw error;
    context.warn(
      `Couldn't write the journal in ${journalFolder(io)}: ${describeFsError(error)}. If this run is cut off, check what is stored before you repeat it.`,
    );
    return { ...noJournal, files: byPath(facts), begun: () => false, end: async () => {} };
  }
}

export const entryOf = (context: Context, given: Pick<Entry, 'command' | 'what' | 'words' | 'files' | 'plan'>): Entry =>
  newEntry({
    ...given,
    startedAt: context.io.now().toISOString(),
    serverTime: serverTimeOf(context.io),
    ...originOf(context),
  });

const byPath = (files: readonly FileFacts[]) => new Map(files.map((facts) => [facts.path, facts]));

const resumed = async (context: Context, open: OpenEntry, resend?: boolean): Promise<Opened> => ({
  ...(await opened(context, open, { writer: await openEntry(open.stored.path), resend })),
  resumed: true,
});

async function opened(
  context: Context,
  { stored: { path, entry, lines }, lock }: OpenEntry,
  { writer, resend = false }: { writer: Awaited<ReturnType<typeof openEntry>>; resend?: boolean | undefined },
): Promise<Opened> {
  let warned = false;
  const steps: JournalSteps = journalSteps({
    writer,
    keyBase: entry.keyBase,
    resume: resumeCommand(context, entry),
    lines,
    requireResend: async (step, postPath) => {
      const client = await context.client();
      const recognised = isFresh(entry, context.io.now()) && (await client.transport.documentsIdempotencyKey(postPath));
      if (!recognised && !resend) await requireResend(context, entry, step);
    },
    onWriteError: (error) => {
      if (!warned) context.warn(`Couldn't write ${path}: ${describeFsError(error)}. If this run is cut off, check what is stored.`);
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
      if (open) return lock.release();
      await removeEntry(path);
      lock.remove();
    },
  };
}

async function requireResend(context: Context, entry: Entry, step: string): Promise<void> {
  const sent = isPhotoStep(step) ? step.replace('-', ' ') : `the ${step}`;
  const message = `This server can't tell whether ${sent} of the ${entry.what} was stored.`;
  if (context.interactive && !context.settings.yes) {
    const { confirm } = await import('../../prompts/confirm.ts');
    return confirm(context, `${message} Send it again?`);
  }
  throw new CliError({
    code: 'outcome_unknown',
    message: `${message} It wasn't sent again.`,
    hint: `check it there, then run \`${resumeCommand(context, entry)} --resend\`, or \`${nextCommand(['pending', 'discard', entry.id])}\``,
    details: { id: entry.id, step },
  });
}
