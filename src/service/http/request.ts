/** Headers that a caller may give once. Node keeps the first of some and joins others, so a proxy in front may have read another value. */

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ApiProblem, invalid } from '../problem.ts';

/**
 * The parameters of an address; a list where one is given more than once. Strict, unlike the parsers of frameworks:
 * escapes that are no characters are refused, since what stands in their place was never asked for.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const found = new Map<string, string[]>();
  for (const part of query.split('&').filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const key = decode(name, name);
    found.set(key, [...(found.get(key) ?? []), decode(value, key)]);
  }
  // Its own keys whatever they are called: fromEntries defines them, where an assignment to __proto__ would set something else.
  return Object.fromEntries(Array.from(found, ([key, values]) => [key, values.length > 1 ? values : (values[0] as string)]));
}

function decode(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid([{ path, rule: 'invalid_format', message: 'must be percent-encoded UTF-8: %25 for a %' }]);
  }
}

/** Every value of a header, as it was sent. */
export function valuesOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** 400 for a header that says where a request goes or what its body is, and is there twice (RFC 9112, 3.2). */
export function requireSingleHeaders(request: Pick<IncomingMessage, 'rawHeaders'>): void {
  for (const name of ['Host', 'Content-Type']) {
    if (valuesOf(request, name.toLowerCase()).length > 1)
      throw new ApiProblem('bad_request', `The request has more than one ${name} header`);
  }
}

/** 415 for a body that is compressed, or encoded in another way. */
export function requirePlainBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && !/^\s*(identity\s*)?$/i.test(coding))
    throw new ApiProblem('unsupported_media_type', 'Content-Encoding is not supported; send the body uncompressed');
}

/**
 * The address that limits count by. With trusted proxies, `ip` is the last entry of X-Forwarded-For that none of them is;
 * a proxy that passes on what a caller made up has that counted as its own.
 */
export const clientAddress = ({ ip, socket }: { ip: string; socket: { remoteAddress?: string } }): string =>
  isIP(ip) ? ip : (socket.remoteAddress ?? '');
