/** Control of the service's clock: that of this process, and on PostgreSQL that of the database. */
import { onTestFinished, vi } from 'vitest';
import { onPostgres, query } from './postgres.ts';
import type { TestService } from './service.ts';

/** Sets the clock ahead during a task. The clock of this process is stopped meanwhile. */
export async function whileClockIsAhead<T>(
  service: Pick<TestService, 'database'>,
  ms: number,
  task: () => Promise<T>,
): Promise<T> {
  const back = async () => {
    vi.useRealTimers();
    if (onPostgres) await setDatabaseClock(service.database as string, 0);
  };
  onTestFinished(back);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  if (onPostgres) await setDatabaseClock(service.database as string, ms);
  const result = await task();
  await back();
  return result;
}

/** The function of src/service/database/postgres/functions.ts, with another clock. */
const setDatabaseClock = (database: string, aheadMs: number) =>
  query(
    database,
    `create or replace function next_stamp(last text, count bigint) returns text language sql volatile
      as $$ select to_char((greatest(clock_timestamp() + interval '${aheadMs} milliseconds', last::timestamptz + interval '1 millisecond') + (count - 1) * interval '1 millisecond')
        at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C" $$`,
  );
