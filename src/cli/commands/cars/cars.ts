import type { CommandBuilder } from '../../framework/command.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { addEventCommands } from './events.ts';
import { addPhotoCommands } from './photos.ts';
import { carView } from './view.ts';

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
