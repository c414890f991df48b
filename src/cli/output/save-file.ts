/** Saves bytes as a file, completely or not at all. */
import { createHash, randomUUID } from 'node:crypto';
import * as node from 'node:fs/promises';
import { lstat, stat } from 'node:fs/promises';
import { CliError, usage } from '../errors/exit.ts';
import { unusableFile } from '../errors/file-system.ts';

/** Calls that change files; a test records their order. */
type FileSystem = Pick<typeof node, 'link' | 'open' | 'rename' | 'rm'>;

interface SaveOptions {
  readonly overwrite?: boolean;
  /** Permissions of the file (default: those of the umask). */
  readonly mode?: number;
  /** The expected SHA-256 in hexadecimal (default: no check). */
  readonly sha256?: string | null;
  readonly fs?: FileSystem;
}

/**
 * Writes a temporary file first, so that a partial file can't be mistaken for the whole. An
 * existing file is kept without `overwrite`: exit 7. A link is replaced, and not what it points to; a
 * folder or a device never is, also through a link: exit 2.
 * Bytes with another `sha256` are deleted: exit 9. Returns the number of bytes.
 */
export async function saveFile(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { overwrite = false, mode, sha256, fs = node }: SaveOptions = {},
): Promise<number> {
  if (!overwrite && (await isThere(path))) throw occupied(path);
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile())
    throw usage(`${path} isn't a file.`, 'give the name of a file');
  const temporary = `${path}.${randomUUID().slice(0, 8)}.part`;
  let size = 0;
  const hash = createHash('sha256');
  try {
    const file = await fs.open(temporary, 'wx', mode).catch((error) => {
      throw unwritable(path, error);
    });
    try {
      for await (const chunk of chunks) {
        await file.writeFile(chunk).catch((error) => {
          throw unwritable(path, error);
        });
        size += chunk.length;
        if (sha256) hash.update(chunk);
      }
      await file.sync().catch((error) => {
        throw unwritable(path, error);
      });
    } finally {
      await file.close();
    }
    if (sha256 && hash.digest('hex') !== sha256) throw damaged(path);
    await put(temporary, path, { overwrite, fs });
    return size;
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/**
 * A link fails if the file exists, even if it was created a moment ago; a rename would replace it.
 */
async function put(
  temporary: string,
  path: string,
  { overwrite, fs }: { readonly overwrite: boolean; readonly fs: FileSystem },
): Promise<void> {
  if (overwrite) return fs.rename(temporary, path);
  try {
    await fs.link(temporary, path);
  } catch (error) {
    // Some file systems don't support links.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await isThere(path)))
      throw occupied(path);
    await fs.rename(temporary, path);
  }
}

/** A dangling link counts as existing. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const occupied = (path: string): CliError =>
  new CliError({
    code: 'file_exists',
    message: `${path} already exists.`,
    hint: 'give another name, or --overwrite',
  });

const damaged = (path: string): CliError =>
  new CliError({
    code: 'unexpected_answer',
    message: `${path} wasn't saved: the downloaded bytes don't match the stored file.`,
    hint: 'try again',
  });

const unwritable = (path: string, error: NodeJS.ErrnoException): CliError =>
  unusableFile(`Couldn't write ${path}`, error, {
    reasons: { ENOENT: "the folder doesn't exist" },
    hint: 'give another place',
  });

/** Makes renames in a folder durable. */
export async function syncFolder(
  folder: string,
  fs: Pick<FileSystem, 'open'> = node,
): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems can't sync folders.
    if (
      !['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      throw error;
  }
}
