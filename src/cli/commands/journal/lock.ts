/** One process at a time works on an entry. The lock ends with its process, also after `kill -9`. */
import { rmSync } from 'node:fs';

export interface Lock {
  release(): void;
  /** Releases it for an entry that is gone. */
  remove(): void;
}

/** Undefined while another process has the entry. */
export async function lockEntry(path: string): Promise<Lock | undefined> {
  const { tryLock } = await import('../../../service/data-folder/lock.ts');
  const file = `${path}.lock`;
  const lock = tryLock(file);
  if (!lock) return undefined;
  return {
    release: () => lock.close(),
    remove() {
      lock.close();
      for (const suffix of ['', '-journal']) rmSync(`${file}${suffix}`, { force: true });
    },
  };
}
