/** One process at a time works on a file. The lock ends with its process, also after `kill -9`. */
import { rmSync, statSync } from 'node:fs';

export interface Lock {
  /** Leaves no file behind. */
  release(): void;
}

/** Undefined while another process has it. The lock is a file beside the locked one, which may be replaced. */
export const lockBeside = (path: string): Promise<Lock | undefined> => takeLock(`${path}.lock`);

/** The same with a lock file of another name. */
export async function takeLock(file: string): Promise<Lock | undefined> {
  const [{ tryLock }, { makePrivateFile }] = await Promise.all([
    import('../../../service/data-folder/lock.ts'),
    import('../../../service/data-folder/private-files.ts'),
  ]);
  for (;;) {
    makePrivateFile(file);
    const before = inodeOf(file);
    const lock = tryLock(file);
    if (!lock) return undefined;
    // Another process may have removed the file between: then this lock is on a file that nobody else sees.
    if (before !== undefined && inodeOf(file) === before)
      return { release: () => release(lock, file) };
    lock.close();
  }
}

const inodeOf = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;

/** Removed while it is held, so that nobody takes a lock that is about to vanish. */
function release(lock: { close(): void }, file: string): void {
  try {
    for (const suffix of ['', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  } catch {
    // Windows removes no open file: an empty one stays.
  }
  lock.close();
}
