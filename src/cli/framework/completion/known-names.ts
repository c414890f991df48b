/** The names that a Tab offers: those that are kept, and new ones read in the background when these are old. */

import { readConfig } from '../../config/config.ts';
import { resolveSettings } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import { globalOptionsOf, type Line } from '../tree/line.ts';
import type { Candidate } from './complete.ts';
import { claimRefresh, namesFile, namesFolder, readNames } from './names-cache.ts';

/** How long a Tab waits, in milliseconds, when there is nothing to offer yet. */
const patienceMs = 800;

export async function knownNames(io: Io, resource: string, line: Line, within: readonly string[]): Promise<readonly Candidate[]> {
  try {
    if (resource === 'profiles') return Object.entries(readConfig(io).profiles).map(([value, { baseUrl }]) => ({ value, about: baseUrl }));
    const options = globalOptionsOf(line);
    const settings = resolveSettings(io, options);
    const folder = namesFolder(io, settings);
    if (folder === undefined) return [];
    const now = io.now();
    const file = namesFile(resource, within);
    const kept = readNames(folder, file, now);
    const { value: source } = settings.connection().key;
    if (source && 'command' in source) {
      // It may ask for a passphrase, which nobody expects of a Tab. The next command that has the key reads the names when it is done.
      if (!kept?.fresh) claimRefresh(folder, file, now, JSON.stringify([resource, ...within]));
      return kept?.names ?? [];
    }
    if (kept?.fresh || !io.background || !claimRefresh(folder, file, now)) return kept?.names ?? [];
    const refreshed = io.background(['__complete-names', resource, JSON.stringify(options), ...within]);
    if (kept) return kept.names;
    await atMost(patienceMs, refreshed);
    return readNames(folder, file, io.now())?.names ?? [];
  } catch {
    // No configuration, no cache, no names.
    return [];
  }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
