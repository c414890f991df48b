/** Makes the plan of a move, from the flags and the answers to what they leave open. */
import type { Context } from '../../framework/context.ts';
import { parsePast } from '../../input/when.ts';
import { findCar } from '../counter/car.ts';
import { findCurrentPlace, findFreePlace, type MoveFlags, type MovePlan } from './plan.ts';

/** With --spot or --zone, nothing is asked but an unknown car. */
export async function makePlan(context: Context, flags: MoveFlags): Promise<MovePlan> {
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  const from = car && (await findCurrentPlace(context, car));
  const to = car && (await findFreePlace(context, flags, { car, from }));
  const { notes, idempotencyKey } = flags;
  if (car && to) return { car, from, to, at, notes, idempotencyKey };
  const { askCarAndPlace } = await import('./ask.ts');
  return { ...(await askCarAndPlace(context, { car, from }, flags)), at, notes, idempotencyKey };
}
