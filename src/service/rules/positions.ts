import type { RecordFor, StoredName } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import { change } from '../records.ts';

/** Resources with an order set by people. */
type OrderedName = {
  [N in StoredName]: RecordFor<N> extends { position: number } ? N : never;
}[StoredName];

/**
 * Numbers the other records from 1 without gaps, except for one free position: `wanted`, or the last if it is beyond. Returns that
 * position. Without a record to insert, it closes the gap of a deleted one.
 */
export async function renumber(
  context: Context,
  name: OrderedName,
  others: readonly Tables[OrderedName][],
  wanted: number = others.length + 1,
): Promise<number> {
  const place = Math.min(wanted, others.length + 1);
  for (const [at, other] of others.entries()) {
    const position = at + 1 < place ? at + 1 : at + 2;
    await change(context, name, other, { position });
  }
  return place;
}
