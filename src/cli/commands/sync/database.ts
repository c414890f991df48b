/** The SQLite database of a mirror: its tables, and the state of each, which changes in one transaction with its records. */
import { existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, isFull } from '../../errors/file-system.ts';
import { isTime } from '../bulk/cursor.ts';
import { moveAside, syncFolder } from '../bulk/state-file.ts';
import type { Origin } from '../connection/origin.ts';

/** `--to mirror.db` names a database, other names a folder. */
export const isDatabasePath = (path: string): boolean => /\.(db|sqlite|sqlite3)$/i.test(path);

const layoutVersion = 1;

const layout = `
  create table cs_origin (version integer not null, server text not null, team_id text, team_name text, key text not null) strict;
  create table cs_sync (
    resource text primary key not null,
    table_name text not null,
    records integer not null,
    since text,
    synced_at text,
    full_at text,
    position text
  ) strict;
  create table cs_seen (resource text not null, id text not null, primary key (resource, id)) strict, without rowid;
`;

/** A line of cs_sync. */
export interface TableState {
  /** As in the command: `parking-spots`. */
  readonly resource: string;
  readonly table: string;
  readonly records: number;
  /** Earlier changes are in the table; by the server's clock. */
  readonly since: string | undefined;
  /** When the last complete run ended, by this machine's clock. */
  readonly syncedAt: string | undefined;
  readonly fullAt: string | undefined;
  /** Where an interrupted run stopped, as JSON. */
  readonly position: unknown;
}

export class MirrorDatabase {
  readonly path: string;
  readonly db: DatabaseSync;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.db = db;
  }

  /** Exit 7 for a damaged file, which is set aside, and for a database of another program. */
  static async open(path: string): Promise<MirrorDatabase> {
    const { DatabaseSync } = await import('node:sqlite');
    if (statSync(path).size === 0) throw await setAside(path, 'it is empty');
    const db = new DatabaseSync(path, { timeout: 5_000 });
    try {
      const version = versionOf(db);
      if (version !== layoutVersion) throw foreign(path, version);
      // Others can read during a run, and a commit needs no wait for the disk: after a power cut, records and state are those of an earlier commit.
      db.exec('pragma journal_mode = wal; pragma synchronous = normal');
      return new MirrorDatabase(path, db);
    } catch (error) {
      db.close();
      throw await explained(path, error);
    }
  }

  /** Writes another file first, so that an existing one was complete once. */
  static async create(path: string, origin: Origin): Promise<void> {
    const { DatabaseSync } = await import('node:sqlite');
    const unfinished = `${path}.part`;
    await rm(unfinished, { force: true });
    try {
      const db = new DatabaseSync(unfinished);
      try {
        db.exec(layout);
        db.prepare('insert into cs_origin values (?, ?, ?, ?, ?)').run(...originValues(origin));
      } finally {
        db.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw await explained(path, error);
    }
    await syncFolder(dirname(path));
  }

  /** For a look at a mirror, also during a run. Changes no record. */
  static async inspect(path: string): Promise<MirrorDatabase> {
    const { DatabaseSync } = await import('node:sqlite');
    const open = (options: { readonly readOnly: boolean }) => {
      const db = new DatabaseSync(path, { ...options, timeout: 5_000 });
      try {
        const version = versionOf(db);
        if (version !== layoutVersion) throw foreign(path, version);
        return new MirrorDatabase(path, db);
      } catch (error) {
        db.close();
        throw error;
      }
    };
    try {
      if (statSync(path).size === 0) throw damaged(path, 'it is empty');
      return open({ readOnly: true });
    } catch (error) {
      if (isDamage(error)) throw damaged(path, error.message);
      if (!isSqliteError(error) || resultOf(error) !== readOnly) throw error;
    }
    try {
      // A run was killed in the middle of a write: SQLite undoes it where it may write.
      return open({ readOnly: false });
    } catch (error) {
      throw await explained(path, error);
    }
  }

  get origin(): Origin {
    const { server, team_id, team_name, key } =
      this.db.prepare('select * from cs_origin').get() ?? {};
    return {
      server: String(server),
      team: team_id === null ? null : { id: String(team_id), name: String(team_name) },
      key: String(key),
    };
  }

  states(): TableState[] {
    return this.db
      .prepare('select * from cs_sync order by rowid')
      .all()
      .map((row) => ({
        resource: String(row.resource),
        table: String(row.table_name),
        records: Number(row.records),
        // Without a time that can be read, everything is read again.
        since: isTime(row.since) ? row.since : undefined,
        syncedAt: textOf(row.synced_at),
        fullAt: textOf(row.full_at),
        position: jsonOf(row.position),
      }));
  }

  /** Whether the table is there, and tells its records by their ids. */
  hasRecords(table: string): boolean {
    return (
      this.db.prepare("select 1 from pragma_table_info(?) where name = 'id'").get(table) !==
      undefined
    );
  }

  saveState({ resource, table, records, since, syncedAt, fullAt, position }: TableState): void {
    this.db
      .prepare('insert or replace into cs_sync values (?, ?, ?, ?, ?, ?, ?)')
      .run(
        resource,
        table,
        records,
        since ?? null,
        syncedAt ?? null,
        fullAt ?? null,
        position ? JSON.stringify(position) : null,
      );
  }

  /** All or nothing, also after a kill. */
  transaction(task: () => void): void {
    this.db.exec('begin immediate');
    try {
      task();
      this.db.exec('commit');
    } catch (error) {
      // A full disk has ended it already.
      if (this.db.isTransaction) this.db.exec('rollback');
      throw error;
    }
  }

  /** Reads the whole file. Exit 7 if it is damaged. */
  checkFile(): void {
    let found: unknown;
    try {
      found = this.db.prepare('pragma quick_check(1)').get()?.quick_check;
    } catch (error) {
      if (!isDamage(error)) throw error;
      found = error.message;
    }
    if (found !== 'ok') throw damaged(this.path, String(found).replaceAll('\n', ' '));
  }

  /** At rest, the mirror is one file, which can be copied, and opened where nothing can be written. */
  close(): void {
    if (!this.db.isOpen) return;
    try {
      this.db.exec('pragma journal_mode = delete');
    } catch {
      // Someone reads it, or the disk is full: the log stays beside it until the next run.
    }
    this.db.close();
  }
}

