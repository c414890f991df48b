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

/** Two transactions conflicted and this one was rolled back: a retry may succeed. */
export class WriteConflict extends DatabaseUnavailable {}

/** A newer version of `cs` created the tables. */
export class NewerDatabase extends Error {}

/** Another checkout of `cs` made the tables, and they lack some that this version needs: before the first release they change without a step. */
export class OutdatedDatabase extends Error {}

/** Row-level security doesn't hide the rows of other teams from requests, so nothing is served. */
export class TeamsNotKeptApart extends Error {}

/** The database file is damaged, or contains objects that cs didn't create. It stays as it is. */
export class DamagedData extends Error {
  override readonly name = 'DamagedData';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file is damaged, or isn't a database. */
export const isDamage = (error: unknown): boolean =>
  [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
