/** Ten teams, one of them with a thousand cars and one with very many appointments, put straight into the tables. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import pg from 'pg';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../src/service/admin.ts';
import type { Place } from '../../src/service/database/open.ts';
import type { Tables } from '../../src/service/database/tables.ts';
import { newId } from '../../src/service/records.ts';
import { openStores } from '../../src/service/stores.ts';

export interface SeededTeam {
  readonly id: string;
  readonly key: string;
  readonly carIds: readonly string[];
  readonly zoneIds: readonly string[];
}

export interface Seeded {
  /** A thousand cars and as many appointments. */
  readonly facility: SeededTeam;
  /** Very many appointments. */
  readonly large: SeededTeam;
  /** The appointments of the large team. */
  readonly rows: number;
  /** The `updatedAt` from which on ten of them have changed. */
  readonly recently: string;
}

const teams = 10;

export async function seed(place: Place, rows: number): Promise<Seeded> {
  // A million references take longer to check than a request may.
  const stores = await openStores({ ...place, limits: { statementMs: 0 } });
  const admin: Admin = { ...stores, actor: 'bench' };
  try {
    // Rows come in another order than those of their indexes.
    if (!place.database) await sql`pragma cache_size = -2000000`.execute(stores.database.write);
    const facility = await seedTeam(admin, { name: 'Facility', rows: 1_000, cars: 1_000 });
    const large = await seedTeam(admin, { name: 'Large', rows });
    for (let n = 3; n <= teams; n++)
      await seedTeam(admin, { name: `Team ${n}`, rows: Math.ceil(rows / 100) });
    if (place.database) await vacuum(place.database);
    const latest = await stores.database.read
      .selectFrom('appointments')
      .select('updatedAt')
      .where('teamId', '=', large.id)
      .orderBy('updatedAt', 'desc')
      .limit(10)
      .execute();
    const last = latest.at(-1);
    if (!last) throw new Error('Nothing was seeded');
    return { facility, large, rows, recently: last.updatedAt };
  } finally {
    await stores.database.close();
  }
}

/** What PostgreSQL does by itself sooner or later. */
export async function vacuum(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

interface SeedOptions {
  readonly name: string;
  readonly rows: number;
  /** (default: 500) */
  readonly cars?: number;
  /** Appointments change in the order of their creation (default: rows that are listed together are far apart in the table). */
  readonly inOrder?: boolean;
}

export async function seedTeam(
  admin: Admin,
  { name, rows, cars = 500, inOrder }: SeedOptions,
): Promise<SeededTeam> {
  const { id: teamId } = await createTeam(admin, { name });
  const { key } = await createKey(admin, {
    team: teamId,
    name: 'bench',
    scopes: scopes as readonly Scope[],
  });
  return admin.database.write.transaction().execute(async (db) => {
    const at = timeOf(0, 1);
    const row = (values: object) => ({
      id: newId(),
      teamId,
      ...values,
      createdAt: at,
      updatedAt: at,
    });
    const hall = row({
      isActive: true,
      name: 'Hall',
      timezone: 'UTC',
      address: null,
      phone: null,
      email: null,
      notes: null,
    });
    const zones = [1, 2].map((n) =>
      row({
        locationId: hall.id,
        name: `Zone ${n}`,
        capacity: null,
        isActive: true,
        notes: null,
        occupied: 0,
      }),
    );
    const customers = Array.from({ length: cars }, (_, n) =>
      row({
        firstName: 'Ada',
        lastName: `Lovelace ${n}`,
        status: 'active',
        emailOptOut: false,
        smsOptOut: false,
        tags: '[]',
      }),
    );
    const park = Array.from({ length: cars }, (_, n) =>
      row({
        year: 1973,
        make: 'Porsche',
        model: `911 ${n}`,
        trim: 'Touring',
        color: 'Grand Prix white',
        vin: `9113600${n}`,
        licensePlate: `HH-B ${n}`,
        nickname: `Car ${n}`,
        mileage: 81_000 + n,
        notes: 'Two keys, the second one is in the office.',
        customerId: customers[n]?.id,
        locationId: hall.id,
        status: 'active',
      }),
    );
    for (const [table, made] of Object.entries({
      locations: [hall],
      parkingZones: zones,
      customers,
      cars: park,
    }))
      await insertRows(db, table, made.length, (n) => made[n] as object);
    await insertRows(db, 'appointments', rows, (n) => {
      const updatedAt = timeOf(inOrder ? n : (n * 7_919) % rows, rows);
      const startAt = timeOf(n, rows);
      return {
        id: newId(),
        teamId,
        locationId: hall.id,
        status: n % 3 === 0 ? 'completed' : 'scheduled',
        carId: park[n % cars]?.id,
        customerId: customers[n % cars]?.id,
        startAt,
        endAt: new Date(Date.parse(startAt) + 3_600_000).toISOString(),
        title: `Oil change and inspection, bay ${n % 7}`,
        notes:
          n % 4 === 0
            ? 'Keys are in the box. Says the left rear tyre loses air: "have a look, please".'
            : null,
        createdAt: updatedAt,
        updatedAt,
      };
    });
    return {
      id: teamId,
      key,
      carIds: park.map(({ id }) => id),
      zoneIds: zones.map(({ id }) => id),
    };
  });
}

/** The n-th of so many times, evenly over the year 2025. */
const timeOf = (n: number, of: number): string =>
  new Date(Date.UTC(2025, 0, 1) + Math.floor((n / of) * 365 * 86_400_000)).toISOString();

/** Many rows a statement, compiled once. */
async function insertRows(
  db: Kysely<Tables>,
  table: string,
  count: number,
  make: (n: number) => object,
): Promise<void> {
  const atOnce = 500;
  let text = '';
  for (let done = 0; done < count; done += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, count - done) }, (_, n) => make(done + n));
    if (done === 0 || rows.length < atOnce) {
      const insert = (db as unknown as Kysely<Record<string, object>>)
        .insertInto(table)
        .values(rows);
      text = insert.compile().sql;
    }
    await db.executeQuery(CompiledQuery.raw(text, rows.flatMap(Object.values)));
  }
}
