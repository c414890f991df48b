/** The identity and scopes of a key, from `/me`, or from test requests on a server without it. */
import { type Abilities, type Client, readAbilities } from '../../../client/client.ts';
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import { type Scope, scopes } from '../../../contract/scopes.ts';
import { isMissing } from '../../errors/missing-path.ts';
import { isObject } from '../../input/plain-object.ts';

interface MissingList {
  /** The scope to read it; without the list, nothing tells whether the key has it. */
  readonly scope: Scope;
  /** `GET /contacts` */
  readonly operation: string;
}

export interface Identity {
  /** Only from `/me`. */
  readonly team?: {
    readonly id?: string;
    readonly name: string;
    readonly slug?: string;
    readonly timezone?: string;
  };
  readonly keyName?: string;
  /** Null for never. */
  readonly expiresAt?: string | null;
  /** Scopes that the key has for certain. */
  readonly scopes: readonly string[];
  /** Scopes that couldn't be checked. */
  readonly unknownScopes: readonly Scope[];
  /** `reported` by `/me`, or `tried`: one small request per read scope. Write scopes are never tried. */
  readonly from: 'reported' | 'tried';
  /** The lists that the server doesn't have, as far as they were tried. */
  readonly missing: readonly MissingList[];
}

/** Answers of a server without `/me`, which the specification doesn't have. */
const missingRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks `/me`, or makes one request per read scope on a server without it.
 * Throws the client's error for a refused key, an unreachable server, or one with another API.
 */
export async function identify(
  client: Client,
  options: { signal?: AbortSignal } = {},
): Promise<Identity> {
  let meError: unknown;
  try {
    const { body } = await client.transport.request({ method: 'GET', path: '/me', ...options });
    const identity = parseIdentity(body);
    if (identity) return identity;
  } catch (error) {
    if (!isWithoutMe(error)) throw error;
    meError = error;
  }
  const probed = await probeScopes(client, options);
  // If no answer has the form of the API, a list explains it best: every server has lists, and `/me` may well be missing.
  if (probed.answered === 0 && meError) throw probed.unexpected ?? meError;
  return probed.identity;
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
    unknownScopes: [],
    missing: [],
    from: 'reported',
  };
}

/** For each read scope, a list that needs only that scope. */
function probeOperations(): Map<Scope, Operation> {
  const reads = new Map<Scope, Operation>();
  for (const operation of walk(contract)) {
    const { verb, scope, params } = operation;
    if (verb !== 'list' || params.length > 0 || !('all' in scope) || scope.all.length !== 1)
      continue;
    const [only] = scope.all as [Scope];
    if (!reads.has(only)) reads.set(only, operation);
  }
  return reads;
}

/** Stops after this number of answers that don't have the form of the API. */
const maxUnexpected = 3;

interface Probed {
  /** The number of lists with an answer of this interface. */
  readonly answered: number;
  /** The first answer of another interface. */
  readonly unexpected: unknown;
  readonly identity: Identity;
}

async function probeScopes(client: Client, options: { signal?: AbortSignal }): Promise<Probed> {
  const held: Scope[] = [];
  const refused = new Set<Scope>();
  const missing: MissingList[] = [];
  const unexpected: unknown[] = [];
  // One at a time, without retries: stay below rate limits and limits of failed requests.
  for (const [scope, { path }] of probeOperations()) {
    try {
      await client.transport.request({
        method: 'GET',
        path,
        query: { limit: 1 },
        retries: 0,
        expect: 'list',
        ...options,
      });
      held.push(scope);
    } catch (error) {
      if (isOtherScope(error)) refused.add(scope);
      else if (!(error instanceof ApiError || error instanceof ProtocolError)) throw error;
      else if (error.status === 401 || (error instanceof ApiError && error.status === 403))
        throw error;
      else if (error.status === 429) break;
      else {
        if (isMissing(error)) missing.push({ scope, operation: `GET ${path}` });
        // A gateway may block a single path; then only that scope stays unknown.
        if (error instanceof ProtocolError) unexpected.push(error);
      }
    }
    if (held.length + refused.size === 0 && unexpected.length >= maxUnexpected) break;
  }
  const gateway = unexpected.find(
    (error) => error instanceof ProtocolError && error.status === 403,
  );
  if (held.length + refused.size === 0 && gateway) throw gateway;
  const unknownScopes = scopes.filter((scope) => !held.includes(scope) && !refused.has(scope));
  return {
    answered: held.length + refused.size,
    unexpected: unexpected[0],
    identity: { scopes: held, unknownScopes, missing, from: 'tried' },
  };
}
