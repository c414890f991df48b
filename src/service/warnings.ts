import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database, Reader } from './database/database.ts';
import { clockTime } from './database/timestamp-allocator.ts';

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export type WarningCheck = (database: Database) => Promise<Warning | undefined>;

export const warningChecks: readonly WarningCheck[] = [
  findSlowSearch,
  ({ read }) => findClockLead(read),
];

/** Throws when a check fails. */
export async function findWarnings(database: Database): Promise<Warning[]> {
  const found = await Promise.all(warningChecks.map((check) => check(database)));
  return found.filter((warning) => warning !== undefined);
}

/** Logs each warning when it first appears, and again only after it has gone. A check that fails is left to the next call. */
export function createWarningLog(
  database: Database,
  logger: FastifyBaseLogger | undefined,
): () => Promise<void> {
  const logged = new Set<WarningCheck>();
  return async () => {
    for (const check of warningChecks) {
      const warning = await check(database).catch(() => undefined);
      if (!warning) logged.delete(check);
      else if (!logged.has(check)) {
        const { message, ...details } = warning;
        logger?.warn(details, message);
        logged.add(check);
      }
    }
  };
}

async function findSlowSearch({
  searchIsIndexed,
}: Pick<Database, 'searchIsIndexed'>): Promise<Warning | undefined> {
  if (searchIsIndexed) return undefined;
  return {
    code: 'search_without_index',
    message:
      'Searches read every record, since PostgreSQL lacks the extension pg_trgm. Create it as an administrator (create extension pg_trgm), then restart the service',
  };
}

/** Under load, timestamps run ahead of the clock by less than this, in milliseconds. */
const toleratedLeadMs = 60_000;

interface ClockLead extends Warning {
  /** How far the latest timestamp is ahead of the clock, in milliseconds. */
  readonly aheadMs: number;
}

/** Timestamps only grow (database/timestamp-allocator.ts), so they stay ahead of a clock that was set back: the database's clock on PostgreSQL, this machine's otherwise. */
async function findClockLead(db: Reader): Promise<ClockLead | undefined> {
  const { latest, clock } = await db
    .selectFrom('teams')
    .select([sql<string | null>`max("lastStamp")`.as('latest'), clockTime.as('clock')])
    .executeTakeFirstOrThrow();
  const aheadMs = latest === null ? 0 : Date.parse(latest) - Date.parse(clock);
  if (aheadMs <= toleratedLeadMs) return undefined;
  return {
    code: 'clock_was_ahead',
    message: `The clock is ${durationOf(aheadMs)} behind the latest change: it was set back, or was wrong before. Until it catches up, updatedAt is ahead of it`,
    aheadMs,
  };
}

/** In the largest unit that fits: `30 days`, `2 hours`, `1 minute`. */
function durationOf(ms: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };
  const [unit, size] = Object.entries(units).find(([, least]) => ms >= least) ?? ['minute', 60_000];
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
