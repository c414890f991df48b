import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Pool, QueryResult } from 'pg';
import { shareNext } from '../../share-next.ts';
import {
  type ColumnInfo,
  columnsOf,
  type Database,
  type Reads,
  type TeamAccess,
} from '../database.ts';
import { TeamsNotKeptApart } from '../failures.ts';
import { migrate, type Steps } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Tables } from '../tables.ts';
import { WriteQueue } from '../write-queue.ts';
import { createEntrySearch, createFunctions } from './functions.ts';
import {
  createPool,
  defaultLimits,
  isPooled,
  type PoolerMode,
  type PoolLimits,
  splitAddress,
  type Timeouts,
  translateError,
} from './pool.ts';
import {
  createRequestRole,
  enableRowLevelSecurity,
  findRequestRole,
  requireRowLevelSecurity,
  requireTeamId,
} from './row-level-security.ts';
import { ensureTrigrams, postgresSearch } from './search.ts';
import { postgresDialect, type Session, StatementNames } from './sessions.ts';

interface Options {
  readonly limits?: Partial<PoolLimits>;
  readonly pooler?: PoolerMode;
  readonly steps?: Steps;
}

/** Opens a PostgreSQL database and migrates its tables. Throws `TeamsNotKeptApart` when requests could see rows of other teams. */
export async function openPostgres(
  url: string,
  { limits: given, pooler = 'auto', steps = migrations }: Options = {},
): Promise<Database> {
  const limits = { ...defaultLimits, ...given };
  const { address, timeouts: stated } = splitAddress(url);
  const { role, pooled, columns, searchIsIndexed } = await migratePostgres(address, {
    pooler,
    steps,
  });
  const names = pooled ? undefined : new StatementNames();
  const timeouts = {
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    ...stated,
  };
  // The owner's short questions find connections that are set for them, and don't wait for those of requests.
  const ofOwner = Math.max(1, Math.floor(limits.connections / 3));
  const ofRequests = Math.max(1, limits.connections - ofOwner);
  const [ownPool, pool] = [ofOwner, ofRequests].map((connections) =>
    createPool(address, { limits: { ...limits, connections }, pooled }),
  ) as [Pool, Pool];
  const owner = { role: 'none', settings: timeouts, pooled, names };
  const teams = new Map<string, TeamAccess>();
  const read = kyselyOn(ownPool, { ...owner, begin: readOnly });
  return {
    read,
    write: kyselyOn(ownPool, { ...owner, begin: committed }),
    ofTeam(teamId) {
      const access =
        teams.get(teamId) ??
        accessOf(pool, teamSessions(role, teamId, { timeouts, pooled, names }), teamId);
      teams.set(teamId, access);
      return access;
    },
    textOf: (_table, page) =>
      sql`(select string_agg(row_to_json(page.*)::text, ',') from ${page.as('page')})`,
    search: postgresSearch,
    searchIsIndexed,
    columnsOf: columnsOf(columns),
    columns,
    async close() {
      await Promise.all([ownPool.end(), pool.end()]);
    },
  };
}

const kyselyOn = (pool: Pool, session: Session) =>
  new Kysely<Tables>({ dialect: postgresDialect(pool, session) });

const readOnly = 'begin isolation level repeatable read read only';
/** Each statement sees what was committed before it. */
const committed = 'begin isolation level read committed';

/**
 * Stamps are allocated under the team's lock, which a writer keeps until its changes are visible.
 * A list waits for that lock, releases it, and only then takes its snapshot: everything that it doesn't show gets a later stamp than its start.
 * The lock needs a transaction of its own: a snapshot in the same one would be older than the lock, and writers would wait for its end.
 */
