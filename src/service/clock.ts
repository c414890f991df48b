/** Notices a clock that was ahead: stamps only ever grow (database/stamps.ts), so they stay ahead of a clock that was set back. */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Reader } from './database/open.ts';
import { clockTime } from './database/stamps.ts';

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
