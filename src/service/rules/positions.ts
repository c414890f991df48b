import type { RecordFor, StoredName } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { change } from '../records.ts';

/** The resources whose records people put in order. */
type OrderedName = { [N in StoredName]: RecordFor<N> extends { position: number } ? N : never }[StoredName];

/**
 * Numbers records, given in their order, from 1 without gaps, but for one at the position that is asked for, the last when beyond it.
 * Answers where that one is. With nothing to make room for it closes the gap that a removed one has left.
 */
export async function renumber(
  context: Context,
  name: OrderedName,
  others: readonly RecordFor<OrderedName>[],
  wanted: number = others.length + 1,
): Promise<number> {
  const place = Math.min(wanted, others.length + 1);
  for (const [at, other] of others.entries()) {
    const position = at + 1 < place ? at + 1 : at + 2;
    await change(context, name, other, { position });
  }
  return place;
}
