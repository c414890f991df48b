/** Downloads to files: each complete or not at all, never over an existing file. */
import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError, summedUp } from '../../errors/exit.ts';
import { type ErrorReport, reportOf } from '../../errors/report.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { saveFile } from '../../output/save-file.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { makeTargetFolder } from './folders.ts';
import { hashFile } from './hash-file.ts';
import { savedView } from './view.ts';

interface WantedFile {
  readonly id: string;
  /** Relative to the folder, of safe names. */
  readonly path: string;
  /** A server may omit it. */
  readonly sha256: unknown;
  readonly read: () => Promise<AsyncIterable<Uint8Array>>;
}

interface SavedFile {
  readonly id: string;
  readonly file: string;
  readonly status: 'saved' | 'already_there' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface SaveFiles {
  readonly files: readonly WantedFile[];
  /** Value of --to. */
  readonly folder: string;
  readonly overwrite?: boolean;
  readonly one: string;
  readonly many: string;
}

/** Prints a line for each file. Skips files that exist with the same bytes, so that a repeat continues an incomplete download. */
export async function saveFiles(
  context: Context,
  { files, folder, overwrite = false, one, many }: SaveFiles,
): Promise<void> {
  const { io, output } = context;
  const target = resolve(io.cwd, folder);
  makeTargetFolder(target);
  const total = pluralize(files.length, one, many);
  const spinner = await startSpinner(context, `Downloading ${total}`);
  const errors: unknown[] = [];
  const saved: SavedFile[] = [];
  try {
    for (const wanted of files) {
      const file = shortPath(io.cwd, join(target, wanted.path));
      try {
        const status = await save(wanted, join(target, wanted.path), overwrite);
        saved.push({ id: wanted.id, file, status, error: null });
      } catch (error) {
        if (io.signal.aborted) throw error;
        errors.push(error);
        const { code, message } = reportOf(error);
        saved.push({ id: wanted.id, file, status: 'failed', error: { code, message } });
      }
      spinner.text(`${saved.length} of ${total}`);
    }
  } finally {
    spinner.stop();
  }
  const lines = saved.map(
    ({ file, status, error }) =>
      `${file}  ${status.replace('_', ' ')}${error ? `: ${error.message}` : ''}`,
  );
  await showOutcomes(output, { view: savedView, outcomes: saved, lines });
  if (saved.length === 0) context.note(`No ${many}.`);
  if (errors.length > 0) throw incompleteDownload(errors, total, files.length);
}

function incompleteDownload(errors: readonly unknown[], total: string, count: number): CliError {
  const reports = errors.map((error) => reportOf(error));
  const [first] = reports as [ErrorReport];
  const summed = summedUp(reports, { done: count - errors.length });
  const why = summed.code === 'partial' ? '' : `: ${first.message.replace(/\.$/, '')}`;
  return new CliError({
    ...summed,
    message: `${errors.length} of ${total} not saved${why}.`,
    hint: first.hint ?? 'run it again: saved files are skipped',
    cause: errors[0],
  });
}

async function save(
  { sha256, read }: WantedFile,
  path: string,
  overwrite: boolean,
): Promise<'saved' | 'already_there'> {
  makeTargetFolder(dirname(path));
  // A link isn't followed, nor a pipe read.
  const existing = await lstat(path).catch(() => undefined);
  if (existing?.isFile()) {
    const hashed = await hashFile(path).catch(() => undefined);
    if (hashed?.sha256 === sha256) return 'already_there';
  }
  if (existing && !overwrite)
    throw new CliError({
      code: 'file_exists',
      message: `${path} already exists.`,
      hint: 'choose another folder with --to, or use --overwrite',
    });
  await saveFile(path, await read(), {
    overwrite,
    sha256: typeof sha256 === 'string' ? sha256 : null,
  });
  return 'saved';
}
