import { audiencesOf, campaignOf } from '../campaigns/parts.ts';
import { refreshEstimate } from '../campaigns/recipients.ts';
import { requireEditable, requireOneLeft } from './campaigns.ts';
import type { RulesOf } from './rule.ts';

export const campaignAudiences: RulesOf<'campaignAudiences'> = {
  async create(context, { parent: campaign }, proceed) {
    requireEditable(campaign);
    return refreshEstimate(context, campaign, await proceed({ estimatedCount: 0 }));
  },
  async update(context, { record }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    return refreshEstimate(context, campaign, await proceed());
  },
  async delete(context, { record }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    await proceed();
    requireOneLeft(campaign, 'audience', (await audiencesOf(context, campaign.id)).length);
  },
};
