/** Labels for ids: what people call the records that ids name. */

import { ApiError } from '../../client/errors.ts';
import { IdMap } from '../../client/ids.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { shortestNames } from '../../facility/places.ts';
import type { Context } from '../context.ts';
import type { FindLabels, Labels } from '../output/output.ts';
import type { Row } from '../output/view.ts';
import { type LabelRule, labelRuleOf } from './labels.ts';
import { type IdsQuery, methodsOf, readByIds } from './methods.ts';

/**
 * An unreadable label (no scope, deleted) stays an id. `bestEffort`: any failure but an
 * interruption leaves ids, without retries. `needed`: any failure is an error.
 */
export async function findLabels(
  context: Context,
  ...[wanted, { bestEffort = false, needed = false } = {}]: Parameters<FindLabels>
): Promise<Labels> {
  const found = new Map<string, Map<string, string>>();
  await Promise.all(
    Array.from(wanted, async ([resource, ids]) => {
      const rule = labelRuleOf(resource);
      // Records with a parent can't be listed by ids alone.
      if (!rule || (contract[resource as ResourceName] as Resource).parent) return;
      const labels = new IdMap<string>();
      found.set(resource, labels);
      try {
        const methods = methodsOf(await context.client(), resource as ResourceName);
        const call = bestEffort ? { retries: 0 } : {};
        const read = (query: IdsQuery) => methods.all(query, call);
        if (ids.size > 0 && rule.within) {
          // As long as one page has all, it tells which names are used twice.
          const { data, total } = await methods.list({ limit: 200 }, call);
          const isWhole = total !== undefined && data.length >= total;
          const rows = isWhole ? data : await Array.fromAsync(readByIds(ids, read));
          const nameOf = await distinctNamesOf(context, rule, rows, isWhole);
          for (const row of rows) labels.set(row.id, nameOf(row));
        } else
          for await (const row of readByIds(ids, read))
            labels.set(row.id, rule.label(row) || row.id);
      } catch (error) {
        context.io.signal.throwIfAborted();
        if (needed || (!bestEffort && !isUnreadable(error))) throw error;
      }
    }),
  );
  return found;
}

/** Missing scope, or a server that doesn't know the list or its filter. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof ApiError && [400, 403, 404, 422].includes(error.status);

/**
 * The name of a record alone where it is the only one with it; otherwise, and where nobody knows,
 * with where it is.
 */
async function distinctNamesOf(
  context: Context,
  { label, within = {} }: LabelRule,
  rows: readonly Row[],
  isWhole: boolean,
): Promise<(row: Row) => string> {
  const nameOf = (row: Row) => label(row) || row.id;
  const isShared = new Set(rows.map(nameOf)).size < rows.length;
  if (isWhole && !isShared) return nameOf;
  const fields = Object.entries(within);
  const wanted = new Map(
    fields.map(([field, resource]) => [
      resource,
      new Set(rows.map((row) => row[field]).filter(Boolean)),
    ]),
  );
  const labels = await findLabels(context, wanted, { bestEffort: true });
  const partsOf = (row: Row) => [
    nameOf(row),
    ...fields.flatMap(([field, resource]) => labels.get(resource)?.get(row[field]) ?? []),
  ];
  const shortest = shortestNames(rows, partsOf);
  return isWhole ? shortest : (row) => partsOf(row).slice(0, 2).join(' · ');
}

/**
 * Where spots and zones are, such as `Hall A · Harbour`, to tell equal names apart. Empty where
 * unknown.
 */
export async function locationLabels(
  context: Context,
  rows: readonly Row[],
  options?: Parameters<FindLabels>[1],
): Promise<(row: Row) => string> {
  const idsIn = (field: string) =>
    new Set(rows.map((row) => row[field]).filter((id) => typeof id === 'string'));
  const wanted = new Map([
    ['parkingZones', idsIn('zoneId')],
    ['locations', idsIn('locationId')],
  ]);
  const labels = await findLabels(context, wanted, options);
  return ({ zoneId, locationId }) => {
    const zone = labels.get('parkingZones')?.get(zoneId);
    const location = labels.get('locations')?.get(locationId);
    return [zone, zone?.endsWith(` · ${location}`) ? undefined : location]
      .filter(Boolean)
      .join(' · ');
  };
}

interface Records {
  readonly resource: ResourceName;
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  readonly ids: readonly string[];
}

/**
 * Labels by id, read before a delete. Only for a person: a script doesn't pay for them. Unreadable
 * labels are left out.
 */
export async function snapshotLabels(
  context: Context,
  { resource, within, ids }: Records,
): Promise<ReadonlyMap<string, string>> {
  const labels = new IdMap<string>();
  const rule = labelRuleOf(resource);
  if (!rule || !context.output.forPeople) return labels;
  try {
    const methods = methodsOf(await context.client(), resource);
    const read = (query: IdsQuery) => methods.all(...within, query, { retries: 0 });
    for await (const row of readByIds(ids, read)) labels.set(row.id, String(rule.label(row) ?? ''));
  } catch {
    // Best effort: the prompt names the id instead.
    context.io.signal.throwIfAborted();
  }
  return labels;
}
