import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { handleCancel } from '../../prompts/run.ts';
import { addEventFlags } from '../counter/flags.ts';
import { eventResultView } from '../counter/view.ts';
import { completePickup, type PickupFlags, readGiven, requireGiven } from './from-flags.ts';
import { type PickupPlan, requireStillHere } from './plan.ts';

export const pickup: CommandBuilder = (command) => {
  command
    .description(
      'Hand a car out: log the event, which frees the place of the car, and store photos.\nOn a terminal it shows where the car stands, what is open for it and whom to call, and asks for what is missing.',
    )
    .addArgument(suggestRecords(command.createArgument('[car]', 'id of the car, or its plate, VIN or nickname'), 'cars'))
    .addOption(
      suggestRecords(command.createOption('--type <type>', 'event type that frees the place; needed when there are several'), 'eventTypes'),
    );
  addEventFlags(command);
  command.nameFlags({ activityType: '--type', occurredAt: '--at', appointmentId: '--appointment' });
  command.examples([
    '# at the counter: asks for everything',
    'cs pickup',
    '# in a script: asks for nothing',
    'cs pickup "HH-E 61H" --yes',
    'cs pickup Emma --appointment today --notes "two keys handed over" --yes -o json',
    "cs pickup Emma --photo 'shots/*.jpg' --at '10 minutes ago' --dry-run",
  ]);
  command.declareOutput(eventResultView('pick-up')).handle((context, { args: [car], options }) => run(context, { ...options, car }));
};

async function run(context: Context, flags: PickupFlags): Promise<ExitCode | undefined> {
  if (!context.interactive) requireGiven(flags, context.settings.yes);
  const plan = await handleCancel(context, () => makePlan(context, flags));
  if (typeof plan === 'number') return plan;
  if (flags.dryRun) {
    const [{ printRequests }, { eventFields }] = await Promise.all([import('../counter/dry-run.ts'), import('../counter/plan.ts')]);
    await printRequests(context, { carId: plan.car.id, body: eventFields(plan), photos: plan.photos }, flags);
    return undefined;
  }
  const [{ executePlan }, { performPickup }, { printPickup }] = await Promise.all([
    import('../counter/carry-out.ts'),
    import('./perform.ts'),
    import('./report.ts'),
  ]);
  return executePlan(context, flags, {
    what: 'pick-up',
    plan,
    async perform(performance) {
      if (context.interactive && flags.idempotencyKey === undefined) await requireStillHere(context, plan);
      return performPickup(performance);
    },
    print: (performed, result, options) => printPickup(context, performed, result, options),
  });
}

/** What was given and, on a terminal, what the person answers and agrees to. */
async function makePlan(context: Context, flags: PickupFlags): Promise<PickupPlan> {
  const given = await readGiven(context, flags);
  if (!context.interactive) return completePickup(context, given, flags);
  const { askPickup } = await import('./ask.ts');
  const plan = await askPickup(context, given, flags);
  if (context.settings.yes || flags.dryRun) return plan;
  const [{ pickupSummary }, { confirmPlan }] = await Promise.all([import('./summary.ts'), import('../../prompts/confirm.ts')]);
  context.io.stderr.write(pickupSummary(context, plan, flags));
  await confirmPlan(context, 'Hand this car out?');
  return plan;
}
