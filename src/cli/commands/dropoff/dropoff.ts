import { ifParkedIn } from '../../../contract/preconditions.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { orAskInstead, type What, withoutRefused } from '../counter/ask-instead.ts';
import { addEventFlags, eventResultView } from '../counter/event.ts';
import { givenOnce } from '../counter/given-once.ts';
import { otherwiseReadAgain } from '../counter/parked-in.ts';
import { addPlaceFlags } from '../counter/place.ts';
import { withMoment } from '../journal/moment.ts';
import { runJournaled } from '../journal/run-journaled.ts';
import { checkPhoneFlags } from '../photos/flags.ts';
import {
  completePlan,
  type DropoffFlags,
  type DropoffPlan,
  eventBody,
  findFulfilled,
  isNew,
  readFlags,
  requireFlags,
} from './plan.ts';

export const dropoff: CommandBuilder = (command) => {
  command
    .description(
      'Drop a car off: log the event, park the car and store its photos.\nIn a terminal, prompts for everything that the flags leave open. Everything is checked before anything is stored.',
    )
    .addArgument(
      suggestRecords(
        command.createArgument('[car]', 'id, plate, VIN or nickname of the car'),
        'cars',
      ),
    )
    .addOption(
      suggestRecords(command.createOption('--car <id|name>', 'the same as the argument'), 'cars'),
    )
    .addOption(
      suggestRecords(
        command.createOption('--type <type>', 'event type, such as drop_off'),
        'eventTypes',
      ),
    );
  addPlaceFlags(command);
  addEventFlags(command);
  command.nameFlags({
    activityType: '--type',
    parkingSpotId: '--spot',
    parkingZoneId: '--zone',
    occurredAt: '--at',
    appointmentId: '--appointment',
  });
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'spots are given by their ids' },
    { part: 'parkingZones.list', otherwise: 'zones are given by their ids' },
    {
      part: 'carEvents.appointmentId',
      otherwise: 'the drop-off is stored without its appointment, with a warning',
    },
    { part: 'carPhotos.base64', otherwise: 'photos are sent in the field of --photo-field' },
    { part: ifParkedIn.header, otherwise: otherwiseReadAgain },
  );
  command.examples([
    '# at the counter: prompts for everything',
    'cs dropoff',
    '# in a script: no prompts',
    "cs dropoff Emma --type drop_off --spot A3 --photo 'shots/*.jpg' --yes",
    'cs dropoff "HH-E 61H" --type drop_off --zone "Hall A" --yes -o json',
    '# photos with a phone: scan the code that the terminal shows',
    'cs dropoff Emma --phone',
    'cs dropoff Emma --type drop_off --spot A3 --at "10 minutes ago" --dry-run',
  ]);
  command
    .declareOutput(eventResultView('drop-off'))
    .handle((context, { args: [car], options }) =>
      run(context, { ...options, car: givenOnce(car, '--car', options.car) }),
    );
};

async function run(context: Context, flags: DropoffFlags): Promise<ExitCode | undefined> {
  checkPhoneFlags(context, flags);
  if (!context.interactive) requireFlags(flags, context.settings.yes);
  return runJournaled(context, {
    flags,
    isDryRun: flags.dryRun,
    isOffline: flags.offline,
    offline: {
      what: 'drop-off',
      asks: ['car', 'type', 'place', 'notes', 'photo'],
      usualType: 'drop_off',
    },
    files: flags.photo && { patterns: flags.photo },
    load: async () => (await import('./perform.ts')).journaledDropoff,
    makePlan: () => makePlan(context, flags),
    beginNow: (plan) => withMoment(context.io, plan),
    async dryRun(plan) {
      const { car } = plan;
      const target = isNew(car)
        ? { carId: '{id of the new car}', newCar: car.values, newOwner: car.newOwner }
        : { carId: car.id };
      await (await import('../counter/execute.ts')).printRequests(context, {
        ...target,
        body: eventBody(plan),
        plan,
      });
    },
  });
}

async function makePlan(context: Context, flags: DropoffFlags): Promise<DropoffPlan> {
  const refused = new Set<What>();
  const given = await readFlags(
    context,
    flags,
    orAskInstead(context, { onRefused: (what) => refused.add(what) }),
  );
  if (!context.interactive) {
    const plan = completePlan(given);
    return { ...plan, appointment: await findFulfilled(context, plan, flags) };
  }
  return (await import('./ask.ts')).askPlan(context, given, withoutRefused(flags, refused));
}
