/** Local files to upload as assets: finds them, checks them before anything is sent, reads them. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { assetTypeOf } from '../../../contract/asset-type.ts';
import { assetTypes } from '../../../contract/assets.ts';
import { assetLimit, formatBytes } from '../../../contract/limits.ts';
import { photoHeadLength } from '../../../contract/photo-type.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { formatDistinctBytes } from '../photos/describe.ts';

export interface FoundFile {
  /** Absolute path. */
  readonly path: string;
  readonly filename: string;
  /** Folder names below the given folder, outermost first; empty for a given file. */
  readonly folders: readonly string[];
  /** In bytes; undefined if it isn't a regular file or can't be read. */
  readonly size: number | undefined;
}

interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Number of skipped hidden files, such as `.DS_Store` and `._IMG_1.jpg`. */
  readonly hidden: number;
}

// People expect IMG_2 before IMG_10.

/** The files of the paths, and of folders with their subfolders. */
export async function findFiles(paths: readonly string[], cwd: string): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  let hidden = 0;
  const seen = new Set<string>();

  async function add(
    path: string,
    folders: readonly string[],
    inside: ReadonlySet<string>,
  ): Promise<void> {
    const entry: Stats | undefined = await stat(path).catch(() => undefined);
    if (entry?.isDirectory()) return walk(path, folders, inside);
    const real = await realpath(path).catch(() => path);
    // The same file for the same folder counts once.
    const target = JSON.stringify([...folders, real]);
    if (seen.has(target)) return;
    seen.add(target);
    files.push({
      path,
      filename: basename(path).normalize('NFC'),
      folders,
      size: entry?.isFile() ? entry.size : undefined,
    });
  }

  async function walk(
    folder: string,
    folders: readonly string[],
    inside: ReadonlySet<string>,
  ): Promise<void> {
    // A link to a parent folder would never end.
    const real = await realpath(folder);
    if (inside.has(real)) return;
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw unreadablePath(folder, `can't be read: ${describeFsError(error)}`);
    });
    const visible = names.filter((name) => !isHidden(name));
    hidden += names.length - visible.length;
    for (const name of visible.sort((a, b) => compareNaturally(a, b) || (a < b ? -1 : 1))) {
      const path = join(folder, name);
      const below = (await stat(path).catch(() => undefined))?.isDirectory()
        ? [...folders, name.normalize('NFC')]
        : folders;
      await add(path, below, new Set([...inside, real]));
    }
  }

  for (const given of paths) {
    const path = resolve(cwd, given);
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw unreadablePath(
        given,
        error.code === 'ENOENT' ? 'no such file' : `can't be read: ${describeFsError(error)}`,
      );
    });
    await add(path, [], new Set());
  }
  return { files, hidden };
}

const isHidden = (name: string): boolean =>
  name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name);

const unreadablePath = (path: string, why: string): CliError =>
  new CliError({
    code: 'invalid_file',
    message: `${path}: ${why}. Nothing was sent.`,
    hint: 'check the spelling and the permissions',
  });

const typeNames = assetTypes.map((type) => type.replace(/^\w+\//, '').toUpperCase()).join(', ');

/** The error for a file that can't be an asset. */
export async function checkAsset({ path, size }: FoundFile): Promise<CliError | undefined> {
  if (size === undefined) return invalidAsset('not_a_file', "isn't a regular file", 'leave it out');
  if (size === 0) return invalidAsset('empty', 'is empty', 'leave it out, or copy it again');
  if (size > assetLimit) {
    const [actual, maximum] = formatDistinctBytes(size, assetLimit);
    return invalidAsset(
      'too_large',
      `is too large: ${actual}, maximum ${maximum}`,
      'save it smaller',
    );
  }
  const head = await readHead(path).catch((error: NodeJS.ErrnoException) => error);
  if (head instanceof Error) return unreadableAsset(head);
  return assetTypeOf(head)
    ? undefined
    : invalidAsset(
        'type_unsupported',
        `isn't a supported asset type (${typeNames})`,
        'leave it out',
      );
}

async function readHead(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const head = Buffer.alloc(photoHeadLength);
  const { bytesRead } = await file.read(head, 0, photoHeadLength, 0);
  return head.subarray(0, bytesRead);
}

/** The bytes of a file, which may have grown since the check. */
export async function readAsset(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadableAsset(error);
  });
  if (bytes.length > assetLimit)
    throw invalidAsset(
      'too_large',
      `is too large: ${formatBytes(bytes.length)}, maximum ${formatBytes(assetLimit)}`,
      'save it smaller',
    );
  return bytes;
}

/** Hexadecimal SHA-256. */
export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const unreadableAsset = (error: NodeJS.ErrnoException): CliError =>
  invalidAsset('unreadable', `can't be read: ${describeFsError(error)}`, 'check the permissions');

type Reason = 'not_a_file' | 'empty' | 'too_large' | 'type_unsupported' | 'unreadable';

const invalidAsset = (reason: Reason, why: string, hint: string): CliError =>
  new CliError({ code: 'invalid_file', message: why, hint, details: { reason } });
