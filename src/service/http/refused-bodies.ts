/**
 * Answers a request whose body was not read, and then closes the connection.
 * A server that closes while the other side is still writing has its answer thrown away there (RFC 9112, 9.6). So the answer is sent first,
 * and what arrives of the body is read and dropped, up to a bound.
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
    // A small body has arrived with its headers, though Node may not have said so yet.
    if (!request.raw.complete) await setImmediate();
    if (request.raw.complete) return payload;
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
    return Readable.from(answerThenDrain(payload, request.raw, bounds));
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The connection is closed when this ends; the other side has the whole answer before. */
async function* answerThenDrain(payload: string | Buffer, request: IncomingMessage, bounds: DrainBounds): AsyncGenerator<string | Buffer> {
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
