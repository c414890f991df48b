import { crc32, inflateSync } from 'node:zlib';

const signatureLength = 8;
const textChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt']);
/** Metadata is small; larger than this is an attack. */
const maxInflated = 16 * 1024 * 1024;

interface Chunk {
  name: string;
  /** Length, name, data and checksum. */
  whole: Buffer;
  data: Buffer;
}

/** Whether a compressed or hexadecimal text has a location. */
export function hasEncodedLocation(png: Buffer, has: (bytes: Buffer) => boolean): boolean {
  return readChunks(png).some((chunk) => isEncodedLocation(chunk, has));
}

/** A copy with plain locations blanked, checksums updated, and encoded texts with a location removed. */
export function withoutPngLocation(
  png: Buffer,
  { has, blank }: { has(bytes: Buffer): boolean; blank(bytes: Buffer): void },
): Buffer {
  const copy = Buffer.from(png);
  const chunks = readChunks(copy).filter((chunk) => !isEncodedLocation(chunk, has));
  for (const { name, whole, data } of chunks) {
    if (!textChunks.has(name) || !has(data)) continue;
    blank(data);
    whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  }
  return Buffer.concat([copy.subarray(0, signatureLength), ...chunks.map(({ whole }) => whole)]);
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = signatureLength;
  while (at + 12 <= png.length) {
    const end = Math.min(at + 12 + png.readUInt32BE(at), png.length);
    const whole = png.subarray(at, end);
    chunks.push({ name: whole.toString('latin1', 4, 8), whole, data: whole.subarray(8, -4) });
    at = end;
  }
  return chunks;
}

function isEncodedLocation(chunk: Chunk, has: (bytes: Buffer) => boolean): boolean {
  const decoded = textChunks.has(chunk.name) ? decode(chunk) : undefined;
  return decoded !== undefined && has(decoded);
}

/** The content of a compressed text or a "Raw profile" (hexadecimal EXIF by ImageMagick); `undefined` for plain text. */
function decode({ name, data }: Chunk): Buffer | undefined {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd === -1 || name === 'eXIf') return undefined;
  const isRawProfile = data.toString('latin1', 0, keywordEnd).startsWith('Raw profile type');
  const compressed = name === 'zTXt' || (name === 'iTXt' && data[keywordEnd + 1] === 1);
  const text = compressed
    ? inflate(data.subarray(compressedStart(name, data, keywordEnd)))
    : data.subarray(keywordEnd + 1);
  if (isRawProfile)
    return Buffer.from(
      text
        .toString('latin1')
        .replace(/^\s*\S+\s+\d+\s+/, '')
        .replace(/\s+/g, ''),
      'hex',
    );
  return compressed ? text : undefined;
}

/** zTXt: a method byte. iTXt: flag, method, language and translated keyword, both null-terminated. */
function compressedStart(name: string, data: Buffer, keywordEnd: number): number {
  if (name === 'zTXt') return keywordEnd + 2;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  return data.indexOf(0, languageEnd + 1) + 1;
}

function inflate(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: maxInflated });
  } catch {
    return Buffer.alloc(0);
  }
}
