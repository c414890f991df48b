import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for one test file, removed after it. */
export async function photoFolder(): Promise<{ path: string; put(name: string, bytes: Buffer | string): Promise<string> }> {
  const path = await mkdtemp(join(tmpdir(), 'photos-'));
  afterAll(() => rm(path, { recursive: true, force: true }));
  return {
    path,
    async put(name, bytes) {
      const file = join(path, name);
      await writeFile(file, bytes);
      return file;
    },
  };
}
