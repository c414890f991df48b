/** How the worker moves outbox entries: claim, retry, close. */
import type { Context } from '../context.ts';
import type { Reader } from '../database/database.ts';
import type { OutboxRow } from '../database/tables.ts';
import { newId } from '../records.ts';
import type { Stores } from '../stores.ts';
import { inTransaction } from '../transaction.ts';
import {
  deadLetterDueAt,
  type OutboxHandler,
  type OutboxKind,
  type OutboxMessage,
  type Outcome,
} from './outbox.ts';
import { publicReason, type TransportError } from './transport.ts';

export type Handlers = Readonly<Record<OutboxKind, OutboxHandler>>;

/** An entry in flight: no other worker takes it until its claim ends. */
export interface Claimed {
  readonly row: OutboxRow;
  readonly message: OutboxMessage;
}

/** Somebody waits for a link; personal messages come before campaigns. */
const kinds: readonly OutboxKind[] = ['adminLink', 'message', 'send'];

/** One due entry per team, of the first kind that has any. */
export async function dueEntries(db: Reader): Promise<OutboxRow[]> {
  const now = new Date().toISOString();
  for (const kind of kinds) {
    const rows = await db
      .selectFrom('teams')
      .innerJoin('outbox', 'outbox.teamId', 'teams.id')
      .selectAll('outbox')
      .where('outbox.kind', '=', kind)
      .where('outbox.recordId', '=', (outer) =>
        outer
          .selectFrom('outbox as due')
          .select('due.recordId')
          .whereRef('due.teamId', '=', 'teams.id')
          .where('due.kind', '=', kind)
          .where('due.dueAt', '<=', now)
          // The order of the primary key, which is creation order: finds the first entry without scanning a large campaign.
          .orderBy('due.recordId')
          .limit(1),
      )
      .execute();
    if (rows.length > 0) return rows;
  }
  return [];
}

/** The entry due first, of any team; it may be due in the future. */
export const nextEntry = (db: Reader): Promise<OutboxRow | undefined> =>
  db.selectFrom('outbox').selectAll().orderBy('dueAt').limit(1).executeTakeFirst();

/** Claims an entry, unless another process was faster or there is nothing to send. Committed before the delivery. */
export async function claim(
  stores: Stores,
  seen: OutboxRow,
  { handlers, leaseMs }: { handlers: Handlers; leaseMs: number },
): Promise<Claimed | undefined> {
  return inTransaction(stores, { id: seen.teamId }, async (context) => {
    const row = await context.db
      .updateTable('outbox')
      .set({ claim: newId(), dueAt: inFuture(leaseMs), attempts: seen.attempts + 1 })
      .where((own) => own.and(keyOf(seen)))
      // Every claim changes the time, so only one of several workers succeeds.
      .where('dueAt', '=', seen.dueAt)
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const handler = handlers[row.kind];
    const message = row.withdrawn ? undefined : await handler.load(context, row.recordId);
    if (!message || 'skip' in message) {
      if (message)
        await handler.recordOutcome(context, row.recordId, {
          status: 'skipped',
          reason: message.skip,
        });
      await drop(context, row);
      return undefined;
    }
    return { row, message };
  });
}

export type DeliveryResult = { readonly externalId: string | null } | TransportError;

/** Records the result of a delivery: closed, or due for a retry. Undefined if the claim ended and another process has the entry. */
export async function close(
  stores: Stores,
  { row }: Claimed,
  result: DeliveryResult,
  {
    handlers,
    retryAfterMs,
  }: { handlers: Handlers; retryAfterMs: (attempts: number) => number | undefined },
): Promise<Outcome['status'] | 'retrying' | 'withdrawn' | undefined> {
  return inTransaction(stores, { id: row.teamId }, async (context) => {
    const own = await context.db
      .selectFrom('outbox')
      .selectAll()
      .where((own) => own.and({ ...keyOf(row), claim: row.claim }))
      .executeTakeFirst();
    if (!own) return undefined;
    const { attempts } = own;
    if (result instanceof Error && !result.permanent) {
      if (own.withdrawn) {
        await drop(context, own);
        return 'withdrawn';
      }
      const wait = retryAfterMs(attempts);
      if (wait !== undefined) {
        await put(context, own, { claim: null, dueAt: inFuture(wait), error: result.message });
        return 'retrying';
      }
    }
    const outcome: Outcome =
      result instanceof Error
        ? { status: 'failed', error: publicReason(result), attempts }
        : { status: 'sent', externalId: result.externalId, attempts };
    await handlers[own.kind].recordOutcome(context, own.recordId, outcome);
    await drop(context, own);
    return outcome.status;
  });
}

/** Delays an entry that couldn't be read, unless another process took it meanwhile. */
export async function postpone(stores: Stores, seen: OutboxRow, ms: number): Promise<void> {
  await inTransaction(stores, { id: seen.teamId }, async ({ db }) => {
    await db
      .updateTable('outbox')
      .set({ dueAt: inFuture(ms), attempts: seen.attempts + 1 })
      .where((own) => own.and({ ...keyOf(seen), dueAt: seen.dueAt, attempts: seen.attempts }))
      .execute();
  });
}

/**
 * Takes an entry out of circulation: it was delivered, but that couldn't be recorded, and twice would be worse than never. If the
 * claim has ended, the next owner keeps it.
 */
export async function deadLetter(stores: Stores, row: OutboxRow, error: string): Promise<void> {
  await inTransaction(stores, { id: row.teamId }, async ({ db }) => {
    await db
      .updateTable('outbox')
      .set({ dueAt: deadLetterDueAt, error })
      .where((own) => own.and({ ...keyOf(row), claim: row.claim }))
      .execute();
  });
}

export const keyOf = ({ teamId, kind, recordId }: OutboxRow) => ({ teamId, kind, recordId });
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString();

async function put({ db }: Context, row: OutboxRow, values: Partial<OutboxRow>): Promise<void> {
  await db
    .updateTable('outbox')
    .set(values)
    .where((own) => own.and(keyOf(row)))
    .execute();
}

async function drop({ db }: Context, row: OutboxRow): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where((own) => own.and(keyOf(row)))
    .execute();
}
