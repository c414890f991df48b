/** Names for completion from the cache, refreshed in the background when they are old. */

import { readConfig } from '../../config/config.ts';
import { resolveSettings } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import { type Line, lineOptions } from '../tree/line.ts';
import type { Candidate } from './complete.ts';
import { namesFile, namesFolder, readNames, reserveRefresh } from './names-cache.ts';

/** How long completion waits while the cache is empty. */
const maxWaitMs = 800;

export async function cachedNames(
  io: Io,
  resource: string,
  line: Line,
  within: readonly string[],
): Promise<readonly Candidate[]> {
  try {
    if (resource === 'profiles')
      return Object.entries(readConfig(io).profiles).map(([value, { baseUrl }]) => ({
        value,
        about: baseUrl,
      }));
    const options = lineOptions(line);
    const settings = resolveSettings(io, options);
    const folder = namesFolder(io, settings);
    if (folder === undefined) return [];
    const now = io.now();
    const file = namesFile(resource, within);
    const cached = readNames(folder, file, now);
    const { value: source } = settings.connection().key;
    if (source && 'command' in source) {
      // Completion never runs a key command, which may prompt for a passphrase. The next command with the key reads the names.
      if (!cached?.fresh) reserveRefresh(folder, file, now, JSON.stringify([resource, ...within]));
      return cached?.names ?? [];
    }
    if (cached?.fresh || !io.background || !reserveRefresh(folder, file, now))
      return cached?.names ?? [];
    const refreshed = io.background([
      '__complete-names',
      resource,
      JSON.stringify(options),
      ...within,
    ]);
    if (cached) return cached.names;
    await waitAtMost(maxWaitMs, refreshed);
    return readNames(folder, file, io.now())?.names ?? [];
  } catch {
    // No names without a valid configuration and a readable cache.
    return [];
  }
}

async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
