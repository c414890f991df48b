import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { givenOnce } from '../../framework/given-once.ts';
import { runAction } from '../counter/engine.ts';
import { addEventFlags, eventNeeds, eventResultView } from '../counter/event.ts';
import { addPlaceFlags } from '../counter/place.ts';
import { checkPhoneFlags } from '../photos/flags.ts';
import { dropoffAction } from './action.ts';

export const dropoff: CommandBuilder = (command) => {
  command.description(
    'Drop a car off: log the event, park the car and store its photos.\nIn a terminal, prompts for everything that the flags leave open. Everything is checked before anything is stored.',
  );
  addEventFlags(command, 'event type, such as drop_off').addOption(
    suggestRecords(command.createOption('--car <id|name>', 'the same as the argument'), 'cars'),
  );
  addPlaceFlags(command);
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'spots are given by their ids' },
    { part: 'parkingZones.list', otherwise: 'zones are given by their ids' },
    { part: 'cars.create', otherwise: "a new car can't be added" },
    { part: 'customers.create', otherwise: "a new owner can't be added" },
    ...eventNeeds,
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
  command.declareOutput(eventResultView('drop-off')).handle((context, { args: [car], options }) => {
    checkPhoneFlags(context, options);
    return runAction(context, dropoffAction, {
      ...options,
      car: givenOnce(car, '--car', options.car),
    });
  });
};
