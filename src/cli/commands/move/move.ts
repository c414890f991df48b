/** `cs move`: an assignment of another spot or zone ends the one before. No event is logged. */
import { ifParkedIn } from '../../../contract/preconditions.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { resultView } from '../../output/view.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { orAskCarHere, type What } from '../counter/ask-instead.ts';
import { givenOnce } from '../counter/given-once.ts';
import { otherwiseReadAgain } from '../counter/parked-in.ts';
import { addPlaceFlags, requireOnePlace } from '../counter/place.ts';
import { withMoment } from '../journal/moment.ts';
import { runJournaled } from '../journal/run-journaled.ts';
import { makePlan } from './make-plan.ts';
import { type MoveFlags, moveBody } from './plan.ts';
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
  command
    .description(
      'Move a parked car to another spot or zone. No event is logged; use `cs cars events log` for that.\nIn a terminal, prompts for a free place, the nearest first.',
    )
    .addArgument(
      suggestRecords(
        command.createArgument('[car]', 'id, plate, VIN or nickname of the car'),
        'cars',
      ),
    )
    .addArgument(
      suggestRecords(command.createArgument('[spot]', 'the same as --spot'), 'parkingSpots'),
    );
  addPlaceFlags(command)
    .option('--notes <text>', 'free text, stored with the parking assignment')
    .option('--at <when>', 'time of the move (default: now)')
    .option(
      '--offline',
      'queue it without asking the server; the next command that reaches the server sends it',
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
    { part: ifParkedIn.header, otherwise: otherwiseReadAgain },
  );
  command.examples([
    '# prompts for the car and the place',
    'cs move',
    'cs move "HH-E 61H" A3',
    'cs move Emma --zone "Hall A" --location Harbour --notes "makes room for the lift"',
  ]);
  command
    .declareOutput(moveView)
    .handle((context, { args: [car, spot], options }) =>
      run(context, { ...options, car, spot: givenOnce(spot, '--spot', options.spot) }),
    );
};

async function run(context: Context, flags: MoveFlags): Promise<ExitCode | undefined> {
  requireOnePlace(flags);
  if (!context.interactive) {
    const placeGiven = flags.spot !== undefined || flags.zone !== undefined;
    const missing = [flags.car === undefined && 'CAR', !placeGiven && '--spot or --zone'].filter(
      (name) => name !== false,
    );
    if (missing.length > 0) throw missingInput(missing);
  }
  const refused = new Set<What>();
  return runJournaled(context, {
    flags,
    isDryRun: flags.dryRun,
    isOffline: flags.offline,
    offline: { what: 'move', asks: ['car', 'place'] },
    load: async () => (await import('./perform.ts')).journaledMove,
    makePlan: () =>
      makePlan(
        context,
        flags,
        orAskCarHere(context, (what) => refused.add(what)),
        refused,
      ),
    beginNow: (plan) => withMoment(context.io, plan),
    dryRun: (plan) =>
      context.output.request(
        planned(operationFor('parkingAssignments', 'create'), [], moveBody(plan)),
      ),
  });
}
