import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder in the system's temporary folder. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'cs-'));

/** Removes a folder with its contents. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 });
