/** The next step after a refusal of the service that has no hint of its own, read off the contract. */
import type { ApiError } from '../../client/errors.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import { matchesPath, type Operation, walk } from '../../contract/operations.ts';
import { problems } from '../../contract/problems.ts';
import type { Resource } from '../../contract/resource.ts';
import { kebabName } from '../crud/find-resource.ts';
import { nextCommand } from '../framework/next-command.ts';
import { labelRules } from '../lookup/labels.ts';

interface Run {
  /** What was typed for the record of an id. */
  readonly called: (id: string) => string;
  /** Global flags that the next command needs too. */
  readonly flags: readonly string[];
}

/** Nothing for a code that only the server knows. */
export function hintFromContract({ code, status, method, path, message }: ApiError, run: Run): string | undefined {
  const operation = [...walk(contract)].find((one) => one.method === method && matchesPath(one.path, path));
  if (code === 'not_found') return listHint(operation, { path, message, ...run });
  if (code === 'validation_failed' && operation) {
    const words = [kebabName(operation.resource), operation.verb].join(' ');
    return `\`cs schema ${words}\` shows what it takes`;
  }
  return status < 500 && Object.hasOwn(problems, code) ? `\`cs explain ${code}\` tells more` : undefined;
}

/** The list of what is missing: the message says what that is, and otherwise it is what the path leads to. */
function listHint(
  operation: Operation | undefined,
  { path, message, called, flags }: Run & { path: string; message: string },
): string | undefined {
  const [, missing] = /^No (?:such )?(.+?)(?: with the id given in .*)?$/.exec(message) ?? [];
  const resource: Resource | undefined = Object.values(contract).find(({ singular }) => singular === missing) ?? operation?.resource;
  const list = resource && labelRules[resource.name as ResourceName]?.list;
  if (!list) return undefined;
  // What lies below another is listed by its parent, which the path names where it leads there.
  const within = resource.path.split('/').indexOf('{id}');
  const parent = path.split('/')[within];
  const shows = (...parents: string[]) => `\`${nextCommand([...list.split(' ').slice(1), ...parents], flags)}\` shows them`;
  if (within < 0) return shows();
  return parent !== undefined && operation?.path.startsWith(resource.path) ? shows(called(parent)) : undefined;
}
