/** Who a key is and what it may do, as the server tells, or as far as trying finds out where the server does not tell. */
import type { Client } from '../../../client/client.ts';
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import { type Scope, scopes } from '../../../contract/scopes.ts';
import { isObject } from '../../input/plain-object.ts';

export interface Identity {
  /** What only a server with `/me` tells; `undefined` where it does not. */
  readonly team?: { readonly id?: string; readonly name: string; readonly slug?: string; readonly timezone?: string };
  readonly keyName?: string;
  /** Null: never. */
  readonly expiresAt?: string | null;
  /** Those that are known to be held. */
  readonly scopes: readonly string[];
  /** Those of which nothing is known. */
  readonly unknownScopes: readonly Scope[];
  /** `told` by the server, or `tried`: each read scope by one small read. Those that write are not tried. */
  readonly from: 'told' | 'tried';
}

/** The specification does not mention `/me`; these are the answers of a server that does not have it. */
const unknownRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks `/me`, and where there is none makes one read for each read scope, none of them twice.
 * Throws what the client throws: a key that is refused, a server that cannot be reached or is none of this interface.
 */
export async function identify(client: Client, options: { signal?: AbortSignal } = {}): Promise<Identity> {
  let refusal: unknown;
  try {
    const { body } = await client.transport.request({ method: 'GET', path: '/me', ...options });
    const told = readIdentity(body);
    if (told) return told;
  } catch (error) {
    const known = error instanceof ApiError || error instanceof ProtocolError;
    if (!known || !(unknownRoute.has(error.status) || (error instanceof ProtocolError && error.status < 400))) throw error;
    refusal = error;
  }
  const tried = await tryScopes(client, options);
  // Where nothing answers as the interface does, the first answer says best what is wrong.
  if (tried.answered === 0 && refusal) throw refusal;
  return tried.identity;
}

/** Only what has the type it should have: a server may tell more, or less. */
function readIdentity(body: unknown): Identity | undefined {
  const me = isObject(body) && isObject(body.data) ? body.data : undefined;
  const held = me?.scopes;
  if (!me || !Array.isArray(held) || !held.every((scope) => typeof scope === 'string')) return undefined;
  const { team, keyName, expiresAt } = me;
  return {
    ...(isObject(team) && typeof team.name === 'string' ? { team: team as Identity['team'] } : {}),
    ...(typeof keyName === 'string' ? { keyName } : {}),
    ...(expiresAt === null || typeof expiresAt === 'string' ? { expiresAt } : {}),
    scopes: held,
    unknownScopes: [],
    from: 'told',
  };
}

/** For each read scope the list that needs it and nothing else. */
function cheapReads(): Map<Scope, Operation> {
  const reads = new Map<Scope, Operation>();
  for (const operation of walk(contract)) {
    const { verb, scope, params } = operation;
    if (verb !== 'list' || params.length > 0 || !('all' in scope) || scope.all.length !== 1) continue;
    const [only] = scope.all as [Scope];
    if (!reads.has(only)) reads.set(only, operation);
  }
  return reads;
}

/** After so many answers of something else, and none of the interface, there is none to be expected. */
const oddAtMost = 3;

async function tryScopes(client: Client, options: { signal?: AbortSignal }): Promise<{ answered: number; identity: Identity }> {
  const held: Scope[] = [];
  const refused = new Set<Scope>();
  const odd: unknown[] = [];
  // One after the other, and each once: a server that limits failed or frequent requests must not take this for an attack.
  for (const [scope, { path }] of cheapReads()) {
    try {
      await client.transport.request({ method: 'GET', path, query: { limit: 1 }, retries: 0, expect: 'list', ...options });
      held.push(scope);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403 && error.code !== 'api_disabled') refused.add(scope);
      else if (!(error instanceof ApiError || error instanceof ProtocolError)) throw error;
      else if (error.status === 401 || (error instanceof ApiError && error.status === 403)) throw error;
      else if (error.status === 429) break;
      // A gateway may keep one path for itself; only its scope stays unknown then.
      else if (error instanceof ProtocolError) odd.push(error);
    }
    // Where something else answers everything, to go on would only lengthen the wait.
    if (held.length + refused.size === 0 && odd.length >= oddAtMost) break;
  }
  const gateway = odd.find((error) => error instanceof ProtocolError && error.status === 403);
  if (held.length + refused.size === 0 && gateway) throw gateway;
  const unknownScopes = scopes.filter((scope) => !held.includes(scope) && !refused.has(scope));
  return { answered: held.length + refused.size, identity: { scopes: held, unknownScopes, from: 'tried' } };
}
