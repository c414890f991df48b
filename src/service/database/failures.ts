/** The database does not do what it is asked: gone, starting, full, too slow. Answered with 503 `unavailable`; `cause` is for the log. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The service cannot reach its database now; try again later', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Two transactions stood in each other's way and this one was undone: it may succeed when it is tried again. */
export class WriteConflict extends DatabaseUnavailable {}

/** The tables were made by a newer version of `cs`. */
export class NewerDatabase extends Error {}

/** Row-level security doesn't hide the rows of other teams from requests, so nothing is served. */
export class TeamsNotKeptApart extends Error {}

/** The database file of the data is damaged, or holds what cs did not make. Nothing is done with it. */
export class DamagedData extends Error {
  override readonly name = 'DamagedData';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file is damaged, or is no database. */
export const isDamage = (error: unknown): boolean => [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
