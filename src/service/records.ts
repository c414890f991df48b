/** Reads and writes whole records of any table. The only file that takes table and column names from values. */
import { randomFillSync } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Context, ReadContext } from './context.ts';
import type { TableSpec } from './database/create-tables.ts';
import type { Reader } from './database/database.ts';
import { cachedQuery } from './database/query-cache.ts';
import type { RecordTable, Tables } from './database/tables.ts';

export type Row = Record<string, unknown>;
/** A record of a resource known only at run time. */
export type AnyRecord = Row & { id: string; createdAt: string; updatedAt: string };
type AnyTables = Record<string, AnyRecord>;

/** Of the team alone. */
export type OfTeam = Pick<ReadContext, 'db'> & { readonly team: { readonly id: string } };

/** The one cast of this file: the name of the table is known to callers. */
export const anyTable = (context: Pick<ReadContext, 'db'>): Kysely<AnyTables> =>
  context.db as unknown as Kysely<AnyTables>;

/** Random bytes for 256 ids: one call for each id would cost more than making the id. */
const random = Buffer.alloc(4096);
let taken = random.length;
let lastTime = 0;
let sequence = 0;

/** Increases within the process, also within a millisecond. */
export function newId(): string {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const own = random.subarray(taken, taken + 16);
  taken += 16;
  const now = Date.now();
  // Starts in the lower quarter, so that it can't overflow within a millisecond.
  sequence = now > lastTime ? own.readUInt32BE() >>> 2 : sequence + 1;
  lastTime = Math.max(now, lastTime);
  return uuid({ random: own, msecs: lastTime, seq: sequence });
}

/** A malformed id matches nothing; PostgreSQL would refuse the query. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The team's record with this id. */
export async function find<N extends RecordTable>(
  context: OfTeam,
  name: N,
  id: string,
): Promise<Tables[N] | undefined> {
  if (!isId(id)) return undefined;
  const db = anyTable(context);
  const own = (tables: typeof db) =>
    tables
      .selectFrom(name as string)
      .selectAll()
      .where('teamId', '=', '')
      .where('id', '=', '')
      .compile();
  const { rows } = await db.executeQuery(
    cachedQuery(db, `find ${name}`, own, [context.team.id, id]),
  );
  return rows[0] as Tables[N] | undefined;
}

/** A record that another one, or a checked body, names. */
export async function findOrThrow<N extends RecordTable>(
  context: OfTeam,
  name: N,
  id: string,
): Promise<Tables[N]> {
  const record = await find(context, name, id);
  if (!record) throw new Error(`${name} ${id} is missing`);
  return record;
}

/** A record of the team with these values. */
export async function findBy<N extends RecordTable>(
  context: OfTeam,
  name: N,
  values: Partial<Tables[N]>,
) {
  return (await withValues(context, name, values).executeTakeFirst()) as unknown as
    | Tables[N]
    | undefined;
}

/** All records of the team with these values, in ascending order, and of equal ones by id. */
export async function listBy<N extends RecordTable>(
  context: OfTeam,
  name: N,
  values: Partial<Tables[N]>,
  order: keyof Tables[N] & string,
): Promise<Tables[N][]> {
  return (await withValues(context, name, values)
    .orderBy(order)
    .orderBy('id')
    .execute()) as unknown as Tables[N][];
}

function withValues(context: OfTeam, name: string, values: Row) {
  let query = anyTable(context).selectFrom(name).selectAll().where('teamId', '=', context.team.id);
  for (const [field, value] of Object.entries(values))
    query = query.where(field, value === null ? 'is' : '=', value);
  return query;
}

/** The ids that the team has records with. */
export async function findIds(
  context: OfTeam,
  name: string,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = wanted.filter(isId);
  if (ids.length === 0) return new Set();
  const db = anyTable(context);
  const own = (tables: typeof db) =>
    tables.selectFrom(name).select('id').where('teamId', '=', '').where('id', 'in', ids).compile();
  const { rows } = await db.executeQuery(
    cachedQuery(db, `find ${ids.length} ids of ${name}`, own, [context.team.id, ...ids]),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Inserts a record; omitted fields are null. Where all columns are known, the record isn't read back. */
export async function insert<N extends RecordTable>(
  context: Context,
  name: N,
  values: Partial<Tables[N]>,
): Promise<Tables[N]> {
  const row: Row = {
    id: newId(),
    ...values,
    teamId: context.team.id,
    createdAt: context.now,
    updatedAt: context.stamp,
  };
  const db = anyTable(context);
  const columns = context.columnsOf(name);
  if (!columns) {
    const into = db.insertInto(name as string).values(row as AnyRecord);
    return (await into.returningAll().executeTakeFirstOrThrow()) as unknown as Tables[N];
  }
  const record: Row = {};
  for (const column of columns) record[column] = row[column] ?? null;
  for (const field of Object.keys(row))
    if (!(field in record)) throw new Error(`${name} has no column ${field}`);
  const into = (tables: typeof db) =>
    tables
      .insertInto(name as string)
      .values(record as AnyRecord)
      .compile();
  await db.executeQuery(cachedQuery(db, `insert into ${name}`, into, Object.values(record)));
  return record as Tables[N];
}

/** Updates a record; without a change it keeps its `updatedAt`. */
export async function change<N extends RecordTable>(
  context: Context,
  name: N,
  record: Tables[N],
  values: Partial<Tables[N]>,
): Promise<Tables[N]> {
  const before = record as Row;
  const changed = Object.entries(values).filter(
    ([field, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return changed.length === 0
    ? record
    : write(context, name, before.id as string, Object.fromEntries(changed));
}

export async function remove(context: Context, name: RecordTable, id: string): Promise<void> {
  await removeBy(context, name, { id } as Partial<Tables[typeof name]>);
}

/** Removes the team's records with these values. Returns how many. */
export async function removeBy<N extends RecordTable>(
  context: Context,
  name: N,
  values: Partial<Tables[N]>,
): Promise<number> {
  let query = anyTable(context)
    .deleteFrom(name as string)
    .where('teamId', '=', context.team.id);
  for (const [field, value] of Object.entries(values)) query = query.where(field, '=', value);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

async function write<N extends RecordTable>(
  context: Context,
  name: N,
  id: string,
  values: Row,
): Promise<Tables[N]> {
  const stored = await anyTable(context)
    .updateTable(name as string)
    .set({ ...values, updatedAt: context.stamp })
    .where('teamId', '=', context.team.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return stored as unknown as Tables[N];
}

/** Rows per statement. */
const batch = 200;

/** All rows of a table, in the order of its primary key, which is among the columns. */
export async function* eachBatch(
  from: Reader,
  { name, primaryKey }: Pick<TableSpec, 'name' | 'primaryKey'>,
  columns: readonly string[],
): AsyncGenerator<AnyRecord[]> {
  const key = sql`(${sql.join(primaryKey.map((column) => sql.ref(column)))})`;
  let query = anyTable({ db: from }).selectFrom(name).select(columns).limit(batch);
  for (const column of primaryKey) query = query.orderBy(column);
  for (let after: AnyRecord | undefined; ; ) {
    const last = after;
    const page = last
      ? query.where(key, '>', sql`(${sql.join(primaryKey.map((column) => last[column]))})`)
      : query;
    const rows = (await page.execute()) as AnyRecord[];
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    after = rows.at(-1);
  }
}
