/** What records are called that are about to be deleted: afterwards nobody can ask. */
import type { ResourceName } from '../../contract/contract.ts';
import type { Context } from '../command.ts';
import { methodsOf } from '../resources/methods.ts';
import { callings } from './callings.ts';

interface Doomed {
  readonly resource: ResourceName;
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  readonly ids: readonly string[];
}

const atOnce = 200;

/** By id. Only a person reads them, so a script does not pay for it; what cannot be read has none. */
export async function namesBefore(context: Context, { resource, within, ids }: Doomed): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const calling = callings[resource];
  if (!calling || context.output.format !== 'table') return names;
  try {
    const methods = methodsOf(await context.client(), resource);
    for (let start = 0; start < ids.length; start += atOnce) {
      const query = { ids: ids.slice(start, start + atOnce), limit: atOnce };
      const { data } = await methods.list(...within, query, { retries: 0 });
      for (const row of data) names.set(row.id, String(calling.label(row) ?? ''));
    }
  } catch {
    // A name is a comfort: the id is right, too.
    context.io.signal.throwIfAborted();
  }
  return names;
}
