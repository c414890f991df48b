/** One connection of the pool, with the begin and end of each transaction. */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';
import { encode, isAnswer, isOutdatedPlan, isTimeout, translateError } from './pool.ts';

/** The SQL that begins transactions; it may contain several statements. */
export interface Session {
  readonly transaction: string;
  /** The same for a single statement. */
  readonly single: string;
  /** Changes nothing, so a transaction can be sent at once, and again on another connection. */
  readonly readOnly?: true;
  /** Statements with a name are planned once per connection. Undefined behind a pooler: another connection could get the name. */
  readonly statementNames: StatementNames | undefined;
}

export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/**
 * Each round trip to the database costs latency. So the beginning of a transaction and its first statement are sent together,
 * and so are independent queries. The driver pipelines them; every answer is awaited.
 */
export class Connection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #session: Session;
  /** Undefined once it is released. */
  #client: PoolClient | undefined;
  /** The beginning of a transaction that has run no statement yet. */
  #pendingBegin: string | undefined;
  #begun = false;
  /** Its state is unknown: not used again. */
  #broken = false;

  constructor(pool: Pool, client: PoolClient, session: Session) {
    this.#pool = pool;
    this.#client = client;
    this.#session = session;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const query = () => this.#query<R>(sql, parameters);
    if (this.#pendingBegin !== undefined) return this.#retry(() => this.#beginAndQuery(query));
    if (this.#begun) return query();
    const { single, readOnly } = this.#session;
    return readOnly
      ? this.#retry(() => this.#queryInTransaction(single, query))
      : this.#change(single, query);
  }

  /** Runs independent queries in a transaction of their own. */
  async pipeline<R>(queries: readonly CompiledQuery<R>[]): Promise<R[][]> {
    const queryAll = () =>
      awaitAll(queries.map(({ sql, parameters }) => this.#query<R>(sql, parameters)));
    const results = await this.#retry(() =>
      this.#queryInTransaction(this.#session.transaction, queryAll),
    );
    return results.map(({ rows }) => rows);
  }

  // biome-ignore lint/correctness/useYield: cursors aren't supported
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Rows aren't streamed");
  }

  begin(): void {
    this.#pendingBegin = this.#session.transaction;
  }

  async commit(): Promise<void> {
    // No statement ran, so the transaction didn't begin.
    if (this.#pendingBegin !== undefined) return this.#end();
    const { command } = await this.#send('commit');
    this.#end();
    // After a failed statement, PostgreSQL answers a commit with a rollback and no error.
    if (command === 'ROLLBACK')
      throw new Error('The transaction was rolled back: one of its statements failed');
  }

  /** The database rolls a broken connection back itself, once it notices. */
  async rollback(): Promise<void> {
    const begun = this.#begun;
    this.#end();
    if (!begun || this.#broken) return;
    await this.#send('rollback').catch(() => {
      this.#broken = true;
    });
  }

  release(): void {
    this.#release();
  }

  #end(): void {
    this.#pendingBegin = undefined;
    this.#begun = false;
  }

  /** An idle connection may have been cut unnoticed. Before anything ran on it, another one can replace it: the idle ones, then a new one. */
  async #retry<T>(query: () => Promise<T>): Promise<T> {
    for (let attemptsLeft = this.#pool.idleCount + 1; ; attemptsLeft--) {
      try {
        return await query();
      } catch (error) {
        if (!this.#broken || attemptsLeft === 0 || isTimeout(error)) throw error;
        await this.#replace();
      }
    }
  }

  async #replace(): Promise<void> {
    this.#release();
    this.#client = await connect(this.#pool);
    this.#broken = false;
  }

  /** The beginning of a transaction together with its first statement. */
  async #beginAndQuery<T>(query: () => Promise<T>): Promise<T> {
    this.#pendingBegin = undefined;
    this.#begun = true;
    const [, answer] = await awaitAll([this.#send(this.#session.transaction), query()]);
    return answer;
  }

  /** A whole transaction that only reads. */
  async #queryInTransaction<T>(beginning: string, query: () => Promise<T>): Promise<T> {
    const [, answer] = await awaitAll([this.#send(beginning), query(), this.#send('commit')]);
    return answer;
  }

  /** A change is sent after the connection has answered, so that it can't run twice. */
  async #change<T>(beginning: string, query: () => Promise<T>): Promise<T> {
    for (let attemptsLeft = this.#pool.idleCount + 1; ; attemptsLeft--) {
      await this.#retry(() => this.#send(beginning));
      this.#begun = true;
      try {
        const result = await query();
        await this.commit();
        return result;
      } catch (error) {
        await this.rollback();
        // Only an outdated plan is both a conflict and a broken connection, and nothing has run on it.
        if (!this.#broken || !(error instanceof WriteConflict) || attemptsLeft === 0) throw error;
        await this.#replace();
      }
    }
  }

  #release(): void {
    this.#client?.release(this.#broken || this.#begun);
    this.#client = undefined;
    this.#begun = false;
  }

  async #query<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#send(sql, parameters);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, numAffectedRows: changes ? BigInt(rowCount ?? 0) : undefined };
  }

  /** Without parameters, a text may hold several statements. */
  async #send(sql: string, parameters?: readonly unknown[]): Promise<PgResult> {
    try {
      if (!this.#client) throw new Error('The connection was released');
      if (!parameters) return await this.#client.query(sql);
      const name = this.#session.statementNames?.of(sql);
      return await this.#client.query({ name, text: sql, values: parameters.map(encode) });
    } catch (error) {
      if (!isAnswer(error) || isOutdatedPlan(error)) this.#broken = true;
      throw translateError(error);
    }
  }
}

/** Waits for all answers. When several fail, the first failure caused the others. */
async function awaitAll<const T extends readonly Promise<unknown>[]>(sent: T) {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

/** Queries come from code, not from callers, but lists of ids and filters vary in length. */
const maxStatementNames = 500;

/** The names of the prepared statements of one database. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** Undefined for a statement that is planned each time. */
  of(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known || this.#names.size >= maxStatementNames) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}
