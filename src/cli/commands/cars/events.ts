import { isUuid } from '../../../client/ids.ts';
import type { Context } from '../../context.ts';
import { Argument, type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { timeColumn } from '../../output/view.ts';
import { checkBody } from '../../resources/fields.ts';
import { resolveId, resolveRecord } from '../../resources/lookup.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { viewOf } from '../../resources/view.ts';
import { stateWords } from '../../terminal/text.ts';
import { readEventTime, requireTime } from '../counter/event-time.ts';
import { addPlaceFlags, findPlaceFields, requireOnePlace } from '../counter/place.ts';

const eventView = viewOf('carEvents', {
  columns: [
    { ...timeColumn('when', 'occurredAt'), droppable: undefined },
    {
      header: 'type',
      // A type without a name still has its value.
      cell: (row, { label }) => {
        const name = label('eventTypes', row.eventTypeId);
        return name === '' || name === row.eventTypeId ? stateWords(row.activityType) : name;
      },
      names: { eventTypeId: 'eventTypes' },
    },
    {
      header: 'parked',
      cell: (row, { label }) =>
        label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    { header: 'notes', cell: (row) => row.notes },
    // Used to attach photos, so it comes before the event's own id.
    { header: 'session', cell: (row) => row.sessionId, droppable: true, neverCut: true },
    { header: 'id', cell: (row) => row.id, droppable: true, neverCut: true },
  ],
  title: (row) => stateWords(row.activityType),
  emptyHint: 'Log one with `cs cars events log CAR --type TYPE`.',
});

export function addEventCommands(command: Command): void {
  addCrudCommands(command, {
    resource: 'carEvents',
    view: eventView,
    verbs: ['list', 'get'],
    examples: {
      list: [
        'cs cars events list "WN AB 123"',
        'cs cars events list Greta --activity-type drop_off --occurred-from yesterday',
      ],
      get: ['cs cars events get Greta EVENT'],
    },
  });
  addLog(command.command('log'));
  command.examples([
    'cs cars events list "WN AB 123"',
    'cs cars events log Greta --type inspection --notes "tyres low"',
  ]);
}

function addLog(command: Command): void {
  command
    .implementsOperation('carEvents.create')
    .declareOutput(eventView)
    .summary('Log an event on a car')
    .description('Log an event on a car: park it, free its place, or record work.')
    .addArgument(
      suggestRecords(new Argument('<car>', 'id, plate, VIN or nickname of the car'), 'cars'),
    )
    .addOption(
      suggestRecords(
        new Option(
          '--type <type>',
          'event type, such as drop_off (required)',
        ).makeOptionMandatory(),
        'eventTypes',
      ),
    );
  addPlaceFlags(command)
    .option('--notes <text>', 'free text')
    .option('--at <when>', 'time of the event (default: now)');
  addCreateFlags(command);
  command.nameFlags({ activityType: '--type', occurredAt: '--at' });
  command.examples([
    'cs cars events log "WN AB 123" --type drop_off --spot A12',
    'cs cars events log Greta --type pick_up --at "10 minutes ago"',
    'cs cars events log Greta --type inspection --notes "tyres low"',
  ]);
  const operation = operationFor('carEvents', 'create');

  command.handle(async (context, { args: [carText], options }) => {
    requireOnePlace(options);
    const typedAt = requireTime(context, options.at);
    const carId = await resolveId(context, { resource: 'cars', text: carText });
    const occurredAt = await readEventTime(context, options.at, typedAt);
    const body = withoutUndefined({
      activityType: await findType(context, options.type),
      ...(await findPlaceFields(context, options)),
      notes: options.notes,
      occurredAt,
    });
    checkBody(operation, body);
    if (options.dryRun) return context.output.request(planned(operation, [carId], body));
    const client = await context.client();
    const event = await client.carEvents.create(carId, body as never, {
      idempotencyKey: options.idempotencyKey,
    });
    await context.output.written(eventView, event, 'logged');
    if (context.output.forPeople) {
      const session = event.sessionId ? ['--session', event.sessionId] : [];
      context.note(
        `Photos: ${nextCommand(['cars', 'photos', 'add', carText, ...session], connectionFlags(context))} FILE…`,
      );
    }
  });
}

/** By value, name or id. A value isn't looked up: the server refuses an unknown one. */
async function findType(context: Context, text: string): Promise<string> {
  if (!isUuid(text) && /^[a-z][a-z0-9_]*$/.test(text)) return text;
  return (await resolveRecord(context, { resource: 'eventTypes', text })).value;
}

const withoutUndefined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
