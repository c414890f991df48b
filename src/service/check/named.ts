/** Whether what is named within a list or an object is there: no key of the database holds it. */
import type { Team } from '../context.ts';
import type { Reader } from '../database/open.ts';
import { type AnyRecord, anyTable, findIds } from '../records.ts';
import { idsAt, type Reference, references } from '../references.ts';

/** How many records are read at a time. */
const batch = 500;

/** The places where something is named that is not there: `resource.field id → resource`. */
export async function findNamingNothing(db: Reader, signal: AbortSignal | undefined): Promise<string[]> {
  const wrong: string[] = [];
  for (const reference of references) {
    if (!reference.within) continue;
    const { table, field, inner, target } = reference;
    const place = [table, field, inner].filter(Boolean).join('.');
    for await (const [team, rows] of eachBatch(db, reference)) {
      signal?.throwIfAborted();
      const known = await findIds({ db, team }, target, [...new Set(rows.flatMap((row) => idsAt(row, reference)))]);
      for (const row of rows) if (idsAt(row, reference).some((id) => !known.has(id))) wrong.push(`${place} ${row.id} → ${target}`);
    }
  }
  return wrong;
}

async function* eachBatch(db: Reader, { table, field }: Reference): AsyncGenerator<[team: Team, rows: AnyRecord[]]> {
  const teams = await db.selectFrom('teams').selectAll().execute();
  for (const team of teams) {
    for (let after = ''; ; ) {
      const rows = await anyTable({ db })
        .selectFrom(table as string)
        .select(['id', field])
        .where('teamId', '=', team.id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute();
      if (rows.length > 0) yield [team, rows as AnyRecord[]];
      if (rows.length < batch) break;
      after = rows.at(-1)?.id as string;
    }
  }
}
