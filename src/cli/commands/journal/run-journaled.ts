/** Runs a command that keeps a journal. Most of it is loaded once there is something to write or to finish. */

import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { usage } from '../../errors/exit.ts';
import { localTime } from '../../input/when.ts';
import { handleCancel } from '../../prompts/run.ts';
import { keepTypedAhead } from '../../terminal/keyboard.ts';
import type { QueuedFlags, StoredEntry } from './entry.ts';
import type { Journaled } from './journal.ts';
import type { KnownNames } from './known-names.ts';
import type { NamedFiles } from './new-files.ts';
import type { OfflineWork } from './offline.ts';

interface JournaledCommand<Plan extends object, R> {
  /** With the arguments: the same line has the same. */
  readonly flags: object;
  /** --offline. */
  readonly isOffline?: boolean | undefined;
  /** --dry-run. */
  readonly isDryRun: boolean | undefined;
  /** The photos that the line names. */
  readonly files?: NamedFiles | undefined;
  readonly load: () => Promise<Journaled<Plan, R>>;
  /** Looks up, checks and asks. Stores nothing. */
  readonly makePlan: () => Promise<Plan>;
  /** The plan with the time at which it begins (default: the plan as it is). */
  readonly beginNow?: (plan: Plan) => Plan;
  readonly dryRun: (plan: Plan) => Promise<void>;
  /** What it asks without a server, for a command that can be queued. */
  readonly offline?: OfflineWork;
}

/** Finishes the unfinished run of the same command line, or performs a new plan. */
export async function runJournaled<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
): Promise<ExitCode | undefined> {
  try {
    return await finishOrPerform(context, command);
  } finally {
    if (context.io.run.phoneFolders.length > 0)
      await (await import('../photos/phone-folder.ts')).tellKept(context);
  }
}

async function finishOrPerform<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
): Promise<ExitCode | undefined> {
  const { flags, isDryRun, files, load, makePlan, dryRun } = command;
  if (isDryRun) {
    const planned = await handleCancel(context, () => keepTypedAhead(context, makePlan));
    return typeof planned === 'number' ? planned : void (await dryRun(planned));
  }
  const [{ wordsOf }, { lockLine }, journaled] = await Promise.all([
    import('./command-words.ts'),
    import('./lock-line.ts'),
    load(),
  ]);
  const words = wordsOf(context, { ...flags }, files?.patterns);
  const namesCar = 'car' in flags && flags.car !== undefined;
  const lock = await lockLine(context, { command: journaled.command, words, namesCar });
  try {
    return await runLine(context, command, { words, journaled, namesCar });
  } finally {
    lock?.release();
  }
}

async function runLine<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
  { words, journaled, namesCar }: Line<Plan, R> & { readonly namesCar: boolean },
): Promise<ExitCode | undefined> {
  const { isOffline, files, makePlan, beginNow = (plan) => plan } = command;
  const [
    { finish, start },
    { findEarlier, meantBy, requireWhole },
    { entriesHere, readWholeJournal },
  ] = await Promise.all([
    import('./journal.ts'),
    import('./unfinished.ts'),
    import('./read-journal.ts'),
  ]);
  const line = { command: journaled.command, words };
  const journal = await readWholeJournal(context);
  const whole = await handleCancel(context, () => requireWhole(context, journal, line));
  if (typeof whole === 'number') return whole;
  if (isOffline) return goOffline(context, command, { words, journaled });
  const here = await entriesHere(context, journal.entries, { mayAsk: true });
  const { sendQueued } = await import('./resume.ts');
  // A line without a car may stand for any of those that were queued: they go first.
  const meant = await meantBy(context, here.own, line);
  const sent = await sendQueued(context, here.own, (entry) => namesCar && meant.has(entry.id));
  const ofLine = here.own.filter(({ entry }) => meant.has(entry.id) && !sent.has(entry.id));
  const settled =
    ofLine.length === 0
      ? sent
      : await (await import('./settle.ts')).settleOld(context, journaled, ofLine);
  const own = here.own.filter(({ entry }) => !sent.has(entry.id) && !settled.has(entry.id));
  const earlier = await handleCancel(context, () =>
    findEarlier(context, { ...here, own, meant }, line),
  );
  if (typeof earlier === 'number') return earlier;
  const { requireNoneBefore, requireNoneOpen } = await import('./open-work.ts');
  if (earlier) {
    await requireNoneBefore(context, own, earlier.stored).catch((error: unknown) => {
      earlier.lock.release();
      throw error;
    });
    const { withNewFiles } = await import('./new-files.ts');
    return finish(
      context,
      journaled,
      files ? await withNewFiles(context, journaled, earlier, files) : earlier,
      own,
    );
  }
  let plan: Plan | ExitCode;
  try {
    plan = await handleCancel(context, async () => {
      const made = await keepTypedAhead(context, makePlan);
      // A person was asked about those of the same line.
      const isAsked = ({ entry }: StoredEntry) =>
        context.interactive && entry.command === line.command && entry.words === words;
      const others = own.filter((stored) => !isAsked(stored));
      await requireNoneOpen(context, others, { command: line.command, plan: made });
      return made;
    });
  } catch (error) {
    const { WorkOffline } = await import('./offline.ts');
    if (error instanceof WorkOffline)
      return goOffline(context, { ...command, flags: error.flags }, { words, journaled });
    const offered = await offerOffline(context, command, { words, journaled, error });
    if (!offered) throw error;
    return offered.code;
  }
  if (typeof plan === 'number') return plan;
  const code = await start(context, journaled, { plan: beginNow(plan), words });
  if (context.interactive && command.offline)
    await (await import('./known-names.ts')).keepNames(context);
  return code;
}

