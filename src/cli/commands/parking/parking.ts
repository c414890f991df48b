import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { parseWhen } from '../../input/when.ts';
import { type Column, idColumn, type Row, timeColumn } from '../../output/view.ts';
import type { MoreFilters } from '../../resources/definition.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { addGroup } from '../../resources/resource.ts';
import { carColumn, viewOf } from '../../resources/view.ts';

const location = {
  header: 'location',
  cell: (row, { label }) => label('locations', row.locationId),
  names: { locationId: 'locations' },
} satisfies Column;

/** A field beyond the specification that the server doesn't send. */
const unknown = '(unknown)';

const zoneView = viewOf('parkingZones', {
  columns: [
    { header: 'name', cell: (row) => row.name },
    location,
    // Cars on a spot don't count towards the capacity of the zone.
    { header: 'cars without a spot', cell: (row) => row.occupied ?? unknown, align: 'right' },
    {
      header: 'places left',
      cell: (row) => row.available ?? (row.available === null ? 'no limit' : unknown),
      align: 'right',
    },
    { header: 'active', cell: (row) => row.isActive },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs parking zones create`.',
});

function stateOfSpot(row: Row): string {
  if (row.isActive === false) return '(inactive)';
  return row.occupiedByCarId === null ? 'free' : unknown;
}

const spotView = viewOf('parkingSpots', {
  columns: [
    { header: 'name', cell: (row) => row.name },
    location,
    {
      header: 'zone',
      cell: (row, { label }) => label('parkingZones', row.zoneId),
      names: { zoneId: 'parkingZones' },
    },
    { header: 'kind', cell: (row) => row.kind, droppable: true },
    {
      header: 'car',
      cell: (row, { label }) => label('cars', row.occupiedByCarId) || stateOfSpot(row),
      names: { occupiedByCarId: 'cars' },
    },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs parking spots create`.',
});

const assignmentView = viewOf('parkingAssignments', {
  columns: [
    carColumn,
    {
      header: 'parked',
      cell: (row, { label }) =>
        label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    { ...timeColumn('since', 'startedAt'), droppable: undefined },
    { ...timeColumn('until', 'endedAt'), droppable: undefined },
    idColumn,
  ],
  emptyHint: 'Create one with `cs dropoff`.',
});

const time = (value: unknown): number => Date.parse(String(value));

/** The interface has no filter for the location and the period of an assignment. */
const byPlaceAndPeriod: MoreFilters = {
  add: (command) => {
    command
      .addOption(
        suggestRecords(
          command.createOption(
            '--location <id|name>',
            'assignments of the spots and zones of this location',
          ),
          'locations',
        ),
      )
      .option('--from <when>', 'parked at or after this time; with --to, in this period')
      .option('--to <when>', 'parked before this time');
    command.needs(
      { part: 'parkingSpots.list', otherwise: '--location is exit 9' },
      { part: 'parkingZones.list', otherwise: '--location is exit 9' },
      { part: 'parkingAssignments.endedAt', otherwise: '--location, --from and --to are exit 9' },
    );
  },
  read: () => ({}),
  async keep(context, { location, from, to }) {
    if ([location, from, to].every((given) => given === undefined)) return undefined;
    const at = (text: unknown, flag: string, otherwise: number) =>
      text === undefined ? otherwise : Date.parse(parseWhen(String(text), context.io.now(), flag));
    const start = at(from, '--from', Number.NEGATIVE_INFINITY);
    const end = at(to, '--to', Number.POSITIVE_INFINITY);
    if (start >= end)
      throw usage('--from must be before --to.', 'give the start of the period with --from');
    const places = location === undefined ? undefined : await placesOf(context, String(location));
    return (row) => {
      const [startedAt, endedAt] = [time(row.startedAt), time(row.endedAt ?? '9999')];
      if (row.endedAt === undefined || Number.isNaN(startedAt) || Number.isNaN(endedAt))
        throw new CliError({
          code: 'filter_ignored',
          message: `The server doesn't tell when the parking ${row.id} started and ended.`,
          hint: 'leave out --location, --from and --to',
        });
      const isThere = !places || places.has(row.parkingSpotId) || places.has(row.parkingZoneId);
      return isThere && startedAt < end && endedAt > start;
    };
  },
};

/** The ids of the spots and zones of a location. */
async function placesOf(context: Context, text: string): Promise<ReadonlySet<unknown>> {
  const locationId = await resolveId(context, { resource: 'locations', text });
  const client = await context.client();
  const places = await Promise.all([
    gather(client.parkingSpots.all({ locationId })),
    gather(client.parkingZones.all({ locationId })),
  ]);
  return new Set(places.flat().map(({ id }) => id));
}

export const parking: CommandBuilder = (command) => {
  addGroup(command, {
    noun: 'zones',
    alias: 'zone',
    summary: 'Halls, floors and yards for cars without a spot',
    resource: 'parkingZones',
    view: zoneView,
    examples: {
      list: ['cs parking zones list --available', 'cs parking zones list --location Main'],
      get: ['cs parking zones get "Hall 1"'],
      create: ['cs parking zones create --location Main --name "Hall 2" --capacity 40'],
      update: [
        'cs parking zones update "Hall 1" --capacity 60',
        'cs parking zones update "Hall 1" --clear capacity',
      ],
    },
  });
  addGroup(command, {
    noun: 'spots',
    alias: 'spot',
    summary: 'Marked places for a single car',
    resource: 'parkingSpots',
    view: spotView,
    askCreate: async () => (await import('./ask.ts')).askSpot,
    range: 'name',
    about: { create: 'Create a parking spot. A range of names creates several: --name A1..A40' },
    examples: {
      list: ['cs parking spots list --available', 'cs parking spots list --zone "Hall 1"'],
      get: ['cs parking spots get A12'],
      create: ['cs parking spots create --location Main --name C1..C40 --zone "Hall 1"'],
      update: [
        'cs parking spots update A12 --notes "by the door"',
        'cs parking spots update A12 --clear zone',
      ],
    },
  });
  addGroup(command, {
    noun: 'assignments',
    alias: 'assignment',
    summary: 'Which car is parked where, and since when',
    resource: 'parkingAssignments',
    view: assignmentView,
    filters: byPlaceAndPeriod,
    examples: {
      list: [
        'cs parking assignments list --active',
        'cs parking assignments list --car "WN AB 123"',
        'cs parking assignments list --location Main --from 2026-10-01 --to 2026-11-01',
      ],
      get: ['cs parking assignments get "WN AB 123"'],
      create: [
        '# Parks the car, or moves it.',
        'cs parking assignments create --car Greta --spot A12',
        'cs move Greta --spot A12',
      ],
      update: [
        '# Releases the car.',
        'cs parking assignments update "WN AB 123" --ended-at now',
        'cs parking assignments update "WN AB 123" --notes "battery out"',
      ],
    },
  });
  command.examples([
    'cs parking spots list --available',
    'cs parking zones list',
    'cs parking assignments list --active',
  ]);
};
