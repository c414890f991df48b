import { ApiError } from '../../client/errors.ts';
import { type Context, examples, type Fill, nameFlags } from '../command.ts';
import { declined, type ExitCode, exitCodeOf } from '../exit.ts';
import { addCreateFlags, collect } from '../flags.ts';
import { completePlan, type DropoffFlags, readFlags, requireFlags } from '../flows/dropoff/from-flags.ts';
import type { DropoffOptions, DropoffResult } from '../flows/dropoff/perform.ts';
import { type DropoffPlan, isNew } from '../flows/dropoff/plan.ts';
import { Interrupted } from '../io.ts';
import { ignoringKeys } from '../keyboard.ts';
import { globalFlagsOf } from '../next-command.ts';

export const dropoff: Fill = (command, on) => {
  command
    .description(
      'Take a car in: log the event, park the car and store its photos.\nOn a terminal you are asked for what the flags leave open. Everything is checked before anything is stored.',
    )
    .option('--car <id|name>', 'the car: id, plate, VIN or nickname')
    .option('--type <type>', 'event type, such as drop_off')
    .option('--spot <id|name>', 'the spot to put it on')
    .option('--zone <id|name>', 'the zone to put it in, in place of a spot')
    .option('--location <id|name>', 'where the spot or zone is, when its name is not enough')
    .option('--notes <text>', 'free text')
    .option('--at <when>', 'when it happened; now unless given')
    .option('--photo <path>', 'a photo, a folder or a pattern; can be given several times', collect)
    .option('--keep-location', 'leave in the photos where they were taken')
    .option('--no-resize', 'do not shrink photos above 3 MB; they are refused');
  addCreateFlags(command);
  nameFlags(command, { activityType: '--type', parkingSpotId: '--spot', parkingZoneId: '--zone', occurredAt: '--at' });
  examples(command, [
    '# at the counter: asks for everything',
    'cs dropoff',
    '# in a script: asks for nothing',
    "cs dropoff --car Emma --type drop_off --spot A3 --photo 'shots/*.jpg' --yes",
    'cs dropoff --car "HH-E 61H" --type drop_off --zone "Hall A" --yes -o json',
    'cs dropoff --car Emma --type drop_off --spot A3 --at "10 minutes ago" --dry-run',
  ]);
  command.action(on((context, { options }) => run(context, options)));
};

async function run(context: Context, flags: DropoffFlags): Promise<ExitCode | undefined> {
  if (!context.interactive) requireFlags(flags, context.settings.yes);
  const plan = await leavingCalmly(context, () => makePlan(context, flags));
  if (typeof plan === 'number') return plan;
  if (flags.dryRun) {
    const { printRequests } = await import('../flows/dropoff/dry-run.ts');
    await printRequests(context, plan, flags);
    return undefined;
  }
  const [{ performDropoff }, { failureOf, printResult }, { showProgress }] = await Promise.all([
    import('../flows/dropoff/perform.ts'),
    import('../flows/dropoff/report.ts'),
    import('../flows/dropoff/progress.ts'),
  ]);
  const { keepLocation, resize, idempotencyKey } = flags;
  const options: DropoffOptions = { keepLocation, resize, idempotencyKey, globalFlags: globalFlagsOf(context) };
  const progress = showProgress(context, plan.photos, options);
  const client = await context.client();
  const attempt = async (given: DropoffPlan): Promise<[DropoffPlan, DropoffResult]> => {
    try {
      const perform = { client, plan: given, options, progress, signal: context.io.signal };
      return [given, await ignoringKeys(context, () => performDropoff(perform).finally(progress.end))];
    } catch (error) {
      return attempt(await chooseAnother(context, given, error));
    }
  };
  const outcome = await leavingCalmly(context, () => attempt(plan));
  if (typeof outcome === 'number') return outcome;
  const [performed, result] = outcome;
  await printResult(context, performed, result, options);
  const failure = failureOf(context, result, options);
  if (failure) throw failure;
  return undefined;
}

/** What the flags say and, on a terminal, what the person answers and agrees to. */
async function makePlan(context: Context, flags: DropoffFlags): Promise<DropoffPlan> {
  const given = await readFlags(context, flags);
  if (!context.interactive) return completePlan(given);
  const { askPlan } = await import('../flows/dropoff/ask.ts');
  const plan = await askPlan(context, given, flags);
  if (context.settings.yes || flags.dryRun) return plan;
  const [{ planSummary }, { askYes }] = await Promise.all([import('../flows/dropoff/summary.ts'), import('../flows/prompts.ts')]);
  context.io.stderr.write(planSummary(context, plan, flags));
  if (!(await askYes(context, 'Store this drop-off?'))) throw declined('Nothing was stored.');
  return plan;
}

/** Somebody else took the place between the question and the answer: a person chooses another and keeps the rest. */
async function chooseAnother(context: Context, plan: DropoffPlan, error: unknown): Promise<DropoffPlan> {
  const taken = error instanceof ApiError && (error.code === 'parking_spot_occupied' || error.code === 'parking_zone_full');
  // A new car is stored by now; its error says how to go on.
  if (!taken || !context.interactive || context.settings.yes || isNew(plan.car)) throw error;
  context.warn(`${error.message}. Nothing was stored; choose another place.`);
  const { askPlace } = await import('../flows/dropoff/ask-place.ts');
  return { ...plan, place: await askPlace(context, plan.car) };
}

/** Leaving before anything is stored is no failure to be told as one: a person gets one line. */
async function leavingCalmly<T>(context: Context, work: () => Promise<T>): Promise<T | ExitCode> {
  try {
    return await work();
  } catch (error) {
    const code = exitCodeOf(error);
    const left = error instanceof Interrupted || code === 13;
    if (!left || context.output.format !== 'table') throw error;
    context.warn(code === 13 ? 'Nothing was stored.' : 'Stopped. Nothing was stored.');
    return code;
  }
}
