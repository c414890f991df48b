/** The server and the team that an entry belongs to. */
import type { Context } from '../../context.ts';
import { isObject } from '../../input/plain-object.ts';
import { type Origin, rememberedOrigin } from '../connection/origin.ts';

/** Where nothing asked for the team of the key, the records of the plan may tell it. */
export async function originOfPlan(context: Context, plan: object | null): Promise<Origin> {
  const origin = await rememberedOrigin(context);
  const id = origin.team ? undefined : teamIdIn(plan);
  return id === undefined ? origin : { ...origin, team: { id, name: id } };
}

/** Of the first record that has one: a car, or the place of a new one. */
function teamIdIn(plan: unknown): string | undefined {
  if (!isObject(plan)) return undefined;
  const records = Object.values(plan).flatMap((value) =>
    isObject(value) ? [value, value.record] : [],
  );
  return records.flatMap((record) =>
    isObject(record) && typeof record.teamId === 'string' ? [record.teamId] : [],
  )[0];
}
