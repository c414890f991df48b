import { isObject } from '../../input/plain-object.ts';

/** The car of a plan. Undefined for a car that isn't stored yet. */
export function carIdIn(plan: unknown): string | undefined {
  if (!isObject(plan)) return undefined;
  const id = isObject(plan.car) ? plan.car.id : plan.carId;
  return typeof id === 'string' ? id : undefined;
}
