/** Keeping the data: a copy of it, the way back from one, and whether all of it is whole. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BackupResult } from '../../../service/backup/backup.ts';
import type { RestoreResult } from '../../../service/backup/restore.ts';
import type { CheckResult } from '../../../service/check/check.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import type { Command } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { recordWrite } from '../../framework/ledger.ts';
import { confirm } from '../../prompts/confirm.ts';
import { type Spinner, startSpinner } from '../../terminal/spinner.ts';
import { pluralize, quote } from '../../terminal/text.ts';
import { type DataPlace, databaseFlag, dataFlag, dataPlace, onData, onNewData, poolerFlag } from '../data/data-folder.ts';
import { formatBytes } from '../photos/describe.ts';

export function addKeeping(admin: Command): void {
  addBackup(admin.command('backup'));
  addRestore(admin.command('restore'));
  addCheck(admin.command('check'));
}

function addBackup(command: Command): void {
  command
    .description(
      'Copy the whole data folder into one file, records, photos and assets.\nWorks while the service runs, and holds nobody up.',
    )
    .argument('<file>', 'where the backup goes; a tar file')
    .option(...dataFlag)
    .handle(async (context, { args: [name], options }) => {
      const [file, place] = [resolve(context.io.cwd, name), folderOnly(context, options)];
      if (await isThere(file)) await confirm(context, `Replace ${file}?`, { local: true });
      const { backUp } = await import('../../../service/backup/backup.ts');
      const result = await watched(context, place, file, (spinner) =>
        backUp({
          data: place.data,
          file,
          signal: context.io.signal,
          onProgress: ({ bytes, of }) => spinner.text(share('Backing up', bytes, of)),
        }),
      );
      const size = `${pluralize(result.files, 'file', 'files')}, ${formatBytes(result.sizeBytes)} in all`;
      recordWrite(context.io, { did: `backup ${result.file} written` });
      await context.output.value(result, `backup ${result.file} written: the records and ${size}`);
      return withFaults(context, result);
    });
  command.examples(['cs admin backup garage.tar', 'cs admin backup /backups/garage-$(date +%F).tar --data /srv/cars']);
}

function addRestore(command: Command): void {
  command
    .description('Put a backup into an empty folder. It is checked to its last byte before anything is put in place.')
    .argument('<file>', 'the backup')
    .requiredOption('--data <folder>', 'the folder to fill: empty, or not there yet')
    .handle(async (context, { args: [name], options }) => {
      const [file, place] = [resolve(context.io.cwd, name), folderOnly(context, options)];
      const { restore } = await import('../../../service/backup/restore.ts');
      const { data } = place;
      const { signal } = context.io;
      const restoring = (spinner: Spinner) =>
        restore({ file, data, signal, onProgress: ({ bytes, of }) => spinner.text(share('Restoring', bytes, of)) });
      const result = await watched(context, place, file, restoring, onNewData);
      recordWrite(context.io, { did: `${place.data} restored` });
      await context.output.value(
        result,
        `${place.data} restored: the records of ${result.createdAt} and ${pluralize(result.files, 'file', 'files')}`,
      );
      context.note(`Next: cs serve --data ${quote(place.data)}`);
      return withFaults(context, result);
    });
  command.examples(['cs admin restore garage.tar --data ./garage', 'cs admin restore /backups/garage-2026-11-20.tar --data /srv/cars']);
}

function addCheck(command: Command): void {
  command
    .description(
      'Check that all data is whole: records, what they show of each other, and the bytes of photos and assets.\nExit code 12 when something is not.',
    )
    .option(...dataFlag)
    .option(...databaseFlag)
    .option(...poolerFlag)
    .option('--fix', 'remove files that no record names')
    .handle(async (context, { options }) => {
      const place = dataPlace(context.io, options);
      const result = await onData(place, () => check(context, place, options.fix));
      await context.output.value(result, inWords(result));
      for (const { message } of result.warnings) context.warn(`${message}.`);
      return result.ok ? 0 : 12;
    });
  command.examples(['cs admin check', 'cs admin check --data /srv/cars -o json', 'cs admin check --fix']);
}

async function check(context: Context, place: DataPlace, fix: boolean | undefined): Promise<CheckResult> {
  const { checkData } = await import('../../../service/check/check.ts');
  const spinner = await startSpinner(context, 'Checking');
  try {
    return await checkData({ ...place, fix, signal: context.io.signal, onProgress: (now) => spinner.text(now) });
  } finally {
    spinner.stop();
  }
}

function inWords({ findings, files, sizeBytes, removed }: CheckResult): string[] {
  const swept =
    removed.files > 0
      ? [`${pluralize(removed.files, 'file', 'files')} removed that no record named, ${formatBytes(removed.sizeBytes)}`]
      : [];
  if (findings.length === 0)
    return [...swept, `All is whole: the records, and ${pluralize(files, 'file', 'files')} of ${formatBytes(sizeBytes)}`];
  return [
    ...swept,
    ...findings.map(({ message, examples: some, count }) => `${message}: ${some.join(', ')}${count > some.length ? ' …' : ''}`),
  ];
}

/** What lies in a PostgreSQL is not in the folder. */
function folderOnly(context: Context, options: { data?: string; database?: string }): DataPlace {
  const place = dataPlace(context.io, options);
  if (place.database === undefined) return place;
  throw usage(
    'The records are in a PostgreSQL (CS_DATABASE), and backups are of data folders.',
    `copy ${quote(`${place.data}/files`)}, back the database up with pg_dump, then copy the files once more, removing none from the copy`,
  );
}

