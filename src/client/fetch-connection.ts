/** One request and its answer over fetch, where there is no Node: browsers, Deno, Bun and workers. */
import type { Connection, ConnectionOptions, Sent, WireRequest } from './connection.ts';
import { UsageError } from './errors.ts';
import { SilentBodyError } from './failures.ts';

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
    send: (request) => exchange(request, closing.signal),
    async close() {
      closing.abort();
    },
  };
}

async function exchange(
  { method, url, headers, body, silenceMs, signal }: WireRequest,
  closing: AbortSignal,
): Promise<Sent> {
  // A browser sends its own.
  const { 'user-agent': _, ...own } = headers;
  if (signal.aborted) return { error: signal.reason, reached: false };
  try {
    const response = await fetch(url, {
      method,
      headers: own,
      body,
      signal: AbortSignal.any([signal, closing]),
      // The key stays with its server, and nothing of it in a cache.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const answer = {
      // A browser hides the status of a redirect.
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      headers: Object.fromEntries(response.headers),
      body: piecesOf(response, silenceMs),
      isUnpacked: true,
      discard: async () => void (await response.body?.cancel()),
    };
    return { answer };
  } catch (error) {
    // fetch doesn't tell how far the request came.
    return { error, reached: true };
  }
}

/** @throws SilentBodyError */
async function* piecesOf({ body }: Response, silenceMs: number): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await (silenceMs > 0
        ? withLimit(reader.read(), silenceMs)
        : reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function withLimit<T>(read: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentBodyError()), ms);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
