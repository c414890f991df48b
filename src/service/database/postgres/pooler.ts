/** Whether a pooler is between the service and the database. */
import type { Pool } from 'pg';
import { connect } from './connection.ts';
import { translate } from './pool.ts';

/** `transaction`: the address leads to a pooler that gives each transaction any connection. `auto`: the service finds out. */
export type PoolerMode = 'auto' | 'transaction';

/**
 * Compares the process that serves a connection with the one that the database named at sign-in. A pooler answers the sign-in itself, and names a process
 * of its own making. A connection without such a name counts as pooled.
 */
export async function isPooled(pool: Pool): Promise<boolean> {
  const client = await connect(pool);
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // Missing in the types of the driver.
    const { processID } = client as { processID?: number | null };
    return processID !== rows[0]?.pid;
  } catch (error) {
    throw translate(error);
  } finally {
    client.release();
  }
}
