/** What records are called that are about to be deleted: afterwards nobody can ask. */

import type { ResourceName } from '../../contract/contract.ts';
import { type IdsQuery, methodsOf, readByIds } from '../crud/methods.ts';
import type { Context } from '../framework/context.ts';
import { labelRules } from './labels.ts';

interface Doomed {
  readonly resource: ResourceName;
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  readonly ids: readonly string[];
}

/** By id. Only a person reads them, so a script does not pay for it; what cannot be read has none. */
export async function snapshotLabels(context: Context, { resource, within, ids }: Doomed): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const calling = labelRules[resource];
  if (!calling || context.output.format !== 'table') return names;
  try {
    const methods = methodsOf(await context.client(), resource);
    const read = (query: IdsQuery) => methods.list(...within, query, { retries: 0 });
    for await (const row of readByIds(ids, read)) names.set(row.id, String(calling.label(row) ?? ''));
  } catch {
    // A name is a comfort: the id is right, too.
    context.io.signal.throwIfAborted();
  }
  return names;
}
