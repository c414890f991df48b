/** Writes down what this process does with files, in order, so that a test can tell whether something reaches the disk before it counts. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { vi } from 'vitest';

/** Such as `sync cars.ndjson.part` and `rename cars.ndjson.part cars.ndjson`; the random part of a name is left out. */
export async function recordFileOperations(act: () => Promise<unknown>): Promise<string[]> {
  const operations: string[] = [];
  const nameOf = (path: unknown) => basename(String(path)).replace(/\.[0-9a-f]{8}\.part$/, '.part');
  const { open, rename } = fs.promises;
  vi.spyOn(fs.promises, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      operations.push(`sync ${nameOf(path)}`);
    };
    return handle;
  });
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    await rename(from, to);
    operations.push(`rename ${nameOf(from)} ${nameOf(to)}`);
  });
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  return operations;
}
