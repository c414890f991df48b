/** Carries a move out: an assignment that begins ends the one before. No event is logged. */
import type { Client, RecordFor } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { type Car, type CarIdentity, identityOf } from '../../lookup/car.ts';
import { failure, isUnknown, reasonOf } from '../counter/failures.ts';
import { isStop } from '../counter/perform.ts';
import { type Place, type PlaceIdentity, placeFields } from '../counter/place.ts';

export interface MovePlan {
  readonly car: Car;
  /** Where it stands; not known to a key that may not read parking. */
  readonly from?: Place;
  readonly to: Place;
  /** ISO 8601; now when left out. */
  readonly at?: string;
  readonly notes?: string;
}

type Where = { readonly spot: PlaceIdentity | null; readonly zone: PlaceIdentity | null };

export interface MoveResult {
  readonly car: CarIdentity;
  readonly from: Where;
  readonly to: Where;
  /** False when the car stood there already. */
  readonly moved: boolean;
  readonly assignment: RecordFor<'parkingAssignments'>;
  /** The move was stored before, by an earlier run with the same idempotency key. */
  readonly replayed?: true;
}

interface MoveOptions {
  readonly idempotencyKey?: string;
  readonly globalFlags: readonly string[];
  readonly signal: AbortSignal;
}

export const moveBody = ({ car, to, at, notes }: MovePlan) => ({
  carId: car.id,
  ...(to.kind === 'spot' ? { parkingSpotId: to.record.id } : { parkingZoneId: to.record.id }),
  ...(at && { startedAt: at }),
  ...(notes && { notes }),
});

/** Throws the client's error, or the signal's reason, when nothing was stored; a CliError that says so when that is not known. */
export async function performMove(
  client: Client,
  plan: MovePlan,
  { idempotencyKey, globalFlags, signal }: MoveOptions,
): Promise<MoveResult> {
  const { car, from, to } = plan;
  signal.throwIfAborted();
  const assignment = await client.parkingAssignments.create(moveBody(plan), { idempotencyKey, signal }).catch((error) => {
    const stopped = isStop(error, signal);
    if (!stopped && !isUnknown(error)) throw error;
    throw failure(error, {
      message: `${reasonOf(error, stopped)} Whether the car was moved is not known.`,
      hint: `look where it stands: \`${nextCommand(['cars', 'get', car.id], globalFlags)}\``,
    });
  });
  return {
    car: identityOf(car),
    from: placeFields(from),
    to: placeFields(to),
    moved: (car.parkingSpotId ?? car.parkingZoneId) !== to.record.id,
    assignment,
    ...(wasReplayed(assignment) && { replayed: true }),
  };
}
