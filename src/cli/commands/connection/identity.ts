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

/** Answers of a server without `/me`. */
const missingRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Undefined where the server has no `/me`: then a list tells whether it knows the key.
 * Throws the client's error for a refused key, an unreachable server, or one with another API.
 */
export async function identify({ transport }: Client): Promise<Identity | undefined> {
  try {
    const identity = parseIdentity((await transport.request({ method: 'GET', path: '/me' })).body);
    if (identity) return identity;
  } catch (error) {
    if (!isWithoutMe(error)) throw error;
  }
  await transport
    .request({ method: 'GET', path: '/cars', query: { limit: 1 }, expect: 'list' })
    .catch((error: unknown) => {
      if (!isOtherScope(error)) throw error;
    });
  return undefined;
}

/**
 * Whose key it is and what its server announces, with the three requests of `readAbilities`. A server without `/me` tells no identity.
 * Throws as `identify` does.
 */
export async function introduce({
  transport,
}: Client): Promise<{ abilities: Abilities; identity?: Identity | undefined }> {
  let identity: Identity | undefined;
  const failures = new Map<string, unknown>();
  const abilities = await readAbilities({
    async request(asked) {
      try {
        const expect = asked.path === '/cars' ? 'list' : undefined;
        const answer = await transport.request({ ...asked, expect });
        if (asked.path === '/me') identity = parseIdentity(answer.body);
        return answer;
      } catch (error) {
        failures.set(asked.path, error);
        throw error;
      }
    },
  });
  const [meError, listError] = ['/me', '/cars'].map((path) => failures.get(path));
  if (meError && !isWithoutMe(meError)) throw meError;
  // Every server has lists, so this one tells whether it knows the key.
  if (!identity && listError && !isOtherScope(listError)) throw listError;
  return { abilities, identity };
}

const isWithoutMe = (error: unknown): boolean =>
  (error instanceof ApiError && missingRoute.has(error.status)) ||
  (error instanceof ProtocolError && (missingRoute.has(error.status) || error.status < 400));

/** The key is known, and may not read this list. */
const isOtherScope = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && error.code !== 'api_disabled';

/** Ignores fields of an unexpected type. */
function parseIdentity(body: unknown): Identity | undefined {
  const me = isObject(body) && isObject(body.data) ? body.data : undefined;
  const held = me?.scopes;
  if (!me || !Array.isArray(held) || !held.every((scope) => typeof scope === 'string'))
    return undefined;
  const { team, keyName, expiresAt } = me;
  return {
    ...(isObject(team) && typeof team.name === 'string' ? { team: team as Identity['team'] } : {}),
    ...(typeof keyName === 'string' ? { keyName } : {}),
    ...(expiresAt === null || typeof expiresAt === 'string' ? { expiresAt } : {}),
    scopes: held,
  };
}
