/** Performs a move: the request and the printed result. */
import type { CallOptions } from '../../../client/options.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { isUncertain } from '../../errors/final.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type CarIdentity, identityOf, titleOf } from '../../lookup/car.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { sanitize } from '../../terminal/text.ts';
import { finishHint, isStop, reasonOf, wrapFailure } from '../counter/failures.ts';
import { asParkingChanged, expectParkedIn, logUncheckedParking, shownHere } from '../counter/parked-in.ts';
import { asPlaceConflict, describePlace, type Place, placeResult } from '../counter/place.ts';
import { findStoredAssignment } from '../journal/find.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import { makePlan } from './make-plan.ts';
import { type MovePlan, moveBody } from './plan.ts';
import type { MoveResult } from './shape.ts';

export const journaledMove: Journaled<MovePlan, MoveResult> = {
  command: 'move',
  what: ({ car }) => `move of ${titleOf(car)}`,
  files: () => [],
  requests: () => ['move'],
  planQueued: makePlan,
  perform: performMove,
};

/** Prompts for another place after a conflict. */
async function performMove(context: Context, plan: MovePlan, journal: Journal): Promise<Performed<MoveResult>> {
  try {
    const result = await storeMove(context, plan, journal);
    return { result, open: false, print: () => printMove(context, plan, result) };
  } catch (error) {
    const conflict = await asPlaceConflict(context, plan.to, error);
    if (!conflict) throw error;
    if (!context.interactive || context.settings.yes) throw conflict;
    context.warn(`${conflict.message.replace(/\.?$/, '.')} Choose another place.`);
    const { askPlaceBelow } = await import('./ask.ts');
    const next = { ...plan, to: await askPlaceBelow(context, plan) };
    await journal.steps.change(next);
    return performMove(context, next, journal);
  }
}

/** Throws the client's error, or the signal's reason, if nothing was stored; otherwise a CliError that says the move is uncertain. */
async function storeMove(context: Context, plan: MovePlan, { steps, entry }: Journal): Promise<MoveResult> {
  const { car, from, to } = plan;
  const { signal } = context.io;
  signal.throwIfAborted();
  const client = await context.client();
  logUncheckedParking(context, client);
  const body = moveBody(plan);
  const globalFlags = connectionFlags(context);
  const step = {
    path: '/parking/assignments',
    async send(key: string, mayBeStored: boolean) {
      const mayBeRepeat = mayBeStored || plan.idempotencyKey !== undefined;
      const precondition = await expectParkedIn(client, { car, parkedIn: shownHere(car, from), mayBeRepeat, globalFlags, signal });
      return client.parkingAssignments.create(body, { idempotencyKey: plan.idempotencyKey ?? key, signal, ...precondition });
    },
    find: (how: CallOptions) => findStoredAssignment(client, body, { since: entry?.serverTime, ...how }),
  };
  const assignment = await steps.once('move', step).catch((error: unknown) => {
    const stopped = isStop(error, signal);
    if (!stopped && !isUncertain(error)) throw asParkingChanged(error, car, globalFlags) ?? error;
    const check = `check where it is parked: \`${nextCommand(['cars', 'get', car.id], globalFlags)}\``;
    throw wrapFailure(error, {
      message: `${reasonOf(error, stopped)} The car may have been moved.`,
      hint: steps.resume ? finishHint(steps.resume) : check,
    });
  });
  return {
    car: identityOf(car),
    from: placeResult(from),
    to: placeResult(to),
    moved: (car.parkingSpotId ?? car.parkingZoneId ?? from?.record.id) !== to.record.id,
    assignment,
    ...(wasReplayed(assignment) && { replayed: true }),
  };
}

/** The command that moves the car back. */
async function undoCommand(context: Context, car: CarIdentity, { from, to }: { from: Place; to: Place }): Promise<string> {
  const words = ['move', await shortestUniqueRef(context, 'cars', car), `--${from.kind}`, from.record.name];
  // Names at the car's own location need no --location.
  if (from.record.locationId === to.record.locationId) return nextCommand(words, connectionFlags(context));
  const { locationId } = from.record;
  const names = await findLabels(context, new Map([['locations', new Set([locationId])]]), { bestEffort: true });
  return nextCommand([...words, '--location', names.get('locations')?.get(locationId) ?? locationId], connectionFlags(context));
}

async function printMove(context: Context, { from, to }: MovePlan, result: MoveResult): Promise<void> {
  const { output, styles } = context;
  const { labelled } = await import('../../output/labelled.ts');
  const car = titleOf(result.car);
  const headline = result.moved
    ? `${car} is parked in ${describePlace(to)}`
    : `${car} is already parked in ${describePlace(to)}; nothing was changed`;
  const facts = labelled(
    context,
    from && result.moved && output.forPeople
      ? [
          ['Before', describePlace(from)],
          ['Undo', await undoCommand(context, result.car, { from, to })],
        ]
      : [],
  );
  await output.styled(
    output.format === 'id' ? result.assignment : result,
    `${styles.success('✓')} ${styles.title(sanitize(headline))}\n${facts && `\n${facts}`}`,
  );
}
