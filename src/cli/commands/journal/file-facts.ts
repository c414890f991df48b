/** The files that a command is about to send, as they are now. */
import { hashFile } from '../files/hash-file.ts';
import { mapParallel } from '../files/parallel.ts';
import type { FileFacts } from './entry.ts';

/** Enough for a disk that answers slowly, in little memory. */
const filesAtOnce = 4;

export const readFileFacts = (paths: readonly string[]): Promise<FileFacts[]> =>
  mapParallel(paths, filesAtOnce, async (path) => {
    // Reported when the file is sent.
    const unreadable = { sizeBytes: 0, sha256: '' };
    return { path, ...(await hashFile(path).catch(() => unreadable)) };
  });
