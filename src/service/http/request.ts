/**
 * Strict reading of a request: its query, and headers that may be given only once. Node keeps the first of some and joins others,
 * so a proxy may have read another value.
 */

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ApiProblem, invalidValue } from '../problem.ts';

/**
 * The query's parameters; a list where one is repeated. Invalid percent escapes are refused: frameworks replace them with
 * characters that nobody asked for.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const found = new Map<string, string[]>();
  for (const part of query.split('&').filter(Boolean)) {
    const [name = ''] = part.split('=', 1);
    const key = decode(name, name);
    const value = decode(part.slice(name.length + 1), key);
    const earlier = found.get(key);
    if (earlier) earlier.push(value);
    else found.set(key, [value]);
  }
  // fromEntries defines own keys, also `__proto__`, where an assignment would set the prototype.
  return Object.fromEntries(
    Array.from(found, ([key, values]) => [key, values.length > 1 ? values : (values[0] as string)]),
  );
}

function decode(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidValue(path, 'invalid_format', 'must be percent-encoded UTF-8: %25 for a %');
  }
}

/** All values of a header, as sent. */
export function valuesOf(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  name: string,
): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** 400 for a repeated header that decides the target or the type of the body (RFC 9112, 3.2). */
export function requireSingleHeaders(request: Pick<IncomingMessage, 'rawHeaders'>): void {
  for (const name of ['Host', 'Content-Type']) {
    if (valuesOf(request, name.toLowerCase()).length > 1)
      throw new ApiProblem('bad_request', `The request has more than one ${name} header`);
  }
}

/** 415 for a compressed or otherwise encoded body. */
export function requirePlainBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && !/^\s*(identity\s*)?$/i.test(coding))
    throw new ApiProblem(
      'unsupported_media_type',
      "Content-Encoding isn't supported; send the body uncompressed",
    );
}

/**
 * The address that limits count. With trusted proxies, `ip` is the last untrusted entry of X-Forwarded-For. If a proxy passes on
 * an invalid one, its own address counts.
 */
export const clientAddress = ({
  ip,
  socket,
}: {
  ip: string;
  socket: { remoteAddress?: string };
}): string => (isIP(ip) ? ip : (socket.remoteAddress ?? ''));
