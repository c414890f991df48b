/**
 * What a server announced of itself, kept for later runs: in the profile of its key. `cs auth login` and `cs doctor` ask; other commands
 * only read it, and a stale answer makes them slower, never wrong.
 */
import type { Abilities } from '../../client/abilities.ts';
import { isObject } from '../input/plain-object.ts';
import type { Io } from '../terminal/io.ts';
import { readConfig, writeConfig } from './config.ts';
import { type Connection, findProfile } from './connection.ts';

/** Undefined where nobody has asked, or another version of `cs` wrote it. */
export function keptAbilities(_io: Io, { abilities }: Connection): Abilities | undefined {
  return isAbilities(abilities) ? abilities : undefined;
}

/** Best effort: what isn't kept is asked again by the next sign-in. */
export async function keepAbilities(
  io: Io,
  { profile, key }: Connection,
  abilities: Abilities,
): Promise<void> {
  const name = profile.value;
  if (name === undefined || key.origin !== `profile ${name}`) return;
  const config = readConfig(io);
  const known = findProfile(config, name);
  if (!known || JSON.stringify(known.abilities) === JSON.stringify(abilities)) return;
  const profiles = { ...config.profiles, [name]: { ...known, abilities } };
  await writeConfig(io, { ...config, profiles }).catch(() => {});
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isAbilities = (value: unknown): value is Abilities =>
  isObject(value) &&
  typeof value.promisesLists === 'boolean' &&
  typeof value.idempotencyKeys === 'boolean' &&
  isTexts(value.preconditions) &&
  isTexts(value.operations);
