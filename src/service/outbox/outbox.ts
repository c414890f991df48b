/**
 * E-mails to send: messages, campaign sends and links. An entry is written in the transaction that creates its record, and deleted
 * in the one that records the outcome, so a crash loses nothing and repeats only what was in flight.
 */
import type { Context } from '../context.ts';
import type { Database, Reader } from '../database/database.ts';
import type { OutboxRow } from '../database/tables.ts';

export type OutboxKind = OutboxRow['kind'];

/** What a transport delivers. */
export interface OutboxMessage {
  /** The same for each try, so that a receiver can recognise a repeat. */
  readonly id: string;
  /** An e-mail address. */
  readonly to: string;
  /** `address` or `Name <address>`; null for the transport's default. */
  readonly from: string | null;
  readonly subject: string | null;
  /** Plain text. */
  readonly body: string;
}

/** The outcome. `attempts` includes the last one. */
export type Outcome =
  | {
      readonly status: 'sent' | 'delivered';
      readonly externalId: string | null;
      readonly attempts: number;
    }
  | { readonly status: 'failed'; readonly error: string; readonly attempts: number }
  | { readonly status: 'skipped'; readonly reason: string };

/** Reads records of one kind before delivery, and updates them afterwards. */
export interface OutboxHandler {
  /**
   * The current message, since the entry may have waited. `skip` with a reason if it must not be sent; undefined if the record is
   * gone or no longer wanted. Read-only: runs again for each try.
   */
  load(
    context: Context,
    recordId: string,
  ): Promise<OutboxMessage | { readonly skip: string } | undefined>;
  /** Records the outcome, in the transaction that closes the entry. The record may have been cancelled while it was in flight. */
  recordOutcome(context: Context, recordId: string, outcome: Outcome): Promise<void>;
}

interface NewEntry {
  readonly kind: OutboxKind;
  readonly recordId: string;
  /** ISO 8601 (default: now). */
  readonly notBefore?: string;
}

/** Adds a record to the outbox, in the same transaction. Repeated, it only changes the time; a message in flight isn't sent twice. */
export async function enqueue(context: Context, entry: NewEntry): Promise<void> {
  await enqueueAll(context, [entry]);
}

/** For several hundred distinct records at most. */
export async function enqueueAll(context: Context, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ kind, recordId, notBefore }) => ({
    teamId: context.team.id,
    kind,
    recordId,
    dueAt: notBefore ? new Date(notBefore).toISOString() : context.now,
    claim: null,
    withdrawn: false,
    attempts: 0,
    error: null,
  }));
  await context.db
    .insertInto('outbox')
    .values(rows)
    .onConflict((row) =>
      row.columns(['teamId', 'kind', 'recordId']).doUpdateSet((both) => ({
        withdrawn: false,
        // For an entry in flight, the time is the end of its claim.
        dueAt: both
          .case()
          .when('outbox.claim', 'is', null)
          .then(both.ref('excluded.dueAt'))
          .else(both.ref('outbox.dueAt'))
          .end(),
      })),
    )
    .execute();
  context.afterCommit(async ({ outbox }) => outbox.notify());
}

/**
 * Removes records from the outbox, several hundred at most. A message in flight may still arrive; its outcome is recorded, but it isn't
 * retried.
 */
export async function withdrawAll(
  { db, team }: Context,
  kind: OutboxKind,
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return;
  await db
    .deleteFrom('outbox')
    .where((row) => row.and({ teamId: team.id, kind }))
    .where('recordId', 'in', recordIds)
    .where('claim', 'is', null)
    .execute();
  await db
    .updateTable('outbox')
    .set({ withdrawn: true })
    .where((row) => row.and({ teamId: team.id, kind }))
    .where('recordId', 'in', recordIds)
    .execute();
}

/**
 * How an entry stands. `queued`: not tried yet. `retrying`: tried, and not taken. `under_way`: in flight, or left behind by a process that died.
 * `set_aside`: a dead letter, delivered without a record of it, so it is only tried again when the operator says so.
 * All of them are waiting: an entry leaves the outbox when its outcome is recorded.
 */
export type OutboxState = 'queued' | 'retrying' | 'under_way' | 'set_aside';

/** Entries due from this time on are dead letters. */
const deadLetterFrom = '9998';
export const deadLetterDueAt = '9998-12-31T23:59:59.999Z';

export function stateOf({ claim, dueAt, error }: OutboxRow): OutboxState {
  if (dueAt >= deadLetterFrom) return 'set_aside';
  if (claim !== null && dueAt > new Date().toISOString()) return 'under_way';
  return error === null ? 'queued' : 'retrying';
}

export async function countWaiting(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select((all) => all.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findDeadLetters(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('recordId')
    .where('dueAt', '>=', deadLetterFrom)
    .orderBy('recordId')
    .execute();
  return rows.map(({ recordId }) => recordId);
}

/** Ends every claim but those of dead letters. Only for a process that has the database to itself: all claims were left by one that died. */
export async function endClaims({ write }: Database): Promise<void> {
  const now = new Date().toISOString();
  await write
    .updateTable('outbox')
    .set({ dueAt: now })
    .where('claim', 'is not', null)
    .where('dueAt', '<', deadLetterFrom)
    .execute();
}
