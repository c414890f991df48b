import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { handleCancel } from '../../prompts/run.ts';
import { addEventFlags } from '../counter/flags.ts';
import { asPlaceConflict } from '../counter/place-checks.ts';
import { addPlaceFlags } from '../counter/place-flags.ts';
import { eventResultView } from '../counter/view.ts';
import { appointmentFor, completePlan, type DropoffFlags, readFlags, requireFlags } from './from-flags.ts';
import { type DropoffPlan, eventBody, isNew } from './plan.ts';

export const dropoff: CommandBuilder = (command) => {
  command
    .description(
      'Take a car in: log the event, park the car and store its photos.\nOn a terminal you are asked for what the flags leave open. Everything is checked before anything is stored.',
    )
    .addOption(suggestRecords(command.createOption('--car <id|name>', 'the car: id, plate, VIN or nickname'), 'cars'))
    .addOption(suggestRecords(command.createOption('--type <type>', 'event type, such as drop_off'), 'eventTypes'));
  addPlaceFlags(command);
  addEventFlags(command);
  command.nameFlags({
    activityType: '--type',
    parkingSpotId: '--spot',
    parkingZoneId: '--zone',
    occurredAt: '--at',
    appointmentId: '--appointment',
  });
  command.examples([
    '# at the counter: asks for everything',
    'cs dropoff',
    '# in a script: asks for nothing',
    "cs dropoff --car Emma --type drop_off --spot A3 --photo 'shots/*.jpg' --yes",
    'cs dropoff --car "HH-E 61H" --type drop_off --zone "Hall A" --yes -o json',
    'cs dropoff --car Emma --type drop_off --spot A3 --at "10 minutes ago" --dry-run',
  ]);
  command.declareOutput(eventResultView('drop-off')).handle((context, { options }) => run(context, options));
};

async function run(context: Context, flags: DropoffFlags): Promise<ExitCode | undefined> {
  if (!context.interactive) requireFlags(flags, context.settings.yes);
  const plan = await handleCancel(context, () => makePlan(context, flags));
  if (typeof plan === 'number') return plan;
  if (flags.dryRun) {
    const { printRequests } = await import('../counter/dry-run.ts');
    const { car, photos } = plan;
    const target = isNew(car) ? { carId: '{id of the new car}', newCar: car.values } : { carId: car.id };
    await printRequests(context, { ...target, body: eventBody(plan), photos }, flags);
    return undefined;
  }
  const [{ executePlan }, { performDropoff }, { printDropoff }] = await Promise.all([
    import('../counter/carry-out.ts'),
    import('./perform.ts'),
    import('./report.ts'),
  ]);
  return executePlan(context, flags, {
    what: 'drop-off',
    plan,
    perform: performDropoff,
    print: (performed, result, options) => printDropoff(context, performed, result, options),
    another: (given, error) => chooseAnother(context, given, error),
  });
}

/** What the flags say and, on a terminal, what the person answers and agrees to. */
async function makePlan(context: Context, flags: DropoffFlags): Promise<DropoffPlan> {
  const given = await readFlags(context, flags);
  if (!context.interactive) {
    const plan = completePlan(given);
    return { ...plan, appointment: await appointmentFor(context, plan, flags) };
  }
  const { askPlan } = await import('./ask.ts');
  const plan = await askPlan(context, given, flags);
  if (context.settings.yes || flags.dryRun) return plan;
  const [{ planSummary }, { confirmPlan }] = await Promise.all([import('./summary.ts'), import('../../prompts/confirm.ts')]);
  context.io.stderr.write(planSummary(context, plan, flags));
  await confirmPlan(context, 'Store this drop-off?');
  return plan;
}

/** Somebody else took the place between the question and the answer: a person chooses another and keeps the rest. */
async function chooseAnother(context: Context, plan: DropoffPlan, error: unknown): Promise<DropoffPlan> {
  // A new car is stored by now; its error says how to go on.
  const taken = plan.place && !isNew(plan.car) ? await asPlaceConflict(context, plan.place, error) : undefined;
  if (!taken || isNew(plan.car) || !context.interactive || context.settings.yes) throw taken ?? error;
  context.warn(`${taken.message.replace(/\.?$/, '.')} Choose another place.`);
  const { askPlace } = await import('../counter/ask-place.ts');
  return { ...plan, place: await askPlace(context, plan.car) };
}
