/** Files that remember something: damaged ones are set aside, and renames made durable. */
import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

/** Renames a damaged file, and those that belong to it by their endings. Returns its new path. */
export async function moveAside(path: string, endings: readonly string[] = []): Promise<string> {
  let aside = `${path}.damaged`;
  for (let count = 2; existsSync(aside); count++) aside = `${path}.damaged-${count}`;
  for (const ending of ['', ...endings])
    if (existsSync(path + ending)) await rename(path + ending, aside + ending);
  return aside;
}

/** Makes renames in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems can't sync folders.
    if (
      !['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      throw error;
  }
}