interface Line<Plan extends object, R> {
  readonly words: string;
  readonly journaled: Journaled<Plan, R>;
}

/** Asks to go on without the server. Undefined after another error; throws in a script, and where no names are known to choose from. */
async function offerOffline<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
  { error, ...line }: Line<Plan, R> & { readonly error: unknown },
): Promise<{ code: ExitCode | undefined } | undefined> {
  if (!command.offline) return undefined;
  const { isUnreachable, namesOfflineFlag } = await import('./offline.ts');
  if (!isUnreachable(error)) return undefined;
  const isAsked = context.interactive && !context.settings.yes;
  const known = isAsked ? await (await import('./known-names.ts')).knownNames(context) : undefined;
  if (!known) throw namesOfflineFlag(context, error);
  const { askToWorkOffline } = await import('./ask-offline.ts');
  if (!(await askToWorkOffline(context, known))) return undefined;
  return { code: await goOffline(context, command, { ...line, known }) };
}

/** `known`: where they are read already. */
async function goOffline<Plan extends object, R>(
  context: Context,
  { flags, files, offline: work }: JournaledCommand<Plan, R>,
  { words, journaled, known }: Line<Plan, R> & { readonly known?: KnownNames },
): Promise<ExitCode | undefined> {
  if (!work) throw usage('This command needs the server.', 'leave --offline out');
  const { findQueued, noteUnsure, printQueued, queue, refuseUnsure } = await import('./offline.ts');
  const { command } = journaled;
  const names = known ?? (await (await import('./known-names.ts')).knownNames(context));
  const { queued, unsure } = await findQueued(context, {
    command,
    words,
    flags: { ...flags },
    names,
  });
  if (queued) {
    context.note(
      `Queued already ${localTime(queued.entry.startedAt)}. To queue it again, give its time with --at.`,
    );
    if (files)
      await (await import('./new-files.ts')).queueNewFiles(context, journaled, queued, files);
    return void (await printQueued(context, queued.entry));
  }
  if (unsure && !context.interactive) throw refuseUnsure(unsure);
  const asked = await handleCancel<QueuedFlags>(context, async () => {
    if (!context.interactive) return { ...flags };
    if (names)
      return (await import('./ask-offline.ts')).askOffline(context, work, { ...flags }, names);
    if ('car' in flags && flags.car !== undefined) return { ...flags };
    throw usage(
      'No names of cars and places are known on this machine.',
      'give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
  });
  if (typeof asked === 'number') return asked;
  (await import('./known-flags.ts')).checkNames(context, asked, names);
  const entry = await queue(context, { command, work, words, flags: asked, names });
  if (unsure) noteUnsure(context, entry, unsure);
  return undefined;
}
