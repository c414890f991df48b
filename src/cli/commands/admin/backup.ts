/** Backup, restore and check of the service's data. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatBytes } from '../../../contract/limits.ts';
import type { BackupResult } from '../../../service/backup/backup.ts';
import type { RestoreResult } from '../../../service/backup/restore.ts';
import type { CheckResult } from '../../../service/check/check.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import type { Command } from '../../framework/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { type Spinner, startSpinner } from '../../terminal/spinner.ts';
import { pluralize, quote } from '../../terminal/text.ts';
import {
  addDataFlags,
  addDataFolderFlag,
  type DataSource,
  readDataSource,
  withExistingData,
  withNewData,
} from '../data/data-folder.ts';
import { addFilesFlag } from '../data/files-place.ts';

export function addBackupCommands(admin: Command): void {
  addBackup(admin.command('backup'));
  addRestore(admin.command('restore'));
  addCheck(admin.command('check'));
}

function addBackup(command: Command): void {
  command
    .description(
      'Back up the data folder into one file: records, photos and assets.\nWorks while the service runs, without blocking it.',
    )
    .argument('<file>', 'the tar file to write');
  addDataFolderFlag(command).handle(async (context, { args: [name], options }) => {
    const [file, source] = [resolve(context.io.cwd, name), requireFolderOnly(context, options)];
    if (await isThere(file)) await confirm(context, `Replace ${file}?`, { local: true });
    const { backUp } = await import('../../../service/backup/backup.ts');
    const result = await runWithSpinner(context, source, file, (spinner) =>
      backUp({
        data: source.data,
        file,
        signal: context.io.signal,
        onProgress: ({ bytes, of }) => spinner.text(percent('Backing up', bytes, of)),
      }),
    );
    const size = `${pluralize(result.files, 'file', 'files')}, ${formatBytes(result.sizeBytes)} in total`;
    recordWrite(context.io, { did: `backup ${result.file} written` });
    await context.output.value(result, `backup ${result.file} written: the records and ${size}`);
    return exitCodeFor(context, result);
  });
  command.examples([
    'cs admin backup garage.tar',
    'cs admin backup /backups/garage-$(date +%F).tar --data /srv/cars',
  ]);
}

function addRestore(command: Command): void {
  command
    .description(
      'Restore a backup into an empty folder. The whole backup is verified before any file is put in place.',
    )
    .argument('<file>', 'the backup')
    .requiredOption('--data <folder>', 'the folder to restore into: empty, or created if missing')
    .handle(async (context, { args: [name], options }) => {
      const [file, source] = [resolve(context.io.cwd, name), requireFolderOnly(context, options)];
      const { restore } = await import('../../../service/backup/restore.ts');
      const { data } = source;
      const { signal } = context.io;
      const restoring = (spinner: Spinner) =>
        restore({
          file,
          data,
          signal,
          onProgress: ({ bytes, of }) => spinner.text(percent('Restoring', bytes, of)),
        });
      const result = await runWithSpinner(context, source, file, restoring, withNewData);
      recordWrite(context.io, { did: `${source.data} restored` });
      await context.output.value(
        result,
        `${source.data} restored: the records of ${result.createdAt} and ${pluralize(result.files, 'file', 'files')}`,
      );
      context.note(`Next: cs serve --data ${quote(source.data)}`);
      return exitCodeFor(context, result);
    });
  command.examples([
    'cs admin restore garage.tar --data ./garage',
    'cs admin restore /backups/garage-2026-11-20.tar --data /srv/cars',
  ]);
}

function addCheck(command: Command): void {
  command.description(
    'Check the data: records, their references to each other, and the bytes of photos and assets.\nExit code 12 if something is missing or damaged.',
  );
  addFilesFlag(addDataFlags(command))
    .option('--fix', 'delete files without a record')
    .handle(async (context, { options }) => {
      const source = readDataSource(context.io, options);
      const result = await withExistingData(source, () => check(context, source, options.fix));
      await context.output.value(result, describeCheck(result));
      for (const { message } of result.warnings) context.warn(`${message}.`);
      return result.ok ? 0 : 12;
    });
  command.examples([
    'cs admin check',
    'cs admin check --data /srv/cars -o json',
    'cs admin check --fix',
  ]);
}

async function check(
  context: Context,
  source: DataSource,
  fix: boolean | undefined,
): Promise<CheckResult> {
  const { checkData } = await import('../../../service/check/check.ts');
  const spinner = await startSpinner(context, 'Checking');
  try {
    return await checkData({
      ...source,
      fix,
      signal: context.io.signal,
      onProgress: (now) => spinner.text(now),
    });
  } finally {
    spinner.stop();
  }
}

function describeCheck({ findings, files, sizeBytes, removed }: CheckResult): string[] {
  const removedLines =
    removed.files > 0
      ? [
          `${pluralize(removed.files, 'file', 'files')} without a record removed, ${formatBytes(removed.sizeBytes)}`,
        ]
      : [];
  if (findings.length === 0)
    return [
      ...removedLines,
      `No faults found in the records and ${pluralize(files, 'file', 'files')} (${formatBytes(sizeBytes)})`,
    ];
  return [
    ...removedLines,
    ...findings.map(
      ({ message, examples: some, count }) =>
        `${message}: ${some.join(', ')}${count > some.length ? ' …' : ''}`,
    ),
  ];
}

/** A backup contains the data folder, so records in PostgreSQL would be missing. */
function requireFolderOnly(
  context: Context,
  options: { data?: string; database?: string },
): DataSource {
  const source = readDataSource(context.io, options);
  if (source.database === undefined) return source;
  throw usage(
    'The records are in PostgreSQL (CS_DATABASE), and this backs up data folders only.',
    `copy ${quote(`${source.data}/files`)}, back up the database with pg_dump, then copy the files again without deleting any from the copy`,
  );
}

