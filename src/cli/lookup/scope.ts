/** Where a name is looked for, by what is known of the record that names it. */

import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { methodsOf, readByIds } from '../crud/methods.ts';
import type { Context } from '../framework/context.ts';
import { isId, type Wanted } from './lookup.ts';

/** What is known of the record for which another one is named. */
export interface LookupScope {
  /** Ids of its parents, outermost first: what lies below the same ones is looked for there. */
  readonly parents?: readonly string[];
  /** Where it is: zones and spots of other locations are not meant. */
  readonly locationId?: unknown;
  /** Finds out where it is, when that is not given and a name is to be looked for there. */
  readonly site?: () => Promise<string | undefined>;
  /** What says where it is, for whom a name alone was not enough: `--location`. */
  readonly locationFlag?: string;
}

export function wantedInScope(resource: ResourceName, text: string, { parents = [], locationId, locationFlag }: LookupScope): Wanted {
  const { parent }: Resource = contract[resource];
  const within = parent ? parents : [];
  if (!hasPlace(resource)) return { resource, text, within };
  return typeof locationId === 'string'
    ? { resource, text, within, query: { locationId } }
    : { resource, text, within, narrower: locationFlag };
}

/** What a field was given: for one that names others, an id or what these are called, or a list of such. */
export interface Named {
  readonly field: string;
  readonly references?: ResourceName;
  readonly value: unknown;
}

/** The values of fields, `resolve` having found each beside what is known. The location comes first: what else is named may lie there. */
export async function resolveInScope<N extends Named>(
  given: readonly N[],
  beside: LookupScope,
  resolve: (named: N, beside: LookupScope) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const locating = given.find(({ field }) => field === 'locationId');
  const here = async () => beside.locationId ?? (given.some(isPlaceByName) ? await beside.site?.() : undefined);
  const locationId = locating ? await resolve(locating, beside) : await here();
  const values: Record<string, unknown> = {};
  for (const named of given) values[named.field] = named === locating ? locationId : await resolve(named, { ...beside, locationId });
  return values;
}

/** An id tells by itself where it is. */
const isPlaceByName = ({ references, value }: Named): boolean =>
  references !== undefined && hasPlace(references) && [value].flat().some((text) => typeof text === 'string' && !isId(text));

/** Whether every record of it is at a location. What may be anywhere, such as a car, is not told apart by one. */
export const hasPlace = (resource: ResourceName): boolean => (contract[resource] as Resource).fields.locationId?.create === 'required';

/** Where records are that stay at their location: what a change of them names lies there, too. Nothing where they are at several. */
export async function siteOf(context: Context, resource: ResourceName, ids: readonly string[]): Promise<string | undefined> {
  const { parent, fields }: Resource = contract[resource];
  if (parent || !hasPlace(resource) || fields.locationId?.update) return undefined;
  const methods = methodsOf(await context.client(), resource);
  const sites = new Set<string>();
  for await (const { locationId } of readByIds(ids, (query) => methods.list(query))) sites.add(locationId);
  const [only, second] = sites;
  return second === undefined ? only : undefined;
}
