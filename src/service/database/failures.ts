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
