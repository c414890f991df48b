/** The plan of a move: looked up and checked, nothing stored yet. */
import type { CreateFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { parsePast } from '../../input/when.ts';
import type { Car } from '../../lookup/car.ts';
import { findCar, requireParked } from '../counter/car.ts';
import { currentPlace, describePlace, findPlace, type Place, type PlaceFlags, placeFields, requireFree } from '../counter/place.ts';

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
  /** The person's own: a repeat with it stores nothing. */
  readonly idempotencyKey?: string;
}

/** With --spot or --zone, nothing is asked but an unknown car. */
export async function makePlan(context: Context, flags: MoveFlags): Promise<MovePlan> {
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const car = await findOrAskCar(context, flags.car);
  await requireParked(context, car, { hint: 'drop it off first:', command: (name) => ['dropoff', name] });
  const from = await currentPlace(context, car);
  const place = await findPlace(context, flags, from?.record);
  if (place) await requireFree(context, place, car);
  const { notes, idempotencyKey } = flags;
  return { car, from, to: place ?? (await askPlace(context, car, from)), at, notes, idempotencyKey };
}

async function findOrAskCar(context: Context, text: string | undefined): Promise<Car> {
  const found = text === undefined ? undefined : await findCar(context, text);
  if (found) return found;
  const { askParkedCar } = await import('../counter/ask-car.ts');
  return askParkedCar(context, text);
}

/** Asks for a free place, below a line with the place of the car. */
export async function askPlace(context: Context, car: Car, from: Place | undefined): Promise<Place> {
  const [{ askPlace: ask }, { labelled }] = await Promise.all([import('../counter/ask-place.ts'), import('../../output/labelled.ts')]);
  if (!context.settings.quiet) context.io.stderr.write(`${labelled(context, [['Parked in', from && describePlace(from)]])}`);
  return ask(context, car, from);
}

/** The body of the request that moves the car. */
export const moveBody = ({ car, to, at, notes }: MovePlan): CreateFor<'parkingAssignments'> => ({
  carId: car.id,
  ...placeFields(to),
  ...(at && { startedAt: at }),
  ...(notes && { notes }),
});
