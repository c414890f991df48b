/** Kysely over PostgreSQL. */
import {
  type ColumnDefinitionNode,
  type CompiledQuery,
  DataTypeNode,
  type Dialect,
  type Driver,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
} from 'kysely';
import type { Pool } from 'pg';
import { Connection, connect, type Session } from './connection.ts';

export function postgresDialect(pool: Pool, session: Session): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SessionDriver(pool, session),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ColumnTypes(),
  };
}

/** The answers to questions that do not depend on each other, in one transaction of a session that only reads. */
export async function askAtOnce<R>(pool: Pool, session: Session, queries: readonly CompiledQuery<R>[]): Promise<R[][]> {
  const connection = new Connection(pool, await connect(pool), session);
  try {
    return await connection.askAtOnce(queries);
  } finally {
    connection.release();
  }
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
