/** The service's data on this machine: the flags that name it, where it is, and how commands open it. */
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { S3Place } from '../../../service/files/s3.ts';
import type { RunningService, ServiceOptions } from '../../../service/start.ts';
import { platformFolder } from '../../config/platform-folders.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { refuseAddress } from '../../framework/line-values.ts';
import type { Io } from '../../terminal/io.ts';
import { quote } from '../../terminal/text.ts';
import { toDataError } from './data-errors.ts';
import { readFilesPlace } from './files-place.ts';
import { readVariable } from './secrets.ts';

type Machine = Pick<Io, 'env' | 'cwd' | 'home' | 'platform' | 'runtime'>;

/** `--data`, then CS_DATA, then the platform's folder for application data. Only Node.js opens it. */
export function dataFolder(io: Machine, flag: string | undefined): string {
  if (!io.runtime.startsWith('Node.js'))
    throw usage(
      `The service and its data need Node.js; this is ${io.runtime}.`,
      'run this command with Node.js, or use the executable or the Debian package of cs, which bring it along',
    );
  const chosen = flag ?? io.env.CS_DATA;
  if (flag === undefined) refuseAddress('CS_DATA', chosen);
  return chosen ? resolve(io.cwd, chosen) : platformFolder(io, 'data').path;
}

export const addDataFolderFlag = (command: Command): Command =>
  command.option('--data <folder>', "the service's data folder (CS_DATA)");

export const addDataFlags = (command: Command): Command =>
  addDatabaseFlags(addDataFolderFlag(command));

/** A typing error in a variable would be another database. */
export const addDatabaseFlags = (command: Command): Command =>
  command
    .option(
      '--database <url>',
      'PostgreSQL for the records: postgres://user:password@host/name (default: a file in the data folder) (CS_DATABASE)',
    )
    .option(
      '--database-pooler <mode>',
      'pooler in front of PostgreSQL: auto (detected) or transaction (default: auto) (CS_DATABASE_POOLER)',
    )
    .refuseUnknownVariables();

/** The data folder, and the database if records are kept in PostgreSQL. */
export interface DataSource {
  readonly data: string;
  readonly database?: string;
  readonly pooler?: 'auto' | 'transaction';
  /** The S3 store of photos and assets, if they aren't in the data folder. */
  readonly files?: S3Place;
}

interface DataFlags {
  readonly data?: string;
  readonly files?: string;
  readonly database?: string;
  readonly databasePooler?: string;
}

/** Flags win over the environment. */
export function readDataSource(io: Machine, flags: DataFlags): DataSource {
  const data = dataFolder(io, flags.data);
  const files = readFilesPlace(io, flags.files);
  const database = flags.database ?? readVariable(io, 'CS_DATABASE');
  const pooler = parsePoolerMode(flags.databasePooler ?? (io.env.CS_DATABASE_POOLER || 'auto'));
  if (database === undefined) return { data, files };
  if (!/^postgres(ql)?:\/\/./.test(database) || !URL.canParse(database))
    throw usage(
      'The database URL must look like postgres://user:password@host/name.',
      'check --database, or CS_DATABASE',
    );
  return { data, files, database, pooler };
}

function parsePoolerMode(mode: string): NonNullable<DataSource['pooler']> {
  if (mode === 'auto' || mode === 'transaction') return mode;
  throw usage(
    `"${mode}" isn't a pooler mode (--database-pooler, CS_DATABASE_POOLER).`,
    'choose auto or transaction',
  );
}

/** Runs a task on existing data and reports failures of the data as errors of the command. Exit 6 without data. */
export function withExistingData<T>(source: DataSource, task: () => Promise<T>): Promise<T> {
  return withDataErrors(source, async () => {
    if (!(await hasData(source)))
      throw new CliError({
        code: 'not_found',
        message: `No data found in ${source.data}.`,
        hint: `name the right folder with --data, or start there with \`cs admin team create NAME --data ${quote(source.data)}\``,
      });
    return task();
  });
}

/** Like `withExistingData`, but the task may create the data. */
export function withNewData<T>(source: DataSource, task: () => Promise<T>): Promise<T> {
  return withDataErrors(source, async () => {
    if (!(await hasData(source))) assertCreatable(source.data);
    return task();
  });
}

/** With PostgreSQL the folder holds only files, and may be empty. An unfinished restore counts as data: opening it reports the restore. */
async function hasData({ data, database }: DataSource): Promise<boolean> {
  if (database !== undefined) return true;
  const { databaseName, restoreMarkName } = await import('../../../service/data-folder/names.ts');
  return [databaseName, restoreMarkName].some((name) => existsSync(join(data, name)));
}

/** The service creates the folder. In folders such as /proc, a recursive mkdir of Node.js never ends. */
function assertCreatable(folder: string): void {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  rmdirSync(mkdtempSync(join(existing, '.car-storage-')));
}

async function withDataErrors<T>(source: DataSource, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw toDataError(source, error);
  }
}

/** Resolves with Ctrl-C or a signal. */
export async function waitForStop({ signal }: Pick<Io, 'signal'>): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Logging = { readonly level: string; readonly pretty: boolean };

/** Starts the service with its log on stderr. */
export async function startServiceWithLog(
  io: Io,
  { level, pretty }: Logging,
  options: Omit<ServiceOptions, 'logger'>,
): Promise<RunningService> {
  const [{ startService }, { createLog }] = await Promise.all([
    import('../../../service/start.ts'),
    import('../../../service/log.ts'),
  ]);
  return startService({ ...options, logger: createLog({ level, stream: io.stderr, pretty }) });
}