/** Undefined for a database of another program. */
function versionOf(db: DatabaseSync): number | undefined {
  if (!db.prepare("select 1 from sqlite_schema where name = 'cs_origin'").get()) return undefined;
  return Number(db.prepare('select version from cs_origin').get()?.version);
}

const originValues = ({ server, team, key }: Origin) => [
  layoutVersion,
  server,
  team?.id ?? null,
  team?.name ?? null,
  key,
];

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const jsonOf = (value: unknown): unknown =>
  typeof value === 'string' ? JSON.parse(value) : undefined;

export const mirrorExists = (path: string): boolean => existsSync(path);

const foreign = (path: string, version: number | undefined): CliError =>
  new CliError({
    code: 'state_unusable',
    message:
      version === undefined
        ? `${path} isn't a mirror of cs sync.`
        : `${path} was written by another version of cs.`,
    hint: 'choose another file with --to',
  });

/** Primary result codes of SQLite. */
const [busy, locked, readOnly, ioError, corrupt, full, cannotOpen, notADatabase] = [
  5, 6, 8, 10, 11, 13, 14, 26,
];

interface SqliteError extends Error {
  readonly errcode: number;
}

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
/** The lower byte; the others tell details. */
const resultOf = ({ errcode }: SqliteError): number => errcode & 0xff;
const isDamage = (error: unknown): error is SqliteError =>
  isSqliteError(error) && [corrupt, notADatabase].includes(resultOf(error));

/** An error of SQLite in words; other errors unchanged. Moves a damaged file aside, once `close` has closed it. */
export async function explained(
  path: string,
  error: unknown,
  close: () => void = () => {},
): Promise<unknown> {
  if (isDamage(error)) {
    close();
    return setAside(path, error.message);
  }
  if (!isSqliteError(error)) return error;
  if ([busy, locked].includes(resultOf(error))) return inUse(path);
  if (![full, ioError, readOnly, cannotOpen].includes(resultOf(error))) return error;
  return new CliError({
    code: 'file_unusable',
    message: `Couldn't write ${path}: ${describeFsError(error)}. What was stored before is complete.`,
    hint: isFull(error)
      ? 'free some space and run it again'
      : 'check the permissions, or give another place',
    cause: error,
  });
}

export const inUse = (path: string): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another program is writing ${path}.`,
    hint: 'wait until it ends, or choose another file',
  });

/** Renames a damaged mirror. The error names both files: the next run starts a new one. */
async function setAside(path: string, why: string): Promise<CliError> {
  const aside = await moveAside(path, ['-wal', '-shm']);
  return new CliError({
    code: 'state_unusable',
    message: `${path} is damaged: ${why}. It was moved to ${aside}.`,
    hint: 'run it again to read everything into a new file',
    details: { movedTo: aside },
  });
}

const damaged = (path: string, why: string): CliError =>
  new CliError({
    code: 'state_unusable',
    message: `${path} is damaged: ${why}.`,
    hint: '`cs sync` moves it aside; the run after that reads everything into a new file',
  });
