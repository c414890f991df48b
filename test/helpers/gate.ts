/** A gate in a test's PostgreSQL: writes wait there until the test opens it. */
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';

export interface Gate {
  /** Resolves once a statement waits at the gate, or for another advisory lock such as that of a team, or once the signal aborts. */
  waiting(where: 'here' | 'elsewhere', signal?: AbortSignal): Promise<void>;
  open(): Promise<void>;
  /** Closes the gate again. */
  shut(): Promise<void>;
  close(): Promise<void>;
}

const number = 4711;

/** Customers with the last name `held` are stored when the gate opens. Before that they have a timestamp and are written, but not committed. */
export async function holdCustomers(database: string): Promise<Gate> {
  const client = new pg.Client({ connectionString: database });
  const watcher = new pg.Client({ connectionString: database });
  await Promise.all([client.connect(), watcher.connect()]);
  await client.query(`create or replace function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${number}); return new; end $$`);
  await client.query(
    `create or replace trigger hold after insert on customers for each row when (new."lastName" = 'held') execute function hold()`,
  );
  const shut = async () => void (await client.query(`select pg_advisory_lock(${number})`));
  await shut();
  return {
    async waiting(where, signal) {
      const question = `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database()) and (objid = ${number}) = $1`;
      while (!signal?.aborted) {
        const { rows } = await watcher.query(question, [where === 'here']);
        if (rows[0].count > 0) return;
        await setImmediate();
      }
    },
    open: async () => void (await client.query(`select pg_advisory_unlock(${number})`)),
    shut,
    close: async () => void (await Promise.all([client.end(), watcher.end()])),
  };
}
