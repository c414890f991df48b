/** Finds out that an http address leads to a port that speaks TLS. Servers only close the connection then, or answer 400 with a page. */

const handshakeTimeoutMs = 2_000;

/** Whether the port answers a TLS handshake. Sends no request. */
export async function speaksTls({ hostname, port }: URL, signal: AbortSignal): Promise<boolean> {
  const [{ connect }, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host,
    port: Number(port || 80),
    servername: isIP(host) ? undefined : host,
    // The answer to the handshake counts, not who gives it.
    rejectUnauthorized: false,
  });
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  socket.setTimeout(handshakeTimeoutMs, stop);
  socket.on('secureConnect', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('close', () => resolve(false));
  try {
    return !signal.aborted && (await promise);
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
