import { open } from 'node:fs/promises';

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
