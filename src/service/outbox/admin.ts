/** The operator's view of the outbox: list entries with their errors, retry or drop them. Written to the audit log. */
import { type Admin, findTeam } from '../admin.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import type { OutboxRow } from '../database/tables.ts';
import { isId } from '../records.ts';
import { inTransaction } from '../transaction.ts';
import { keyOf } from './claims.ts';
import { handlersFor } from './handlers.ts';
import { type OutboxState, stateOf } from './outbox.ts';

export interface OutboxEntry extends Pick<OutboxRow, 'kind' | 'recordId' | 'attempts' | 'error'> {
  /** The team's slug. */
  readonly team: string;
  readonly state: OutboxState;
  /** ISO 8601; null for a dead letter. For an entry under way: when it is retried if its process has died. */
  readonly nextAttemptAt: string | null;
}

/** No outbox entry for this record. */
export class NotInOutbox extends Error {
  override readonly name = 'NotInOutbox';
}

/** The entry is being delivered; the outcome isn't known yet. */
export class DeliveryInProgress extends Error {
  override readonly name = 'DeliveryInProgress';
}

type Found = OutboxRow & { slug: string };

/** Longest due first; of all teams, or of one by slug, id or name. `failed`: only entries with an error. */
export async function listOutbox(
  admin: Admin,
  { team, failed = false }: { team?: string; failed?: boolean } = {},
): Promise<OutboxEntry[]> {
  const rows = await find(admin, { team });
  return rows.filter(({ error }) => !failed || error !== null).map(infoOf);
}

/** Makes entries due now, dead letters included: those of one record, or all that failed. Returns their new state. */
export async function retryOutbox(
  admin: Admin,
  { record, team }: { record?: string; team?: string },
): Promise<OutboxEntry[]> {
  const rows =
    record === undefined
      ? (await find(admin, { team })).filter(isRetried)
      : await findRecord(admin, record, team);
  return each(admin, rows, async (context, row) => {
    const values = { claim: null, dueAt: new Date().toISOString() };
    await context.db
      .updateTable('outbox')
      .set(values)
      .where((own) => own.and(keyOf(row)))
      .execute();
    await audit(context, admin.actor, { action: 'outbox.retry', ...about(row) });
    return { ...row, ...values };
  });
}

/** Gives up a record's entries and marks the record as failed. Returns their last state. */
export async function dropFromOutbox(
  admin: Admin,
  { record, team }: { record: string; team?: string },
): Promise<OutboxEntry[]> {
  return each(admin, await findRecord(admin, record, team), async (context, row) => {
    const { kind, recordId, attempts } = row;
    // Nothing is loaded, so no link is made.
    await handlersFor('')[kind].recordOutcome(context, recordId, {
      status: 'failed',
      error: 'Dropped by the operator of the service',
      attempts,
    });
    await context.db
      .deleteFrom('outbox')
      .where((own) => own.and(keyOf(row)))
      .execute();
    await audit(context, admin.actor, { action: 'outbox.drop', ...about(row) });
    return row;
  });
}

/** Acts on entries that aren't under way, each in a transaction of its team. */
async function each(
  admin: Admin,
  rows: readonly Found[],
  act: (context: Context, row: Found) => Promise<Found>,
): Promise<OutboxEntry[]> {
  const done: OutboxEntry[] = [];
  for (const row of rows) {
    const changed = await inTransaction(admin, { id: row.teamId }, async (context) => {
      const now = await context.db
        .selectFrom('outbox')
        .selectAll()
        .where((own) => own.and(keyOf(row)))
        .executeTakeFirst();
      return now && stateOf(now) !== 'under_way'
        ? act(context, { ...now, slug: row.slug })
        : undefined;
    });
    if (changed) done.push(infoOf(changed));
  }
  return done;
}

async function findRecord(
  admin: Admin,
  record: string,
  team: string | undefined,
): Promise<Found[]> {
  const rows = isId(record) ? await find(admin, { team, record }) : [];
  if (rows.length === 0) throw new NotInOutbox(`No outbox entry for ${record}`);
  if (rows.some((row) => stateOf(row) === 'under_way'))
    throw new DeliveryInProgress(`${record} is being delivered right now`);
  return rows;
}

async function find(
  admin: Admin,
  { team, record }: { team?: string; record?: string },
): Promise<Found[]> {
  const of = team === undefined ? undefined : await findTeam(admin, team);
  return admin.database.read
    .selectFrom('outbox')
    .innerJoin('teams', 'teams.id', 'outbox.teamId')
    .selectAll('outbox')
    .select('teams.slug')
    .$if(of !== undefined, (query) => query.where('outbox.teamId', '=', of?.id ?? ''))
    .$if(record !== undefined, (query) => query.where('outbox.recordId', '=', record ?? ''))
    .orderBy('outbox.dueAt')
    .orderBy('outbox.recordId')
    .execute();
}

const isRetried = (row: OutboxRow): boolean => ['retrying', 'set_aside'].includes(stateOf(row));

function infoOf(row: Found): OutboxEntry {
  const { slug, kind, recordId, attempts, error, dueAt } = row;
  const state = stateOf(row);
  return {
    team: slug,
    kind,
    recordId,
    state,
    attempts,
    nextAttemptAt: state === 'set_aside' ? null : dueAt,
    error,
  };
}

const about = ({ kind, recordId, attempts, error }: OutboxRow) => ({
  subject: recordId,
  details: { kind, attempts, error },
});
