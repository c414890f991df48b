/** The audiences and steps of a campaign. */
import type { RecordFor } from '../../contract/contract.ts';
import type { ReadContext } from '../context.ts';
import { find } from '../records.ts';

/** The campaign of an audience or step. */
export async function campaignOf(context: ReadContext, { campaignId }: { campaignId: string }): Promise<RecordFor<'campaigns'>> {
  const campaign = await find(context, 'campaigns', campaignId);
  if (!campaign) throw new Error('An audience or step belongs to a campaign');
  return campaign;
}

export function audiencesOf({ db, team }: ReadContext, campaignId: string): Promise<RecordFor<'campaignAudiences'>[]> {
  return db
    .selectFrom('campaignAudiences')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaignId)
    .orderBy('id')
    .execute();
}

/** Ordered by position. */
export function stepsOf({ db, team }: ReadContext, campaignId: string): Promise<RecordFor<'campaignSteps'>[]> {
  return db
    .selectFrom('campaignSteps')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('campaignId', '=', campaignId)
    .orderBy('position')
    .execute();
}
