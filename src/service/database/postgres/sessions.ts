/** Connections for Kysely's own dialect: each session has a role and a team. */
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
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

/** Several sessions share a pool. */
export const postgresDialect = (pool: Pool, session: Session): PostgresDialect =>
  new PostgresDialect({
    pool: {
      async connect() {
        const client = await pool.connect().catch((error: unknown) => {
          throw new DatabaseUnavailable(error);
        });
        // Without cursors: no rows are streamed.
        return new SessionClient(client, session) as unknown as PostgresPoolClient;
      },
      end: async () => undefined,
      options: {},
    },
  });

/** What a connection without a pooler was set to last: most requests find it as they need it. */
const settingsOf = new WeakMap<PoolClient, string>();

/** Each round trip costs latency, so settings and the beginning of a transaction are sent together with the next statement. */
class SessionClient {
  readonly #client: PoolClient;
  readonly #session: Session;
  /** Sent, and not awaited yet. */
  #ahead: Promise<unknown>[] = [];
  #inTransaction = false;
  /** Its state is unknown: not used again. */
  #broken = false;

  constructor(client: PoolClient, session: Session) {
    this.#client = client;
    this.#session = session;
    const wanted = setOf(session, false);
    if (session.pooled || settingsOf.get(client) === wanted) return;
    settingsOf.set(client, wanted);
    this.#sendAhead(wanted);
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const { begin, pooled } = this.#session;
    const beginning = pooled ? `${begin}; ${setOf(this.#session, true)}` : begin;
    if (sql === 'begin') {
      this.#inTransaction = true;
      this.#sendAhead(beginning);
      return { rows: [] };
    }
    const isEnd = sql === 'commit' || sql === 'rollback';
    const isOneStatement = !this.#inTransaction;
    if (isEnd) this.#inTransaction = false;
    if (isOneStatement && pooled) this.#sendAhead(beginning);
    const statement = isEnd ? this.#sendText(sql) : this.#send(sql, parameters, isOneStatement);
    const sent = [...this.#ahead.splice(0), statement];
    if (isOneStatement && pooled) sent.push(this.#sendText('commit'));
    // When several fail, the first failure caused the others.
    if (sent.length > 1) await Promise.allSettled(sent);
    await Promise.all(sent);
    return statement;
  }

  release(): void {
    this.#client.release(this.#broken || this.#inTransaction);
  }

  #sendAhead(text: string): void {
    const sent = this.#sendText(text);
    sent.catch(() => undefined);
    this.#ahead.push(sent);
  }

  /** A text that the connection is unusable without. */
  async #sendText(text: string): Promise<unknown> {
    try {
      return await this.#client.query(text);
    } catch (error) {
      this.#broken = true;
      throw translateError(error);
    }
  }

  async #send(
    sql: string,
    parameters: readonly unknown[],
    isOneStatement: boolean,
  ): Promise<unknown> {
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
        if (isOneStatement) return this.#send(sql, parameters, isOneStatement);
      }
      throw translateError(error);
    }
  }
}

/** Role and settings, until the end of the transaction or for ever. */
function setOf({ role, settings }: Session, local: boolean): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', ${local})`,
  );
  const setRole = `set ${local ? 'local ' : ''}role ${role}`;
  return calls.length > 0 ? `${setRole}; select ${calls.join(', ')}` : setRole;
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
