import { ifParkedIn } from '../../../contract/preconditions.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { runAction } from '../counter/engine.ts';
import { addEventFlags, eventResultView } from '../counter/event.ts';
import { otherwiseUnchecked } from '../counter/parked-in.ts';
import { checkPhoneFlags } from '../photos/flags.ts';
import { pickupAction } from './action.ts';

export const pickup: CommandBuilder = (command) => {
  command
    .description(
      'Hand a car over: log the event, free its place and store photos.\nIn a terminal, shows where the car is parked, its open appointments and its owner, and prompts for missing values.',
    )
    .addArgument(
      suggestRecords(
        command.createArgument('[car]', 'id, plate, VIN or nickname of the car'),
        'cars',
      ),
    )
    .addOption(
      suggestRecords(
        command.createOption(
          '--type <type>',
          'event type that frees the place (default: the only one)',
        ),
        'eventTypes',
      ),
    );
  addEventFlags(command);
  command.nameFlags({ activityType: '--type', occurredAt: '--at', appointmentId: '--appointment' });
  command.needs(
    {
      part: 'eventTypes.config.releasesParkingSpot',
      otherwise: 'a terminal asks for the type of the event; a script gives --type',
    },
    { part: 'parkingAssignments.list', otherwise: "the place that becomes free isn't shown" },
    { part: ifParkedIn.header, otherwise: otherwiseUnchecked },
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
