import { carName } from '../../../facility/car-names.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn, plateCells } from '../../output/view.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { state, viewOf } from '../../resources/view.ts';
import { addEventCommands } from './events.ts';
import { addPhotoCommands } from './photos.ts';

export const carView = viewOf('cars', {
  columns: [
    // First the column that can be typed instead of an id.
    { header: 'plate', cell: (row) => row.licensePlate, minCells: plateCells },
    { header: 'car', cell: carName },
    { header: 'nickname', cell: (row) => row.nickname, droppable: true },
    state(),
    {
      header: 'parked',
      cell: (row, { label }) =>
        label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    {
      header: 'owner',
      cell: (row, { label }) => label('customers', row.customerId),
      names: { customerId: 'customers' },
      droppable: true,
    },
    { header: 'vin', cell: (row) => row.vin, droppable: true },
    idColumn,
  ],
  title: (row) => [carName(row), row.licensePlate].filter(Boolean).join(' · '),
  emptyHint: 'Add a car with `cs cars create`.',
});

export const cars: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'cars',
    view: carView,
    askCreate: async () => (await import('./ask.ts')).askCar,
    examples: {
      list: [
        'cs cars list --status stored',
        'cs cars list --customer "Ann Lee"',
        'cs cars list --all -o ndjson | jq -r .licensePlate',
      ],
      get: ['cs cars get "WN AB 123"'],
      create: ['cs cars create --year 1973 --make Porsche --model "911 Carrera RS"'],
      update: [
        'cs cars update "WN AB 123" --mileage 48210',
        'cs cars update Greta --clear nickname',
      ],
    },
  });
  addEventCommands(
    command
      .command('events')
      .alias('event')
      .summary('Events of a car')
      .description('Events of a car: drop-offs, pick-ups, inspections and other work.'),
  );
  addPhotoCommands(
    command
      .command('photos')
      .alias('photo')
      .summary('Photos of a car')
      .description('Photos of a car.'),
  );
  command.examples([
    'cs cars list --status stored',
    'cs cars get "WN AB 123"',
    'cs cars events log "WN AB 123" --type inspection',
    'cs cars photos add "WN AB 123" front.jpg',
  ]);
};
