/** The audiences and steps of a campaign. */
import type { RecordFor } from '../../contract/contract.ts';
import type { ReadContext } from '../context.ts';
import { find, listBy } from '../records.ts';

/** The campaign of an audience or step. */
export async function campaignOf(
  context: ReadContext,
  { campaignId }: { campaignId: string },
): Promise<RecordFor<'campaigns'>> {
  const campaign = await find(context, 'campaigns', campaignId);
  if (!campaign) throw new Error('An audience or step belongs to a campaign');
  return campaign;
}

export const audiencesOf = (context: ReadContext, campaignId: string) =>
  listBy(context, 'campaignAudiences', { campaignId }, 'id');

export const stepsOf = (context: ReadContext, campaignId: string) =>
  listBy(context, 'campaignSteps', { campaignId }, 'position');
