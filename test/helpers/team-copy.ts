/** Copies of a team, on SQLite: several times as fast as creating its records through the interface. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findTeam } from '../../src/service/admin.ts';
import { newId } from '../../src/service/records.ts';
import type { TestService } from './service.ts';

/** Kept by triggers, or about the team itself. */
const notCopied: ReadonlySet<string> = new Set([
  'recordCounts',
  'searchScopes',
  'apiKeys',
  'auditLog',
  'receipts',
]);

/** Copies a team's records, with the same ids, and its files into a new team. Its keys aren't copied. */
export async function copyTeam(
  { admin, data }: Pick<TestService, 'admin' | 'data'>,
  from: string,
  slug: string,
): Promise<void> {
  const original = await findTeam(admin, from);
  const id = newId();
  await admin.database.write.transaction().execute(async (db) => {
    await db
      .insertInto('teams')
      .values({ ...original, id, slug })
      .execute();
    const { rows: columns } = await sql<{
      table: string;
      name: string;
    }>`select m.name as "table", c.name
      from sqlite_schema m join pragma_table_xinfo(m.name) c where m.type = 'table' and c.hidden = 0`.execute(
      db,
    );
    for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
      if (notCopied.has(table) || !own.some(({ name }) => name === 'teamId')) continue;
      const values = own.map(({ name }) => (name === 'teamId' ? sql.val(id) : sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${sql.join(own.map(({ name }) => sql.ref(name)))})
        select ${sql.join(values)} from ${sql.table(table)} where "teamId" = ${original.id}`.execute(
        db,
      );
    }
  });
  await admin.database.write
    .updateTable('storedBytes')
    .set({ key: sql<string>`${id} || substr("key", 37)` })
    .where('teamId', '=', id)
    .execute();
  const files = join(data, 'files', original.id);
  if (existsSync(files)) cpSync(files, join(data, 'files', id), { recursive: true });
}
