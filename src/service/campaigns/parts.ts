/** The audiences and steps of a campaign. */
import type { RecordFor } from '../../contract/contract.ts';
import type { ReadContext } from '../context.ts';
import { findOrThrow, listBy } from '../records.ts';

/** The campaign of an audience or step. */
export const campaignOf = (
  context: ReadContext,
  { campaignId }: { campaignId: string },
): Promise<RecordFor<'campaigns'>> => findOrThrow(context, 'campaigns', campaignId);

export const audiencesOf = (context: ReadContext, campaignId: string) =>
  listBy(context, 'campaignAudiences', { campaignId }, 'id');

export const stepsOf = (context: ReadContext, campaignId: string) =>
  listBy(context, 'campaignSteps', { campaignId }, 'position');
