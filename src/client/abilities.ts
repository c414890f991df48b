/**
 * What a server announces of itself beyond the specification. A program asks once, at sign-in, keeps the answer and gives it to
 * `createClient`. Nothing depends on it being complete or fresh: without it the client is slower, never wrong.
 */
import { matchesPath, type Operation } from '../contract/operations.ts';
import { CarStorageError, NetworkError } from './errors.ts';

/** Plain JSON, so that a program can keep it. A server without an interface description has none of these. */
export interface Abilities {
  /** Lists have every record that meets the parameters, and `total` counts them all (header `total-of: all-pages`). Only such a server is sent filters. */
  readonly promisesLists: boolean;
  /** Every POST takes an Idempotency-Key. Only to such a server a POST is repeated after a lost answer. */
  readonly idempotencyKeys: boolean;
  /** The preconditions that it checks, by the name of their header in lower case: `if-parked-in`. */
  readonly preconditions: readonly string[];
  /** Its operations, with paths below `/api/v1`: `GET /cars/{id}`. Empty without an interface description. */
  readonly operations: readonly string[];
  /** The team of the key; null where the server doesn't tell. */
  readonly team: { readonly id: string; readonly name: string | null } | null;
}

/** No abilities: a server that keeps to the specification and announces nothing. */
export const noAbilities: Abilities = {
  promisesLists: false,
  idempotencyKeys: false,
  preconditions: [],
  operations: [],
  team: null,
};

/** The part of a transport that asks. */
interface Asking {
  request(request: {
    readonly method: 'GET';
    readonly path: string;
    readonly query?: { readonly limit: number };
    readonly anonymous?: boolean;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
  }): Promise<{
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: unknown;
  }>;
}

/**
 * Asks a server for its abilities, with three requests: its interface description, a list of one car, and `/me`. What it refuses or
 * doesn't have is an ability that it lacks.
 * @throws NetworkError, or the reason of the signal
 */
export async function readAbilities(
  transport: Asking,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Abilities> {
  const ask = (path: string, more: { anonymous?: true; query?: { limit: number } } = {}) =>
    transport.request({ ...options, ...more, method: 'GET', path }).catch((error: unknown) => {
      if (!(error instanceof CarStorageError) || error instanceof NetworkError) throw error;
    });
  const [description, list, me] = await Promise.all([
    ask('/openapi.json', { anonymous: true }),
    ask('/cars', { query: { limit: 1 } }),
    ask('/me'),
  ]);
  const header = list?.headers['total-of'];
  return {
    ...abilitiesIn(description?.body),
    ...(list && { promisesLists: header === allPages }),
    team: teamIn(me?.body),
  };
}

/** The value of the header `total-of` with which a server promises complete lists. */
export const allPages = 'all-pages';

/** What an interface description (OpenAPI 3) tells. */
export function abilitiesIn(description: unknown): Omit<Abilities, 'team'> {
  const operations = new Map(operationsIn(description));
  const parametersOf = (operation: unknown) =>
    listAt(operation, 'parameters')
      .map((parameter) => resolve(description, parameter))
      .filter((parameter) => property(parameter, 'in') === 'header')
      .map((parameter) => String(property(parameter, 'name')).toLowerCase());
  const posts = [...operations].filter(([name]) => name.startsWith('POST '));
  const writes = [...operations].filter(([name]) => !name.startsWith('GET '));
  const conditions = writes.flatMap(([, write]) => parametersOf(write));
  const list = property(property(operations.get('GET /cars'), 'responses'), '200');
  return {
    promisesLists: Object.keys(objectAt(list, 'headers')).some(
      (name) => name.toLowerCase() === 'total-of',
    ),
    idempotencyKeys:
      posts.length > 0 && posts.every(([, post]) => parametersOf(post).includes('idempotency-key')),
    preconditions: [...new Set(conditions.filter((name) => name.startsWith('if-')))],
    operations: [...operations.keys()],
  };
}

/** Whether the server has an operation; undefined where it has no interface description. The names of path parameters don't count. */
export function hasOperation(
  { operations }: Pick<Abilities, 'operations'>,
  { method, path }: Pick<Operation, 'method' | 'path'>,
): boolean | undefined {
  if (operations.length === 0) return undefined;
  return operations.some(
    (one) => one.startsWith(`${method} `) && matchesPath(one.slice(method.length + 1), path),
  );
}

const methods = ['get', 'post', 'patch', 'delete', 'put'];

/** Each operation by its name, with the parameters of its path among its own. */
function operationsIn(description: unknown): [string, unknown][] {
  return Object.entries(objectAt(description, 'paths')).flatMap(([path, item]) =>
    methods
      .filter((method) => property(item, method) !== undefined)
      .map((method): [string, unknown] => {
        const operation = objectAt(item, method);
        const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')];
        // Paths may include `/api/v1`, or have it in the server's address.
        const below = path.replace(/^\/api\/v1(?=\/)/, '');
        return [`${method.toUpperCase()} ${below}`, { ...operation, parameters }];
      }),
  );
}

function teamIn(me: unknown): Abilities['team'] {
  const team = property(property(me, 'data'), 'team');
  const [id, name] = [property(team, 'id'), property(team, 'name')];
  return typeof id === 'string' ? { id, name: typeof name === 'string' ? name : null } : null;
}

/** Follows a `$ref` inside the description. */
function resolve(description: unknown, value: unknown): unknown {
  const reference = property(value, '$ref');
  if (typeof reference !== 'string') return value;
  const keys = reference.replace(/^#\//, '').split('/');
  return keys.reduce<unknown>(
    (at, key) => property(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
    description,
  );
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function objectAt(value: unknown, key: string): Record<string, unknown> {
  const found = property(value, key);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
}

function listAt(value: unknown, key: string): unknown[] {
  const found = property(value, key);
  return Array.isArray(found) ? found : [];
}
