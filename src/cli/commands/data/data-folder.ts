/** The service's data: where it is, and what can stand in its way. */
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { platformFolder } from '../../config/platform-folders.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import type { Io } from '../../terminal/io.ts';
import { quote } from '../../terminal/text.ts';

/** `--data`, then CS_DATA, then the place where the system keeps such things for this user. */
export function dataFolder(io: Pick<Io, 'env' | 'cwd' | 'home' | 'platform'>, flag: string | undefined): string {
  const chosen = flag ?? io.env.CS_DATA;
  return chosen ? resolve(io.cwd, chosen) : platformFolder(io, 'data').path;
}

export const dataFlag = ['--data <folder>', "where the service's data is (CS_DATA)"] as const;

export const databaseFlag = [
  '--database <url>',
  'PostgreSQL to keep the records in, postgres://user:password@host/name; a file in the data folder unless given (CS_DATABASE)',
] as const;

export const poolerFlag = [
  '--database-pooler <mode>',
  'pooler in front of the PostgreSQL: auto (detected) or transaction (default: auto) (CS_DATABASE_POOLER)',
] as const;

/** The data folder, and the database when there is one: flags first, then the environment. */
export interface DataPlace {
  readonly data: string;
  readonly database?: string;
  readonly pooler?: 'auto' | 'transaction';
}

interface PlaceFlags {
  readonly data?: string;
  readonly database?: string;
  readonly databasePooler?: string;
}

export function dataPlace(io: Pick<Io, 'env' | 'cwd' | 'home' | 'platform'>, flags: PlaceFlags): DataPlace {
  const data = dataFolder(io, flags.data);
  const database = flags.database ?? (io.env.CS_DATABASE || undefined);
  const pooler = poolerMode(flags.databasePooler ?? (io.env.CS_DATABASE_POOLER || 'auto'));
  if (database === undefined) return { data };
  if (!/^postgres(ql)?:\/\/./.test(database) || !URL.canParse(database))
    throw usage('The database must be given as postgres://user:password@host/name.', 'check --database, or CS_DATABASE');
  return { data, database, pooler };
}

function poolerMode(mode: string): NonNullable<DataPlace['pooler']> {
  if (mode === 'auto' || mode === 'transaction') return mode;
  throw usage(`"${mode}" isn't a pooler mode (--database-pooler, CS_DATABASE_POOLER).`, 'choose auto or transaction');
}

/** An address without its password, for people to read. */
export function shownDatabase(database: string): string {
  const { username, host, pathname } = new URL(database);
  return `postgres://${username ? `${username}@` : ''}${host}${pathname}`;
}

/** Runs something that opens the service's data, and tells what went wrong in the command's words. Fails with exit 6 where there is none. */
export function onData<T>(place: DataPlace, task: () => Promise<T>): Promise<T> {
  return explained(place, () => {
    if (!hasData(place))
      throw new CliError({
        code: 'no_data',
        message: `There is no data in ${place.data}.`,
        hint: `give the right folder with --data, or begin there with \`cs admin team create NAME --data ${quote(place.data)}\``,
      });
    return task();
  });
}

/** As `onData`, and begins with empty data where there is none. */
export function onNewData<T>(place: DataPlace, task: () => Promise<T>): Promise<T> {
  return explained(place, () => {
    if (!hasData(place)) requireRoom(place.data);
    return task();
  });
}

/** With a database of its own, the folder holds only files, and may well be empty. What a restore has left is told where the data is opened. */
const hasData = ({ data, database }: DataPlace): boolean =>
  database !== undefined || ['cs.sqlite', 'restore-unfinished'].some((name) => existsSync(join(data, name)));

/** Where nothing can be made, as in /proc, Node would go on making the folders above for ever. */
function requireRoom(folder: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  rmdirSync(mkdtempSync(join(there, '.car-storage-')));
}

async function explained<T>(place: DataPlace, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw await explain(place, error);
  }
}

const refusals: Readonly<Record<string, ExitCode>> = { not_found: 6, duplicate: 7 };

