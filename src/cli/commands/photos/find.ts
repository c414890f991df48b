import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { fileSystemError, PhotoFileError } from './photo-file-error.ts';

export interface FindOptions {
  /** Base of relative patterns. */
  cwd: string;
  /** Replaces a leading `~`. */
  home: string;
}

export const photoExtension = /\.(?:jpe?g|jpe|png|webp|hei[cf]|hif|avif|gif)$/i;
// People expect IMG_2 before IMG_10.
const natural = new Intl.Collator('en', { numeric: true });

/**
 * The absolute paths of the photos that the patterns match, in the order given, in natural order within a pattern, without duplicates.
 * A pattern is a file, a folder (photos directly in it, by extension) or a glob, ignoring case since cameras write `.JPG`.
 * An existing file name is never treated as a glob.
 *
 * Throws a PhotoFileError for the first pattern without a match or with an unreadable file.
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
    throw new PhotoFileError({ path: "''", reason: 'not_found', why: 'the path is empty', hint: 'enter the path of a photo' });

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
  // Reading a pipe or a device could block forever.
  throw new PhotoFileError({
    path: pattern,
    reason: 'not_a_photo',
    why: "isn't a regular file",
    hint: 'save the photo as a file first',
  });
}

async function readFolder(folder: string, pattern: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => Promise.reject(fileSystemError(pattern, error)));
  // Without dot-files: macOS writes a `._IMG_1.jpg` next to each photo on a card.
  const photos = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && photoExtension.test(entry.name));
  if (photos.length === 0)
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no photos in this folder',
      hint: 'choose photos or another folder',
    });
  return inOrder(photos.map((entry) => join(folder, entry.name)));
}

async function matchGlob(rest: string, base: string, pattern: string): Promise<string[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  // A backslash is a separator on Windows and an escape elsewhere.
  const portable = sep === '\\' ? rest.replaceAll('\\', '/') : rest;
  if (!isDynamicPattern(portable))
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: "doesn't exist",
      hint: `check the spelling of ${basename(pattern)}; relative paths start in ${base}`,
    });
  const matches = await glob(portable, { cwd: base, absolute: true, caseSensitiveMatch: false, expandDirectories: false });
  if (matches.length === 0)
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no file matches',
      hint: `check the pattern; relative patterns start in ${base}`,
    });
  const paths = inOrder(matches.map((match) => resolve(match)));
  for (const path of paths) await access(path, constants.R_OK).catch((error) => Promise.reject(fileSystemError(path, error)));
  return paths;
}

const inOrder = (paths: string[]) => paths.sort((a, b) => natural.compare(a, b) || (a < b ? -1 : 1));
