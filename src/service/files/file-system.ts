/** Durable writes. */
import * as node from 'node:fs/promises';
import { dirname } from 'node:path';

/** File system calls that change files; tests can record them or make them fail. */
export type FileSystem = Pick<typeof node, 'mkdir' | 'open' | 'rename' | 'rm' | 'unlink'>;

export const fileSystem: FileSystem = node;

/** Writes a new file and resolves when its content is on disk. Its name is durable once the folder is synced. */
export async function writeSynced(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  fs: FileSystem = fileSystem,
): Promise<void> {
  const file = await fs.open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Resolves when the content of an existing file is on disk. */
export async function syncFile(path: string, fs: FileSystem, flags = 'r+'): Promise<void> {
  const file = await fs.open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes new names in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(path: string, fs: FileSystem = fileSystem): Promise<void> {
  if (process.platform !== 'win32') await syncFile(path, fs, 'r');
}

/** Creates a folder and its parents for their owner only, and resolves when their names are on disk. */
export async function makeFolder(path: string, fs: FileSystem = fileSystem): Promise<void> {
  const first = await fs.mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made), fs);
}
