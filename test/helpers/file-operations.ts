/** Records the file operations of this process in order, so that a test can check whether data is on the disk before it is used. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { vi } from 'vitest';

/** For example `sync cars.ndjson.part` and `rename cars.ndjson.part cars.ndjson`, without the random part of a name. */
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
