/**
 * What is left to do of a campaign, kept in the database so that any process can go on with it after a crash:
 * to start it when its time comes, to make its sends, to look at them again after a pause, to drop them when it is cancelled.
 */
import type { Context, ReadContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { CampaignRunRow } from '../database/tables.ts';

export type Phase = Run['phase'];
export type Run = CampaignRunRow;

export async function findRun({ db, team }: ReadContext, campaignId: string): Promise<Run | undefined> {
  return db.selectFrom('campaignRuns').selectAll().where('teamId', '=', team.id).where('campaignId', '=', campaignId).executeTakeFirst();
}

/** Says what is next for a campaign, in place of what was: at once unless a time is given, from the beginning unless a cursor is. */
export async function putRun(
  context: Context,
  campaignId: string,
  { phase, dueAt = context.now, cursor = null }: { phase: Phase; dueAt?: string; cursor?: string | null },
): Promise<void> {
  const next = { phase, dueAt, cursor };
  await context.db
    .insertInto('campaignRuns')
    .values({ teamId: context.team.id, campaignId, ...next })
    .onConflict((row) => row.columns(['teamId', 'campaignId']).doUpdateSet(next))
    .execute();
  context.afterCommit(async ({ campaigns }) => campaigns.ring());
}

export async function endRun({ db, team }: Context, campaignId: string): Promise<void> {
  await db.deleteFrom('campaignRuns').where('teamId', '=', team.id).where('campaignId', '=', campaignId).execute();
}

/** The runs of all teams whose time has come, the longest due first. */
export async function dueRuns({ read }: Database, now: string, limit: number): Promise<Pick<Run, 'teamId' | 'campaignId'>[]> {
  return read.selectFrom('campaignRuns').select(['teamId', 'campaignId']).where('dueAt', '<=', now).orderBy('dueAt').limit(limit).execute();
}

/** When the next run is due, in any team; undefined when there is none. */
export async function nextDue({ read }: Database): Promise<string | undefined> {
  const next = await read.selectFrom('campaignRuns').select('dueAt').orderBy('dueAt').limit(1).executeTakeFirst();
  return next?.dueAt;
}
