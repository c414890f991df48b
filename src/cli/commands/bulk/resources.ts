/** The resources that bulk commands accept, by the names in `cs schema`. */

import type { SyncName } from '../../../client/client.ts';
import { contract } from '../../../contract/contract.ts';
import type { Resource } from '../../../contract/resource.ts';
import { CliError } from '../../errors/exit.ts';
import { Argument, suggestValues } from '../../framework/command.ts';
import { normalizeName } from '../../input/matching.ts';
import { kebab, nearest } from '../../terminal/text.ts';

/** Every stored resource with a list; those with a parent come last. */
export const listableResources: readonly SyncName[] = Object.values(
  contract as Readonly<Record<string, Resource>>,
)
  .filter(({ singleton, computed, operations }) => !singleton && !computed && operations.list)
  .sort((a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined))
  // The filter above guarantees the type.
  .map(({ name }) => name as SyncName);

/** Without those that have a parent. */
export const topLevelResources: readonly SyncName[] = listableResources.filter(
  (name) => !resourceOf(name).parent,
);

export function resourceOf(name: SyncName): Resource {
  return contract[name];
}

export const resourceArgument = (
  form: string,
  about: string,
  among: readonly SyncName[],
): Argument => suggestValues(new Argument(form, about), among.map(kebabName));

/** For arguments and file names: `parking-spots`. */
export const kebabName = (name: SyncName): string => kebab(name);

/** Accepts `parking-spots`, `parkingSpots`, `parking spot` and so on. Exit 2 for a resource that isn't in `among`. */
export function parseResource(text: string, among: readonly SyncName[]): SyncName {
  const found = listableResources.find((name) => {
    const { singular, plural } = resourceOf(name);
    return [name, singular, plural].some((known) => normalizeName(known) === normalizeName(text));
  });
  if (found && among.includes(found)) return found;
  const [close] = nearest(text.toLowerCase().replace(/[\s_]+/g, '-'), among.map(kebabName));
  throw new CliError({
    code: 'usage',
    message: found
      ? `${kebabName(found)} belong to other records and have no list of their own.`
      : `"${text}" isn't a resource.`,
    hint:
      close && !found ? `did you mean ${close}?` : `choose from ${among.map(kebabName).join(', ')}`,
  });
}

/** Without duplicates, in the given order. */
export const parseResources = (
  texts: readonly string[],
  among: readonly SyncName[],
): SyncName[] => [...new Set(texts.map((text) => parseResource(text, among)))];