function accessOf(
  pool: Pool,
  { reading, writing }: ReturnType<typeof teamSessions>,
  teamId: string,
): TeamAccess {
  const [read, write] = [kyselyOn(pool, reading), kyselyOn(pool, writing)];
  // Without names: planned for their values.
  const planned = kyselyOn(pool, { ...reading, names: undefined });
  // Waiting writes hold no connection, so a busy team leaves some for the others.
  const queue = new WriteQueue(write);
  const awaitWriter = shareNext(() => sql`select await_team(${teamId})`.execute(read));
  const readsOf = (db: Kysely<Tables>): Reads => ({
    async snapshot(task) {
      await awaitWriter(teamId);
      return db.transaction().execute(task);
    },
    async answer(query) {
      await awaitWriter(teamId);
      return (await db.executeQuery(query)).rows;
    },
  });
  return {
    ...readsOf(read),
    read,
    write,
    writeStamped: (task) => queue.add(teamId, task),
    heavy: async () => readsOf(planned),
  };
}

/**
 * The role of requests with a team, whose rows it sees.
 * Writers read what is committed, statement by statement: a snapshot from before the lock would hide the previous writer's changes.
 */
export function teamSessions(
  role: string,
  teamId: string,
  { timeouts, ...options }: Pick<Session, 'pooled' | 'names'> & { readonly timeouts: Timeouts },
): { readonly reading: Session; readonly writing: Session } {
  requireTeamId(teamId);
  const team = { role, settings: { ...timeouts, 'cs.team_id': teamId }, ...options };
  return {
    reading: { ...team, begin: readOnly },
    writing: { ...team, begin: `${committed}; select lock_team('${teamId}')` },
  };
}

interface Migrated extends Pick<Database, 'searchIsIndexed'> {
  /** Of requests. */
  readonly role: string;
  readonly pooled: boolean;
  readonly columns: readonly ColumnInfo[];
}

async function migratePostgres(
  address: string,
  { pooler, steps }: { pooler: PoolerMode; steps: Steps },
): Promise<Migrated> {
  // Steps have no time limit, and a pooler isn't detected yet.
  const pool = createPool(address, { limits: { connections: 1, answerMs: 0 }, pooled: true });
  const session = { begin: 'begin', role: 'none', settings: {}, pooled: true, names: undefined };
  const db = kyselyOn(pool, session);
  try {
    const { noted, place } = await firstAnswer(pool);
    const pooled = pooler === 'transaction' || (await isPooled(address));
    const secured = Object.entries(steps).map(([name, step]) => [name, withRowLevelSecurity(step)]);
    await migrate(db, {
      place: `the database ${place}`,
      noted,
      steps: Object.fromEntries(secured),
    });
    const searchIsIndexed = await ensureTrigrams(db);
    const role = await findRequestRole(db);
    // Without it, requests would run as the owner, who sees every team.
    if (!role)
      throw new TeamsNotKeptApart(
        `The database ${place} has no role for requests that row-level security binds`,
      );
    await requireRowLevelSecurity(db, role);
    return { role, pooled, searchIsIndexed, columns: await describeColumns(db) };
  } finally {
    await pool.end();
  }
}

/** A transaction whose beginning is awaited: a pooler that refuses transactions closes the connection, and a write after that hides its reason. */
async function firstAnswer(pool: Pool): Promise<{ noted: boolean; place: string }> {
  const question = `select to_regclass('kysely_migration') is not null as noted, current_database() as place`;
  const client = await pool.connect().catch(refused);
  try {
    const [, answer] = (await client
      .query(`begin; ${question}`)
      .catch(refused)) as unknown as QueryResult[];
    await client.query('commit').catch(refused);
    return answer?.rows[0];
  } finally {
    client.release();
  }
}

const refused = (error: unknown): never => {
  throw translateError(error);
};

async function describeColumns(db: Kysely<Tables>): Promise<ColumnInfo[]> {
  const { rows } =
    await sql<ColumnInfo>`select c.relname as "table", a.attname as name, a.attgenerated <> '' as "isComputed"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(db);
  return rows;
}

/** A step with the functions that its tables need, and the protection of its tables. */
function withRowLevelSecurity(step: Migration): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const role = (await findRequestRole(db)) ?? (await createRequestRole(db));
      await createFunctions(db);
      await step.up(db);
      await createEntrySearch(db, role);
      await enableRowLevelSecurity(db, role);
    },
  };
}
