/** The plan of a move: looked up and checked, nothing stored yet. */
import type { CreateFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { requireParked } from '../counter/car.ts';
import type { ParkedIn } from '../counter/parked-in.ts';
import {
  findPlace,
  type Place,
  type PlaceFlags,
  placeFields,
  requireFree,
} from '../counter/place.ts';

export interface MoveFlags extends PlaceFlags {
  /** The argument. */
  readonly car?: string;
  readonly notes?: string;
  readonly at?: string;
  readonly offline?: boolean;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

export interface MovePlan {
  readonly car: Car;
  /** Undefined without the scope to read parking. */
  readonly from?: Place;
  readonly to: Place;
  /** ISO 8601 (default: now). */
  readonly at?: string;
  readonly notes?: string;
  /** Where the car was known to be when this was queued without a server (default: `from`). */
  readonly parkedIn?: ParkedIn;
  /** The person's own: a repeat with it stores nothing. */
  readonly idempotencyKey?: string;
}

/** Fails for a car that isn't parked. */
export const requireHere = (context: Context, car: Car): Promise<void> =>
  requireParked(context, car, { hint: 'drop it off first:', command: (name) => ['dropoff', name] });

/** The place of the flags; fails where it isn't free. */
export async function findFreePlace(
  context: Context,
  flags: MoveFlags,
  { car, from }: Pick<MovePlan, 'car' | 'from'>,
): Promise<Place | undefined> {
  const place = await findPlace(context, flags, from?.record);
  if (place) await requireFree(context, place, car);
  return place;
}

/** The body of the request that moves the car. */
export const moveBody = ({ car, to, at, notes }: MovePlan): CreateFor<'parkingAssignments'> => ({
  carId: car.id,
  ...placeFields(to),
  ...(at && { startedAt: at }),
  ...(notes && { notes }),
});
