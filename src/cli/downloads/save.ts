/** Saves what the service keeps as files: each whole or not at all, and never over what is there. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../bulk/folder.ts';
import type { Context } from '../command.ts';
import { CliError, exitCodeOf } from '../exit.ts';
import { reportOf } from '../render/error.ts';
import { saveFile } from '../save-file.ts';
import { counted, shortPath } from '../text.ts';

export interface WantedFile {
  readonly id: string;
  /** Below the folder; every part is a safe name. */
  readonly path: string;
  /** What its bytes must be; a server may leave it out. */
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
  /** As --to gives it. */
  readonly folder: string;
  readonly overwrite?: boolean;
  readonly one: string;
  readonly many: string;
  readonly onSaved?: (done: number) => void;
}

/** What is there with the same bytes is not fetched, so the same command again goes on where it ended. */
export async function saveFiles(context: Context, { files, folder, overwrite = false, one, many, onSaved }: SaveFiles) {
  const target = resolve(context.io.cwd, folder);
  await makeFolder(target);
  const errors: unknown[] = [];
  const saved: SavedFile[] = [];
  for (const wanted of files) {
    const path = join(target, wanted.path);
    const file = shortPath(context.io.cwd, path);
    try {
      const status = await save(wanted, path, overwrite);
      saved.push({ id: wanted.id, file, status, error: null });
    } catch (error) {
      if (context.io.signal.aborted) throw error;
      errors.push(error);
      const { code, message } = reportOf(error);
      saved.push({ id: wanted.id, file, status: 'failed', error: { code, message } });
    }
    onSaved?.(saved.length);
  }
  return { saved, failure: failureOf(errors, counted(files.length, one, many), files.length) };
}

function failureOf(errors: unknown[], of: string, count: number): CliError | undefined {
  if (errors.length === 0) return undefined;
  const codes = new Set(errors.map(exitCodeOf));
  const [only] = codes;
  const alike = errors.length === count && codes.size === 1 ? only : undefined;
  const report = reportOf(errors[0]);
  return new CliError({
    code: alike === undefined ? 'partial' : report.code,
    message: `${errors.length} of ${of} not saved${alike === undefined ? '' : `: ${report.message.replace(/\.$/, '')}`}.`,
    hint: report.hint ?? 'run it again: what is saved is not fetched twice',
    exitCode: alike ?? 11,
    cause: errors[0],
  });
}

async function save({ sha256, read }: WantedFile, path: string, overwrite: boolean): Promise<'saved' | 'already_there'> {
  const there = await hashOf(path);
  if (there !== undefined && there === sha256) return 'already_there';
  if (there !== undefined && !overwrite) throw occupied(path, 'is there already');
  await makeFolder(dirname(path));
  await saveFile(path, await read(), { overwrite, sha256: typeof sha256 === 'string' ? sha256 : null });
  return 'saved';
}

async function hashOf(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw occupied(path, code === 'ENOTDIR' ? 'cannot be made: a file stands where its folder would be' : 'is there and cannot be read');
  }
}

const occupied = (path: string, what: string): CliError =>
  new CliError({
    code: 'file_exists',
    message: `${path} ${what}.`,
    hint: 'give another folder with --to, or --overwrite',
    exitCode: 7,
  });
