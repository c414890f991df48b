import { Argument, type Command, Option } from 'commander';
import { type Context, examples, nameFlags, type On, performs } from '../command.ts';
import { CliError } from '../exit.ts';
import { addCreateFlags } from '../flags.ts';
import { isId, resolveId, resolveRecord } from '../names/names.ts';
import { askText } from '../question.ts';
import { checkBody } from '../resources/fields.ts';
import { operationFor, planned } from '../resources/operation.ts';
import { addPlainCommands } from '../resources/resource.ts';
import { viewOf } from '../resources/view.ts';
import { quote } from '../text.ts';
import { namesRecords } from '../tree/manifest.ts';
import { parsePast } from '../when.ts';

const eventView = viewOf('carEvents', {
  columns: [
    { header: 'when', cell: (row, { time }) => time(row.occurredAt), whole: true },
    { header: 'type', cell: (row) => row.activityType },
    {
      header: 'parked',
      cell: (row, { label }) => label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    { header: 'notes', cell: (row) => row.notes },
    // Photos are attached by it, so it is worth more room than the event's own id.
    { header: 'session', cell: (row) => row.sessionId, spare: true, whole: true },
    { header: 'id', cell: (row) => row.id, spare: true, whole: true },
  ],
  title: (row) => row.activityType ?? '',
  emptyHint: 'Log one with `cs cars events log CAR --type TYPE`.',
});

export function addEventCommands(command: Command, on: On): void {
  addPlainCommands(command, on, {
    resource: 'carEvents',
    view: eventView,
    verbs: ['list', 'get'],
    examples: {
      list: ['cs cars events list "WN AB 123"', 'cs cars events list Greta --activity-type drop_off --occurred-from yesterday'],
      get: ['cs cars events get Greta EVENT', 'cs cars events get Greta EVENT --json activityType,occurredAt'],
    },
  });
  addLog(command.command('log'), on);
  examples(command, ['cs cars events list "WN AB 123"', 'cs cars events log Greta --type inspection --notes "tyres low"']);
}

function addLog(command: Command, on: On): void {
  performs(command, 'carEvents.create')
    .summary('Log an event on a car')
    .description('Log an event on a car: park it, release it, or note what was done.')
    .addArgument(namesRecords(new Argument('<car>', 'id of the car, or its plate, VIN or nickname'), 'cars'))
    .addOption(namesRecords(new Option('--type <type>', 'event type, such as drop_off'), 'eventTypes'))
    .addOption(namesRecords(new Option('--spot <id|name>', 'the spot the car was put on'), 'parkingSpots'))
    .addOption(namesRecords(new Option('--zone <id|name>', 'the zone the car was put in'), 'parkingZones'))
    .addOption(namesRecords(new Option('--location <id|name>', 'where the spot or zone is, when its name is not enough'), 'locations'))
    .option('--notes <text>', 'free text')
    .option('--at <when>', 'when it happened; now unless given');
  addCreateFlags(command);
  nameFlags(command, { activityType: '--type', parkingSpotId: '--spot', parkingZoneId: '--zone', occurredAt: '--at' });
  examples(command, [
    'cs cars events log "WN AB 123" --type drop_off --spot A12',
    'cs cars events log Greta --type pick_up --at "10 minutes ago"',
    'cs cars events log Greta --type inspection --notes "tyres low"',
  ]);
  const operation = operationFor('carEvents', 'create');

  command.action(
    on(async (context, { args: [carText], options }) => {
      if (options.spot !== undefined && options.zone !== undefined)
        throw new CliError({
          code: 'conflicting_fields',
          message: '--spot and --zone exclude each other: a car stands on one or in the other.',
          hint: 'leave one of them out',
          exitCode: 3,
        });
      const type = options.type ?? (await askText(context, { flag: '--type', message: 'Event type' }));
      const occurredAt = options.at === undefined ? undefined : parsePast(options.at, context.io.now(), '--at');
      const carId = await resolveId(context, { resource: 'cars', text: carText });
      const body = withoutUndefined({
        activityType: await typeValue(context, type),
        ...(await parkingIds(context, options)),
        notes: options.notes,
        occurredAt,
      });
      checkBody(operation, body);
      if (options.dryRun) return context.output.request(planned(operation, [carId], body));
      const client = await context.client();
      const event = await client.carEvents.create(carId, body as never, { idempotencyKey: options.idempotencyKey });
      await context.output.written(eventView, event, 'logged');
      if (context.output.format === 'table')
        context.note(`Photos: cs cars photos add ${quote(carText)} --session ${event.sessionId} FILE…`);
    }),
  );
}

/** The value of an event type, given by value, name or id. A value is not looked up: the server knows it, or says that it does not. */
async function typeValue(context: Context, text: string): Promise<string> {
  if (!isId(text) && /^[a-z][a-z0-9_]*$/.test(text)) return text;
  return (await resolveRecord(context, { resource: 'eventTypes', text })).value;
}

interface ParkingOptions {
  readonly spot?: string;
  readonly zone?: string;
  readonly location?: string;
}

/** The ids of a spot or a zone, given by id or name, in a location when one is named. */
async function parkingIds(context: Context, { spot, zone, location }: ParkingOptions) {
  const query = location === undefined ? {} : { locationId: await resolveId(context, { resource: 'locations', text: location }) };
  return {
    parkingSpotId: spot === undefined ? undefined : await resolveId(context, { resource: 'parkingSpots', text: spot, query }),
    parkingZoneId: zone === undefined ? undefined : await resolveId(context, { resource: 'parkingZones', text: zone, query }),
  };
}

const withoutUndefined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
