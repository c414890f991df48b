/** Failures of the service's data, as errors of the command. */
import { type ProblemCode, problems } from '../../../contract/problems.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { quote } from '../../terminal/text.ts';

const problemExitCodes: Readonly<Record<string, ExitCode>> = { not_found: 6, duplicate: 7 };

/** Anything else than a failure of the data is returned as it is. */
export async function toDataError(
  { data, database }: { readonly data: string; readonly database?: string },
  error: unknown,
): Promise<unknown> {
  const [
    { ApiProblem },
    { FolderInUse, runningService },
    {
      DamagedData,
      DatabaseUnavailable,
      LostDatabase,
      NewerDatabase,
      OutdatedDatabase,
      TeamsNotKeptApart,
      UnnotedStep,
    },
    { StorageUnavailable },
    { UnfinishedRestore },
    { OtherFolder },
  ] = await Promise.all([
    import('../../../service/problem.ts'),
    import('../../../service/data-folder/lock.ts'),
    import('../../../service/database/failures.ts'),
    import('../../../service/files/store.ts'),
    import('../../../service/data-folder/unfinished-restore.ts'),
    import('../../../service/data-folder/file-folder.ts'),
  ]);
  // The codes of the dashboard answer requests of browsers alone.
  if (error instanceof ApiProblem && Object.hasOwn(problems, error.code)) {
    const { message, details } = error;
    const code = error.code as ProblemCode;
    return new CliError({
      code,
      message: `${message}.`,
      details,
      exitCode: problemExitCodes[code] ?? 3,
      hint: hintFor(code, details),
    });
  }
  if (error instanceof FolderInUse) {
    const hint = error.holder?.url
      ? `use that service with \`--base-url ${error.holder.url}\`, or choose another folder with --data`
      : 'choose another folder with --data';
    return new CliError({
      code: 'already_running',
      message: `${error.message}.`,
      hint,
      details: error.holder,
    });
  }
  if (error instanceof OtherFolder)
    return new CliError({
      code: 'other_origin',
      message: `${error.message}.`,
      hint: error.hint,
      cause: error,
    });
  if (error instanceof NewerDatabase)
    return new CliError({
      code: 'data_unusable',
      exitCode: 7,
      message: error.message,
      hint: 'install the newer cs, or choose another folder with --data',
      cause: error,
    });
  if (error instanceof OutdatedDatabase)
    return new CliError({
      code: 'data_unusable',
      exitCode: 7,
      message: `${error.message}.`,
      hint: `list all that is missing with \`cs admin check\`; ${
        database
          ? 'use the version of cs that made it, or restore a backup of the database'
          : 'use the version of cs that made it, or restore the latest backup into another folder with `cs admin restore`'
      }`,
      cause: error,
    });
  if (error instanceof UnnotedStep)
    return new CliError({
      code: 'data_unusable',
      exitCode: 3,
      message: `${error.message}.`,
      hint: 'restore the latest backup, or the table kysely_migration of one: it comes from the same moment as the other tables',
      cause: error,
    });
  if (error instanceof TeamsNotKeptApart)
    return new CliError({
      code: 'data_unusable',
      exitCode: 7,
      message: `${error.message}.`,
      hint: "use a role that isn't a superuser and doesn't bypass row-level security, and keep the policies of the tables (docs/postgresql.md)",
      cause: error,
    });
  if (error instanceof UnfinishedRestore) {
    const again = `finish it by running it again: \`cs admin restore ${error.file ? quote(error.file) : 'FILE'} --data ${quote(data)}\``;
    return new CliError({
      code: 'data_unusable',
      exitCode: 7,
      message: `${error.message}, so the folder can't be used yet.`,
      hint: runningService(data) ? 'wait for it to end' : again,
      cause: error,
    });
  }
  if (error instanceof LostDatabase)
    return new CliError({
      code: 'data_unusable',
      exitCode: 3,
      message: `The database of ${data} is lost: ${error.message}.`,
      hint: 'put the database back, or restore the latest backup into another folder with `cs admin restore`. For records in PostgreSQL name --database, for a new facility an empty folder with --data',
      cause: error,
    });
  if (error instanceof DamagedData)
    return new CliError({
      code: 'data_unusable',
      exitCode: 3,
      message: `The data in ${data} is damaged: ${error.message}.`,
      hint: 'list all faults with `cs admin check`, or restore the latest backup into another folder with `cs admin restore`',
      cause: error,
    });
  const cause =
    error instanceof StorageUnavailable || error instanceof DatabaseUnavailable
      ? error.cause
      : error;
  return (
    (database && toDatabaseError(database, cause, error instanceof DatabaseUnavailable)) ||
    (toFolderError(data, cause) ?? error)
  );
}

function hintFor(code: string, details: unknown): string | undefined {
  if (code !== 'not_found') return undefined;
  return (details as { field?: string } | null)?.field === 'address'
    ? 'list the allowed senders with `cs admin team sender list --team TEAM`'
    : 'list the teams with `cs admin team list`, and the keys of one with `cs admin key list --team TEAM`';
}

/** Hints by SQLSTATE of a refused connection. */
const databaseHints: Readonly<Record<string, string>> = {
  '28P01': 'check user and password',
  '28000': "check the user, and the server's pg_hba.conf",
  '3D000': 'create the database first: createdb',
  '08P01':
    'a pooler refused this: set its pool_mode to transaction or session, and leave `options` out of the address and PGOPTIONS (docs/postgresql.md)',
  '42501':
    'this user must own the database and may need CREATEROLE, once, to create the role for requests',
};

function toDatabaseError(
  database: string,
  cause: unknown,
  unavailable: boolean,
): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (!unavailable && !(code in databaseHints)) return undefined;
  return new CliError({
    code: 'data_unusable',
    exitCode: 2,
    message: `Couldn't use the database ${redactDatabaseUrl(database)}: ${cause.message || code}.`,
    hint: databaseHints[code] ?? 'check that it runs, and the address in --database or CS_DATABASE',
    cause,
  });
}

/** Without the password. */
export function redactDatabaseUrl(database: string): string {
  const { username, host, pathname } = new URL(database);
  return `postgres://${username ? `${username}@` : ''}${host}${pathname}`;
}

/** Only what a person can fix on this machine. */
function toFolderError(folder: string, cause: unknown): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: "this user isn't allowed to write there",
    EPERM: "this user isn't allowed to write there",
    ENOENT: "the system doesn't allow files there",
    EEXIST: 'a file of that name exists',
  };
  const known =
    code in reasons ||
    code === 'EROFS' ||
    code === 'ENOTDIR' ||
    code === 'ERR_SQLITE_ERROR' ||
    isFull(cause);
  if (!known) return undefined;
  return new CliError({
    code: 'data_unusable',
    message: `Couldn't use the data folder ${folder}: ${describeFsError(cause, reasons)}.`,
    hint: isFull(cause) ? roomHint : 'choose another folder with --data',
    exitCode: exitCodeOfFsError(cause, 2),
    cause,
  });
}
