/** The database doesn't do its work: unreachable, starting, too slow. Answered with 503 `unavailable`; `cause` goes to the log. */
export class DatabaseUnavailable extends Error {
  constructor(
    cause: unknown,
    message = "The service can't reach its database right now; retry later",
  ) {
    super(message, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The disk of the database is full, and the transaction was rolled back. Answered with 507 `storage_full`. */
export class DatabaseFull extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(cause, "The disk of the service's database is full");
    this.name = 'DatabaseFull';
  }
}

/** The file of the open database was deleted or replaced: what is written to it now is gone with the process. */
export class DatabaseReplaced extends DatabaseUnavailable {
  constructor(path: string) {
    super(
      new Error(`${path} isn't the file that was opened`),
      'A file of the database was deleted or replaced while the service was running; nothing is read or stored until it is back',
    );
    this.name = 'DatabaseReplaced';
  }
}

/** Two transactions conflicted and this one was rolled back: a retry may succeed. */
export class WriteConflict extends DatabaseUnavailable {}

/** A newer version of `cs` created the tables. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}

/** The database lacks tables or columns: another checkout made it, since they change without a step before the first release, or somebody changed it. */
export class OutdatedDatabase extends Error {
  override readonly name = 'OutdatedDatabase';
  readonly missing: readonly string[];
  constructor(message: string, missing: readonly string[]) {
    super(message);
    this.missing = missing;
  }
}

/** What a step of the tables makes exists already, but the step isn't noted as done: the notes were lost, or come from another copy. */
export class UnnotedStep extends Error {
  override readonly name = 'UnnotedStep';
}

/** Row-level security doesn't hide the rows of other teams from requests, so nothing is served. */
export class TeamsNotKeptApart extends Error {
  override readonly name = 'TeamsNotKeptApart';
}

/** The database file is damaged, or contains objects that cs didn't create. It stays as it is. */
export class DamagedData extends Error {
  override readonly name: string = 'DamagedData';
}

/** The folder has traces of a facility, but no database. A new, empty one would look like a loss of everything and refuse every key. */
export class LostDatabase extends DamagedData {
  override readonly name = 'LostDatabase';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file is damaged, or isn't a database. */
export const isDamage = (error: unknown): boolean =>
  [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
