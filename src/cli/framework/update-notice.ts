/**
 * Tells once a day that a newer version exists, where the address of its number is set. A command
 * only reads what the last look found, and starts the next one in the background.
 */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../config/platform-folders.ts';
import { truthy } from '../config/setting-list.ts';
import type { Context } from '../context.ts';
import { makeFolder } from '../input/make-folder.ts';
import type { Io } from '../terminal/io.ts';
import { version } from './version.ts';

const day = 24 * 60 * 60 * 1000;
/** The number that was found, and as its time the last look. */
const fileOf = (io: Io): string => join(cacheFolder(io), 'newest-version');

export function tellUpdate({ io, settings, note }: Context): void {
  const url = settings.find('update-url')?.value;
  const isWanted = !settings.noInput && !truthy(io.env.CI) && !truthy(io.env.CS_NO_UPDATE_NOTICE);
  if (!url || !isWanted || !io.stdoutIsTerminal || !io.stderrIsTerminal) return;
  const file = fileOf(io);
  const now = io.now();
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && now.getTime() - found.mtimeMs < day) return;
    const newest = found ? readFileSync(file, 'utf8').trim() : '';
    makeFolder(dirname(file), 0o700);
    writeFileSync(file, newest);
    utimesSync(file, now, now);
    if (isNewer(newest)) note(`cs ${newest} is available; this is ${version}.`);
    void io.background?.(['__newest-version', url]);
  } catch {
    // Best effort: the command itself has succeeded.
  }
}

/** In the background, where nobody reads an error. */
export async function readNewestVersion(io: Io, url: string): Promise<void> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const text = answer.ok ? (await answer.text()).trim() : '';
    if (numbers.test(text)) writeFileSync(fileOf(io), text);
  } catch {
    // The next look is tomorrow.
  }
}

const numbers = /^\d+\.\d+\.\d+$/;
const isNewer = (found: string): boolean =>
  numbers.test(found) && found.localeCompare(version, 'en', { numeric: true }) > 0;
