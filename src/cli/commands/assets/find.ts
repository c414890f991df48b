/** The files that are to become assets, with the folders that they lie in. */
import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly filename: string;
  /** Names of the folders below the one that was named, outermost first; none for a file that was named itself. */
  readonly folders: readonly string[];
  /** In bytes; undefined for what is no ordinary file, or cannot be looked at. */
  readonly size: number | undefined;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** How many were left out for being hidden, as systems and cameras leave them behind: `.DS_Store`, `._IMG_1.jpg`. */
  readonly hidden: number;
}

// People expect IMG_2 before IMG_10.
const natural = new Intl.Collator('en', { numeric: true });

/** Every file that the paths name, and those in folders with all below them. Fails with exit 3 for a path where nothing is. */
export async function findFiles(paths: readonly string[], cwd: string): Promise<Found> {
  const files: FoundFile[] = [];
  let hidden = 0;
  const known = new Set<string>();

  async function take(path: string, folders: readonly string[], inside: ReadonlySet<string>): Promise<void> {
    const entry: Stats | undefined = await stat(path).catch(() => undefined);
    if (entry?.isDirectory()) return walk(path, folders, inside);
    const real = await realpath(path).catch(() => path);
    // A file that is named twice for the same place is one.
    const place = JSON.stringify([...folders, real]);
    if (known.has(place)) return;
    known.add(place);
    files.push({ path, filename: basename(path).normalize('NFC'), folders, size: entry?.isFile() ? entry.size : undefined });
  }

  async function walk(folder: string, folders: readonly string[], inside: ReadonlySet<string>): Promise<void> {
    // A link to a folder above would never end.
    const real = await realpath(folder);
    if (inside.has(real)) return;
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(folder, `cannot be read: ${describeFsError(error)}`);
    });
    const shown = names.filter((name) => !isHidden(name));
    hidden += names.length - shown.length;
    for (const name of shown.sort((a, b) => natural.compare(a, b) || (a < b ? -1 : 1))) {
      const path = join(folder, name);
      const below = (await stat(path).catch(() => undefined))?.isDirectory() ? [...folders, name.normalize('NFC')] : folders;
      await take(path, below, new Set([...inside, real]));
    }
  }

  for (const given of paths) {
    const path = resolve(cwd, given);
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(given, error.code === 'ENOENT' ? 'no such file' : `cannot be read: ${describeFsError(error)}`);
    });
    await take(path, [], new Set());
  }
  return { files, hidden };
}

const isHidden = (name: string): boolean => name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name);

const unreadable = (path: string, why: string): CliError =>
  new CliError({
    code: 'file_unreadable',
    message: `${path}: ${why}. Nothing was sent.`,
    hint: 'check the spelling and the permissions',
  });
