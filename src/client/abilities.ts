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

interface Asking {
  readonly query?: { readonly limit: number };
  readonly anonymous?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Asks a server for its abilities, with three requests: its interface description, a list of one car, and `/me`. What it refuses or
 * doesn't have is an ability that it lacks.
 * @throws NetworkError, or the reason of the signal
 */
export async function readAbilities(
  transport: {
    request(request: Asking & { readonly method: 'GET'; readonly path: string }): Promise<{
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: unknown;
    }>;
  },
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Abilities> {
  const ask = (path: string, more: Asking = {}) =>
    transport.request({ ...options, ...more, method: 'GET', path }).catch((error: unknown) => {
      if (!(error instanceof CarStorageError) || error instanceof NetworkError) throw error;
    });
  const [description, list, me] = await Promise.all([
    ask('/openapi.json', { anonymous: true }),
    ask('/cars', { query: { limit: 1 } }),
    ask('/me'),
  ]);
  const { id, name = null } = at(me?.body, 'data', 'team');
  return {
    ...abilitiesIn(description?.body),
    ...(list && { promisesLists: list.headers['total-of'] === allPages }),
    team: typeof id === 'string' ? { id, name: typeof name === 'string' ? name : null } : null,
  };
}

/** The value of the header `total-of` with which a server promises complete lists. */
export const allPages = 'all-pages';

const methods = ['get', 'post', 'patch', 'delete', 'put'];

/** What an interface description (OpenAPI 3) tells. */
export function abilitiesIn(description: unknown): Omit<Abilities, 'team'> {
  const operations = Object.entries(at(description, 'paths')).flatMap(([path, item]) =>
    methods
      .filter((method) => method in at(item))
      // Paths may include `/api/v1`, or have it in the server's address.
      .map((method) => ({
        name: `${method.toUpperCase()} ${path.replace(/^\/api\/v1(?=\/)/, '')}`,
        headers: headersOf(description, item, method),
        answer: at(item, method, 'responses', '200', 'headers'),
      })),
  );
  const posts = operations.filter(({ name }) => name.startsWith('POST '));
  const conditions = operations
    .filter(({ name }) => !name.startsWith('GET '))
    .flatMap(({ headers }) => headers.filter((header) => header.startsWith('if-')));
  const cars = operations.find(({ name }) => name === 'GET /cars');
  return {
    promisesLists: Object.keys(cars?.answer ?? {}).some(
      (name) => name.toLowerCase() === 'total-of',
    ),
    idempotencyKeys:
      posts.length > 0 && posts.every(({ headers }) => headers.includes('idempotency-key')),
    preconditions: [...new Set(conditions)],
    operations: operations.map(({ name }) => name),
  };
}

/** The headers that an operation takes, of its own and of its path, in lower case. */
const headersOf = (description: unknown, item: unknown, method: string): string[] =>
  [item, at(item, method)]
    .flatMap((one) => Object.values(at(one, 'parameters')))
    .map((parameter) => {
      const { $ref } = at(parameter);
      // Inside the description: `#/components/parameters/IdempotencyKey`.
      return typeof $ref === 'string'
        ? at(description, ...$ref.split('/').slice(1))
        : at(parameter);
    })
    .flatMap(({ in: place, name }) => (place === 'header' ? [String(name).toLowerCase()] : []));

/** What is at a path of keys; empty where something is missing. */
function at(value: unknown, ...keys: string[]): Readonly<Record<string, unknown>> {
  let found = value;
  for (const key of keys) found = at(found)[key];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
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
