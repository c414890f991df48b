import { type CompiledQuery, Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { withLateReferences } from '../columns.ts';
import { knownColumns } from '../known-columns.ts';
import { migrate, type Steps } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Database, KeyHolder, RowsText, TeamAccess } from '../open.ts';
import type { Tables } from '../tables.ts';
import { makeTogether } from '../together.ts';
import type { Session } from './connection.ts';
import { askAtOnce, postgresDialect } from './dialect.ts';
import { createFunctions, createKeySearch } from './functions.ts';
import { jsonRows } from './json-rows.ts';
import { createPool, type PoolLimits, standardLimits } from './pool.ts';
import { shareAnswers } from './sharing.ts';
import { makeTurns, type Turns } from './turns.ts';
import { createRequestRole, findRequestRole, nameTeam, raiseWalls } from './walls.ts';

interface Options {
  readonly limits?: Partial<PoolLimits>;
  readonly steps?: Steps;
}

/** Opens a PostgreSQL database, and brings its tables up to date. */
export async function openPostgres(url: string, { limits, steps = migrations }: Options = {}): Promise<Database> {
  const { role, columnsOf } = await migratePostgres(url, steps);
  const pool = createPool(url, { limits, role });
  const turns = makeTurns({ ...standardLimits, ...limits }.statementMs);
  const teams = new Map<string, TeamAccess>();
  const anybody = kyselyOn(pool, { transaction: 'begin read only', readOnly: true });
  return {
    read: kyselyOn(pool, { ...owner('begin isolation level repeatable read read only'), readOnly: true }),
    write: kyselyOn(pool, owner('begin isolation level read committed')),
    ofTeam(teamId) {
      const known = teams.get(teamId) ?? accessOf(pool, turns, teamId);
      teams.set(teamId, known);
      return known;
    },
    // PostgreSQL takes longer to write JSON than rows take to become JSON on their way here.
    asText: (_table, page) => page.select(sql<null>`null`.as(jsonRows)).compile() as CompiledQuery<RowsText>,
    columnsOf,
    findKey: shareAnswers(async (prefix) => {
      const { rows } = await sql<KeyHolder>`select * from find_key(${prefix})`.execute(anybody);
      return rows[0];
    }),
    close: () => pool.end(),
  };
}

const kyselyOn = (pool: Pool, session: Session) => new Kysely<Tables>({ dialect: postgresDialect(pool, session) });

/** Connections are those of requests; the owner is who signed in. */
function owner(begin: string): Session {
  const text = `${begin}; set local role none`;
  return { transaction: text, single: text };
}

/**
 * Stamps are made under the team's lock, which a writer keeps until its changes can be seen.
 * A list waits for that lock and lets go of it again, and only then takes its snapshot: what it does not show is stamped later than it began.
 * Not within its own transaction, whose snapshot would be older than the lock; and writers need not wait for it to end.
 * Writers read what is committed, statement by statement, since a snapshot from before the lock would hide their predecessor's work from them.
 */
function accessOf(pool: Pool, turns: Turns, teamId: string): TeamAccess {
  const team = nameTeam(teamId);
  const { write, togetherOf } = makeTogether(
    postgresDialect(pool, {
      transaction: `begin isolation level read committed; ${team}; select lock_team('${teamId}')`,
      single: `begin isolation level read committed; ${team}`,
      // Those who wait here do so without a connection, so that a busy team leaves some for the others.
      turn: () => turns(teamId),
    }),
  );
  const reading: Session = {
    transaction: `begin; select await_team('${teamId}'); commit; begin isolation level repeatable read read only; ${team}`,
    single: `begin isolation level read committed read only; ${team}`,
    readOnly: true,
  };
  const read = kyselyOn(pool, reading);
  return {
    read,
    write,
    together: togetherOf(teamId),
    snapshot: (task) => read.transaction().execute(task),
    askAtOnce: (queries) => askAtOnce(pool, reading, queries),
  };
}

/** Resolves with the role of requests, and with the columns that there are. */
async function migratePostgres(url: string, steps: Steps): Promise<Pick<Database, 'columnsOf'> & { role: string }> {
  const pool = createPool(url, { limits: { connections: 1, statementMs: 0 } });
  const db = kyselyOn(pool, { transaction: 'begin' });
  try {
    const { rows } = await sql<{ noted: boolean; place: string }>`select to_regclass('kysely_migration') is not null as noted,
      current_database() as place`.execute(db);
    const { noted = false, place = '' } = rows[0] ?? {};
    const walled = Object.entries(steps).map(([name, step]) => [name, withWalls(step)]);
    await migrate(db, { place: `the database ${place}`, noted, steps: Object.fromEntries(walled) });
    const role = await findRequestRole(db);
    // Without it, requests would be the owner, whom no wall stops.
    if (!role) throw new Error(`The tables of the database ${place} are not walled`);
    return { role, columnsOf: knownColumns(await describeColumns(db)) };
  } finally {
    await pool.end();
  }
}

async function describeColumns(db: Kysely<Tables>) {
  const { rows } = await sql<{
    table: string;
    name: string;
    computed: boolean;
  }>`select c.relname as "table", a.attname as name, a.attgenerated <> '' as computed
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db);
  return rows;
}

/** A step and what PostgreSQL needs besides. */
function withWalls(step: Migration): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const role = (await findRequestRole(db)) ?? (await createRequestRole(db));
      await createFunctions(db);
      await withLateReferences(db, () => step.up(db));
      await createKeySearch(db, role);
      await raiseWalls(db, role);
    },
  };
}
