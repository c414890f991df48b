/** What works, but needs attention of whoever runs the service: told by `/readyz`, `cs admin check` and the log. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { Kysely, sql } from 'kysely';
import { nodeSqliteDialect } from './database/node-sqlite.ts';
import type { Database, Reader } from './database/open.ts';
import { clockTime } from './database/stamps.ts';
import type { Tables } from './database/tables.ts';

export interface SlowSearch {
  readonly code: 'search_without_index';
  readonly message: string;
}

export type Warning = ClockLead | SlowSearch;

export async function findWarnings({ read, ...database }: Pick<Database, 'read' | 'searchIsIndexed'>): Promise<Warning[]> {
  const warnings = [findSlowSearch(database), await findClockLead(read)];
  return warnings.filter((warning) => warning !== undefined);
}

export function findSlowSearch({ searchIsIndexed }: Pick<Database, 'searchIsIndexed'>): SlowSearch | undefined {
  if (searchIsIndexed) return undefined;
  return {
    code: 'search_without_index',
    message:
      'Searches read every record, since PostgreSQL lacks the extension pg_trgm. Create it as an administrator (create extension pg_trgm), then restart the service',
  };
}

/** Less is how stamps run ahead under load, in milliseconds. */
const noticedLeadMs = 60_000;

export interface ClockLead {
  readonly code: 'clock_was_ahead';
  readonly message: string;
  /** How far the latest stamp is ahead of the clock, in milliseconds. */
  readonly aheadMs: number;
}

/** Undefined when no stamp is noticeably ahead of the clock: the database's on PostgreSQL, this machine's otherwise. */
export async function findClockLead(db: Reader): Promise<ClockLead | undefined> {
  const { latest, clock } = await db
    .selectFrom('teams')
    .select([sql<string | null>`max("lastStamp")`.as('latest'), clockTime.as('clock')])
    .executeTakeFirstOrThrow();
  const aheadMs = latest === null ? 0 : Date.parse(latest) - Date.parse(clock);
  if (aheadMs <= noticedLeadMs) return undefined;
  return {
    code: 'clock_was_ahead',
    message: `The clock is ${lengthOf(aheadMs)} behind the latest change: it was set back, or was wrong before. Until it catches up, updatedAt is ahead of it`,
    aheadMs,
  };
}

/** The same of a data folder, in which it changes nothing. Throws when the database can't be read as this version knows it. */
export async function findClockLeadIn(data: string): Promise<ClockLead | undefined> {
  const path = join(data, 'cs.sqlite');
  // Without a log nobody has it open. SQLite would leave one, unless it's told that nobody will.
  const file = existsSync(`${path}-wal`) ? path : `${pathToFileURL(path).href}?immutable=1`;
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect({ file, readOnly: true }) });
  try {
    return await findClockLead(db);
  } finally {
    await db.destroy();
  }
}

/** Looks at the clock, and logs a warning when it has fallen behind: once, until it has caught up. */
export function makeClockWatch(db: Reader, logger: FastifyBaseLogger | undefined): () => Promise<void> {
  let warned = false;
  return async () => {
    const lead = await findClockLead(db).catch(() => undefined);
    if (lead && !warned) logger?.warn({ code: lead.code, aheadMs: lead.aheadMs }, lead.message);
    warned = lead !== undefined;
  };
}

/** In its largest unit: `30 days`, `2 hours`, `1 minute`. */
function lengthOf(ms: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };
  const [unit, size] = Object.entries(units).find(([, least]) => ms >= least) ?? ['minute', 60_000];
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
