/** Kysely over PostgreSQL. */
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Pool } from 'pg';
import { Connection, connect, type Session } from './connection.ts';

export function postgresDialect(pool: Pool, session: Session): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SessionDriver(pool, session),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Runs independent queries in one transaction of a session that only reads. */
export async function pipeline<R>(
  pool: Pool,
  session: Session,
  queries: readonly CompiledQuery<R>[],
): Promise<R[][]> {
  const connection = new Connection(pool, await connect(pool), session);
  try {
    return await connection.pipeline(queries);
  } finally {
    connection.release();
  }
}

/** Several drivers share a pool, so none of them ends it. */
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
    return new Connection(this.#pool, await connect(this.#pool), this.#session);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    connection.begin();
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
