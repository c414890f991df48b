/** An unfinished command in a state folder, for what shows, finishes or forgets one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summedLine } from '../../src/cli/commands/bulk/summed-line.ts';
import type { Entry } from '../../src/cli/commands/journal/entry.ts';

/** The id in the examples of `cs pending`. */
export const unfinishedId = '3f1c9a02';

/** An inspection of Greta, or another drop-off, that was queued without the server. */
export function writeUnfinished(
  state: string,
  origin: Pick<Entry, 'server' | 'key'>,
  flags: Readonly<Record<string, string>> = { car: 'Greta', type: 'inspection' },
  known?: Entry['known'],
): void {
  const folder = join(state, 'journal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = '2026-03-01T09:00:00.000Z';
  const entry: Entry = {
    version: 4,
    id: unfinishedId,
    command: 'dropoff',
    what: 'drop-off of Greta',
    startedAt: at,
    serverTime: at,
    words: '[]',
    ...origin,
    keyBase: unfinishedId,
    files: [],
    queued: { ...flags, at, notes: '', photo: [] },
    ...(known && { known }),
    plan: null,
  };
  writeFileSync(join(folder, `20260301T090000000Z-${unfinishedId}.jsonl`), summedLine(entry), {
    mode: 0o600,
  });
}
