import { ifParkedIn } from '../../../contract/preconditions.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { orAskCarHere, type What, withoutRefused } from '../counter/ask-instead.ts';
import { addEventFlags, eventResultView, eventValues } from '../counter/event.ts';
import { otherwiseReadAgain } from '../counter/parked-in.ts';
import { withMoment } from '../journal/moment.ts';
import { runJournaled } from '../journal/run-journaled.ts';
import { checkPhoneFlags } from '../photos/flags.ts';
import {
  completePlan,
  type PickupFlags,
  type PickupPlan,
  readFlags,
  requireFlags,
} from './plan.ts';

export const pickup: CommandBuilder = (command) => {
  command
    .description(
      'Hand a car over: log the event, free its place and store photos.\nIn a terminal, shows where the car is parked, its open appointments and its owner, and prompts for missing values.',
    )
    .addArgument(
      suggestRecords(
        command.createArgument('[car]', 'id, plate, VIN or nickname of the car'),
        'cars',
      ),
    )
    .addOption(
      suggestRecords(
        command.createOption(
          '--type <type>',
          'event type that frees the place (default: the only one)',
        ),
        'eventTypes',
      ),
    );
  addEventFlags(command);
  command.nameFlags({ activityType: '--type', occurredAt: '--at', appointmentId: '--appointment' });
  command.needs(
    {
      part: 'eventTypes.config.releasesParkingSpot',
      otherwise: 'a terminal asks for the type of the event; a script gives --type',
    },
    { part: 'parkingAssignments.list', otherwise: "the place that becomes free isn't shown" },
    { part: ifParkedIn.header, otherwise: otherwiseReadAgain },
  );
  command.examples([
    '# at the counter: prompts for everything',
    'cs pickup',
    '# in a script: no prompts',
    'cs pickup "HH-E 61H" --yes',
    '# photos with a phone: scan the code that the terminal shows',
    'cs pickup Emma --phone',
    'cs pickup Emma --appointment today --notes "two keys handed over" --yes -o json',
    "cs pickup Emma --photo 'shots/*.jpg' --at '10 minutes ago' --dry-run",
  ]);
  command
    .declareOutput(eventResultView('pick-up'))
    .handle((context, { args: [car], options }) => run(context, { ...options, car }));
};

async function run(context: Context, flags: PickupFlags): Promise<ExitCode | undefined> {
  checkPhoneFlags(context, flags);
  if (!context.interactive) requireFlags(flags, context.settings.yes);
  return runJournaled(context, {
    flags,
    isDryRun: flags.dryRun,
    isOffline: flags.offline,
    offline: { what: 'pick-up', asks: ['car', 'notes', 'photo'] },
    files: flags.photo && { patterns: flags.photo },
    load: async () => (await import('./perform.ts')).journaledPickup,
    makePlan: () => makePlan(context, flags),
    beginNow: (plan) => withMoment(context.io, plan),
    async dryRun(plan) {
      const { car } = plan;
      await (await import('../counter/execute.ts')).printRequests(context, {
        carId: car.id,
        body: eventValues(plan),
        plan,
      });
    },
  });
}

async function makePlan(context: Context, flags: PickupFlags): Promise<PickupPlan> {
  const refused = new Set<What>();
  const given = await readFlags(
    context,
    flags,
    orAskCarHere(context, (what) => refused.add(what)),
  );
  if (!context.interactive) return completePlan(context, given, flags);
  return (await import('./ask.ts')).askPlan(context, given, withoutRefused(flags, refused));
}
