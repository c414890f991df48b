/** Downloads to files: each complete or not at all, never over an existing file. */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError, sameCode } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import { saveFile } from '../../output/save-file.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { makeFoldersBelow, makeTargetFolder, pathBelow } from './folders.ts';

export interface WantedFile {
  readonly id: string;
  /** Relative to the folder; every part is a safe name. */
  readonly path: string;
  /** A server may omit it. */
  readonly sha256: unknown;
  readonly read: () => Promise<AsyncIterable<Uint8Array>>;
}

export interface SavedFile {
  readonly id: string;
  readonly file: string;
  readonly status: 'saved' | 'already_there' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface SaveFiles {
  readonly files: readonly WantedFile[];
  /** Value of --to. */
  readonly folder: string;
  readonly overwrite?: boolean;
  readonly one: string;
  readonly many: string;
  readonly onSaved?: (done: number) => void;
}

/** Skips files that exist with the same bytes, so that a repeat continues an incomplete download. */
export async function saveFiles(
  context: Context,
  { files, folder, overwrite = false, one, many, onSaved }: SaveFiles,
) {
  const target = resolve(context.io.cwd, folder);
  makeTargetFolder(target);
  const errors: unknown[] = [];
  const saved: SavedFile[] = [];
  for (const wanted of files) {
    const file = shortPath(context.io.cwd, resolve(target, wanted.path));
    try {
      const status = await save(wanted, target, overwrite);
      saved.push({ id: wanted.id, file, status, error: null });
    } catch (error) {
      if (context.io.signal.aborted) throw error;
      errors.push(error);
      const { code, message } = reportOf(error);
      saved.push({ id: wanted.id, file, status: 'failed', error: { code, message } });
    }
    onSaved?.(saved.length);
  }
  return {
    saved,
    failure: incompleteDownload(errors, pluralize(files.length, one, many), files.length),
  };
}

function incompleteDownload(errors: unknown[], total: string, count: number): CliError | undefined {
  if (errors.length === 0) return undefined;
  const codes = new Set(errors.map(exitCodeOf));
  const [only] = codes;
  const commonCode = errors.length === count && codes.size === 1 ? only : undefined;
  const report = reportOf(errors[0]);
  return new CliError({
    code: commonCode === undefined ? 'partial' : sameCode(report.code),
    message: `${errors.length} of ${total} not saved${commonCode === undefined ? '' : `: ${report.message.replace(/\.$/, '')}`}.`,
    hint: report.hint ?? 'run it again: saved files are skipped',
    exitCode: commonCode ?? 11,
    cause: errors[0],
  });
}

async function save(
  { path: below, sha256, read }: WantedFile,
  target: string,
  overwrite: boolean,
): Promise<'saved' | 'already_there'> {
  const path = pathBelow(target, below);
  await makeFoldersBelow(target, path);
  const existing = await statEntry(path);
  if (existing?.isFile() && (await hashFile(path)) === sha256) return 'already_there';
  if (existing && !overwrite)
    throw fileExists(
      path,
      existing.isSymbolicLink() ? 'already exists as a symbolic link' : 'already exists',
    );
  await saveFile(path, await read(), {
    overwrite,
    sha256: typeof sha256 === 'string' ? sha256 : null,
  });
  return 'saved';
}

/** A link isn't followed. */
async function statEntry(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path);
  }
}

async function hashFile(path: string): Promise<string> {
  try {
    // If it has become a link or a pipe: neither followed nor waited for.
    await using file = await open(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    throw unreadable(path);
  }
}

const unreadable = (path: string): CliError => fileExists(path, "already exists and can't be read");

const fileExists = (path: string, what: string): CliError =>
  new CliError({
    code: 'file_exists',
    message: `${path} ${what}.`,
    hint: 'choose another folder with --to, or use --overwrite',
  });
