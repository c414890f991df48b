/**
 * The pending work of campaigns, stored so that any process can continue after a crash: start at the scheduled time, create sends,
 * review them after a pause, drop them after a cancellation.
 */
import type { Context, ReadContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { CampaignRunRow } from '../database/tables.ts';

export type Phase = Run['phase'];
export type Run = CampaignRunRow;

export async function findRun(
  { db, team }: ReadContext,
  campaignId: string,
): Promise<Run | undefined> {
  return db
    .selectFrom('campaignRuns')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaignId)
    .executeTakeFirst();
}

/** Replaces a campaign's pending work (default: due now, from the start). */
export async function putRun(
  context: Context,
  campaignId: string,
  {
    phase,
    dueAt = context.now,
    cursor = null,
  }: { phase: Phase; dueAt?: string; cursor?: string | null },
): Promise<void> {
  const next = { phase, dueAt, cursor };
  await context.db
    .insertInto('campaignRuns')
    .values({ teamId: context.team.id, campaignId, ...next })
    .onConflict((row) => row.columns(['teamId', 'campaignId']).doUpdateSet(next))
    .execute();
  context.afterCommit(async ({ campaigns }) => campaigns.notify());
}

export async function endRun({ db, team }: Context, campaignId: string): Promise<void> {
  await db
    .deleteFrom('campaignRuns')
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaignId)
    .execute();
}

/** Due runs of all teams, longest due first. */
export async function dueRuns(
  { read }: Database,
  now: string,
  limit: number,
): Promise<Pick<Run, 'teamId' | 'campaignId'>[]> {
  return read
    .selectFrom('campaignRuns')
    .select(['teamId', 'campaignId'])
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .execute();
}

/** When the next run of any team is due; undefined if there is none. */
export async function nextDue({ read }: Database): Promise<string | undefined> {
  const next = await read
    .selectFrom('campaignRuns')
    .select('dueAt')
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst();
  return next?.dueAt;
}
