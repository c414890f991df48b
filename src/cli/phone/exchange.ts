/** One request of a phone and its answer: headers, bodies, refusals. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { photoLimits, purposes } from '../../phone/protocol.ts';
import type { Code } from './reception.ts';

export const everyAnswer = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/** A refusal for someone who hasn't shown the secret. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** At most `most` bytes, in one buffer. */
export async function readBody(
  request: IncomingMessage,
  most: number,
  onProgress: (received: number) => void = () => {},
): Promise<Buffer> {
  const told = Number(request.headers['content-length'] ?? Number.NaN);
  if (!(told <= most)) throw new Refused(413, 'Too large.');
  const body = Buffer.allocUnsafe(told);
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunk.copy(body, at);
    at += chunk.length;
    onProgress(at);
  }
  return body.subarray(0, at);
}

/** Answers once the phone has sent everything: it reads no answer before. */
export function drain(request: IncomingMessage, reply: () => void): void {
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > photoLimits.bytes * 2) request.destroy();
  });
  request.once('end', reply);
}

export function sendSealed(
  response: ServerResponse,
  {
    code,
    purpose,
    content,
  }: { readonly code: Code; readonly purpose: string; readonly content: unknown },
): void {
  const body = code.seal.seal(Buffer.from(JSON.stringify(content)), purposes.answer(purpose));
  response
    .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length })
    .end(body);
}

export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refused) || response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(error.status, {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
  });
  // The rest of a body isn't read.
  response.end(`${error.message}\n`, () => request.destroy());
}