async function explain({ data, database }: DataPlace, error: unknown): Promise<unknown> {
  const [
    { AmbiguousKey },
    { ApiProblem },
    { FolderInUse, runningService },
    { DamagedData, DatabaseUnavailable, NewerDatabase, TeamsNotKeptApart },
    { StorageUnavailable },
    { UnfinishedRestore },
  ] = await Promise.all([
    import('../../../service/admin.ts'),
    import('../../../service/problem.ts'),
    import('../../../service/data-folder/lock.ts'),
    import('../../../service/database/failures.ts'),
    import('../../../service/files/store.ts'),
    import('../../../service/data-folder/unfinished-restore.ts'),
  ]);
  if (error instanceof ApiProblem) {
    const { code, message, details } = error;
    return new CliError({ code, message: `${message}.`, details, exitCode: refusals[code] ?? 3, hint: hintFor(code, details) });
  }
  if (error instanceof AmbiguousKey) {
    const { message, candidates } = error;
    return new CliError({
      code: 'ambiguous_name',
      message: `${message}.`,
      hint: 'name one by its first part',
      details: { candidates },
    });
  }
  if (error instanceof FolderInUse) {
    const hint = error.holder?.url
      ? `talk to it with \`--base-url ${error.holder.url}\`, or choose another folder with --data`
      : 'choose another folder with --data';
    return new CliError({ code: 'data_in_use', message: `${error.message}.`, hint, details: error.holder });
  }
  if (error instanceof NewerDatabase)
    return new CliError({
      code: 'data_newer',
      message: error.message,
      hint: 'install the newer cs, or choose another folder with --data',
      cause: error,
    });
  if (error instanceof TeamsNotKeptApart)
    return new CliError({
      code: 'database_unsafe',
      message: `${error.message}.`,
      hint: 'see docs/postgresql.md: the role must be no superuser, must not bypass row-level security, and the tables must keep their policies',
      cause: error,
    });
  if (error instanceof UnfinishedRestore) {
    const again = `finish it by running it again: \`cs admin restore ${error.file ? quote(error.file) : 'FILE'} --data ${quote(data)}\``;
    return new CliError({
      code: 'restore_unfinished',
      message: `${error.message}, so the folder can't be used yet.`,
      hint: runningService(data) ? 'wait for it to end' : again,
      cause: error,
    });
  }
  if (error instanceof DamagedData)
    return new CliError({
      code: 'data_damaged',
      message: `The data in ${data} is damaged: ${error.message}.`,
      hint: 'find all faults with `cs admin check`, or restore the latest backup into another folder with `cs admin restore`',
      cause: error,
    });
  const cause = error instanceof StorageUnavailable || error instanceof DatabaseUnavailable ? error.cause : error;
  return (database && databaseError(database, cause, error instanceof DatabaseUnavailable)) || (systemError(data, cause) ?? error);
}

function hintFor(code: string, details: unknown): string | undefined {
  if (code !== 'not_found') return undefined;
  return (details as { field?: string } | null)?.field === 'address'
    ? '`cs admin team sender list --team T` shows the allowed senders'
    : '`cs admin team list` shows the teams, `cs admin key list --team T` the keys of one';
}

/** What the server says when it lets nobody in, by its code. */
const refusedBy: Readonly<Record<string, string>> = {
  '28P01': 'check user and password',
  '28000': 'check the user, and what the server lets in',
  '3D000': 'make the database first: createdb',
  '08P01':
    'a pooler refused this: set its pool_mode to transaction or session, and leave `options` out of the address and PGOPTIONS (docs/postgresql.md)',
  '42501': 'this user must own the database and may need CREATEROLE, once, to make the role that requests work as',
};

function databaseError(database: string, cause: unknown, unavailable: boolean): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (!unavailable && !(code in refusedBy)) return undefined;
  return new CliError({
    code: 'database_unavailable',
    message: `The database ${shownDatabase(database)} cannot be used: ${cause.message || code}.`,
    hint: refusedBy[code] ?? 'check that it runs, and the address in --database or CS_DATABASE',
    cause,
  });
}

/** Faults of the machine that a person can mend. */
function systemError(folder: string, cause: unknown): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const special: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    ENOENT: 'nothing can be kept there',
    EEXIST: 'there is a file of that name',
  };
  const known = code in special || code === 'EROFS' || code === 'ENOTDIR' || code === 'ERR_SQLITE_ERROR' || isFull(cause);
  if (!known) return undefined;
  const why = describeFsError(cause, special);
  return new CliError({
    code: 'data_unusable',
    message: `The data folder ${folder} cannot be used: ${why}.`,
    hint: isFull(cause) ? roomHint : 'choose another folder with --data',
    exitCode: exitCodeOfFsError(cause, 2),
    cause,
  });
}
