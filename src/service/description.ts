/** The interface description as it is sent: compressed once for each coding, with an ETag of its own for each (RFC 9110, 8.8.3). */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { openApiText } from '../openapi/document.ts';

const codings = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 9 }),
  identity: async (text: string) => Buffer.from(text),
} as const;

export type Coding = keyof typeof codings;

export interface EncodedDescription {
  readonly coding: Coding;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

const encoded = new Map<Coding, Promise<EncodedDescription>>();

/** Encoded the first time that somebody asks, then kept. */
export function describeFor(acceptEncoding: string | undefined): Promise<EncodedDescription> {
  const coding = chooseCoding(acceptEncoding);
  const known = encoded.get(coding) ?? encode(coding);
  encoded.set(coding, known);
  return known;
}

async function encode(coding: Coding): Promise<EncodedDescription> {
  const bytes = await codings[coding](await openApiText(setImmediate));
  return { coding, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** The coding that the caller prefers; of equal ones the smaller. Never none: what a caller cannot read at all is sent as it is. */
export function chooseCoding(acceptEncoding = ''): Coding {
  const weights = new Map<string, number>();
  for (const entry of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    if (name) weights.set(name, weight ? Number(weight.slice(2)) || 0 : 1);
  }
  const weightOf = (coding: Coding) => weights.get(coding === 'gzip' && !weights.has('gzip') ? 'x-gzip' : coding) ?? weights.get('*') ?? 0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}
