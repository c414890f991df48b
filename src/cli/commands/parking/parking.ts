import type { CommandBuilder } from '../../framework/command.ts';
import { type Column, idColumn, type Row, timeColumn } from '../../output/view.ts';
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
    examples: {
      list: [
        'cs parking assignments list --active',
        'cs parking assignments list --car "WN AB 123"',
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
