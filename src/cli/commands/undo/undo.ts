import type { CommandBuilder } from '../../framework/command.ts';
import { addWriteFlags } from '../../framework/flags.ts';
import { resultView } from '../../output/view.ts';
import { runAction } from '../counter/engine.ts';
import { placeNeed } from '../counter/place.ts';
import { undoAction } from './action.ts';
import type { UndoResult } from './shape.ts';

const undoView = resultView('undo', [
  'car',
  'undone',
  'spot',
  'zone',
  'event',
  'assignment',
  'photos',
  'sessionId',
  'replayed',
] satisfies (keyof UndoResult)[]);

export const undo: CommandBuilder = (command) => {
  command.description(
    'Take back the last drop-off, pick-up or move of this machine: a move moves back, a drop-off is followed by a pick-up, a pick-up by a drop-off at the former place. Shows it first.\nEvents stay, and the notes of the new one name the one that it takes back. Photos, mileage, a new car and a fulfilled appointment stay as they are.\nRefused where the parking of the car changed since.',
  );
  addWriteFlags(command);
  command.needs(
    {
      part: 'eventTypes.config.releasesParkingSpot',
      otherwise: 'a drop-off is taken back with the event type pick_up',
    },
    {
      part: 'parkingAssignments.list',
      otherwise: 'a car that left and came back to the same place goes unnoticed',
    },
    placeNeed,
  );
  command.examples(['cs undo', 'cs undo --dry-run', 'cs undo --yes -o json']);
  command
    .declareOutput(undoView)
    .handle((context, { options }) => runAction(context, undoAction, options));
};
