/** What an earlier version of `cs` left unfinished, in files of its own: named once, then moved aside. */
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from '../../config/platform-folders.ts';
import type { Context } from '../../context.ts';
import { joinList } from '../../terminal/text.ts';

/** Best effort: it only tells. */
export async function tellOldJournal({ io, warn }: Pick<Context, 'io' | 'warn'>): Promise<void> {
  const folder = join(stateFolder(io), 'journal');
  const aside = `${folder}.old`;
  try {
    const files = (await readdir(folder)).filter((name) => name.includes('.jsonl'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const named = texts.map((text, at) => /"what":"([^"]+)"/.exec(text)?.[1] ?? files[at]);
    if (files.length === 0) return;
    await rename(folder, aside);
    warn(
      `An earlier version of cs left work unfinished: ${joinList(named as string[])}. Look on the server which of it is stored, and repeat the rest. The files are in ${aside}.`,
    );
  } catch {
    // There is none, or it stays where it is.
  }
}
