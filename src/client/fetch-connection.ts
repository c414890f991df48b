/** One request and its answer over fetch, where there is no Node: browsers, Deno, Bun and workers. */
import type { Connection, ConnectionOptions } from './connection.ts';
import { UsageError } from './errors.ts';

/**
 * fetch chooses connections, proxies and trusted certificates itself.
 * @throws UsageError `invalid_ca` for additional certificates
 */
export function openConnection({ address, ca }: ConnectionOptions): Connection {
  if (ca !== undefined)
    throw new UsageError(
      'additional certificates need Node; here the platform decides which it trusts',
      { code: 'invalid_ca' },
    );
  const closing = new AbortController();
  return {
    origin: address.origin,
    proxy: undefined,
    async send({ method, url, headers, body, signal, onStart }) {
      // A browser sends its own.
      const { 'user-agent': _, ...own } = headers;
      // fetch doesn't tell how far the request came.
      onStart();
      const response = await fetch(url, {
        method,
        headers: own,
        body,
        signal: AbortSignal.any([signal, closing.signal]),
        // The key stays with its server, and nothing of it in a cache.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
      const { 'content-encoding': __, ...unpacked } = Object.fromEntries(response.headers);
      return {
        // A browser hides the status of a redirect.
        status: response.type === 'opaqueredirect' ? 302 : response.status,
        headers: unpacked,
        body: piecesOf(response),
      };
    },
    async close() {
      closing.abort();
    },
  };
}

/** Not every browser has an iterator for it. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done || !value) return;
      yield value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}
