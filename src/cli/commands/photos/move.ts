/** Moves a file whose photo is stored. At any moment it is at its old place or at its new one, and nothing is overwritten. */
import { randomUUID } from 'node:crypto';
import { link, lstat, open, realpath, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { describeFsError } from '../../errors/file-system.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { syncFolder } from '../bulk/state-file.ts';
import { hashFile } from '../files/hash-file.ts';

/** `reason`: why the file stays where it is. */
export type Moved = { readonly to: string } | { readonly reason: string };

/** `sha256`: of the file that was sent; another one stays where it is. An earlier run may have moved it. */
export async function movePhoto(from: string, to: string, sha256: string): Promise<Moved> {
  try {
    return await move(from, to, sha256);
  } catch (error) {
    return { reason: describeFsError(error) };
  }
}

async function move(from: string, to: string, sha256: string): Promise<Moved> {
  const source = await lookAt(from);
  if (source && !source.isFile) return { reason: source.isLink ? isLink : notRegular };
  const isUnchanged = source !== undefined && (await hashFile(from)).sha256 === sha256;
  for (const name of freeNames(to)) {
    const target = await lookAt(name);
    if (source && target && (await isSameName(from, name, source, target)))
      return { reason: 'it is there already' };
    const isMoved = target?.isFile === true && (await hashFile(name)).sha256 === sha256;
    if (!source) {
      if (isMoved) return { to: name };
      if (!target) return { reason: gone };
      continue;
    }
    if (!isUnchanged) return { reason: changed };
    if (!target) {
      makeFolder(dirname(name));
      // Taken since it was looked at.
      if (!(await place(from, name, sha256))) continue;
      await syncFolder(dirname(name));
    } else if (!isMoved) continue;
    // With an equal file at both places, a run was cut off right here.
    await unlink(from);
    return { to: name };
  }
  throw new Error('there is no free name');
}

const gone = 'the file is gone';
const changed = 'it has changed since it was sent';

const notRegular = "it isn't a regular file";
/** The file that it leads to belongs where it is, and a relative link would lead elsewhere. */
export const isLink = "it is a link, which isn't moved";

/** Whether no later run could move the file either: the bytes whose photo is stored are no longer there, or were never in this folder. */
export const isOver = (reason: string): boolean =>
  [gone, changed, notRegular, isLink].includes(reason);

/** `IMG_1.jpg`, then `IMG_1-2.jpg`: cameras start their numbers again, and the photo of another day stays. */
function* freeNames(path: string): Generator<string> {
  const { dir, name, ext } = parse(path);
  yield path;
  for (let count = 2; ; count += 1) yield join(dir, `${name}-${count}${ext}`);
}

type Looked = NonNullable<Awaited<ReturnType<typeof lookAt>>>;

async function lookAt(path: string) {
  try {
    const found = await lstat(path, { bigint: true });
    return {
      isFile: found.isFile(),
      isLink: found.isSymbolicLink(),
      device: found.dev,
      inode: found.ino,
      names: found.nlink,
    };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/** Whether two paths are one name of one file, such as through a link to a folder: deleting it would lose the file. */
async function isSameName(
  from: string,
  to: string,
  source: Looked,
  target: Looked,
): Promise<boolean> {
  if (source.device !== target.device || source.inode !== target.inode) return false;
  const [one, other] = await Promise.all([realpath(dirname(from)), realpath(dirname(to))]);
  return source.names < 2n || join(one, basename(from)) === join(other, basename(to));
}

/** Gives the file another name, too. False if something has it. */
async function place(from: string, to: string, sha256: string): Promise<boolean> {
  const linked = await linkNew(from, to);
  if (linked !== 'unsupported') return linked === 'done';
  // Another file system, or one without links: a copy, which gets its name once it is complete.
  const copy = join(dirname(to), `.${randomUUID()}.part`);
  try {
    await copyDurably(from, copy, sha256);
    const placed = await linkNew(copy, to);
    if (placed !== 'unsupported') return placed === 'done';
    if (!(await reserve(to))) return false;
    await rename(copy, to);
    return true;
  } finally {
    await rm(copy, { force: true });
  }
}

const withoutLinks = ['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

async function linkNew(from: string, to: string): Promise<'done' | 'exists' | 'unsupported'> {
  try {
    await link(from, to);
    return 'done';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return 'exists';
    if (withoutLinks.includes(code)) return 'unsupported';
    throw error;
  }
}

async function copyDurably(from: string, copy: string, sha256: string): Promise<void> {
  const { mode, atime, mtime } = await lstat(from);
  await using file = await open(copy, 'wx', mode);
  const copied = await hashFile(from, (chunk) => file.writeFile(chunk));
  if (copied.sha256 !== sha256) throw new Error(changed);
  await file.utimes(atime, mtime);
  await file.sync();
}

/** An empty file keeps a name from others. False if something has it. */
async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
