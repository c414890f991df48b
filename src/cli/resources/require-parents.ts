/** Whether records below another one are of that car, campaign …, before they are changed. */
import type { Resource } from '../../contract/resource.ts';
import { isFieldMissing, isUnreadable } from '../errors/missing-path.ts';
import type { Methods } from './methods.ts';

/**
 * Reads the records: on a server that ignores the id in the path, an id may name a record of
 * another car.
 */
export async function requireParents(
  methods: Methods,
  { parent, operations }: Resource,
  { parents, ids }: { parents: readonly string[]; ids: readonly string[] },
): Promise<void> {
  if (!parent || !operations.get) return;
  // The specification promises neither read.
  const orNothing = (error: unknown) => {
    if (!isUnreadable(error) || isFieldMissing(error)) throw error;
  };
  for (const id of ids) {
    const record = await methods.get(...parents, id).catch(orNothing);
    if (!record && operations.list) await methods.list(...parents, { ids: [id] }).catch(orNothing);
  }
}
