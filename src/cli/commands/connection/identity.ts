/** Whose key it is and which scopes it has, from `/me`, which the specification doesn't have. */
import { type Abilities, type Client, readAbilities } from '../../../client/client.ts';
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { isObject } from '../../input/plain-object.ts';

export interface Identity {
  readonly team?: {
    readonly id?: string;
    readonly name: string;
    readonly slug?: string;
    readonly timezone?: string;
  };
  readonly keyName?: string;
  /** Null for never. */
  readonly expiresAt?: string | null;
  readonly scopes: readonly string[];
}

/** Undefined where the server has no `/me`: it answers 404, 405 or 501, or a page. */
export async function readMe({
  transport,
}: Client): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { body } = await transport.request({ method: 'GET', path: '/me' });
    return isObject(body) && isObject(body.data) ? body.data : undefined;
  } catch (error) {
    const isAnswer = error instanceof ApiError || error instanceof ProtocolError;
    const isPage = error instanceof ProtocolError && error.status < 400;
    if (isAnswer && ([404, 405, 501].includes(error.status) || isPage)) return undefined;
    throw error;
  }
}

/**
 * Undefined where the server has no `/me`: then a list tells whether it knows the key.
 * Throws the client's error for a refused key, an unreachable server, or one with another API.
 */
export async function identify(client: Client): Promise<Identity | undefined> {
  const identity = identityIn(await readMe(client));
  if (identity) return identity;
  await client.transport
    .request({ method: 'GET', path: '/cars', query: { limit: 1 }, expect: 'list' })
    .catch((error: unknown) => {
      // The key is known, and may not read this list.
      const isOtherScope =
        error instanceof ApiError && error.status === 403 && error.code !== 'api_disabled';
      if (!isOtherScope) throw error;
    });
  return undefined;
}

/** Whose key it is and what its server announces. Throws as `identify` does. */
export async function introduce(
  client: Client,
): Promise<{ abilities: Abilities; identity: Identity | undefined }> {
  const identity = await identify(client);
  return { identity, abilities: await readAbilities(client.transport) };
}

/** Ignores fields of an unexpected type. */
function identityIn(me: Readonly<Record<string, unknown>> = {}): Identity | undefined {
  const { team, keyName, expiresAt, scopes } = me;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string'))
    return undefined;
  return {
    ...(isObject(team) && typeof team.name === 'string' ? { team: team as Identity['team'] } : {}),
    ...(typeof keyName === 'string' ? { keyName } : {}),
    ...(expiresAt === null || typeof expiresAt === 'string' ? { expiresAt } : {}),
    scopes,
  };
}