async function isThere(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw usage(`${file} isn't a file.`, 'name the file to write the backup to');
  return found !== undefined;
}

/** Reports failures as errors of the command. */
async function runWithSpinner<T>(
  context: Context,
  source: DataSource,
  file: string,
  task: (spinner: Spinner) => Promise<T>,
  openData = withExistingData,
): Promise<T> {
  const spinner = await startSpinner(context, 'Starting');
  try {
    return await openData(source, () =>
      task(spinner).catch((error: unknown) =>
        Promise.reject(
          toBackupError(error, {
            file,
            data: source.data,
            writesFile: openData === withExistingData,
          }) ?? error,
        ),
      ),
    );
  } finally {
    spinner.stop();
  }
}

const percent = (doing: string, bytes: number, of: number) =>
  `${doing}: ${of === 0 ? 100 : Math.floor((100 * bytes) / of)}% of ${formatBytes(of)}`;

/** Exit 11 for an incomplete backup. */
function exitCodeFor(
  context: Context,
  { missing, damaged }: Pick<BackupResult | RestoreResult, 'missing' | 'damaged'>,
): ExitCode {
  if (missing.length + damaged.length === 0) return 0;
  context.warn(
    `Missing or damaged when the backup was made: ${[...missing, ...damaged].join(', ')}. Run \`cs admin check\` for details.`,
  );
  return 11;
}

/** By name, since the service is loaded on demand. */
const backupErrors: Readonly<Record<string, (source: BackupPaths, cause: Error) => CliError>> = {
  FolderNotEmpty: ({ data }, cause) =>
    new CliError({
      code: 'file_exists',
      message: `${data} isn't empty, and a restore never replaces files.`,
      hint: 'choose an empty folder with --data',
      cause,
    }),
  DamagedBackup: ({ file, data }, cause) =>
    new CliError({
      code: 'data_unusable',
      exitCode: 3,
      message: `Couldn't restore ${file}: ${cause.message}. Nothing was changed.`,
      hint: `restore another backup: \`cs admin restore FILE --data ${quote(data)}\``,
      cause,
    }),
};

/** What a person can fix; anything else is a bug. */
const userFixable: ReadonlySet<string> = new Set([
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
]);
const fsReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: "this user isn't allowed to use it",
  EPERM: "this user isn't allowed to use it",
};

interface BackupPaths {
  /** The backup. */
  readonly file: string;
  readonly data: string;
  /** True for a backup, false for a restore. */
  readonly writesFile?: boolean;
}

/** Failures of the backup file; failures of the data folder are handled with the data. */
function toBackupError(error: unknown, source: BackupPaths): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = backupErrors[error.name];
  if (known) return known(source, error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  // A failed write doesn't name its file.
  const noRoom = source.writesFile === true && isFull(error);
  if (!noRoom && (!userFixable.has(code) || !path || path.startsWith(source.data)))
    return undefined;
  return new CliError({
    code: 'file_unusable',
    message: `Couldn't use ${source.file}: ${describeFsError(error, fsReasons)}.`,
    hint: noRoom ? roomHint : 'check the path',
    exitCode: code === 'ENOENT' ? 6 : exitCodeOfFsError(error, 2),
    cause: error,
  });
}
