/** What the operator sees of the outbox, and does about it: what waits and why, tried again now, or given up. Written to the audit log. */
import { type Admin, findTeam } from '../admin.ts';
import type { Context } from '../context.ts';
import type { OutboxRow } from '../database/tables.ts';
import { isId, newId } from '../records.ts';
import { inTransaction } from '../transaction.ts';
import { keyOf } from './claims.ts';
import { handlers } from './handlers.ts';
import { type OutboxState, stateOf } from './outbox.ts';

export interface OutboxEntry extends Pick<OutboxRow, 'kind' | 'recordId' | 'channel' | 'attempts' | 'error'> {
  /** The team's slug. */
  readonly team: string;
  readonly state: OutboxState;
  /** ISO 8601; null when it is not tried again by itself. Of what is under way, when it is tried again should its process be gone. */
  readonly nextAttemptAt: string | null;
}

/** The outbox holds nothing of this record. */
export class NotInOutbox extends Error {
  override readonly name = 'NotInOutbox';
}

/** A parcel is being handed over: whether it arrives is not known yet. */
export class DeliveryInProgress extends Error {
  override readonly name = 'DeliveryInProgress';
}

type Found = OutboxRow & { slug: string };

/** The longest due first; all teams' unless one is named by slug, id or name. `failed` leaves out what went wrong never. */
export async function listOutbox(admin: Admin, { team, failed = false }: { team?: string; failed?: boolean } = {}): Promise<OutboxEntry[]> {
  const rows = await find(admin, { team });
  return rows.filter(({ error }) => !failed || error !== null).map(infoOf);
}

/** Makes parcels due now, those set aside too: one record's, or without one all that were not taken. Answers how they stand then. */
export async function retryOutbox(admin: Admin, { record, team }: { record?: string; team?: string }): Promise<OutboxEntry[]> {
  const rows = record === undefined ? (await find(admin, { team })).filter(isRetried) : await findRecord(admin, record, team);
  return each(admin, rows, async (context, row) => {
    const values = { claim: null, dueAt: new Date().toISOString() };
    await context.db
      .updateTable('outbox')
      .set(values)
      .where((own) => own.and(keyOf(row)))
      .execute();
    await audit(context, admin, 'outbox.retry', row);
    return { ...row, ...values };
  });
}

/** Gives a record's parcels up: what they are of has failed. Answers how they stood. */
export async function dropFromOutbox(admin: Admin, { record, team }: { record: string; team?: string }): Promise<OutboxEntry[]> {
  return each(admin, await findRecord(admin, record, team), async (context, row) => {
    const { kind, recordId, attempts } = row;
    await handlers[kind].settle(context, recordId, { status: 'failed', error: 'Given up by the operator of the service', attempts });
    await context.db
      .deleteFrom('outbox')
      .where((own) => own.and(keyOf(row)))
      .execute();
    await audit(context, admin, 'outbox.drop', row);
    return row;
  });
}

/** Those that stand as they were found, each in a transaction of its team. */
async function each(admin: Admin, rows: readonly Found[], act: (context: Context, row: Found) => Promise<Found>): Promise<OutboxEntry[]> {
  const done: OutboxEntry[] = [];
  for (const row of rows) {
    const became = await inTransaction(admin, { id: row.teamId }, async (context) => {
      const now = await context.db
        .selectFrom('outbox')
        .selectAll()
        .where((own) => own.and(keyOf(row)))
        .executeTakeFirst();
      return now && stateOf(now) !== 'under_way' ? act(context, { ...now, slug: row.slug }) : undefined;
    });
    if (became) done.push(infoOf(became));
  }
  return done;
}

async function findRecord(admin: Admin, record: string, team: string | undefined): Promise<Found[]> {
  const rows = isId(record) ? await find(admin, { team, record }) : [];
  if (rows.length === 0) throw new NotInOutbox(`No outbox entry for ${record}`);
  if (rows.some((row) => stateOf(row) === 'under_way')) throw new DeliveryInProgress(`${record} is being delivered right now`);
  return rows;
}

async function find(admin: Admin, { team, record }: { team?: string; record?: string }): Promise<Found[]> {
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
  const { slug, kind, recordId, channel, attempts, error, dueAt } = row;
  const state = stateOf(row);
  return { team: slug, kind, recordId, channel, state, attempts, nextAttemptAt: state === 'set_aside' ? null : dueAt, error };
}

async function audit({ db, team, now }: Context, { actor }: Admin, action: string, { kind, recordId, attempts, error }: OutboxRow) {
  const details = { kind, attempts, error };
  await db.insertInto('auditLog').values({ id: newId(), teamId: team.id, at: now, actor, action, subject: recordId, details }).execute();
}
