/** Names for completion from the cache, refreshed in the background when they are old. */

import { readConfig } from '../../config/config.ts';
import type { GlobalOptions } from '../../config/setting-list.ts';
import { resolveSettings } from '../../config/settings.ts';
import { type Candidate, openNames } from '../../state/names.ts';
import type { Io } from '../../terminal/io.ts';
import { type Line, lineOptions } from '../tree/line.ts';
import { wantNames } from './want-names.ts';

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
    const options: GlobalOptions = lineOptions(line);
    const settings = resolveSettings(io, options);
    const names = openNames(io, settings);
    if (!names) return [];
    const list = [resource, ...within] as const;
    const cached = names.read(list);
    if (cached?.fresh) return withoutRepeats(cached.names);
    const refreshed = wantNames(io, settings, { lists: [list], options });
    if (cached) return withoutRepeats(cached.names);
    await waitAtMost(maxWaitMs, refreshed);
    return withoutRepeats(names.read(list)?.names ?? []);
  } catch {
    // No names without a valid configuration and a readable cache.
    return [];
  }
}

/** Two records may have one name: the first one of it stays. */
const withoutRepeats = (names: readonly Candidate[]): Candidate[] =>
  [...Map.groupBy(names, ({ value }) => value).values()].flatMap((same) => same.slice(0, 1));

async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
