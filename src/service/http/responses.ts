/** Responses with an ETag: stored files and the interface description. */
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { photoTypes } from '../../contract/cars.ts';
import { openApiText } from '../../openapi/document.ts';
import { contentName } from '../files/store.ts';
import type { Bytes } from '../rules/rule.ts';

/** Media types that a browser may display: images, which run no code. It offers to save all others. */
const inlineTypes: ReadonlySet<string> = new Set(photoTypes);

/** Sends a stored file so that a browser neither guesses its type nor runs it. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, size, contentType, filename, hash }: Bytes,
): FastifyReply {
  // Cached, but revalidated with the key each time: a revoked key must not show anything.
  reply.header('cache-control', 'private, max-age=0, must-revalidate');
  if (matchesETag(request, reply, hash)) {
    stream.destroy();
    return reply.code(304).send();
  }
  const disposition = inlineTypes.has(contentType) ? 'inline' : 'attachment';
  return reply
    .type(contentType)
    .header('content-length', size)
    .header(
      'content-disposition',
      `${disposition}; filename*=UTF-8''${encodeURIComponent(filename)}`,
    )
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(stream);
}

export async function sendDescription(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { coding, bytes, hash } = await encodedDescription(request.headers['accept-encoding']);
  reply
    .header('cache-control', 'public, max-age=0, must-revalidate')
    .header('vary', 'accept-encoding');
  if (matchesETag(request, reply, hash)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type('application/json; charset=utf-8').send(bytes);
}

/** Sets the ETag and tells whether the caller's If-None-Match contains it. */
function matchesETag(request: FastifyRequest, reply: FastifyReply, hash: string): boolean {
  const tag = `"${hash}"`;
  reply.header('etag', tag);
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

const codings = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 9 }),
  identity: async (text: string) => Buffer.from(text),
} as const;

type Coding = keyof typeof codings;

interface EncodedDescription {
  readonly coding: Coding;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

const encoded = new Map<Coding, Promise<EncodedDescription>>();

/** Encoded at the first request for a coding, then cached. Each coding has an ETag of its own (RFC 9110, 8.8.3). */
function encodedDescription(acceptEncoding: string | undefined): Promise<EncodedDescription> {
  const coding = chooseCoding(acceptEncoding);
  const known = encoded.get(coding) ?? encode(coding);
  encoded.set(coding, known);
  return known;
}

async function encode(coding: Coding): Promise<EncodedDescription> {
  const bytes = await codings[coding](await openApiText(setImmediate));
  return { coding, bytes, hash: contentName(bytes) };
}

/** Of every page for a browser, beside its policy of what it may load. */
export const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** The coding that the caller prefers; of equal ones the smaller. Falls back to identity. */
export function chooseCoding(acceptEncoding = ''): Coding {
  const weights = new Map<string, number>();
  for (const entry of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    if (name) weights.set(name, weight ? Number(weight.slice(2)) || 0 : 1);
  }
  const weightOf = (coding: Coding) =>
    weights.get(coding === 'gzip' && !weights.has('gzip') ? 'x-gzip' : coding) ??
    weights.get('*') ??
    0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}
