/** Runs a command that keeps a journal. Most of it is loaded once there is something to write or to finish. */
import type { ExitCode } from '../../errors/exit.ts';
import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { handleCancel } from '../../prompts/run.ts';
import type { TypedFlags } from './entry.ts';
import type { Journaled } from './journal.ts';
import type { KnownNames } from './known-names.ts';
import type { OfflineWork } from './offline.ts';

interface JournaledCommand<Plan extends object, R> {
  /** With the arguments: the same line has the same. */
  readonly flags: object;
  /** --offline. */
  readonly isOffline?: boolean | undefined;
  /** --dry-run. */
  readonly isDryRun: boolean | undefined;
  /** The files as they were typed. */
  readonly files?: readonly string[] | undefined;
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
    if (context.io.run.phoneFolders.length > 0) await (await import('../photos/phone-folder.ts')).tellKept(context);
  }
}

async function finishOrPerform<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
): Promise<ExitCode | undefined> {
  const { flags, isDryRun, isOffline, files, load, makePlan, beginNow = (plan) => plan, dryRun } = command;
  if (isDryRun) {
    const planned = await handleCancel(context, makePlan);
    return typeof planned === 'number' ? planned : void (await dryRun(planned));
  }
  const [{ wordsOf, finish, start }, { findEarlier }, journaled] = await Promise.all([
    import('./journal.ts'),
    import('./unfinished.ts'),
    load(),
  ]);
  const words = wordsOf(context, { ...flags }, files);
  if (isOffline) return goOffline(context, command, { words, journaled });
  const { sendQueued } = await import('./resume.ts');
  await sendQueued(context, words);
  const earlier = await handleCancel(context, () => findEarlier(context, journaled.command, words));
  if (typeof earlier === 'number') return earlier;
  if (earlier) return finish(context, journaled, earlier);
  let plan: Plan | ExitCode;
  try {
    plan = await handleCancel(context, makePlan);
  } catch (error) {
    const { WorkOffline } = await import('./offline.ts');
    if (error instanceof WorkOffline) return goOffline(context, { ...command, flags: error.flags }, { words, journaled });
    const offered = await offerOffline(context, command, { words, journaled, error });
    if (!offered) throw error;
    return offered.code;
  }
  if (typeof plan === 'number') return plan;
  const code = await start(context, journaled, { plan: beginNow(plan), words });
  if (context.interactive && command.offline) await (await import('./known-names.ts')).keepNames(context);
  return code;
}

interface Line<Plan extends object, R> {
  readonly words: string;
  readonly journaled: Journaled<Plan, R>;
}

/** Asks to go on without the server. Undefined where that isn't possible: in a script, without names, or after another error. */
async function offerOffline<Plan extends object, R>(
  context: Context,
  command: JournaledCommand<Plan, R>,
  { error, ...line }: Line<Plan, R> & { readonly error: unknown },
): Promise<{ code: ExitCode | undefined } | undefined> {
  if (!command.offline || !context.interactive || context.settings.yes) return undefined;
  const { isUnreachable } = await import('./offline.ts');
  if (!isUnreachable(error)) return undefined;
  const { knownNames } = await import('./known-names.ts');
  const known = await knownNames(context);
  if (!known) return undefined;
  const { askToWorkOffline } = await import('./ask-offline.ts');
  if (!(await askToWorkOffline(context, known))) return undefined;
  return { code: await goOffline(context, command, { ...line, known }) };
}

/** `known`: where they are read already. */
async function goOffline<Plan extends object, R>(
  context: Context,
  { flags, offline: work }: JournaledCommand<Plan, R>,
  { words, journaled, known }: Line<Plan, R> & { readonly known?: KnownNames },
): Promise<ExitCode | undefined> {
  if (!work) throw usage('This command needs the server.', 'leave --offline out');
  const asked = await handleCancel<TypedFlags>(context, async () => {
    if (!context.interactive) return { ...flags };
    const names = known ?? (await (await import('./known-names.ts')).knownNames(context));
    if (names) return (await import('./ask-offline.ts')).askOffline(context, work, { ...flags }, names);
    if ('car' in flags && flags.car !== undefined) return { ...flags };
    throw usage(
      'No names of cars and places are known on this machine.',
      'give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
  });
  if (typeof asked === 'number') return asked;
  const { queue } = await import('./offline.ts');
  await queue(context, { command: journaled.command, work, words, flags: asked });
  return undefined;
}
