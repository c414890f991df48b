/** Searches among very many cars, held against a first page; what they do to others; and what the index costs a write. */
import { type Kysely, sql } from 'kysely';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { createKey, createTeam } from '../../src/service/admin.ts';
import type { Place } from '../../src/service/database/open.ts';
import type { Tables } from '../../src/service/database/tables.ts';
import { openStores } from '../../src/service/stores.ts';
import { type Child, startService } from './child.ts';
import { type Compared, type Figure, time } from './figures.ts';
import { drive, type Load } from './load.ts';

interface Options {
  readonly rows: number;
  readonly ms: number;
  readonly say: (what: string) => void;
}

/** Times are of a request alone, in milliseconds, unless stated. */
export async function measureSearch(place: Place, { rows, ms, say }: Options): Promise<Figure[]> {
  const stores = await openStores({ ...place, limits: { statementMs: 0 } });
  const { write } = stores.database;
  const admin = { ...stores, actor: 'bench' };
  const { id: teamId } = await createTeam(admin, { name: 'Large' });
  const { key } = await createKey(admin, {
    team: teamId,
    name: 'bench',
    scopes: scopes as readonly Scope[],
  });
  say(`seeding ${rows.toLocaleString('en')} cars`);
  const seeding = { teamId, rows, isPostgres: place.database !== undefined };
  await seedCars(write, seeding);
  await seedEvents(write, seeding);
  const service = await startService(place);
  const figures: Figure[] = [];
  const compare = (name: string, than: string, compared: Compared, most: number) => {
    figures.push(time(`${name}, to ${than}`, compared, { than, target: { most } }));
    say(`${name}: ${compared.ours.toFixed(1)} ms, ${than} ${compared.other?.toFixed(1)} ms`);
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
    body: (n) => ({
      year: 1999,
      make: 'Porsche',
      model: `911 ${n}`,
      licensePlate: `HH-N ${n}`,
      vin: `N-${n}`,
      nickname: `New ${n}`,
    }),
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
    for (const [what, q] of Object.entries(queries))
      compare(
        `search: ${what}`,
        'a first page',
        { ours: await took(get(`&q=${q}`)), other: first },
        5,
      );
    const hold = await longestHold(service, key, holdsOf(rows, Object.values(queries)));
    figures.push({
      name: 'the longest hold of the event loop by a request',
      ours: hold.ms,
      unit: 'ms',
      target: { below: 50 },
    });
    const searches = drive(
      {
        ...get(''),
        path: (n) => `/api/v1/cars?limit=50&q=${Object.values(queries)[n % 4]}`,
        parallel: 3,
      },
      ms * 2,
    );
    const busy = { ours: 1000 / (await drive(get(''), ms)), other: first };
    compare('a first page while three clients search', 'a quiet one', busy, 3);
    await searches;
    const indexed = await took(create);
    const several = 1000 / (await drive({ ...create, parallel: 8 }, ms));
    await dropTriggers(write, place.database !== undefined);
    const plain = { ours: indexed, other: await took(create) };
    compare('a create with the index', 'one without', plain, 1.5);
    const plainSeveral = 1000 / (await drive({ ...create, parallel: 8 }, ms));
    compare('8 creates with the index', '8 without', { ours: several, other: plainSeveral }, 1.5);
    return figures;
  } finally {
    await service.stop();
    await stores.database.close();
  }
}

/** What a request is asked for: pages near and far, each filter, times, ids, searches, the calendar of a year, readiness. */
function holdsOf(rows: number, queries: readonly string[]): string[] {
  const cars = (query: string) => `/api/v1/cars?limit=200&${query}`;
  const pages = Math.ceil(rows / 200);
  const after = [0.0001, 0.5, 1].map((part) =>
    new Date(firstMs + rows * (1 - part) * 1000).toISOString(),
  );
  const ids = Array.from({ length: 200 }, (_, n) => idOf(1 + Math.floor((n * rows) / 200)));
  const year = 'from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';
  return [
    ...[1, Math.ceil(pages / 2), pages].flatMap((page) => [
      cars(`page=${page}`),
      cars(`page=${page}&status=expected`),
      `/api/v1/marketing/calendar?limit=200&page=${page}&${year}`,
    ]),
    ...[
      'status=archived',
      `customerId=${idOf(1)}`,
      `locationId=${idOf(1)}`,
      'vin=WP0VIN7',
      'licensePlate=HH-X 7',
    ].map(cars),
    ...after.map((at) => cars(`updatedAfter=${at}`)),
    cars(`ids=${ids.join(',')}`),
    ...[...queries, 'h', 'hh', 'x'.repeat(200)].map((q) => cars(`q=${q}`)),
    '/readyz',
  ];
}

