import { examples, type Fill } from '../command.ts';
import { idColumn, type View } from '../render/view.ts';
import { addPlainCommands } from './resource.ts';

const location = {
  header: 'location',
  cell: (row, { label }) => label('locations', row.locationId),
  names: { locationId: 'locations' },
} satisfies View['columns'][number];

export const zoneView: View = {
  one: 'parking zone',
  many: 'parking zones',
  columns: [
    { header: 'name', cell: (row) => row.name },
    location,
    // Cars on a spot of the zone take none of its places.
    { header: 'cars without a spot', cell: (row) => row.occupied, align: 'right' },
    { header: 'places left', cell: (row) => row.available ?? 'no limit', align: 'right' },
    { header: 'in use', cell: (row) => row.isActive },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs parking zones create`.',
};

export const spotView: View = {
  one: 'parking spot',
  many: 'parking spots',
  columns: [
    { header: 'name', cell: (row) => row.name },
    location,
    { header: 'zone', cell: (row, { label }) => label('parkingZones', row.zoneId), names: { zoneId: 'parkingZones' } },
    { header: 'kind', cell: (row) => row.kind, spare: true },
    {
      header: 'car',
      cell: (row, { label }) => label('cars', row.occupiedByCarId) || (row.isActive === false ? '(not in use)' : 'free'),
      names: { occupiedByCarId: 'cars' },
    },
    idColumn,
  ],
  title: (row) => row.name ?? '',
  emptyHint: 'Add one with `cs parking spots create`.',
};

export const assignmentView: View = {
  one: 'parking assignment',
  many: 'parking assignments',
  columns: [
    { header: 'car', cell: (row, { label }) => label('cars', row.carId), names: { carId: 'cars' } },
    {
      header: 'parked',
      cell: (row, { label }) => label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    { header: 'since', cell: (row, { time }) => time(row.startedAt), whole: true },
    { header: 'until', cell: (row, { time }) => time(row.endedAt), whole: true },
    idColumn,
  ],
  title: () => '',
  emptyHint: 'A drop-off makes one: `cs dropoff`.',
};

export const parking: Fill = (command, on) => {
  const zones = command
    .command('zones')
    .alias('zone')
    .summary('Halls, floors and yards')
    .description('Parts of a location that cars are put in without naming a spot.');
  addPlainCommands(zones, on, {
    resource: 'parkingZones',
    view: zoneView,
    verbs: ['list', 'get', 'create', 'update'],
    examples: {
      list: ['cs parking zones list --available', 'cs parking zones list --location-id Main'],
      create: ['cs parking zones create --location-id Main --name "Hall 1" --capacity 40'],
      update: ['cs parking zones update "Hall 1" --clear capacity'],
    },
  });
  const spots = command.command('spots').alias('spot').summary('Marked places for one car').description('Marked places for one car.');
  addPlainCommands(spots, on, {
    resource: 'parkingSpots',
    view: spotView,
    verbs: ['list', 'get', 'create', 'update'],
    examples: {
      list: ['cs parking spots list --available', 'cs parking spots list --zone-id "Hall 1"'],
      create: ['cs parking spots create --location-id Main --name A12 --zone-id "Hall 1"'],
      update: ['cs parking spots update A12 --no-is-active'],
    },
  });
  const assignments = command
    .command('assignments')
    .alias('assignment')
    .summary('Which car stands where, and since when')
    .description('Which car stands where, and since when.');
  addPlainCommands(assignments, on, {
    resource: 'parkingAssignments',
    view: assignmentView,
    verbs: ['list', 'get', 'create', 'update'],
    examples: {
      list: ['cs parking assignments list --active', 'cs parking assignments list --car-id "WN AB 123"'],
      create: ['# Parks the car, or moves it.', 'cs parking assignments create --car-id "WN AB 123" --parking-spot-id A12'],
      update: ['# Releases the car.', 'cs parking assignments update ID --ended-at now'],
    },
  });
  examples(command, ['cs parking spots list --available', 'cs parking zones list', 'cs parking assignments list --active']);
};
