import type { CommandBuilder } from '../../framework/command.ts';
import { runAction } from '../counter/engine.ts';
import { addEventFlags, eventNeeds, eventResultView } from '../counter/event.ts';
import { checkPhoneFlags } from '../photos/flags.ts';
import { pickupAction } from './action.ts';

export const pickup: CommandBuilder = (command) => {
  command.description(
    'Hand a car over: log the event, free its place and store photos.\nIn a terminal, shows where the car is parked, its open appointments and its owner, and prompts for missing values.',
  );
  addEventFlags(command, 'event type that frees the place (default: the only one)');
  command.needs(
    {
      part: 'eventTypes.config.releasesParkingSpot',
      otherwise: 'a terminal asks for the type of the event; a script gives --type',
    },
    { part: 'parkingAssignments.list', otherwise: "the place that becomes free isn't shown" },
    ...eventNeeds,
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
  command.declareOutput(eventResultView('pick-up')).handle((context, { args: [car], options }) => {
    checkPhoneFlags(context, options);
    return runAction(context, pickupAction, { ...options, car });
  });
};
