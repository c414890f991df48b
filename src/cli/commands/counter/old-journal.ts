/** What an earlier version of `cs` left unfinished, in files of its own: named once, then moved aside. */
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from '../../config/platform-folders.ts';
import type { Context } from '../../context.ts';
import { isObject } from '../../input/plain-object.ts';
import { localTime } from '../../input/when.ts';
import { joinList } from '../../terminal/text.ts';

/** Best effort: it only tells. */
export async function tellOldJournal({ io, warn }: Pick<Context, 'io' | 'warn'>): Promise<void> {
  const folder = join(stateFolder(io), 'journal');
  const aside = `${folder}.old`;
  const files = await readdir(folder).catch(() => []);
  const left = files.filter((name) => /\.jsonl(\.damaged)?$/.test(name));
  if (left.length === 0) return;
  const named = await Promise.all(left.map((name) => describe(join(folder, name))));
  const isMoved = await rename(folder, aside).then(
    () => true,
    () => false,
  );
  if (isMoved)
    warn(
      `An earlier version of cs left work unfinished: ${joinList(named)}. Look on the server which of it is stored, and repeat the rest. The files are in ${aside}.`,
    );
}

async function describe(path: string): Promise<string> {
  try {
    const [line = ''] = (await readFile(path, 'utf8')).split('\n', 1);
    const entry: unknown = JSON.parse(line.slice(line.indexOf('{')));
    if (isObject(entry) && typeof entry.what === 'string')
      return `${entry.what} (${localTime(entry.startedAt)})`;
  } catch {
    // Only its name is known.
  }
  return path;
}
