/** Where records come from and go to: a server and a team. What belongs to one team is never mixed with that of another. */
import { parseAddress } from '../../../client/address.ts';
import { isSameId } from '../../../client/ids.ts';
import type { KeySource } from '../../config/connection.ts';
import { describeKey } from '../../config/describe-key.ts';
import type { Context } from '../../context.ts';
import { isObject } from '../../input/plain-object.ts';
import { ownerOf } from '../../state/state.ts';
import { readTeam, storeTeam } from '../../state/teams.ts';
import type { Io } from '../../terminal/io.ts';
import { readMe } from './identity.ts';

export interface Origin {
  readonly server: string;
  /** Null if the server doesn't report the team, or hasn't been asked. */
  readonly team: { readonly id: string; readonly name: string } | null;
  /** Its prefix, or where it comes from. */
  readonly key: string;
}

/** Asks the server for the team. */
export async function readOrigin(context: Context): Promise<Origin> {
  const team = teamIn(await readMe(await context.client()));
  rememberTeam(context.io, sourceOf(context), team);
  return { ...connectionOf(context), team };
}

/** Without a request: with the team that an earlier run was told. */
export const rememberedOrigin = (context: Context): Origin => ({
  ...connectionOf(context),
  team: rememberedTeam(context) ?? null,
});

/** Null where the server has no teams, undefined where no run asked. */
export function rememberedTeam(context: Context): Origin['team'] | undefined {
  const owner = keyOwner(sourceOf(context));
  return owner === undefined ? undefined : readTeam(context.io, owner);
}

/** The team of a key never changes. Null where the server has no teams, undefined where it didn't tell. */
export function rememberTeam(io: Io, source: Source, team: unknown): void {
  const owner = keyOwner(source);
  if (owner && team !== undefined) storeTeam(io, owner, teamIn({ team }));
}

interface Source {
  readonly server: string;
  readonly key: KeySource | undefined;
}

export function sourceOf({ settings }: Pick<Context, 'settings'>): Source {
  const { baseUrl, key } = settings.connection();
  return { server: parseAddress(baseUrl.value).baseUrl, key: key.value };
}

/** Undefined where another key may come from the same place later. */
const keyOwner = ({ server, key }: Source): string | undefined =>
  key && 'key' in key ? ownerOf(server, key) : undefined;

function connectionOf(context: Pick<Context, 'settings'>): Pick<Origin, 'server' | 'key'> {
  const { server, key } = sourceOf(context);
  return { server, key: key ? describeKey(key) : '' };
}

function teamIn(me: unknown): Origin['team'] {
  const team = isObject(me) ? me.team : undefined;
  return isObject(team) && typeof team.id === 'string'
    ? { id: team.id, name: String(team.name ?? team.id) }
    : null;
}

/** What differs, if anything does: `key` where nothing tells whether both keys belong to one team. */
export function differenceOf(one: Origin, other: Origin): 'server' | 'team' | 'key' | undefined {
  if (one.server !== other.server) return 'server';
  if (one.team && other.team) return isSameId(one.team.id, other.team.id) ? undefined : 'team';
  return one.key === other.key ? undefined : 'key';
}
