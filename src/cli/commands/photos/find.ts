import { constants, type Dirent } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { compareNaturally } from '../../../facility/natural.ts';
import { fileSystemError, PhotoFileError } from './photo-file-error.ts';

export interface FindOptions {
  /** Base of relative patterns. */
  cwd: string;
  /** Replaces a leading `~`. */
  home: string;
  /** Photos in the folders of a folder, too. */
  recursive?: boolean | undefined;
  /** An absolute path that `recursive` leaves out. */
  except?: string | undefined;
  /** A folder without photos is no mistake, such as one whose photos were moved. */
  mayBeEmpty?: boolean | undefined;
}

export interface FoundPhoto {
  /** Absolute. */
  readonly path: string;
  /** Below the folder that was named; the file name for a file or a pattern. */
  readonly relativePath: string;
}

export const photoExtension = /\.(?:jpe?g|jpe|png|webp|hei[cf]|hif|avif|gif)$/i;
// People expect IMG_2 before IMG_10.

/** The absolute paths of what `findPhotoFiles` finds. */
export const findPhotos = async (
  patterns: readonly string[],
  options: FindOptions,
): Promise<string[]> => (await findPhotoFiles(patterns, options)).map(({ path }) => path);

/**
 * The photos that the patterns match, in the order given, in natural order within a pattern, without duplicates.
 * A pattern is a file, a folder (photos directly in it, by extension) or a glob, ignoring case since cameras write `.JPG`.
 * An existing file name is never treated as a glob.
 *
 * Throws a PhotoFileError for the first pattern without a match or with an unreadable file.
 */
export async function findPhotoFiles(
  patterns: readonly string[],
  options: FindOptions,
): Promise<FoundPhoto[]> {
  const found = new Map<string, FoundPhoto>();
  for (const pattern of patterns) {
    const { base, paths } = await expand(pattern, options);
    for (const path of paths) {
      // A file that is gone, or a link to nothing, is reported when it is read: it doesn't hold the others of its folder.
      const real = await realpath(path).catch(() => path);
      if (!found.has(real))
        found.set(real, {
          path,
          relativePath: base === undefined ? basename(path) : relative(base, path),
        });
    }
  }
  return [...found.values()];
}

interface Expanded {
  /** The folder that was named. */
  readonly base?: string;
  readonly paths: readonly string[];
}

async function expand(pattern: string, options: FindOptions): Promise<Expanded> {
  const tilde = pattern === '~' || pattern.startsWith('~/') || pattern.startsWith(`~${sep}`);
  const base = tilde ? options.home : options.cwd;
  const rest = tilde ? pattern.slice(2) || '.' : pattern;
  if (rest.trim() === '')
    throw new PhotoFileError({
      path: "''",
      reason: 'not_found',
      why: 'the path is empty',
      hint: 'enter the path of a photo',
    });

  const path = resolve(base, rest);
  const kind = await kindOf(path, pattern);
  if (kind === 'folder') return { base: path, paths: await readFolder(path, pattern, options) };
  if (kind === 'file') {
    await access(path, constants.R_OK).catch((error) =>
      Promise.reject(fileSystemError(pattern, error)),
    );
    return { paths: [path] };
  }
  return { paths: await matchGlob(rest, base, pattern) };
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

async function readFolder(
  folder: string,
  pattern: string,
  { recursive, except, mayBeEmpty }: FindOptions,
): Promise<string[]> {
  const { photos, folders } = await listFolder(folder, pattern);
  if (recursive) {
    const left = folders.filter((path) => path !== except);
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const inside = await listFolder(next, next);
      photos.push(...inside.photos);
      left.push(...inside.folders.filter((path) => path !== except));
    }
  }
  if (photos.length > 0 || mayBeEmpty) return inOrder(photos);
  throw new PhotoFileError({
    path: pattern,
    reason: 'not_found',
    why: recursive ? 'no photos in this folder or the folders in it' : 'no photos in this folder',
    hint:
      !recursive && folders.length > 0
        ? 'choose photos or another folder, such as one of those in it'
        : 'choose photos or another folder',
  });
}

async function listFolder(
  folder: string,
  pattern: string,
): Promise<{ photos: string[]; folders: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) =>
    Promise.reject(fileSystemError(pattern, error)),
  );
  // Without dot-files: macOS writes a `._IMG_1.jpg` next to each photo on a card.
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const pathOf = ({ name }: { name: string }) => join(folder, name);
  const named = visible.filter(({ name }) => photoExtension.test(name));
  const isReadable = await Promise.all(named.map((entry) => isFileOrLink(entry, pathOf(entry))));
  return {
    photos: named.filter((_, index) => isReadable[index]).map(pathOf),
    // A link to a folder could lead in a circle.
    folders: visible.filter((entry) => entry.isDirectory()).map(pathOf),
  };
}

/** Without pipes and devices, which could block forever. A link that leads to no file is reported when it is read. */
async function isFileOrLink(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const target = await stat(path).catch(() => undefined);
  return target === undefined || target.isFile() || target.isDirectory();
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
  const matches = await glob(portable, {
    cwd: base,
    absolute: true,
    caseSensitiveMatch: false,
    expandDirectories: false,
  });
  if (matches.length === 0)
    throw new PhotoFileError({
      path: pattern,
      reason: 'not_found',
      why: 'no file matches',
      hint: `check the pattern; relative patterns start in ${base}`,
    });
  const paths = inOrder(matches.map((match) => resolve(match)));
  for (const path of paths)
    await access(path, constants.R_OK).catch((error) =>
      Promise.reject(fileSystemError(path, error)),
    );
  return paths;
}

const inOrder = (paths: string[]) =>
  paths.sort((a, b) => compareNaturally(a, b) || (a < b ? -1 : 1));
