/** `cs move`: an assignment of another spot or zone ends the one before. No event is logged. */
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { givenOnce } from '../../framework/given-once.ts';
import { resultView } from '../../output/view.ts';
import { addCarArgument } from '../counter/car.ts';
import { runAction } from '../counter/engine.ts';
import { addPlaceFlags, placeNeed } from '../counter/place.ts';
import { moveAction } from './action.ts';
import type { MoveResult } from './shape.ts';

const moveView = resultView('move', [
  'car',
  'from',
  'to',
  'moved',
  'assignment',
  'replayed',
] satisfies (keyof MoveResult)[]);

export const move: CommandBuilder = (command) => {
  command.description(
    'Move a parked car to another spot or zone. No event is logged; use `cs cars events log` for that.\nIn a terminal, prompts for a free place, the nearest first.',
  );
  addCarArgument(command).addArgument(
    suggestRecords(command.createArgument('[spot]', 'the same as --spot'), 'parkingSpots'),
  );
  addPlaceFlags(command)
    .option('--notes <text>', 'free text, stored with the parking assignment')
    .option('--at <when>', "time of the move (default: now, by the server's clock)")
    .option(
      '--offline',
      'queue it without asking the server; the next drop-off, pick-up or move sends it, or `cs pending resume`',
    );
  addCreateFlags(command);
  command.nameFlags({ parkingSpotId: '--spot', parkingZoneId: '--zone', startedAt: '--at' });
  command.needs(
    {
      part: 'parkingAssignments.create',
      otherwise: 'log an event with a spot or zone: `cs cars events log`',
    },
    { part: 'parkingSpots.list', otherwise: 'spots are given by their ids' },
    { part: 'parkingZones.list', otherwise: 'zones are given by their ids' },
    placeNeed,
  );
  command.examples([
    '# prompts for the car and the place',
    'cs move',
    'cs move "HH-E 61H" A3',
    'cs move Emma --zone "Hall A" --location Harbour --notes "makes room for the lift"',
  ]);
  command.declareOutput(moveView).handle((context, { args: [car, spot], options }) =>
    runAction(context, moveAction, {
      ...options,
      car,
      spot: givenOnce(spot, '--spot', options.spot),
    }),
  );
};
