/** What commands derive from an operation: its arguments, their ids, and the request. */

import { fillPath } from '../../client/address.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import type { Resource, Verb } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { PlannedRequest } from '../output/request.ts';
import { resolveId } from './lookup.ts';

/** The parents in a resource's path, outermost first. */
export function parentsOf(
  resource: Resource,
): { name: string; about: string; resource: ResourceName }[] {
  if (!resource.parent) return [];
  const parent: Resource = contract[resource.parent.resource as ResourceName];
  return [...parentsOf(parent), { ...argumentOf(parent), resource: parent.name as ResourceName }];
}

export function argumentOf(resource: Resource): { name: string; about: string } {
  return {
    name: resource.singular.split(' ').at(-1) as string,
    about: `id or name of the ${resource.singular}`,
  };
}

/** The ids of the positional arguments: the parents, then the record's own where it is given. */
export async function idsOf(
  context: Context,
  name: ResourceName,
  args: readonly string[],
): Promise<string[]> {
  const chain = [...parentsOf(contract[name]).map((parent) => parent.resource), name];
  const ids: string[] = [];
  for (const [index, text] of args.entries()) {
    const within = chain[index] === name ? [...ids] : [];
    ids.push(await resolveId(context, { resource: chain[index] as ResourceName, text, within }));
  }
  return ids;
}

/** The resource that each reference field of a record names. */
export function referencesIn(resource: Resource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(resource.fields).flatMap(([field, { references }]) =>
      references === undefined ? [] : [[field, references]],
    ),
  );
}

/** The operation of a hand-written command. */
export function operationFor(name: ResourceName, verb: Verb): Operation {
  const found = operationsOf(contract[name]).find((operation) => operation.verb === verb);
  if (!found) throw new Error(`The contract has no ${verb} of ${name}.`);
  return found;
}

/** The request of an operation, for --dry-run. */
export function planned(
  operation: Pick<Operation, 'method' | 'path'>,
  ids: readonly string[],
  body?: unknown,
  search = '',
): PlannedRequest {
  return {
    method: operation.method,
    path: `/api/v1${fillPath(operation.path, ids)}${search}`,
    body,
  };
}

/** The column of an export with the name beside an id: `customerName` beside `customerId`. */
export const nameBeside = (field: string): string => field.replace(/Id$/, 'Name');
