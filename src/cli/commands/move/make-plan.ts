/** Makes the plan of a move, from the flags and the answers to what they leave open. */

import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { type Find, orFail, type What, withoutRefused } from '../counter/ask-instead.ts';
import { findCar } from '../counter/car.ts';
import { readEventTime, requireTime } from '../counter/event-time.ts';
import { currentPlace } from '../counter/place.ts';
import { findFreePlace, type MoveFlags, type MovePlan, requireHere } from './plan.ts';

/** With --spot or --zone, nothing is asked but an unknown car. */
export async function makePlan(
  context: Context,
  flags: MoveFlags,
  find: Find = orFail,
  refused: ReadonlySet<What> = new Set(),
): Promise<MovePlan> {
  const typedAt = requireTime(context, flags.at);
  const car = await find('car', () => findCarHere(context, flags));
  const from = car && (await currentPlace(context, car));
  const to = car && (await find('place', () => findFreePlace(context, flags, { car, from })));
  const at = await readEventTime(context, flags.at, typedAt);
  const { notes, idempotencyKey } = flags;
  if (car && to) return { car, from, to, at, notes, idempotencyKey };
  const { askCarAndPlace } = await import('./ask.ts');
  // A place that was refused isn't looked up again.
  const open = car
    ? { ...flags, spot: undefined, zone: undefined }
    : withoutRefused(flags, refused);
  return { ...(await askCarAndPlace(context, { car, from }, open)), at, notes, idempotencyKey };
}

async function findCarHere(context: Context, flags: MoveFlags): Promise<Car | undefined> {
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  if (car) await requireHere(context, car);
  return car;
}
