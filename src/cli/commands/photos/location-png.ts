import { crc32, inflateSync } from 'node:zlib';

const signatureLength = 8;
const textChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt']);
/** Metadata is small; more than this unpacked is an attack, and is not read. */
const maxUnpacked = 16 * 1024 * 1024;

interface Chunk {
  name: string;
  /** From the length before the name to the checksum after the data. */
  whole: Buffer;
  data: Buffer;
}

/** Whether a packed or hexadecimal text holds what `has` finds in plain bytes. */
export function codedPngLocation(png: Buffer, has: (bytes: Buffer) => boolean): boolean {
  return readChunks(png).some((chunk) => isCodedLocation(chunk, has));
}

/** A copy in which plain metadata is blanked in place, checksums renewed, and coded metadata with a location left out. */
export function withoutPngLocation(png: Buffer, { has, blank }: { has(bytes: Buffer): boolean; blank(bytes: Buffer): void }): Buffer {
  const copy = Buffer.from(png);
  const chunks = readChunks(copy).filter((chunk) => !isCodedLocation(chunk, has));
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

function isCodedLocation(chunk: Chunk, has: (bytes: Buffer) => boolean): boolean {
  const decoded = textChunks.has(chunk.name) ? decode(chunk) : undefined;
  return decoded !== undefined && has(decoded);
}

/** What a packed text or a "Raw profile" (ImageMagick's way to keep EXIF, as hexadecimal) says; `undefined` when it is plain. */
function decode({ name, data }: Chunk): Buffer | undefined {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd === -1 || name === 'eXIf') return undefined;
  const isRawProfile = data.toString('latin1', 0, keywordEnd).startsWith('Raw profile type');
  const packed = name === 'zTXt' || (name === 'iTXt' && data[keywordEnd + 1] === 1);
  const text = packed ? unpack(data.subarray(packedStart(name, data, keywordEnd))) : data.subarray(keywordEnd + 1);
  if (isRawProfile)
    return Buffer.from(
      text
        .toString('latin1')
        .replace(/^\s*\S+\s+\d+\s+/, '')
        .replace(/\s+/g, ''),
      'hex',
    );
  return packed ? text : undefined;
}

/** zTXt: a method byte. iTXt: flag, method, language and translated keyword, both ended by a null. */
function packedStart(name: string, data: Buffer, keywordEnd: number): number {
  if (name === 'zTXt') return keywordEnd + 2;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  return data.indexOf(0, languageEnd + 1) + 1;
}

function unpack(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: maxUnpacked });
  } catch {
    return Buffer.alloc(0);
  }
}
