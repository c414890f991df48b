/**
 * Creates folders. The recursive mkdir of Node.js never ends below folders such as /proc, so
 * nothing here uses it.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder with its parents where they are missing. `mode` is that of the new ones.
 * @throws the error of the file system
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
