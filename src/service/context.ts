import type { Transaction } from 'kysely';
import type { Operation } from '../contract/operations.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Database, Reader } from './database/database.ts';
import type { Tables, TeamRow } from './database/tables.ts';
import type { FileStore } from './files/store.ts';
import type { Notifier } from './outbox/notifier.ts';

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** IANA name; the default time zone of the team's locations. */
  readonly timezone: string;
}

/** The authenticated key, or somebody who is signed in to the dashboard. */
export interface Caller {
  readonly team: Team;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: string | null;
  /** Of a browser session in place of a key. */
  readonly person?: Person;
}

export interface Person {
  /** Of the account: a repeated request is known also after another sign-in. */
  readonly id: string;
  /** Throws once the session has ended. */
  requireLive(context: ReadContext): Promise<void>;
  /** Notes a write in the team's log, in its transaction. */
  note(
    context: Context,
    operation: Operation,
    written: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}

/** Context of a read. */
export interface ReadContext {
  readonly db: Reader;
  readonly team: Team;
}

/** Context of a rule: one transaction of one team, with its two times. */
export interface Context extends ReadContext, Pick<Database, 'columnsOf'> {
  readonly db: Transaction<Tables>;
  readonly team: TeamRow;
  /** The clock's time, ISO 8601 in UTC with milliseconds. For every time that people read, such as `createdAt` and `occurredAt`. */
  readonly now: string;
  /**
   * The `updatedAt` of every record written: later than all earlier ones of the team, whatever the clock does. Used for nothing
   * else.
   */
  readonly stamp: string;
  /** Name of the key of the request; null for the service's own work. */
  readonly keyName: string | null;
  /** Runs after the commit. A crash can lose the task, so it may only clean up. */
  afterCommit(task: (after: AfterCommit) => Promise<void>): void;
}

export interface AfterCommit {
  readonly outbox: Notifier;
  readonly campaigns: Notifier;
}

/** Context of slow work before the transaction, which must not hold the write lock: downloading and storing bytes. */
export interface IngestContext extends ReadContext {
  readonly files: FileStore;
  /** As the service found it at its start; see `TeamRow`. */
  readonly fileMoves: number;
  /** What the files of a team without a limit of its own may take, in bytes; null for any amount. */
  readonly teamQuota: number | null;
  /** Downloads from a public URL, at most `limit` bytes. */
  readonly fetchSource: (url: string, limit: number) => Promise<Uint8Array>;
}
