/** Searches among very many cars, held against a first page; what they do to others; and what the index costs a write. */
import { type Kysely, sql } from 'kysely';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { createKey, createTeam } from '../../src/service/admin.ts';
import type { Place } from '../../src/service/database/open.ts';
import type { Tables } from '../../src/service/database/tables.ts';
import { openStores } from '../../src/service/stores.ts';
import { startService } from './child.ts';
import { drive, type Load } from './load.ts';
import { markdownTable } from './words.ts';

export interface SearchResult {
  readonly lines: readonly (readonly [what: string, ours: string, other: string, ratio: string, target: string])[];
}

interface Options {
  readonly rows: number;
  readonly ms: number;
  readonly say: (what: string) => void;
}

/** Times are of a request alone, in milliseconds, unless stated. */
export async function measureSearch(place: Place, { rows, ms, say }: Options): Promise<SearchResult> {
  const stores = await openStores({ ...place, limits: { statementMs: 0 } });
  const { write } = stores.database;
  const admin = { ...stores, actor: 'bench' };
  const { id: teamId } = await createTeam(admin, { name: 'Large' });
  const { key } = await createKey(admin, { team: teamId, name: 'bench', scopes: scopes as readonly Scope[] });
  say(`seeding ${rows.toLocaleString('en')} cars`);
  await seedCars(write, { teamId, rows, isPostgres: place.database !== undefined });
  const service = await startService(place);
  const lines: SearchResult['lines'][number][] = [];
  const line = (what: string, ours: number, other: number, most: number, unit = 'ms') => {
    lines.push([what, `${ours.toFixed(1)} ${unit}`, `${other.toFixed(1)} ${unit}`, (ours / other).toFixed(1), `at most ${most}`]);
    say(`  ${lines.at(-1)?.join('  ')}`);
  };
  const get = (query: string): Load => ({
    url: service.url,
    key,
    method: 'GET',
    path: () => `/api/v1/cars?limit=50${query}`,
    status: 200,
    parallel: 1,
  });
  const took = async (load: Load) => {
    await drive(load, ms / 4);
    return 1000 / (await drive(load, ms));
  };
  const create: Load = {
    ...get(''),
    method: 'POST',
    path: () => '/api/v1/cars',
    body: (n) => ({ year: 1999, make: 'Porsche', model: `911 ${n}`, licensePlate: `HH-N ${n}`, vin: `N-${n}`, nickname: `New ${n}` }),
    status: 201,
  };
  try {
    const first = await took(get(''));
    const middle = Math.floor(rows / 2);
    const queries = {
      'an exact plate': `hhx${middle}`,
      'a rare part': `vin${middle}`.slice(1),
      'a common word': 'porsche',
      'what is nowhere': 'zzyzx',
    };
    for (const [what, q] of Object.entries(queries)) line(`q: ${what}, to a first page`, await took(get(`&q=${q}`)), first, 5);
    const searches = drive({ ...get(''), path: (n) => `/api/v1/cars?limit=50&q=${Object.values(queries)[n % 4]}`, parallel: 3 }, ms * 2);
    line('a first page while three clients search, to a quiet one', 1000 / (await drive(get(''), ms)), first, 3);
    await searches;
    const indexed = await took(create);
    const several = 1000 / (await drive({ ...create, parallel: 8 }, ms));
    await dropTriggers(write, place.database !== undefined);
    line('a create with the index, to one without', indexed, await took(create), 1.5);
    line('the same of 8 at once', several, 1000 / (await drive({ ...create, parallel: 8 }, ms)), 1.5);
    return { lines };
  } finally {
    await service.stop();
    await stores.database.close();
  }
}

async function seedCars(
  db: Kysely<Tables>,
  { teamId, rows, isPostgres }: { teamId: string; rows: number; isPostgres: boolean },
): Promise<void> {
  const hex = isPostgres ? sql`lpad(to_hex(n.i), 12, '0')` : sql`printf('%012x', n.i)`;
  const at = isPostgres
    ? sql`to_char(timestamp '2025-01-01' + n.i * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + n.i, 'unixepoch')`;
  const atOnce = 50_000;
  for (let from = 0; from < rows; from += atOnce) {
    await sql`insert into "cars" ("id", "teamId", "year", "make", "model", "licensePlate", "vin", "nickname", "status", "createdAt", "updatedAt")
      with recursive n(i) as (select ${sql.lit(from + 1)} union all select i + 1 from n where i < ${sql.lit(Math.min(from + atOnce, rows))})
      select '01890000-0000-7000-8000-' || ${hex}, ${teamId}, 1999, 'Porsche', '911 Carrera ' || (n.i % 40), 'HH-X ' || n.i, 'WP0VIN' || n.i,
        case when n.i % 5 = 0 then 'Silver ' || n.i end, 'expected', ${at}, ${at} from n`.execute(db);
  }
  if (isPostgres) await sql`analyze`.execute(db);
}

async function dropTriggers(db: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  for (const verb of ['added', 'changed', 'removed'])
    await sql`drop trigger ${sql.id(`cars_search_${verb}`)} ${isPostgres ? sql`on "cars"` : sql``}`.execute(db);
}

export const searchTable = (version: string, { lines }: SearchResult): string =>
  markdownTable([[version, 'ours', 'other', 'ratio', 'target'], ...lines]);
