/** Runs a command that keeps a journal. The journal itself is loaded once there is something to write or to finish. */
import type { ExitCode } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { handleCancel } from '../../prompts/run.ts';
import type { Journaled } from './journal.ts';

interface JournaledRun<Plan extends object, Run extends object, R> {
  /** With the arguments: the same line has the same. */
  readonly flags: object;
  /** --dry-run. */
  readonly isDryRun: boolean | undefined;
  /** The files as they were typed. */
  readonly files?: readonly string[] | undefined;
  readonly load: () => Promise<Journaled<Run, R>>;
  /** Looks up, checks and asks. Stores nothing. */
  readonly plan: () => Promise<Plan>;
  /** What the journal keeps of a plan that begins now. */
  readonly run: (plan: Plan) => Run;
  readonly dryRun: (plan: Plan) => Promise<void>;
}

/** Finishes the unfinished run of the same command line, or performs a new plan. */
export async function runJournaled<Plan extends object, Run extends object, R>(
  context: Context,
  { flags, isDryRun, files, load, plan: makePlan, run, dryRun }: JournaledRun<Plan, Run, R>,
): Promise<ExitCode | undefined> {
  if (isDryRun) {
    const planned = await handleCancel(context, makePlan);
    return typeof planned === 'number' ? planned : void (await dryRun(planned));
  }
  const [{ wordsOf, finish, perform }, { findEarlier }] = await Promise.all([import('./journal.ts'), import('./unfinished.ts')]);
  const words = wordsOf(context, { ...flags }, files);
  const journaled = await load();
  const earlier = await handleCancel(context, () => findEarlier(context, journaled.command, words));
  if (typeof earlier === 'number') return earlier;
  if (earlier) return finish(context, journaled, earlier);
  const plan = await handleCancel(context, makePlan);
  if (typeof plan === 'number') return plan;
  return perform(context, journaled, { plan: run(plan), words });
}