async function isThere(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) throw usage(`${file} is not a file.`, 'name the file that the backup goes to');
  return found !== undefined;
}

/** Runs something long with a sign of life, and tells its failures in the command's words. */
async function watched<T>(
  context: Context,
  place: DataPlace,
  file: string,
  task: (spinner: Spinner) => Promise<T>,
  openData = onData,
): Promise<T> {
  const spinner = await startSpinner(context, 'Starting');
  try {
    return await openData(place, () =>
      task(spinner).catch((error: unknown) =>
        Promise.reject(failureOf(error, { file, data: place.data, writesFile: openData === onData }) ?? error),
      ),
    );
  } finally {
    spinner.stop();
  }
}

const share = (doing: string, bytes: number, of: number) =>
  `${doing}: ${of === 0 ? 100 : Math.floor((100 * bytes) / of)}% of ${formatBytes(of)}`;

/** What was not whole is told, and the exit code is that of a part. */
function withFaults(context: Context, { missing, damaged }: Pick<BackupResult | RestoreResult, 'missing' | 'damaged'>): ExitCode {
  if (missing.length + damaged.length === 0) return 0;
  context.warn(`Not whole when the backup was made: ${[...missing, ...damaged].join(', ')}. \`cs admin check\` tells more.`);
  return 11;
}

/** What can go wrong with a backup, in the command's words. */

/** By their names, since the service is not loaded before it is needed. */
const failures: Readonly<Record<string, (place: Place, cause: Error) => CliError>> = {
  FolderNotEmpty: ({ data }, cause) =>
    new CliError({
      code: 'folder_not_empty',
      message: `${data} is not empty, and a backup replaces nothing.`,
      hint: 'choose an empty folder with --data',
      cause,
    }),
  DamagedBackup: ({ file, data }, cause) =>
    new CliError({
      code: 'backup_damaged',
      message: `Couldn't restore ${file}: ${cause.message}. Nothing was changed.`,
      hint: `restore another backup: \`cs admin restore FILE --data ${quote(data)}\``,
      cause,
    }),
};

/** What a person can mend; anything else is a fault of ours. */
const mendable: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);
const special: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
};

interface Place {
  /** The backup. */
  readonly file: string;
  readonly data: string;
  /** Whether the backup is what is written, and not the data. */
  readonly writesFile?: boolean;
}

/** What the system says of the data folder is for others to explain; this is of the backup. */
function failureOf(error: unknown, place: Place): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = failures[error.name];
  if (known) return known(place, error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  // A write that fails does not say of which file.
  const noRoom = place.writesFile === true && isFull(error);
  if (!noRoom && (!mendable.has(code) || !path || path.startsWith(place.data))) return undefined;
  return new CliError({
    code: 'file_unusable',
    message: `${place.file} cannot be used: ${describeFsError(error, special)}.`,
    hint: noRoom ? roomHint : 'check the path',
    exitCode: code === 'ENOENT' ? 6 : exitCodeOfFsError(error, 2),
    cause: error,
  });
}
