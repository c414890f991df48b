/**
 * What a backup is: one tar file with the files of a data folder under their own paths, then `manifest.json`, which tells size and
 * SHA-256 of each, then the SHA-256 of the manifest. So an archive that was cut off or changed anywhere is known by itself.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

export const databaseName = 'cs.sqlite';
export const manifestName = 'manifest.json';
export const sealName = 'manifest.sha256';
const bytesName = /^files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([0-9a-f]{2})\/(\2[0-9a-f]{62})$/;

/** Names that a backup may hold, and no others: what is not among them is never written to disk. */
export const isKnownName = (name: string): boolean =>
  name === databaseName || name === manifestName || name === sealName || bytesName.test(name);

/** Where bytes are kept, in the folder and in the archive alike. */
export const nameOfBytes = ({ teamId, sha256 }: { teamId: string; sha256: string }): string =>
  `files/${teamId}/${sha256.slice(0, 2)}/${sha256}`;

export interface Entry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: 'car-storage backup';
  readonly version: 1;
  /** ISO 8601; everything that was acknowledged before it is in the backup. */
  readonly createdAt: string;
  /** What the archive must hold. It may hold more: bytes of records that were deleted while it was written. */
  readonly entries: readonly Entry[];
  /** Bytes that records name and that were not there, or were not what they should be, when the backup was made. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

/** The file is no backup, or not as it was written. */
export class DamagedBackup extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'DamagedBackup';
  }
}

export interface ArchiveWriter {
  /** Adds a file and tells its hash. The source must give as many bytes as it said. */
  add(name: string, size: number, source: Readable): Promise<Entry>;
  /** Adds manifest and seal, and resolves when all of it is on disk. */
  seal(manifest: Manifest): Promise<void>;
}

export function createArchive(path: string, { mtime, signal }: { mtime: Date; signal?: AbortSignal }): ArchiveWriter {
  const archive = pack();
  const written = pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), { signal });
  // Told where it is waited for; it must not end the process before.
  written.catch(() => undefined);
  const header = (name: string, size: number) => ({ name, size, mtime, mode: 0o600, type: 'file' as const });
  const addText = (name: string, text: string) => archive.entry(header(name, Buffer.byteLength(text)), text);
  return {
    async add(name, size, source) {
      const hash = createHash('sha256');
      const hashed = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      };
      // A disk that is full ends the writing side, and would leave this one waiting.
      await Promise.race([pipeline(source, hashed, archive.entry(header(name, size)), { signal }), written]);
      return { name, size, sha256: hash.digest('hex') };
    },
    async seal(manifest) {
      const text = JSON.stringify(manifest);
      addText(manifestName, text);
      addText(sealName, createHash('sha256').update(text).digest('hex'));
      archive.finalize();
      await written;
    },
  };
}
