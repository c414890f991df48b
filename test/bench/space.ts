/** The size of an appointment on disk with its indexes, and in a plain table with the same columns and a primary key. */
import { CompiledQuery } from 'kysely';
import type { Place } from '../../src/service/database/open.ts';
import { openStores } from '../../src/service/stores.ts';
import { seedTeam, vacuum } from './seed.ts';

/** Bytes for each row, indexes included. */
export interface Space {
  readonly ours: number;
  readonly plain: number;
}

const rows = 100_000;

export async function spaceOf(place: Place): Promise<Space> {
  const stores = await openStores({ ...place, limits: { statementMs: 0 } });
  const run = async <R>(text: string) =>
    (await stores.database.write.executeQuery<R>(CompiledQuery.raw(text))).rows;
  const sizeOf = async (table: string): Promise<number> => {
    const size = place.database
      ? `select pg_total_relation_size('${table}')::int8 as bytes`
      : `select sum(pgsize) as bytes from dbstat where name in (select name from sqlite_master where tbl_name = '${table}')`;
    const [found] = await run<{ bytes: number }>(size);
    return Math.round((found?.bytes ?? 0) / rows);
  };
  try {
    await seedTeam({ ...stores, actor: 'bench' }, { name: 'Space', rows, inOrder: true });
    if (place.database) await run(`create table plain (like "appointments", primary key ("id"))`);
    else {
      const [columns] = await run<{ text: string }>(
        `select group_concat('"' || name || '" ' || type) as text from pragma_table_info('appointments')`,
      );
      await run(`create table plain (${columns?.text}, primary key ("id"))`);
    }
    await run('insert into plain select * from "appointments" order by "id"');
    if (place.database) await vacuum(place.database);
    return { ours: await sizeOf('appointments'), plain: await sizeOf('plain') };
  } finally {
    await stores.database.close();
  }
}
