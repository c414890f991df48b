/** What a file holds, so that a later run can tell whether it is still the same. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';

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

/** One run at a time in a folder. */

/** The lock is the operating system's, taken through SQLite on a file of its own: it ends with the process, however that ends. Exit 7 when another run has it. */
export async function lockFolder(folder: string, command: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import('node:sqlite');
  let lock: InstanceType<typeof DatabaseSync> | undefined;
  try {
    lock = new DatabaseSync(join(folder, '.lock'), { timeout: 0 });
    lock.exec('begin exclusive');
    const held = lock;
    return { release: () => held.close() };
  } catch (error) {
    lock?.close();
    if (/locked/.test(String(error)))
      throw new CliError({
        code: 'folder_in_use',
        message: `Another ${command} is at work in ${folder}.`,
        hint: 'wait for it to end, or choose another folder',
      });
    throw new CliError({
      code: 'folder_unusable',
      message: `The folder ${folder} cannot be used: ${describeFsError(error)}.`,
      hint: isFull(error) ? roomHint : 'choose another one that you can write to',
      exitCode: exitCodeOfFsError(error, 2),
      cause: error,
    });
  }
}
