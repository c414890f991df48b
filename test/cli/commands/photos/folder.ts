import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

/** A folder for one test file, removed after it. */
export async function photoFolder(): Promise<{
  path: string;
  put(name: string, bytes: Buffer | string): Promise<string>;
}> {
  const path = await makeFolder();
  afterAll(() => removeFolder(path));
  return {
    path,
    async put(name, bytes) {
      const file = join(path, name);
      await writeFile(file, bytes);
      return file;
    },
  };
}
