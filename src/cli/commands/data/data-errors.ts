/** Failures of the service's data, as errors of the command. */
import { reasonOf } from '../../../client/failures.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { CliError, type ErrorCode, type ExitCode } from '../../errors/exit.ts';
import { isFull, unusableFile } from '../../errors/file-system.ts';
import { sentence } from '../../errors/report.ts';
import { quote } from '../../terminal/text.ts';

interface Source {
  readonly data: string;
  readonly database?: string;
}

interface Told {
  readonly hint: string;
  readonly code?: ErrorCode;
  readonly exitCode?: ExitCode;
  readonly message?: string;
  readonly details?: unknown;
}

const otherBackup = 'restore the latest backup into another folder with `cs admin restore`';

/** By the name of the error, since the service is loaded on demand. */
const dataErrors: Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: each entry knows the fields of its error
  Record<string, (error: any, source: Source) => Told>
> = {
  FolderInUse: ({ holder }) => ({
    code: 'already_running',
    details: holder,
    hint: `${holder?.url ? `use that service with \`--base-url ${holder.url}\`, or ` : ''}choose another folder with --data`,
  }),
  BackupRefused: ({ hint }) => ({ code: 'file_exists', hint }),
  NoBackup: (_, { data }) => ({
    exitCode: 3,
    hint: `name the folder of a backup: \`cs admin restore FOLDER --data ${quote(data)}\``,
  }),
  DamagedBackup: ({ message }, { data }) => ({
    exitCode: 3,
    message: `Couldn't use the backup: ${message}. Nothing was changed`,
    hint: `restore another backup: \`cs admin restore FOLDER --data ${quote(data)}\``,
  }),
  OtherStore: ({ hint }) => ({ code: 'other_origin', hint }),
  StoreFault: ({ message, hint }) => ({
    exitCode: 2,
    message: `Couldn't use the files: ${message}`,
    hint,
  }),
  NewerDatabase: () => ({
    hint: 'install the newer cs, or choose another folder with --data',
  }),
  OutdatedDatabase: (_, { database }) => ({
    hint: `list all that is missing with \`cs admin check\`; use the version of cs that made it, or ${
      database ? 'restore a backup of the database' : otherBackup
    }`,
  }),
  UnnotedStep: () => ({
    exitCode: 3,
    hint: 'restore the latest backup, or the table kysely_migration of one: it comes from the same moment as the other tables',
  }),
  TeamsNotKeptApart: () => ({
    hint: "use a role that isn't a superuser and doesn't bypass row-level security, and keep the policies of the tables (docs/postgresql.md)",
  }),
  UnfinishedRestore: ({ message, backup }, { data }) => ({
    message: `${message}, so the folder can't be used yet`,
    hint: `wait for it to end, or run it again: \`cs admin restore ${backup ? quote(backup) : 'FOLDER'} --data ${quote(data)}\``,
  }),
  LostDatabase: ({ message }, { data }) => ({
    exitCode: 3,
    message: `The database of ${data} is lost: ${message}`,
    hint: `put the database back, or ${otherBackup}. For records in PostgreSQL name --database, for a new facility an empty folder with --data`,
  }),
  DamagedData: ({ message }, { data }) => ({
    exitCode: 3,
    message: `The data in ${data} is damaged: ${message}`,
    hint: `list all faults with \`cs admin check\`, or ${otherBackup}`,
  }),
};

/** Anything else than a failure of the data is returned as it is. */
export function toDataError(source: Source, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { data, database } = source;
  if (error.cause instanceof Error && error.cause.name === 'StoreFault')
    return toDataError(source, error.cause);
  const { name } = error;
  if (name === 'ApiProblem') return toProblemError(error as Error & Problem);
  const known = dataErrors[name]?.(error, source);
  if (known) {
    const { code = 'data_unusable', exitCode = 7, message = error.message, ...rest } = known;
    return new CliError({ code, exitCode, message: sentence(message), ...rest, cause: error });
  }
  const isUnavailable = /^(Database|Storage)(Unavailable|Full|Replaced)$/.test(name);
  const cause = isUnavailable ? error.cause : error;
  return (
    (database && toDatabaseError(database, cause, name.startsWith('Database'))) ||
    (toFolderError(data, cause) ?? error)
  );
}

interface Problem {
  readonly code: ProblemCode;
  readonly details: unknown;
}

function toProblemError({ message, code, details }: Error & Problem): Error {
  return new CliError({ code, message: `${message}.`, details, hint: hintFor(code, details) });
}

/** The command that lists what was named, by the field that named it. */
const listedBy: Readonly<Record<string, string>> = {
  team: 'list the teams with `cs admin team list`',
  key: 'list the keys of a team with `cs admin key list --team TEAM`',
  email: 'list the accounts of a team with `cs admin user list --team TEAM`',
  screen: 'list the screens of a team with `cs admin screen list --team TEAM`',
  address: 'list the allowed senders with `cs admin team sender list --team TEAM`',
  type: 'list the event types of a team with `cs admin event-type list --team TEAM`',
};

const hintFor = (code: string, details: unknown): string | undefined =>
  code === 'not_found' ? listedBy[(details as { field?: string } | null)?.field ?? ''] : undefined;

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
    message: `Couldn't use the database ${redactDatabaseUrl(database)}: ${reasonOf(cause)}.`,
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
  return unusableFile(`Couldn't use the data folder ${folder}`, cause, {
    code: 'data_unusable',
    reasons: { ENOENT: "the system doesn't allow files there" },
    hint: 'choose another folder with --data',
  });
}
