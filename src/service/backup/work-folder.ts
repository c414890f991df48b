/** A folder for work under way, beside its result. What a killed process left is removed by the next one that works there. */
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../folder-lock.ts';

const lead = '.cs-backup-';

export interface WorkFolder {
  readonly path: string;
  /** Removes it and all that is in it. */
  remove(): Promise<void>;
}

export async function makeWorkFolder(parent: string): Promise<WorkFolder> {
  await removeAbandoned(parent);
  // Locked at once, so that nobody finds it without a lock.
  const path = mkdtempSync(join(parent, lead));
  const lock = takeLock(join(path, 'lock'));
  return {
    path,
    async remove() {
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Best effort: those whose lock nobody holds. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(lead)) continue;
    const path = join(parent, name);
    try {
      const lock = takeLock(join(path, 'lock'));
      if (!lock) continue;
      lock.close();
      await rm(path, { recursive: true, force: true });
    } catch {
      // Of another user, or gone meanwhile.
    }
  }
}
