/**
 * What is to go out: a message, a send of a campaign, a social post. A row is written in the transaction that makes the thing,
 * and removed in the one that says what became of it, so that a crash in between loses nothing and repeats no more than what was in flight.
 */
import type { Context } from '../context.ts';
import type { Database, Reader } from '../database/database.ts';
import type { OutboxRow } from '../database/tables.ts';

export type OutboxKind = OutboxRow['kind'];
export type Channel = NonNullable<OutboxRow['channel']>;

/** What a transport is given. */
export interface OutboxMessage {
  /** The same whenever the same thing is handed over again, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly channel: Channel;
  /** An e-mail address, a phone number, or an account. */
  readonly to: string;
  /** `address` or `Name <address>`; null for the transport's own. */
  readonly from: string | null;
  readonly subject: string | null;
  /** Plain text. */
  readonly body: string;
}

/** What became of it. `attempts` counts the hand-overs, the last one included. */
export type Outcome =
  | { readonly status: 'sent' | 'delivered'; readonly externalId: string | null; readonly attempts: number }
  | { readonly status: 'failed'; readonly error: string; readonly attempts: number }
  | { readonly status: 'skipped'; readonly reason: string };

/** How things of one kind are read before they go out, and marked afterwards. */
export interface OutboxHandler {
  /**
   * The letter as it is now, since the entry may have waited: `skip` with a reason when it must not go out after all,
   * undefined when it is gone or no longer wanted. Reads only: it runs again for each attempt.
   */
  load(context: Context, recordId: string): Promise<OutboxMessage | { readonly skip: string } | undefined>;
  /** Writes what became of it, in the transaction that closes the entry. May meet a record that was cancelled while it was in flight. */
  settle(context: Context, recordId: string, outcome: Outcome): Promise<void>;
}

interface NewEntry {
  readonly kind: OutboxKind;
  readonly recordId: string;
  /** ISO 8601; at once when left out. */
  readonly notBefore?: string;
}

/** Puts a record into the outbox, as part of the transaction. Again only moves the time; what is in flight is not handed over twice. */
export async function enqueue(context: Context, entry: NewEntry): Promise<void> {
  await enqueueAll(context, [entry]);
}

/** The same of several at once: some hundreds at most, none of them twice. */
export async function enqueueAll(context: Context, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ kind, recordId, notBefore }) => ({
    teamId: context.team.id,
    kind,
    recordId,
    dueAt: notBefore ? new Date(notBefore).toISOString() : context.now,
    channel: null,
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
        // The time of what is in flight is that at which its claim ends.
        dueAt: both.case().when('outbox.claim', 'is', null).then(both.ref('excluded.dueAt')).else(both.ref('outbox.dueAt')).end(),
      })),
    )
    .execute();
  context.afterCommit(async ({ outbox }) => outbox.ring());
}

/** Takes a record out of the outbox. What is in flight at this moment may still arrive, and is then settled, but is not tried again. */
export async function withdraw(context: Context, kind: OutboxKind, recordId: string): Promise<void> {
  await withdrawAll(context, kind, [recordId]);
}

/** The same of several at once: some hundreds at most. */
export async function withdrawAll({ db, team }: Context, kind: OutboxKind, recordIds: readonly string[]): Promise<void> {
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
  const rows = await db.selectFrom('outbox').select('recordId').where('dueAt', '>=', deadLetterFrom).orderBy('recordId').execute();
  return rows.map(({ recordId }) => recordId);
}

/** Ends every claim but those of dead letters. Only for a process that has the database to itself: all claims were left by one that died. */
export async function endClaims({ write }: Database): Promise<void> {
  const now = new Date().toISOString();
  await write.updateTable('outbox').set({ dueAt: now }).where('claim', 'is not', null).where('dueAt', '<', deadLetterFrom).execute();
}
