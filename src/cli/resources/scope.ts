/** Limits the search for a name by the record that refers to it. */

import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { idIn, type LookupRequest } from './lookup.ts';
import { methodsOf, readByIds } from './methods.ts';

/** The known facts of the record that refers to another one. */
export interface LookupScope {
  /**
   * Ids of its parents, outermost first: names of records with the same parents are searched there.
   */
  readonly parents?: readonly string[];
  /** Its location: zones and spots of other locations don't match. */
  readonly locationId?: unknown;
  /** Reads its location, if it isn't given and a name needs it. */
  readonly site?: () => Promise<string | undefined>;
  /** The flag for the location, to suggest for an ambiguous name: `--location`. */
  readonly locationFlag?: string;
}

export function lookupInScope(
  resource: ResourceName,
  text: string,
  { parents = [], locationId, locationFlag }: LookupScope,
): LookupRequest {
  const { parent }: Resource = contract[resource];
  const within = parent ? parents : [];
  if (!hasPlace(resource)) return { resource, text, within };
  return typeof locationId === 'string'
    ? { resource, text, within, query: { locationId } }
    : { resource, text, within, narrowingFlag: locationFlag };
}

/** The typed value of a field; for a reference, an id or a name, or a list of these. */
export interface Named {
  readonly field: string;
  readonly references?: ResourceName;
  readonly value: unknown;
}

/** Resolves the values of fields. The location comes first, since it limits the others. */
export async function resolveInScope<N extends Named>(
  given: readonly N[],
  scope: LookupScope,
  resolve: (named: N, scope: LookupScope) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const locating = given.find(({ field }) => field === 'locationId');
  const here = async () =>
    scope.locationId ?? (given.some(isPlaceByName) ? await scope.site?.() : undefined);
  const locationId = locating ? await resolve(locating, scope) : await here();
  const values: Record<string, unknown> = {};
  for (const named of given)
    values[named.field] =
      named === locating ? locationId : await resolve(named, { ...scope, locationId });
  return values;
}

/** An id needs no location. */
const isPlaceByName = ({ references, value }: Named): boolean =>
  references !== undefined &&
  hasPlace(references) &&
  [value].flat().some((text) => typeof text === 'string' && idIn(text) === undefined);

/**
 * Whether every record of the resource has a location. Others, such as cars, aren't told apart by
 * it.
 */
export const hasPlace = (resource: ResourceName): boolean =>
  (contract[resource] as Resource).fields.locationId?.create === 'required';

/**
 * The common location of records that never change it: names in their updates are searched there.
 * Undefined with several.
 */
export async function siteOf(
  context: Context,
  resource: ResourceName,
  ids: readonly string[],
): Promise<string | undefined> {
  const { parent, fields }: Resource = contract[resource];
  if (parent || !hasPlace(resource) || fields.locationId?.update) return undefined;
  const methods = methodsOf(await context.client(), resource);
  const sites = new Set<string>();
  for await (const { locationId } of readByIds(ids, (query) => methods.all(query)))
    sites.add(locationId);
  const [only, second] = sites;
  return second === undefined ? only : undefined;
}