/** Of each request the shortest hold of five, since other work of the machine stops the loop as well. */
async function longestHold(
  service: Child,
  key: string,
  paths: readonly string[],
): Promise<{ path: string; ms: number }> {
  const holds = [];
  for (const path of paths) {
    const times = [];
    for (let n = 0; n < 5; n++) {
      await service.longestHold();
      const answer = await fetch(new URL(path, service.url), {
        headers: { authorization: `Bearer ${key}` },
      });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
      times.push(await service.longestHold());
    }
    holds.push({ path: path.slice(0, 100), ms: Math.min(...times) });
  }
  return holds.reduce((one, other) => (other.ms > one.ms ? other : one));
}

interface Seeding {
  readonly teamId: string;
  readonly rows: number;
  readonly isPostgres: boolean;
}

const firstMs = Date.UTC(2025, 0, 1);
const idOf = (n: number): string => `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Of the n-th row, as `idOf` and a second after the one before. */
const idAndTime = (isPostgres: boolean) => ({
  id: isPostgres
    ? sql`cast('01890000-0000-7000-8000-' || lpad(to_hex(n.i), 12, '0') as uuid)`
    : sql`'01890000-0000-7000-8000-' || printf('%012x', n.i)`,
  at: isPostgres
    ? sql`to_char(timestamp '2025-01-01' + n.i * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', ${sql.lit(firstMs / 1000)} + n.i, 'unixepoch')`,
});

/** All of them in one year, for the calendar. */
async function seedEvents(
  db: Kysely<Tables>,
  { teamId, rows, isPostgres }: Seeding,
): Promise<void> {
  const { id, at } = idAndTime(isPostgres);
  await sql`insert into "socialEvents" ("id", "teamId", "title", "startAt", "timezone", "visibility", "status", "counts", "createdAt", "updatedAt")
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
    select ${id}, ${isPostgres ? sql`cast(${teamId} as uuid)` : teamId}, 'Meeting ' || n.i, ${at}, 'UTC', 'public', 'published', '{}', ${at}, ${at} from n`.execute(
    db,
  );
}

async function seedCars(db: Kysely<Tables>, { teamId, rows, isPostgres }: Seeding): Promise<void> {
  const { id, at } = idAndTime(isPostgres);
  const atOnce = 50_000;
  for (let from = 0; from < rows; from += atOnce) {
    await sql`insert into "cars" ("id", "teamId", "year", "make", "model", "licensePlate", "vin", "nickname", "status", "createdAt", "updatedAt")
      with recursive n(i) as (select ${sql.lit(from + 1)} union all select i + 1 from n where i < ${sql.lit(Math.min(from + atOnce, rows))})
      select ${id}, ${isPostgres ? sql`cast(${teamId} as uuid)` : teamId}, 1999, 'Porsche', '911 Carrera ' || (n.i % 40), 'HH-X ' || n.i, 'WP0VIN' || n.i,
        case when n.i % 5 = 0 then 'Silver ' || n.i end, 'expected', ${at}, ${at} from n`.execute(
      db,
    );
  }
  if (isPostgres) await sql`analyze`.execute(db);
}

async function dropTriggers(db: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  for (const verb of ['added', 'changed', 'removed'])
    await sql`drop trigger ${sql.id(`cars_search_${verb}`)} ${isPostgres ? sql`on "cars"` : sql``}`.execute(
      db,
    );
}
