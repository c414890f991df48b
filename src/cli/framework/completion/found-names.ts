/** The names by which records are offered, also those that they go by without having them. */

import { ApiError } from '../../../client/errors.ts';
import type { ResourceName } from '../../../contract/contract.ts';
import { idsAtOnce, methodsOf, readByIds } from '../../crud/methods.ts';
import { type LabelRule, labelRules } from '../../lookup/labels.ts';
import type { Row } from '../../output/view.ts';
import type { Context } from '../context.ts';

/** A record with what it is called, the first name that which is offered. */
type Named = readonly [row: Row, names: readonly string[]];

/**
 * Records in the order of their list. One that goes by the name of another, as an appointment by the plate of its car, is offered by that
 * as long as it is not over, and by its own as well.
 */
export async function* foundNames(context: Context, resource: ResourceName, parents: readonly string[]): AsyncGenerator<Named> {
  const calling = labelRules[resource] as LabelRule;
  const methods = methodsOf(await context.client(), resource);
  if (!calling.through) {
    for await (const row of methods.all(...parents)) yield [row, textsIn(calling.names(row))];
    return;
  }
  const { filter, query = {} } = calling.through;
  for await (const rows of inBatches(methods.all(...parents, query))) {
    const open = rows.filter((row) => !calling.past?.(row));
    const others = await namesThrough(context, calling.through, new Set(open.map((row) => row[filter])));
    for (const row of rows) {
      const borrowed = open.includes(row) ? others.get(row[filter]) : undefined;
      if (borrowed) yield [row, borrowed];
      yield [row, textsIn(calling.names(row))];
    }
  }
}

/** By id. Nothing where the key may not read them. */
async function namesThrough(
  context: Context,
  { resource }: NonNullable<LabelRule['through']>,
  ids: ReadonlySet<unknown>,
): Promise<ReadonlyMap<unknown, readonly string[]>> {
  const client = await context.client();
  const found = new Map<unknown, readonly string[]>();
  const known = [...ids].filter((id): id is string => typeof id === 'string');
  try {
    for await (const row of readByIds(known, (query) => methodsOf(client, resource).list(query)))
      found.set(row.id, textsIn((labelRules[resource] as LabelRule).names(row)));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  return found;
}

/** As many as one request finds the others of. */
async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < idsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const textsIn = (names: readonly unknown[]) => names.filter((name): name is string => typeof name === 'string' && name !== '');
