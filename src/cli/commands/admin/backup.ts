/** Backup, restore and check of the service's data. */
import { resolve } from 'node:path';
import { formatBytes } from '../../../contract/limits.ts';
import type { CheckResult } from '../../../service/check/check.ts';
import type { Context } from '../../context.ts';
import { isFull, unusableFile } from '../../errors/file-system.ts';
import type { Command } from '../../framework/command.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, quote } from '../../terminal/text.ts';
import {
  addDatabaseFlags,
  addDataFlags,
  type DataSource,
  readDataSource,
  withExistingData,
  withNewData,
} from '../data/data-folder.ts';
import { addFilesFlag } from '../data/files-place.ts';
import { tellDamaged } from './damaged-files.ts';

export function addBackupCommands(admin: Command): void {
  addBackup(admin.command('backup'));
  addRestore(admin.command('restore'));
  addCheck(admin.command('check'));
}

function addBackup(command: Command): void {
  command
    .description(
      'Back up the records, photos and assets into a folder, which works while services run. The next backup into the same folder takes its place, and copies only new photos and assets.',
    )
    .argument(
      '<folder>',
      'the folder of the backup: new, or with an earlier backup of the same data',
    );
  addFilesFlag(addDataFlags(command)).handle(async (context, { args: [name], options }) => {
    const folder = resolve(context.io.cwd, name);
    const source = readDataSource(context.io, options);
    const { backUp } = await import('../../../service/backup/backup.ts');
    const result = await withSpinner(context, (onProgress) =>
      withExistingData(source, () =>
        backUp({ ...source, folder, signal: context.io.signal, onProgress }).catch((error) =>
          throwBackupError(error, folder, true),
        ),
      ),
    );
    const { files, copied, sizeBytes } = result;
    recordWrite(context.io, { did: `backup ${folder} written` });
    await context.output.value(
      result,
      `backup ${folder} written: the records and ${pluralize(files, 'file', 'files')} (${copied} new), ${formatBytes(sizeBytes)} in total`,
    );
    return tellDamaged(context, result);
  });
  command.examples([
    'cs admin backup /backups/garage',
    'cs admin backup /backups/$(date +%a) --data /srv/cars',
  ]);
}

function addRestore(command: Command): void {
  command
    .description(
      'Restore a backup into an empty folder, and with --database and --files into an empty database and store. Every file is compared with its checksum: damaged records are refused, a damaged photo is left out and named.',
    )
    .argument('<folder>', 'the folder of the backup')
    .requiredOption('--data <folder>', 'the folder to restore into: empty, or created if missing');
  addFilesFlag(addDatabaseFlags(command)).handle(async (context, { args: [name], options }) => {
    const folder = resolve(context.io.cwd, name);
    const source = readDataSource(context.io, options);
    const { restore } = await import('../../../service/backup/restore.ts');
    const result = await withSpinner(context, (onProgress) =>
      withNewData(source, () =>
        restore({ ...source, folder, signal: context.io.signal, onProgress }).catch((error) =>
          throwBackupError(error, folder, false),
        ),
      ),
    );
    recordWrite(context.io, { did: `${source.data} restored` });
    await context.output.value(
      result,
      `${source.data} restored: the records of ${result.createdAt} and ${pluralize(result.files, 'file', 'files')}`,
    );
    context.note(
      `Next: cs serve --data ${quote(source.data)}${source.files ? ' --files …' : ''}${source.database ? ' --database …' : ''}`,
    );
    return tellDamaged(context, result);
  });
  command.examples([
    'cs admin restore /backups/garage --data ./garage',
    'cs admin restore /backups/Fri --data /srv/cars --files s3://garage/photos',
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

type OnProgress = (done: { files: number; of: number }) => void;

async function withSpinner<T>(
  context: Context,
  task: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const spinner = await startSpinner(context, 'Starting');
  try {
    return await task(({ files, of }) => spinner.text(`${files} of ${of} files`));
  } finally {
    spinner.stop();
  }
}

/** Throws failures of the backup's folder as such; those of the data are told by whoever opened it. */
function throwBackupError(error: unknown, folder: string, writes: boolean): never {
  const failed = error as Error;
  const cause = /^(Database|Storage)(Unavailable|Full)$/.test(failed.name) ? failed.cause : error;
  // A failed write doesn't name its file.
  const noRoom = writes && isFull(cause);
  const { path } = cause as NodeJS.ErrnoException;
  if (!noRoom && !path?.startsWith(folder)) throw error;
  throw unusableFile(`Couldn't use ${folder}`, cause, { hint: 'check the path' });
}
