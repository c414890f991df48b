/** What a file holds, so that a later run can tell whether it is still the same. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface Digest {
  /** How many lines, each with its line feed. */
  readonly records: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Of a file of any size; memory holds a piece of it. Nothing where there is no file. */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const digest = createDigest();
  try {
    for await (const piece of createReadStream(path)) digest.add(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return digest.end();
}

export function createDigest(): { add(piece: Uint8Array): void; end(): Digest } {
  const hash = createHash('sha256');
  let records = 0;
  return {
    add(piece) {
      hash.update(piece);
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) records += 1;
    },
    end: () => ({ records, sha256: hash.digest('hex') }),
  };
}

const lineFeed = 0x0a;

export const isSameDigest = (a: Digest, b: Digest): boolean => a.records === b.records && a.sha256 === b.sha256;
