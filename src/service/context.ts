import type { Transaction } from 'kysely';
import type { Scope } from '../contract/scopes.ts';
import type { Database, Reader } from './database/database.ts';
import type { Tables } from './database/tables.ts';
import type { FileStore } from './files/store.ts';
import type { Notifier } from './outbox/notifier.ts';

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** IANA name; the default of the team's locations. */
  readonly timezone: string;
}

/** Who asks: a key that was accepted. */
export interface Caller {
  readonly team: Team;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: string | null;
}

/** What a read sees. */
export interface ReadContext {
  readonly db: Reader;
  readonly team: Team;
}

/** What a rule works with: one transaction of one team, and its two times. */
export interface Context extends ReadContext, Pick<Database, 'columnsOf'> {
  readonly db: Transaction<Tables>;
  /** ISO 8601, UTC, milliseconds: what the clock says. Every moment that people read, such as `createdAt` and `occurredAt`. */
  readonly now: string;
  /** The `updatedAt` of everything written: later than every earlier stamp of the team, whatever the clock does. Nothing else is set to it. */
  readonly stamp: string;
  /** Runs once the transaction is on disk; what it does may be lost in a crash, so it must only tidy up. */
  afterCommit(task: (after: AfterCommit) => Promise<void>): void;
}

export interface AfterCommit {
  readonly files: FileStore;
  readonly outbox: Notifier;
  readonly campaigns: Notifier;
  /** Another transaction of the same team. */
  write<T>(task: (context: Context) => Promise<T>): Promise<T>;
}

/** What happens before the transaction, because it is slow and must not hold the write lock: bytes are fetched and put on disk. */
export interface IngestContext extends ReadContext {
  readonly files: FileStore;
  /** The bytes behind a public address, at most `limit` of them. */
  readonly fetchSource: (url: string, limit: number) => Promise<Uint8Array>;
}
