/** The checksum of a mirrored file, and the lock of the folder. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { unusableFolder } from '../files/folders.ts';
import { type Lock, takeLock } from '../files/lock.ts';

export interface Digest {
  /** Number of lines. */
  readonly records: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Streams the file. Undefined without a file. */
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
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1))
        records += 1;
    },
    end: () => ({ records, sha256: hash.digest('hex') }),
  };
}

const lineFeed = 0x0a;

export const isSameDigest = (a: Digest, b: Digest): boolean =>
  a.records === b.records && a.sha256 === b.sha256;

/** Exit 7. `repair` reads all records again. */
export const fileChanged = (
  path: string,
  { known, onDisk }: { known: Digest; onDisk: Digest },
  repair: string,
): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} was changed since the last run: ${describeDifference(known, onDisk)}.`,
    hint: `read all records again: \`${repair}\``,
    details: { expected: { records: known.records, sha256: known.sha256 }, found: onDisk },
  });

/** Exit 7, for a file or a table. `repair` reads all records again. */
export const partMissing = (part: string, repair: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${part} is missing.`,
    hint: `read all records again: \`${repair}\``,
  });

const describeDifference = (known: Digest, onDisk: Digest): string =>
  known.records === onDisk.records
    ? 'its checksum differs'
    : `it has ${pluralize(onDisk.records, 'record', 'records')} instead of ${grouped(known.records)}`;

/** Exit 7 if another run has the folder. */
export const lockFolder = (folder: string, command: string): Promise<Lock> =>
  requireLock(join(folder, '.lock'), (error) =>
    error
      ? unusableFolder(folder, error)
      : new CliError({
          code: 'already_running',
          message: `Another ${command} is running in ${folder}.`,
          hint: 'wait until it ends, or choose another folder',
        }),
  );

/** One run at a time. `refusal` makes the error: of the file system, or without one if another run has the lock. */
export async function requireLock(
  file: string,
  refusal: (error?: unknown) => CliError,
): Promise<Lock> {
  const lock = await takeLock(file).catch((error: unknown) => {
    throw refusal(error);
  });
  if (!lock) throw refusal();
  return lock;
}
