/** One connection of the pool in the hands of a driver, with what surrounds each transaction. */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';
import { encode, isAnswer, isOutdatedPlan, isSilence, translate } from './pool.ts';
import { preparedName } from './prepared.ts';

/** How transactions begin: SQL texts, which may hold several statements. */
export interface Session {
  readonly transaction: string;
  /** The same for a statement that stands alone. */
  readonly single: string;
  /** Changes nothing, so a transaction may be sent as a whole, and again on another connection. */
  readonly readOnly?: true;
  /** Statements are planned once per connection, under a name. Behind a pooler another connection may get the name. */
  readonly plansOnce: boolean;
}

export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/**
 * Each round trip to the database costs latency, so a transaction starts together with its first statement,
 * and independent questions travel together. The driver pipelines them; every answer is awaited.
 */
export class Connection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #session: Session;
  /** Undefined once it was given back. */
  #client: PoolClient | undefined;
  /** Of a transaction in which nothing was asked yet. */
  #opening: string | undefined;
  #begun = false;
  /** Nobody knows what state it is in: not used again. */
  #broken = false;

  constructor(pool: Pool, client: PoolClient, session: Session) {
    this.#pool = pool;
    this.#client = client;
    this.#session = session;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const ask = () => this.#ask<R>(sql, parameters);
    if (this.#opening !== undefined) return this.#askAlive(() => this.#askFirst(ask));
    if (this.#begun) return ask();
    const { single, readOnly } = this.#session;
    return readOnly ? this.#askAlive(() => this.#askBetween(single, ask)) : this.#change(single, ask);
  }

  /** The answers to questions that do not depend on each other, in a transaction of their own. */
  async askAtOnce<R>(queries: readonly CompiledQuery<R>[]): Promise<R[][]> {
    const askAll = () => allOf(queries.map(({ sql, parameters }) => this.#ask<R>(sql, parameters)));
    const results = await this.#askAlive(() => this.#askBetween(this.#session.transaction, askAll));
    return results.map(({ rows }) => rows);
  }

  // biome-ignore lint/correctness/useYield: nothing here reads by cursor
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed');
  }

  begin(): void {
    this.#opening = this.#session.transaction;
  }

  async commit(): Promise<void> {
    // Nothing was asked, so there is nothing to end.
    if (this.#opening !== undefined) return this.#end();
    const { command } = await this.#send('commit');
    this.#end();
    // After a failed statement, PostgreSQL answers a commit with a rollback and no error.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements failed');
  }

  /** What is broken is undone by the database, once it notices. */
  async rollback(): Promise<void> {
    const begun = this.#begun;
    this.#end();
    if (!begun || this.#broken) return;
    await this.#send('rollback').catch(() => {
      this.#broken = true;
    });
  }

  release(): void {
    this.#giveBack();
  }

  #end(): void {
    this.#opening = undefined;
    this.#begun = false;
  }

  /** Connections that lay idle may have been cut unnoticed. As long as nothing was done on one, another will do: the idle ones, then a new one. */
  async #askAlive<T>(ask: () => Promise<T>): Promise<T> {
    for (let others = this.#pool.idleCount + 1; ; others--) {
      try {
        return await ask();
      } catch (error) {
        if (!this.#broken || others === 0 || isSilence(error)) throw error;
        await this.#replace();
      }
    }
  }

  async #replace(): Promise<void> {
    this.#giveBack();
    this.#client = await connect(this.#pool);
    this.#broken = false;
  }

  /** The start of a transaction together with its first statement. */
  async #askFirst<T>(ask: () => Promise<T>): Promise<T> {
    this.#opening = undefined;
    this.#begun = true;
    const [, answer] = await allOf([this.#send(this.#session.transaction), ask()]);
    return answer;
  }

  /** A transaction that only reads, as a whole. */
  async #askBetween<T>(beginning: string, ask: () => Promise<T>): Promise<T> {
    const [, answer] = await allOf([this.#send(beginning), ask(), this.#send('commit')]);
    return answer;
  }

  /** One that changes something is sent once the connection is known to live, so that it is not done twice. */
  async #change<T>(beginning: string, ask: () => Promise<T>): Promise<T> {
    for (let others = this.#pool.idleCount + 1; ; others--) {
      await this.#askAlive(() => this.#send(beginning));
      this.#begun = true;
      try {
        const result = await ask();
        await this.commit();
        return result;
      } catch (error) {
        await this.rollback();
        // A connection with an outdated plan has done nothing, and is the one that breaks by a conflict.
        if (!this.#broken || !(error instanceof WriteConflict) || others === 0) throw error;
        await this.#replace();
      }
    }
  }

  #giveBack(): void {
    this.#client?.release(this.#broken || this.#begun);
    this.#client = undefined;
    this.#begun = false;
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#send(sql, parameters);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, numAffectedRows: changes ? BigInt(rowCount ?? 0) : undefined };
  }

  /** Without parameters, a text may hold several statements. */
  async #send(sql: string, parameters?: readonly unknown[]): Promise<PgResult> {
    try {
      if (!this.#client) throw new Error('The connection was given back');
      if (!parameters) return await this.#client.query(sql);
      const name = this.#session.plansOnce ? preparedName(sql) : undefined;
      return await this.#client.query({ name, text: sql, values: parameters.map(encode) });
    } catch (error) {
      if (!isAnswer(error) || isOutdatedPlan(error)) this.#broken = true;
      throw translate(error);
    }
  }
}

/** The answers to what was sent together, once all have arrived. Where several failed, the first is the cause of the others. */
async function allOf<const T extends readonly Promise<unknown>[]>(sent: T) {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
