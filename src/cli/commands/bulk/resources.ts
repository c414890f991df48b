/** The resources that are read and written in bulk, by the names that `cs schema` lists. */

import type { SyncName } from '../../../client/client.ts';
import { contract } from '../../../contract/contract.ts';
import type { Resource } from '../../../contract/resource.ts';
import { CliError } from '../../errors/exit.ts';
import { Argument, suggestValues } from '../../framework/command.ts';
import { normalizeName } from '../../lookup/matching.ts';
import { kebab, nearest } from '../../terminal/text.ts';

/** Every resource whose records are kept and can be listed; those that lie below others come after them. */
export const listableResources: readonly SyncName[] = Object.values(contract as Readonly<Record<string, Resource>>)
  .filter(({ singleton, computed, operations }) => !singleton && !computed && operations.list)
  .sort((a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined))
  // The one cast of bulk work: what was filtered is what the type says.
  .map(({ name }) => name as SyncName);

/** Those that have a list of their own. */
export const topLevel: readonly SyncName[] = listableResources.filter((name) => !resourceOf(name).parent);

export function resourceOf(name: SyncName): Resource {
  return contract[name];
}

/** An argument that takes some of these. */
export const resourceArgument = (form: string, about: string, among: readonly SyncName[]): Argument =>
  suggestValues(new Argument(form, about), among.map(kebabName));

/** As it is typed, and as its file is called: `parking-spots`. */
export const kebabName = (name: SyncName): string => kebab(name);

/** `parking-spots`, `parkingSpots`, `parking spot` and so on are the same. Exit 2 for what is none of `among`. */
export function resourceNamed(text: string, among: readonly SyncName[]): SyncName {
  const found = listableResources.find((name) => {
    const { singular, plural } = resourceOf(name);
    return [name, singular, plural].some((known) => normalizeName(known) === normalizeName(text));
  });
  if (found && among.includes(found)) return found;
  const [close] = nearest(text.toLowerCase().replace(/[\s_]+/g, '-'), among.map(kebabName));
  throw new CliError({
    code: 'usage',
    message: found ? `${kebabName(found)} have no list of their own: they lie below other records.` : `"${text}" is no resource.`,
    hint: close && !found ? `did you mean ${close}?` : `there is: ${among.map(kebabName).join(', ')}`,
  });
}

/** Each resource once, in the order given. */
export const resourcesNamed = (texts: readonly string[], among: readonly SyncName[]): SyncName[] => [
  ...new Set(texts.map((text) => resourceNamed(text, among))),
];
