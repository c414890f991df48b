/**
 * Responds to a request whose body isn't read, then closes the connection. If a server closes while the client is still sending,
 * the client loses the response (RFC 9112, 9.6). So the response goes out first, and the rest of the body is read and dropped, up
 * to a limit.
 */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface DrainBounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Several times the largest upload. */
export const defaultDrain: DrainBounds = { bytes: 64 * 1024 * 1024, ms: 10_000 };

export function drainUnreadBodies(app: FastifyInstance, bounds: DrainBounds): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (!hasBody(request.raw)) return payload;
    // A small body has arrived with its headers, but Node may report it a tick later.
    if (!request.raw.complete) await setImmediate();
    if (request.raw.complete) return payload;
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
    return Readable.from(answerThenDrain(payload, request.raw, bounds));
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The connection closes at the end; by then the client has the whole response. */
async function* answerThenDrain(
  payload: string | Buffer,
  request: IncomingMessage,
  bounds: DrainBounds,
): AsyncGenerator<string | Buffer> {
  yield payload;
  await drain(request, bounds);
}

function drain(request: IncomingMessage, { bytes, ms }: DrainBounds): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const timer = setTimeout(done, ms);
    function count(chunk: Buffer): void {
      left -= chunk.length;
      if (left < 0) done();
    }
    function done(): void {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      request.pause();
      resolve();
    }
    if (request.complete || request.destroyed) return done();
    request.on('data', count).on('end', done).on('close', done).resume();
  });
}
