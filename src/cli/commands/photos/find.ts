import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { fileSystemError, PhotoFileError } from '../../errors/photo-file.ts';

export interface FindOptions {
  /** The folder that relative patterns start in. */
  cwd: string;
  /** What a leading `~` stands for. */
  home: string;
}

const photoName = /\.(?:jpe?g|jpe|png|webp|hei[cf]|hif|avif|gif)$/i;
// People expect IMG_2 before IMG_10.
const natural = new Intl.Collator('en', { numeric: true });

/**
 * The absolute paths of the photos that the patterns name, in the order given and in natural order within each; no file
 * twice, however it is named. A pattern is a file, a folder (the photos directly in it, by their extension) or a glob,
 * matched whatever the case since cameras write `.JPG`. A name that exists is taken as it is, glob characters or not.
 *
 * Throws a PhotoFileError for the first pattern that names nothing or a file that cannot be read.
 */
export async function findPhotos(patterns: readonly string[], { cwd, home }: FindOptions): Promise<string[]> {
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const path of await expand(pattern, { cwd, home })) {
      const real = await realpath(path).catch((error) => Promise.reject(fileSystemError(path, error)));
      if (!found.has(real)) found.set(real, path);
    }
  }
  return [...found.values()];
}

async function expand(pattern: string, { cwd, home }: FindOptions): Promise<string[]> {
  const tilde = pattern === '~' || pattern.startsWith('~/') || pattern.startsWith(`~${sep}`);
  const base = tilde ? home : cwd;
  const rest = tilde ? pattern.slice(2) || '.' : pattern;
  if (rest.trim() === '')
    throw new PhotoFileError({ path: "''", reason: 'not_found', why: 'an empty path names no photo', hint: 'give the path of a photo' });

  const path = resolve(base, rest);
  const kind = await kindOf(path, pattern);
  if (kind === 'folder') return readFolder(path, pattern);
  if (kind === 'file') {
    await access(path, constants.R_OK).catch((error) => Promise.reject(fileSystemError(pattern, error)));
    return [path];
  }
  return matchGlob(rest, base, pattern);
}

async function kindOf(path: string, pattern: string): Promise<'file' | 'folder' | undefined> {
  try {
    const entry = await stat(path);
    if (entry.isDirectory()) return 'folder';
    if (entry.isFile()) return 'file';
  } catch (error) {
    const known = fileSystemError(pattern, error);
    if (known.reason === 'not_found') return undefined;
    throw known;
  }
  // Reading a pipe or a device could wait for ever.
  throw new PhotoFileError({
    path: pattern,
    reason: 'not_a_photo',
    why: 'is not an ordinary file',
    hint: 'save the photo as a file first',
  });
}

async function readFolder(folder: string, pattern: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => Promise.reject(fileSystemError(pattern, error)));
  // Dot-files are left out: macOS leaves a `._IMG_1.jpg` beside each photo on a card.
  const photos = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && photoName.test(entry.name));
  if (photos.length === 0)
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no photo in this folder',
      hint: 'name the photos, or another folder',
    });
  return inOrder(photos.map((entry) => join(folder, entry.name)));
}

async function matchGlob(rest: string, base: string, pattern: string): Promise<string[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  // A backslash separates on Windows, and escapes elsewhere.
  const portable = sep === '\\' ? rest.replaceAll('\\', '/') : rest;
  if (!isDynamicPattern(portable))
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no such file',
      hint: `check the spelling of ${basename(pattern)}; a relative path starts in ${base}`,
    });
  const matches = await glob(portable, { cwd: base, absolute: true, caseSensitiveMatch: false, expandDirectories: false });
  if (matches.length === 0)
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no file matches',
      hint: `check the pattern; a relative one starts in ${base}`,
    });
  const paths = inOrder(matches.map((match) => resolve(match)));
  for (const path of paths) await access(path, constants.R_OK).catch((error) => Promise.reject(fileSystemError(path, error)));
  return paths;
}

const inOrder = (paths: string[]) => paths.sort((a, b) => natural.compare(a, b) || (a < b ? -1 : 1));
