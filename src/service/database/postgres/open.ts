import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { withLateReferences } from '../columns.ts';
import { TeamsNotKeptApart } from '../failures.ts';
import { knownColumns } from '../known-columns.ts';
import { migrate, type Steps } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Database, KeyHolder, RowsText, TeamAccess } from '../open.ts';
import { ensureTrigrams, postgresSearch } from '../search/postgres-search.ts';
import type { Tables } from '../tables.ts';
import { WriteQueue } from '../write-queue.ts';
import type { Session } from './connection.ts';
import { askAtOnce, postgresDialect } from './dialect.ts';
import { createEntrySearch, createFunctions, createKeySearch } from './functions.ts';
import { createPool, type PoolLimits, splitAddress, standardLimits } from './pool.ts';
import { isPooled, type PoolerMode } from './pooler.ts';
import { noTeamSession, ownerSession, teamSessions } from './sessions.ts';
import { createRequestRole, findRequestRole, raiseWalls, requireWalls } from './walls.ts';

interface Options {
  readonly limits?: Partial<PoolLimits>;
  readonly pooler?: PoolerMode;
  readonly steps?: Steps;
}

/** Opens a PostgreSQL database, and brings its tables up to date. Throws `TeamsNotKeptApart` when requests could see rows of other teams. */
export async function openPostgres(url: string, { limits: given, pooler = 'auto', steps = migrations }: Options = {}): Promise<Database> {
  const limits = { ...standardLimits, ...given };
  const { address, timeouts: stated } = splitAddress(url);
  const { role, pooled, columnsOf, searchIsIndexed } = await migratePostgres(address, { pooler, steps });
  const timeouts = { statement_timeout: limits.statementMs, idle_in_transaction_session_timeout: limits.idleTransactionMs, ...stated };
  const options = { timeouts, plansOnce: !pooled };
  const pool = createPool(address, { limits, pooled });
  const teams = new Map<string, TeamAccess>();
  const anybody = kyselyOn(pool, noTeamSession(role, options));
  return {
    read: kyselyOn(pool, { ...ownerSession('begin isolation level repeatable read read only', options), readOnly: true }),
    write: kyselyOn(pool, ownerSession('begin isolation level read committed', options)),
    ofTeam(teamId) {
      const known = teams.get(teamId) ?? accessOf(pool, teamSessions(role, teamId, options), teamId);
      teams.set(teamId, known);
      return known;
    },
    asText: (_table, page) =>
      sql<RowsText>`select string_agg(row_to_json(page.*)::text, ',') as text from ${page.as('page')}`.compile(anybody),
    search: postgresSearch,
    searchIsIndexed,
    columnsOf,
    async findKey(prefix) {
      const { rows } = await sql<KeyHolder>`select * from find_key(${prefix})`.execute(anybody);
      return rows[0];
    },
    close: () => pool.end(),
  };
}

const kyselyOn = (pool: Pool, session: Session) => new Kysely<Tables>({ dialect: postgresDialect(pool, session) });

function accessOf(pool: Pool, { reading, writing }: ReturnType<typeof teamSessions>, teamId: string): TeamAccess {
  const read = kyselyOn(pool, reading);
  const write = kyselyOn(pool, writing);
  // Waiting writes hold no connection, so a busy team leaves some for the others.
  const queue = new WriteQueue(write);
  const snapshot: TeamAccess['snapshot'] = (task) => read.transaction().execute(task);
  const askAll: TeamAccess['askAtOnce'] = (queries) => askAtOnce(pool, reading, queries);
  return {
    read,
    write,
    writeStamped: (task) => queue.add(teamId, task),
    snapshot,
    slowSnapshot: snapshot,
    heavy: async () => ({ snapshot, askAtOnce: askAll }),
    askAtOnce: askAll,
  };
}

interface Migrated extends Pick<Database, 'columnsOf' | 'searchIsIndexed'> {
  /** Of requests. */
  readonly role: string;
  readonly pooled: boolean;
}

async function migratePostgres(address: string, { pooler, steps }: { pooler: PoolerMode; steps: Steps }): Promise<Migrated> {
  // Steps take as long as they take, and whether a pooler is in between is not known yet.
  const pool = createPool(address, { limits: { connections: 1, answerMs: 0 }, pooled: true });
  const db = kyselyOn(pool, ownerSession('begin', { timeouts: {}, plansOnce: false }));
  try {
    const pooled = pooler === 'transaction' || (await isPooled(pool));
    const { rows } = await sql<{ noted: boolean; place: string }>`select to_regclass('kysely_migration') is not null as noted,
      current_database() as place`.execute(db);
    const { noted = false, place = '' } = rows[0] ?? {};
    const walled = Object.entries(steps).map(([name, step]) => [name, withWalls(step)]);
    await migrate(db, { place: `the database ${place}`, noted, steps: Object.fromEntries(walled) });
    const searchIsIndexed = await ensureTrigrams(db);
    const role = await findRequestRole(db);
    // Without it, requests would be the owner, whom no wall stops.
    if (!role) throw new TeamsNotKeptApart(`The database ${place} has no role for requests that row-level security binds`);
    await requireWalls(db, role);
    return { role, pooled, searchIsIndexed, columnsOf: knownColumns(await describeColumns(db)) };
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
      await createEntrySearch(db, role);
      await raiseWalls(db, role);
    },
  };
}
