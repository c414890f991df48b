/** Kysely over PostgreSQL, with what surrounds each transaction. */
import {
  type ColumnDefinitionNode,
  type CompiledQuery,
  type DatabaseConnection,
  DataTypeNode,
  type Dialect,
  type Driver,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
} from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { DatabaseUnavailable, WriteConflict } from '../failures.ts';
import { encode, isAnswer, isOutdatedPlan, isSilence, translate } from './pool.ts';
import { preparedName } from './prepared.ts';

/** How transactions begin: SQL texts, each sent by itself, the last of which holds the `begin`. */
export interface Session {
  readonly transaction: readonly string[];
  /** The same for a statement that stands alone; nothing surrounds it when left out, and it must be one that may be asked twice. */
  readonly single?: string;
  /** Waits until it is this process's turn; resolves with what ends the turn. */
  readonly turn?: () => Promise<() => void>;
}

export function postgresDialect(pool: Pool, session: Session): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SessionDriver(pool, session),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ColumnTypes(),
  };
}

/** One pool serves many drivers, so none of them ends it. */
class SessionDriver implements Driver {
  readonly #pool: Pool;
  readonly #session: Session;

  constructor(pool: Pool, session: Session) {
    this.#pool = pool;
    this.#session = session;
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const endTurn = await this.#session.turn?.();
    try {
      return new Connection(this.#pool, await connect(this.#pool), this.#session, endTurn);
    } catch (error) {
      endTurn?.();
      throw error;
    }
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin(this.#session.transaction);
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release();
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

class Connection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #session: Session;
  readonly #endTurn: (() => void) | undefined;
  /** Undefined once it was given back. */
  #client: PoolClient | undefined;
  #begun = false;
  /** Nobody knows what state it is in: not used again. */
  #broken = false;

  constructor(pool: Pool, client: PoolClient, session: Session, endTurn: (() => void) | undefined) {
    this.#pool = pool;
    this.#client = client;
    this.#session = session;
    this.#endTurn = endTurn;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { single } = this.#session;
    if (this.#begun) return this.#ask(sql, parameters);
    if (!single) return this.#askAlive(() => this.#ask(sql, parameters));
    for (let others = this.#pool.idleCount + 1; ; others--) {
      await this.begin([single]);
      try {
        const result = await this.#ask<R>(sql, parameters);
        await this.commit();
        return result;
      } catch (error) {
        await this.rollback();
        // A connection with an outdated plan has done nothing, and is the one that breaks by a conflict.
        if (!this.#broken || !(error instanceof WriteConflict) || others === 0) throw error;
        await this.#change();
      }
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here reads by cursor
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed');
  }

  async begin(texts: readonly string[]): Promise<void> {
    try {
      await this.#askAlive(async () => {
        for (const text of texts) await this.#ask(text);
      });
      this.#begun = true;
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  /** Connections that lay idle may have been cut unnoticed. As long as nothing was done on one, another will do: the idle ones, then a new one. */
  async #askAlive<T>(ask: () => Promise<T>): Promise<T> {
    for (let others = this.#pool.idleCount + 1; ; others--) {
      try {
        return await ask();
      } catch (error) {
        if (!this.#broken || others === 0 || isSilence(error)) throw error;
        await this.#change();
      }
    }
  }

  async #change(): Promise<void> {
    this.#giveBack();
    this.#client = await connect(this.#pool);
    this.#broken = false;
  }

  async commit(): Promise<void> {
    const { command } = await this.#send('commit');
    this.#begun = false;
    // What a failed statement has ended is rolled back by its commit, without a word.
    if (command === 'ROLLBACK') throw new Error('The transaction was undone by a failure that nobody told');
  }

  /** What is broken is undone by the database, once it notices. */
  async rollback(): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    if (this.#broken) return;
    await this.#ask('rollback').catch(() => {
      this.#broken = true;
    });
  }

  release(): void {
    this.#giveBack();
    this.#endTurn?.();
  }

  #giveBack(): void {
    this.#client?.release(this.#broken || this.#begun);
    this.#client = undefined;
  }

  async #ask<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#send(sql, parameters);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, numAffectedRows: changes ? BigInt(rowCount ?? 0) : undefined };
  }

  /** Without parameters, a text may hold several statements. */
  async #send(sql: string, parameters?: readonly unknown[]): Promise<PgResult> {
    try {
      if (!this.#client) throw new Error('The connection was given back');
      if (!parameters) return await this.#client.query(sql);
      return await this.#client.query({ name: preparedName(sql), text: sql, values: parameters.map(encode) });
    } catch (error) {
      if (!isAnswer(error) || isOutdatedPlan(error)) this.#broken = true;
      throw translate(error);
    }
  }
}

/**
 * The column types of the migrations, in PostgreSQL's words.
 *
 * Text is ordered by its bytes, so that ids and times order as in SQLite, whatever the database's language is. Times stay text for the same reason:
 * the one form in which they are kept is the form in which they are compared and answered, on either database.
 * JSON is `json`, not `jsonb`: it keeps the order of the keys, so that what was sent is what is answered, and a PATCH to the same is one.
 */
class ColumnTypes extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    super.visitColumnDefinition({
      ...node,
      dataType: typeOf(node.dataType),
      generated: node.generated && { ...node.generated, stored: true },
    });
  }
}

function typeOf(type: OperationNode): OperationNode {
  const name = DataTypeNode.is(type) ? type.dataType : RawNode.is(type) ? type.sqlFragments.join('') : '';
  if (name === 'text') return RawNode.createWithSql('text collate "C"');
  if (name === 'json text') return RawNode.createWithSql('json');
  return name === 'integer' ? RawNode.createWithSql('bigint') : type;
}
