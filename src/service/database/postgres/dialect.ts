/** Kysely over PostgreSQL: each session has a role and a team. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from '../failures.ts';
import { encode, isAnswer, isOutdatedPlan, translateError } from './pool.ts';

/** Text with several statements takes no parameters: its values are numbers and checked ids. */
export interface Session {
  /** The beginning of a transaction. */
  readonly begin: string;
  /** The role of its statements, quoted for SQL. */
  readonly role: string;
  /** Its team and time limits. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** The connection keeps nothing between transactions: a pooler gives it to others. */
  readonly pooled: boolean;
  /** Statements with a name are planned once for each connection. Undefined where values or connections change. */
  readonly names: StatementNames | undefined;
}

export const postgresDialect = (pool: Pool, session: Session): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => ({
    init: async () => undefined,
    acquireConnection: async () => new Connection(await connect(pool), session),
    beginTransaction: async (connection) => (connection as Connection).begin(),
    commitTransaction: (connection) => (connection as Connection).commit(),
    rollbackTransaction: (connection) => (connection as Connection).rollback(),
    releaseConnection: async (connection) => (connection as Connection).release(),
    // Several sessions share a pool.
    destroy: async () => undefined,
  }),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/** What a connection without a pooler was set to last: most requests find it as they need it. */
const settingsOf = new WeakMap<PoolClient, string>();

/** Each round trip costs latency, so the beginning of a transaction and its first statement are sent together. */
class Connection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #session: Session;
  /** Of a transaction: `wanted` until its first statement. */
  #state: 'none' | 'wanted' | 'open' = 'none';
  /** Its state is unknown: not used again. */
  #broken = false;

  constructor(client: PoolClient, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const alone = this.#state === 'none';
    const before = this.#state === 'open' ? [] : this.#beginning(alone);
    const after = alone && this.#session.pooled ? ['commit'] : [];
    if (!alone) this.#state = 'open';
    const sent = [
      ...before.map((text) => this.#sendOnce(text)),
      this.#send(sql, parameters, alone),
      ...after.map((text) => this.#sendOnce(text)),
    ];
    // When several fail, the first failure caused the others.
    if (sent.length > 1) await Promise.allSettled(sent);
    const { command, rowCount, rows } = (await Promise.all(sent))[before.length] as PgResult;
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, numAffectedRows: changes ? BigInt(rowCount ?? 0) : undefined };
  }

  // biome-ignore lint/correctness/useYield: cursors aren't supported
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Rows aren't streamed");
  }

  begin(): void {
    this.#state = 'wanted';
  }

  async commit(): Promise<void> {
    const begun = this.#state === 'open';
    this.#state = 'none';
    // After a failed statement, PostgreSQL answers a commit with a rollback and no error.
    if (begun && (await this.#sendOnce('commit')).command === 'ROLLBACK')
      throw new Error('The transaction was rolled back: one of its statements failed');
  }

  /** The database rolls a broken connection back itself, once it notices. */
  async rollback(): Promise<void> {
    const begun = this.#state === 'open';
    this.#state = 'none';
    if (begun && !this.#broken)
      await this.#sendOnce('rollback').catch(() => {
        this.#broken = true;
      });
  }

  release(): void {
    this.#client.release(this.#broken || this.#state === 'open');
  }

  /** What comes before a statement that stands alone, or before the first one of a transaction. */
  #beginning(alone: boolean): string[] {
    const { begin, role, settings, pooled } = this.#session;
    const set = (local: boolean) => {
      const calls = Object.entries(settings).map(
        ([name, value]) => `set_config('${name}', '${value}', ${local})`,
      );
      const setRole = `set ${local ? 'local ' : ''}role ${role}`;
      return calls.length > 0 ? `${setRole}; select ${calls.join(', ')}` : setRole;
    };
    if (pooled) return [`${begin}; ${set(true)}`];
    const wanted = set(false);
    const isSet = settingsOf.get(this.#client) === wanted;
    settingsOf.set(this.#client, wanted);
    return [...(isSet ? [] : [wanted]), ...(alone ? [] : [begin])];
  }

  /** A text that the connection is unusable without. */
  async #sendOnce(text: string): Promise<PgResult> {
    try {
      return await this.#client.query(text);
    } catch (error) {
      this.#broken = true;
      throw translateError(error);
    }
  }

  async #send(sql: string, parameters: readonly unknown[], alone: boolean): Promise<PgResult> {
    const { names } = this.#session;
    try {
      return await this.#client.query({
        name: names?.of(sql),
        text: sql,
        values: parameters.map(encode),
      });
    } catch (error) {
      if (!isAnswer(error)) this.#broken = true;
      if (isOutdatedPlan(error)) {
        names?.renew(sql);
        if (alone) return this.#send(sql, parameters, alone);
      }
      throw translateError(error);
    }
  }
}

/** Queries come from code, not from callers, but lists of ids and filters vary in length. */
const maxStatementNames = 500;

/** The names of the prepared statements of one database. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #made = 0;

  /** Undefined for a statement that is planned each time. */
  of(sql: string): string | undefined {
    if (!this.#names.has(sql) && this.#names.size < maxStatementNames) this.renew(sql);
    return this.#names.get(sql);
  }

  /** A newer version changed the tables: the statement is prepared again, under another name. */
  renew(sql: string): void {
    this.#names.set(sql, `s${this.#made++}`);
  }
}
