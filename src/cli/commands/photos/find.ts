import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { compareNaturally } from '../../../facility/natural.ts';
import { fileSystemError, PhotoFileError } from './photo-file.ts';

export interface FindOptions {
  /** Base of relative patterns. */
  cwd: string;
  /** Replaces a leading `~`. */
  home: string;
  /** Photos in the folders of a folder, too. */
  recursive?: boolean | undefined;
}

export const photoExtension = /\.(?:jpe?g|jpe|png|webp|hei[cf]|hif|avif|gif)$/i;

/**
 * The absolute paths of the photos that the patterns match, in the order given, in natural order within a pattern, without duplicates.
 * A pattern is a file, a folder (photos directly in it, by extension) or a glob, ignoring case since cameras write `.JPG`.
 * An existing file name is never treated as a glob.
 *
 * Throws a PhotoFileError for the first pattern without a match or with an unreadable file.
 */
export async function findPhotos(
  patterns: readonly string[],
  options: FindOptions,
): Promise<string[]> {
  const found = new Map<string, string>();
  for (const pattern of patterns)
    for (const path of await expand(pattern, options)) {
      // A file that is gone, or a link to nothing, is reported when it is read: it doesn't hold the others of its folder.
      const real = await realpath(path).catch(() => path);
      if (!found.has(real)) found.set(real, path);
    }
  return [...found.values()];
}

async function expand(pattern: string, { cwd, home, recursive }: FindOptions): Promise<string[]> {
  const isBelowHome = pattern === '~' || pattern.startsWith('~/') || pattern.startsWith(`~${sep}`);
  const base = isBelowHome ? home : cwd;
  const rest = isBelowHome ? pattern.slice(2) || '.' : pattern;
  if (rest.trim() === '') throw notFound("''", 'the path is empty', 'enter the path of a photo');
  const path = resolve(base, rest);
  const kind = await kindOf(path, pattern);
  if (kind === 'folder') return readFolder(path, pattern, recursive);
  const paths = kind === 'file' ? [path] : await matchGlob(rest, base, pattern);
  for (const one of paths)
    await access(one, constants.R_OK).catch((error) => {
      throw fileSystemError(kind === 'file' ? pattern : one, error);
    });
  return paths;
}

async function kindOf(path: string, pattern: string): Promise<'file' | 'folder' | undefined> {
  const entry = await stat(path).catch((error: unknown) => {
    const known = fileSystemError(pattern, error);
    if (known.reason !== 'not_found') throw known;
  });
  if (!entry) return undefined;
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  // Reading a pipe or a device could block forever.
  throw new PhotoFileError(
    pattern,
    'not_a_photo',
    "isn't a regular file",
    'save the photo as a file first',
  );
}

async function readFolder(folder: string, pattern: string, recursive = false): Promise<string[]> {
  const photos: string[] = [];
  let hasFolders = false;
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const name = next === folder ? pattern : next;
    const entries = await readdir(next, { withFileTypes: true }).catch((error) => {
      throw fileSystemError(name, error);
    });
    for (const entry of entries) {
      // macOS writes a `._IMG_1.jpg` next to each photo on a card.
      if (entry.name.startsWith('.')) continue;
      const path = join(next, entry.name);
      // A link to a folder could lead in a circle.
      if (entry.isDirectory()) {
        hasFolders = true;
        if (recursive) left.push(path);
      } else if (photoExtension.test(entry.name) && (await isFile(path))) photos.push(path);
    }
  }
  if (photos.length > 0) return inOrder(photos);
  throw notFound(
    pattern,
    recursive ? 'no photos in this folder or the folders in it' : 'no photos in this folder',
    !recursive && hasFolders
      ? 'choose photos or another folder, such as one of those in it'
      : 'choose photos or another folder',
  );
}

/** Not a pipe or a device. A link that leads nowhere is reported when it is read. */
const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isFile() || entry.isDirectory(),
    () => true,
  );

async function matchGlob(rest: string, base: string, pattern: string): Promise<string[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  // A backslash is a separator on Windows and an escape elsewhere.
  const portable = sep === '\\' ? rest.replaceAll('\\', '/') : rest;
  if (!isDynamicPattern(portable))
    throw notFound(
      pattern,
      "doesn't exist",
      `check the spelling of ${basename(pattern)}; relative paths start in ${base}`,
    );
  const matches = await glob(portable, {
    cwd: base,
    absolute: true,
    caseSensitiveMatch: false,
    expandDirectories: false,
  });
  if (matches.length === 0)
    throw notFound(
      pattern,
      'no file matches',
      `check the pattern; relative patterns start in ${base}`,
    );
  return inOrder(matches.map((match) => resolve(match)));
}

const notFound = (path: string, why: string, hint: string): PhotoFileError =>
  new PhotoFileError(path, 'not_found', why, hint);

const inOrder = (paths: string[]) =>
  paths.sort((a, b) => compareNaturally(a, b) || (a < b ? -1 : 1));
