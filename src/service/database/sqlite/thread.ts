/** Kysely over a thread that reads an SQLite file: `node:sqlite` is synchronous, so a slow query would delay everybody else. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { threadProgram } from '../../../parts.ts';
import { DatabaseUnavailable } from '../failures.ts';
import { refusing, rollback, translateError } from './dialect.ts';
import type { Answer, Question } from './thread-worker.ts';

/** One thread with one connection, started by the first query. Queries wait for each other. */
export function threadDialect(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ThreadDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadDriver implements Driver {
  readonly #file: string;
  #connection: ThreadConnection | undefined;
  /** Resolves when the current user of the connection releases it. */
  #lock: Promise<void> = Promise.resolve();
  #releaseLock: (() => void) | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#lock;
    this.#lock = promise;
    await before;
    this.#releaseLock = resolve;
    try {
      if (!this.#connection?.alive) this.#connection = new ThreadConnection(this.#file);
      return this.#connection;
    } catch (error) {
      // The system may give no more threads.
      return refusing(new DatabaseUnavailable(error));
    }
  }

  async releaseConnection(): Promise<void> {
    this.#releaseLock?.();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await rollback(connection.executeQuery(CompiledQuery.raw('rollback')));
  }

  async destroy(): Promise<void> {
    await this.#lock;
    await this.#connection?.close();
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #worker: Worker;
  /** Aborted once the thread has ended, so that nobody waits for its answers. */
  readonly #ended = new AbortController();

  constructor(file: string) {
    const { program, eval: isText } = threadProgram();
    this.#worker = new Worker(program, { eval: isText, workerData: { file }, env: {} });
    // An idle thread doesn't keep the process alive.
    this.#worker.unref();
    const end = () => this.#ended.abort();
    this.#worker.once('error', end);
    this.#worker.once('exit', end);
  }

  get alive(): boolean {
    return !this.#ended.signal.aborted;
  }

  /** One at a time: each caller awaits the answer before the next query. Throws `DatabaseUnavailable` once the thread has ended. */
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { signal } = this.#ended;
    this.#worker.ref();
    try {
      const answered = once(this.#worker, 'message', { signal });
      this.#worker.postMessage({ sql, parameters } as Question);
      const [{ rows = [], error, errcode }] = (await answered) as [Answer];
      if (error) throw translateError(Object.assign(error as Error, { errcode }));
      return { rows: rows as R[] };
    } catch (error) {
      throw signal.aborted ? new DatabaseUnavailable(error) : error;
    } finally {
      this.#worker.unref();
    }
  }

  // biome-ignore lint/correctness/useYield: cursors aren't supported
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Rows aren't streamed");
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
