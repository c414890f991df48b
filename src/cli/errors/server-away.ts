/** Whether another try may succeed once the server is back: it can't be reached, or a gateway in front of it says so. */
import { ApiError, NetworkError, ProtocolError } from '../../client/errors.ts';

const lost: ReadonlySet<string> = new Set(['connection_failed', 'connection_lost', 'timeout']);

export function isServerAway(error: unknown): boolean {
  if (error instanceof NetworkError) return lost.has(error.code);
  return (error instanceof ApiError || error instanceof ProtocolError) && error.status >= 502;
}
