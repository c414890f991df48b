/**
 * What a server announced of itself, kept for later runs: in the profile of its key, or in
 * `state.db` for a key from elsewhere. `cs auth login` and `cs doctor` ask; other commands only
 * read it, and a stale answer makes them slower, never wrong.
 */
import type { Abilities } from '../../client/abilities.ts';
import { parseAddress } from '../../client/address.ts';
import { readConfig, writeConfig } from '../config/config.ts';
import { type Connection, findProfile } from '../config/connection.ts';
import { isObject } from '../input/plain-object.ts';
import { readAbilities, storeAbilities } from '../state/abilities.ts';
import { ownerOf } from '../state/state.ts';
import type { Io } from '../terminal/io.ts';

/** Undefined where nobody has asked, or another version of `cs` wrote it. */
export function keptAbilities(io: Io, connection: Connection): Abilities | undefined {
  const kept = profileOf(connection)
    ? connection.abilities
    : readAbilities(io, owner(connection))?.abilities;
  return isAbilities(kept) ? kept : undefined;
}

/** Best effort: what isn't kept is asked again by the next sign-in. */
export async function keepAbilities(
  io: Io,
  connection: Connection,
  abilities: Abilities,
): Promise<void> {
  const name = profileOf(connection);
  if (name === undefined) return storeAbilities(io, owner(connection), abilities);
  const config = readConfig(io);
  const known = findProfile(config, name);
  if (!known || JSON.stringify(known.abilities) === JSON.stringify(abilities)) return;
  const profiles = { ...config.profiles, [name]: { ...known, abilities } };
  await writeConfig(io, { ...config, profiles }).catch(() => {});
}

/** The profile that the key comes from. */
const profileOf = ({ profile, key }: Connection): string | undefined =>
  key.origin === `profile ${profile.value}` ? profile.value : undefined;

const owner = ({ baseUrl, key }: Connection): string =>
  ownerOf(parseAddress(baseUrl.value).baseUrl, key.value ?? '');

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isYesOrNo = (value: unknown): boolean => typeof value === 'boolean';

const parts: Readonly<Record<keyof Abilities, (value: unknown) => boolean>> = {
  promisesLists: isYesOrNo,
  idempotencyKeys: isYesOrNo,
  preconditions: isTexts,
  operations: isTexts,
  team: (value) => value === null || isObject(value),
};

const isAbilities = (value: unknown): value is Abilities =>
  isObject(value) && Object.entries(parts).every(([name, isValid]) => isValid(value[name]));
