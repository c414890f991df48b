/** Where a name is looked for, by what is known of the record that names it. */
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Wanted } from './names.ts';

/** What is known of the record for which another one is named. */
export interface Beside {
  /** Ids of its parents, outermost first: what lies below the same ones is looked for there. */
  readonly parents?: readonly string[];
  /** Where it is: zones and spots of other locations are not meant. */
  readonly locationId?: unknown;
  /** What says where it is, for whom a name alone was not enough: `--location`. */
  readonly locationFlag?: string;
}

export function wantedBeside(resource: ResourceName, text: string, { parents = [], locationId, locationFlag }: Beside): Wanted {
  const { parent, fields }: Resource = contract[resource];
  const within = parent ? parents : [];
  // What may be anywhere, such as a car, is not told apart by a location.
  if (fields.locationId?.create !== 'required') return { resource, text, within };
  return typeof locationId === 'string'
    ? { resource, text, within, query: { locationId } }
    : { resource, text, within, narrower: locationFlag };
}
