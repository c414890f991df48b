import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import {
  type ColumnInfo,
  columnsOf,
  type Database,
  type KeyHolder,
  type RowsText,
  type TeamAccess,
} from '../database.ts';
import { TeamsNotKeptApart } from '../failures.ts';
import type { Holders } from '../holders.ts';
import { migrate, type Steps } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Tables } from '../tables.ts';
import { WriteQueue } from '../write-queue.ts';
import { type Session, StatementNames } from './connection.ts';
import { pipeline, postgresDialect } from './dialect.ts';
import { createEntrySearch, createFunctions, createKeySearch } from './functions.ts';
import {
  createPool,
  defaultLimits,
  isPooled,
  type PoolerMode,
  type PoolLimits,
  splitAddress,
  type Timeouts,
} from './pool.ts';
import {
  createRequestRole,
  enableRowLevelSecurity,
  findRequestRole,
  requireRowLevelSecurity,
  requireTeamId,
} from './row-level-security.ts';
import { ensureTrigrams, postgresSearch } from './search.ts';

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
  const timeouts = {
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    ...stated,
  };
  const options = { timeouts, statementNames: pooled ? undefined : new StatementNames() };
  const pool = createPool(address, { limits, pooled });
  const teams = new Map<string, TeamAccess>();
  const withoutTeam = kyselyOn(pool, noTeamSession(role, options));
  return {
    read: kyselyOn(pool, {
      ...ownerSession('begin isolation level repeatable read read only', options),
      readOnly: true,
    }),
    write: kyselyOn(pool, ownerSession('begin isolation level read committed', options)),
    ofTeam(teamId) {
      const access =
        teams.get(teamId) ?? accessOf(pool, teamSessions(role, teamId, options), teamId);
      teams.set(teamId, access);
      return access;
    },
    asText: (_table, page) =>
      sql<RowsText>`select string_agg(row_to_json(page.*)::text, ',') as text from ${page.as('page')}`.compile(
        withoutTeam,
      ),
    search: postgresSearch,
    searchIsIndexed,
    columnsOf: columnsOf(columns),
    columns,
    async findKey(prefix) {
      const { rows } = await sql<KeyHolder>`select * from find_key(${prefix})`.execute(withoutTeam);
      return rows[0];
    },
    async findHolders<K extends keyof Holders>(kind: K, wanted: string) {
      return (
        await sql<Holders[K]>`select * from ${sql.raw(`find_${kind}`)}(${wanted})`.execute(
          withoutTeam,
        )
      ).rows;
    },
    close: () => pool.end(),
  };
}

const kyselyOn = (pool: Pool, session: Session) =>
  new Kysely<Tables>({ dialect: postgresDialect(pool, session) });

function accessOf(
  pool: Pool,
  { reading, heavyReading, writing }: ReturnType<typeof teamSessions>,
  teamId: string,
): TeamAccess {
  const read = kyselyOn(pool, reading);
  const write = kyselyOn(pool, writing);
  // Waiting writes hold no connection, so a busy team leaves some for the others.
  const queue = new WriteQueue(write);
  const heavy = readsOf(pool, heavyReading);
  return {
    ...readsOf(pool, reading),
    read,
    write,
    writeStamped: (task) => queue.add(teamId, task),
    slowSnapshot: heavy.snapshot,
    heavy: async () => heavy,
  };
}

function readsOf(pool: Pool, session: Session): Pick<TeamAccess, 'snapshot' | 'pipeline'> {
  const db = kyselyOn(pool, session);
  return {
    snapshot: (task) => db.transaction().execute(task),
    pipeline: (queries) => pipeline(pool, session, queries),
  };
}

/**
 * Role, team and time limits are set for one transaction and end with it:
 * behind a pooler, a setting of the session would stay on a connection that others get next.
 */
interface SessionOptions {
  readonly timeouts: Timeouts;
  readonly statementNames: StatementNames | undefined;
}

/** The owner of the tables, who sees every team. */
function ownerSession(begin: string, { timeouts, statementNames }: SessionOptions): Session {
  const text = `${begin}; ${setLocally('none', timeouts)}`;
  return { transaction: text, single: text, statementNames };
}

/** The role of requests (quoted for SQL) without a team: it sees no row. */
export function noTeamSession(role: string, { timeouts, statementNames }: SessionOptions): Session {
  const text = `begin read only; ${setLocally(role, { ...timeouts, 'cs.team_id': '' })}`;
  return { transaction: text, single: text, readOnly: true, statementNames };
}

/**
 * The role of requests with a team, whose rows it sees.
 *
 * Stamps are allocated under the team's lock, which a writer keeps until its changes are visible.
 * A list waits for that lock, releases it, and only then takes its snapshot: everything that it doesn't show gets a later stamp than its start.
 * The lock needs a transaction of its own: a snapshot in the same one would be older than the lock, and writers would wait for its end.
 * Writers read what is committed, statement by statement: a snapshot from before the lock would hide the previous writer's changes.
 */
export function teamSessions(
  role: string,
  teamId: string,
  { timeouts, statementNames }: SessionOptions,
) {
  requireTeamId(teamId);
  const team = setLocally(role, { ...timeouts, 'cs.team_id': teamId });
  const committed = `begin isolation level read committed; ${team}`;
  const writing: Session = {
    transaction: `${committed}; select lock_team('${teamId}')`,
    single: committed,
    statementNames,
  };
  const reading: Session = {
    transaction: `${committed}; select await_team('${teamId}'); commit; begin isolation level repeatable read read only; ${team}`,
    single: `begin isolation level read committed read only; ${team}`,
    readOnly: true,
    statementNames,
  };
  return {
    reading,
    heavyReading: { ...reading, transaction: `${reading.transaction}; ${planForValues}` },
    writing,
  };
}

/**
 * From its sixth run on, a prepared statement may have one plan for all values. That plan reads a whole list for a status that few records have,
 * or for a page in the middle.
 */
const planForValues = 'set local plan_cache_mode = force_custom_plan';

/** Part of a text with several statements, which takes no parameters. The values are numbers and checked ids. */
function setLocally(role: string, settings: Readonly<Record<string, string | number>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  );
  return [
    `set local role ${role}`,
    ...(calls.length > 0 ? [`select ${calls.join(', ')}`] : []),
  ].join('; ');
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
  const db = kyselyOn(pool, ownerSession('begin', { timeouts: {}, statementNames: undefined }));
  try {
    const { rows } = await sql<{
      noted: boolean;
      place: string;
    }>`select to_regclass('kysely_migration') is not null as noted,
      current_database() as place`.execute(db);
    const { noted = false, place = '' } = rows[0] ?? {};
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
      await createKeySearch(db, role);
      await createEntrySearch(db, role);
      await enableRowLevelSecurity(db, role);
    },
  };
}
