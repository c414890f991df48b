/** Failures of the service's data, as errors of the command. */
import { type ProblemCode, problems } from '../../../contract/problems.ts';
import { CliError, type ErrorCode, type ExitCode } from '../../errors/exit.ts';
import { describeFsError, exitCodeOfFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { sentence } from '../../errors/report.ts';
import { quote } from '../../terminal/text.ts';

const problemExitCodes: Readonly<Record<string, ExitCode>> = { not_found: 6, duplicate: 7 };

interface Told {
  readonly code?: ErrorCode;
  readonly exitCode?: ExitCode;
  readonly message?: string;
  readonly details?: unknown;
}

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
    const exitCode = problemExitCodes[code] ?? 3;
    const hint = hintFor(code, details);
    return new CliError({ code, message: `${message}.`, details, exitCode, hint });
  }
  if (!(error instanceof Error)) return error;
  const told = (
    hint: string,
    { code = 'data_unusable', exitCode = 7, message = error.message, details }: Told = {},
  ) => new CliError({ code, exitCode, message: sentence(message), hint, details, cause: error });
  if (error instanceof FolderInUse) {
    const { holder: details } = error;
    const use = details?.url ? `use that service with \`--base-url ${details.url}\`, or ` : '';
    return told(`${use}choose another folder with --data`, { code: 'already_running', details });
  }
  if (error instanceof OtherFolder) return told(error.hint, { code: 'other_origin' });
  if (error instanceof NewerDatabase)
    return told('install the newer cs, or choose another folder with --data');
  if (error instanceof OutdatedDatabase)
    return told(
      `list all that is missing with \`cs admin check\`; use the version of cs that made it, or ${
        database
          ? 'restore a backup of the database'
          : 'restore the latest backup into another folder with `cs admin restore`'
      }`,
    );
  if (error instanceof UnnotedStep)
    return told(
      'restore the latest backup, or the table kysely_migration of one: it comes from the same moment as the other tables',
      { exitCode: 3 },
    );
  if (error instanceof TeamsNotKeptApart)
    return told(
      "use a role that isn't a superuser and doesn't bypass row-level security, and keep the policies of the tables (docs/postgresql.md)",
    );
  if (error instanceof UnfinishedRestore) {
    const words = `cs admin restore ${error.file ? quote(error.file) : 'FILE'} --data ${quote(data)}`;
    const hint = runningService(data)
      ? 'wait for it to end'
      : `finish it by running it again: \`${words}\``;
    return told(hint, { message: `${error.message}, so the folder can't be used yet` });
  }
  if (error instanceof LostDatabase)
    return told(
      'put the database back, or restore the latest backup into another folder with `cs admin restore`. For records in PostgreSQL name --database, for a new facility an empty folder with --data',
      { exitCode: 3, message: `The database of ${data} is lost: ${error.message}` },
    );
  if (error instanceof DamagedData)
    return told(
      'list all faults with `cs admin check`, or restore the latest backup into another folder with `cs admin restore`',
      { exitCode: 3, message: `The data in ${data} is damaged: ${error.message}` },
    );
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

const folderCodes: ReadonlySet<string> = new Set(
  'EACCES EPERM ENOENT EEXIST EROFS ENOTDIR ERR_SQLITE_ERROR'.split(' '),
);

/** Only what a person can fix on this machine. */
function toFolderError(folder: string, cause: unknown): CliError | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (!folderCodes.has(code) && !isFull(cause)) return undefined;
  return new CliError({
    code: 'data_unusable',
    message: `Couldn't use the data folder ${folder}: ${describeFsError(cause, { ENOENT: "the system doesn't allow files there" })}.`,
    hint: isFull(cause) ? roomHint : 'choose another folder with --data',
    exitCode: exitCodeOfFsError(cause, 2),
    cause,
  });
}
