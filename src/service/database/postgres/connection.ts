/** One connection of the pool in the hands of a driver, with what surrounds each transaction. */
import { type CompiledQuery, type DatabaseConnection, InsertQueryNode, type QueryResult } from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';
import { encode, isAnswer, isOutdatedPlan, isSilence, translate } from './pool.ts';
import { preparedName } from './prepared.ts';

/** How transactions begin: SQL texts, which may hold several statements. */
export interface Session {
  readonly transaction: string;
  /** The same for a statement that stands alone. */
  readonly single: string;
  /** Nothing is changed, so nobody waits for the end of a transaction. */
  readonly readOnly?: true;
  /** Statements are planned once per connection, under a name. Behind a pooler another connection may get the name. */
  readonly plansOnce: boolean;
  /** Waits until it is this process's turn; resolves with what ends the turn. */
  readonly turn?: () => Promise<() => void>;
}

export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/**
 * Each way to the database and back is time in which nothing is done, and work for both ends. So what need not be waited for is not:
 * the beginning of a transaction is sent with its first statement, and an insert that asks for nothing back is heard of with the next answer,
 * at the latest with that to the commit. What fails on the way there ends the transaction, so nothing after it takes effect.
 */
export class Connection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #session: Session;
  readonly #endTurn: (() => void) | undefined;
  /** Undefined once it was given back. */
  #client: PoolClient | undefined;
  /** Of a transaction in which nothing was asked yet. */
  #opening: string | undefined;
  #begun = false;
  /** Nobody knows what state it is in: not used again. */
  #broken = false;
  /** Inserts on their way. Each resolves with why it failed, if it did. */
  #unheard: Promise<unknown>[] = [];

  constructor(pool: Pool, client: PoolClient, session: Session, endTurn: (() => void) | undefined) {
    this.#pool = pool;
    this.#client = client;
    this.#session = session;
    this.#endTurn = endTurn;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const ask = () => this.#ask<R>(sql, parameters);
    if (this.#opening !== undefined) return this.#askAlive(() => this.#askFirst(ask));
    if (this.#begun) {
      if (!InsertQueryNode.is(query) || query.returning) return this.#heard(ask());
      this.#unheard.push(reasonOf(ask()));
      return { rows: [] };
    }
    const { single, readOnly } = this.#session;
    return readOnly ? this.#askAlive(() => this.#askBetween(single, ask)) : this.#change(single, ask);
  }

  /** The answers to questions that do not depend on each other, in a transaction of their own. */
  async askAtOnce<R>(queries: readonly CompiledQuery<R>[]): Promise<R[][]> {
    const askAll = () => Promise.all(queries.map(({ sql, parameters }) => this.#ask<R>(sql, parameters)));
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
    const committed = this.#send('commit');
    if (this.#session.readOnly) {
      // Whoever has the connection next finds out.
      committed.catch(() => undefined);
      return this.#end();
    }
    const { command } = await this.#heard(committed);
    this.#end();
    // What a failed statement has ended is rolled back by its commit, without a word.
    if (command === 'ROLLBACK') throw new Error('The transaction was undone by a failure that nobody told');
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
    this.#endTurn?.();
  }

  #end(): void {
    this.#opening = undefined;
    this.#begun = false;
    this.#unheard = [];
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

  /** The first statement of a transaction, and its beginning in front of it. */
  async #askFirst<T>(ask: () => Promise<T>): Promise<T> {
    this.#opening = undefined;
    this.#begun = true;
    return this.#behind(reasonOf(this.#send(this.#session.transaction)), ask());
  }

  /** Statements that change nothing, between a beginning and an end of their own. */
  async #askBetween<T>(beginning: string, ask: () => Promise<T>): Promise<T> {
    const [opened, answered] = [reasonOf(this.#send(beginning)), ask()];
    this.#send('commit').catch(() => undefined);
    return this.#behind(opened, answered);
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

  /** An answer that is one only if what was sent before it has not failed. */
  async #behind<T>(before: Promise<unknown>, answer: Promise<T>): Promise<T> {
    const [outcome] = await Promise.allSettled([answer]);
    const failure = await before;
    if (failure !== undefined) throw failure;
    return outcome.status === 'fulfilled' ? outcome.value : Promise.reject(outcome.reason);
  }

  /** An answer behind inserts that nobody has heard of yet. */
  async #heard<T>(answer: Promise<T>): Promise<T> {
    if (this.#unheard.length === 0) return answer;
    const failures = Promise.all(this.#unheard).then((all) => all.find((failure) => failure !== undefined));
    this.#unheard = [];
    return this.#behind(failures, answer);
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

/** Resolves with why something failed, and with undefined when it did not. */
const reasonOf = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => undefined,
    (error: unknown) => error,
  );
