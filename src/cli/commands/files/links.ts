/** Where a path leads through symbolic links. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as systems follow. */
const mostLinks = 40;

/** The file that a path leads to, which need not exist yet. What is written there leaves the links as they are. */
export async function followLinks(path: string, left = mostLinks): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined && left > 0)
    return followLinks(resolve(dirname(path), target), left - 1);
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}
