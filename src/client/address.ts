/** Addresses of requests, and the checks that keep requests and the key inside the interface. */
import { UsageError } from './errors.ts';

const prefix = '/api/v1';

export interface Address {
  /** Such as `https://cars.example.com`, for messages. */
  readonly origin: string;
  /** The base address without a slash at its end. */
  readonly baseUrl: string;
  readonly loopback: boolean;
  readonly encrypted: boolean;
}

/**
 * Reads a base address. A path before the interface is kept; a final slash or a copied `/api/v1` is removed.
 * @throws UsageError `invalid_base_url`
 */
export function parseAddress(baseUrl: string): Address {
  const refuse = (why: string) =>
    new UsageError(`the base address ${why}; it should look like https://cars.example.com`, {
      code: 'invalid_base_url',
    });
  if (!URL.canParse(baseUrl)) throw refuse(`"${baseUrl}" isn't a URL`);
  const url = new URL(baseUrl);
  // No message repeats the text: it may contain a password.
  if (url.username || url.password) throw refuse("can't contain a user name or password");
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(`must start with https:// or http://, not ${url.protocol}`);
  if (url.search || url.hash) throw refuse("can't contain a query or a fragment");
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
  return {
    origin: url.origin,
    baseUrl: url.origin + path,
    loopback: isLoopback(url.hostname),
    encrypted: url.protocol === 'https:',
  };
}

/** Whether the host of a URL is this machine. The URL parser normalizes `127.1` and `0x7f000001`. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

export type QueryValue =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | null
  | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/**
 * The URL of a path below `/api/v1`, given with or without that prefix.
 * Arrays are joined by commas, like `ids` in the specification; empty values are left out. `search` is used unchanged.
 * @throws UsageError `invalid_path` when the path would leave the interface
 */
export function urlOf(address: Address, path: string, query: Query = {}, search = ''): URL {
  const base = address.baseUrl + prefix;
  const below = pathBelow(path);
  const url = new URL(base + below);
  // The parser resolves dot segments in every spelling, so the check comes after it.
  if (!below.startsWith('/') || url.hash || !url.href.startsWith(`${base}/`)) {
    throw new UsageError(`the path "${path}" isn't below /api/v1; it should look like /cars`, {
      code: 'invalid_path',
    });
  }
  url.search += search;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null)
      url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return url;
}

/**
 * The URL of a path below the base address that isn't part of the interface, such as `/readyz`.
 * @throws UsageError `invalid_path`
 */
export function urlOutside(address: Address, path: string): URL {
  if (!path.startsWith('/'))
    throw new UsageError(`the path "${path}" doesn't start with a slash`, { code: 'invalid_path' });
  return new URL(address.baseUrl + path);
}

/** A path below `/api/v1`, as in errors and the interface description. */
export const pathBelow = (path: string) =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

/**
 * Fills a path's parameters with ids, outermost first.
 * @throws UsageError `invalid_path` for an id that would change the path
 */
export function fillPath(template: string, ids: readonly string[]): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[next++];
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
      throw new UsageError(`"${id ?? ''}" can't be the ${name} in ${template}`, {
        code: 'invalid_path',
      });
    }
    return encodeURIComponent(id);
  });
}
