/** Whether the proxy for the server accepts connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { reasonOf } from '../../../client/failures.ts';
import { ok, problem } from './finding.ts';
import type { Finding } from './shape.ts';

const connectTimeoutMs = 5_000;

/** `proxy`: its address without a password. */
export async function checkProxy(proxy: string | undefined): Promise<Finding> {
  const name = 'proxy';
  if (proxy === undefined) return ok(name, 'none');
  const found = `${proxy}, from the environment`;
  // The check of the server reports an invalid address.
  if (!URL.canParse(proxy)) return ok(name, found);
  const { hostname, port, protocol } = new URL(proxy);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  });
  const timeout = AbortSignal.timeout(connectTimeoutMs);
  try {
    await once(socket, 'connect', { signal: timeout });
    return ok(name, found);
  } catch (error) {
    const why = timeout.aborted
      ? `no connection within ${connectTimeoutMs / 1_000} s`
      : reasonOf(error);
    return problem(name, `${found}, can't be reached: ${why}`, 9, {
      hint: 'correct or unset HTTPS_PROXY and HTTP_PROXY, or list the host of the server in NO_PROXY',
    });
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
