import { contract, type RecordFor, type UpdateFor } from '../../contract/contract.ts';
import * as fields from '../../contract/fields.ts';
import type { Issue } from '../../contract/problems.ts';
import { audiencesOf, stepsOf } from '../campaigns/parts.ts';
import { refreshEstimate } from '../campaigns/recipients.ts';
import { endRun, putRun } from '../campaigns/runs.ts';
import { isAllowedSender } from '../campaigns/senders.ts';
import type { Context } from '../context.ts';
import { invalid, Refusal } from '../refusal.ts';
import { requireTransition } from '../transitions.ts';
import { toColumns } from '../values.ts';
import type { RulesOf } from './rule.ts';

type Campaign = RecordFor<'campaigns'>;

export const campaigns: RulesOf<'campaigns'> = {
  async create(context, { body }, proceed) {
    await requireSender(context, body);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    const values = toColumns(contract.campaigns, body);
    const next: Campaign = { ...record, ...values };
    requireTransition(contract.campaigns, body, record);
    requireUnlocked(record, values);
    const starts = next.status === 'sending' && record.status !== 'sending';
    const schedules = next.status === 'scheduled' && record.status !== 'scheduled';
    // A campaign whose address is no longer allowed can still be paused, cancelled and edited.
    if (starts || schedules || next.fromAddress !== record.fromAddress) await requireSender(context, next);
    if (starts || next.status === 'scheduled') await requireReady(context, record, next);
    return arrange(context, record, await proceed(starts ? { startedAt: record.startedAt ?? context.now } : {}));
  },
};

const locked: readonly Campaign['status'][] = ['sending', 'sent', 'cancelled'];

/** Refuses changes to what a campaign sends, and to whom, while it is going out and afterwards. */
export function requireEditable(campaign: Campaign): void {
  if (!locked.includes(campaign.status)) return;
  const how = campaign.status === 'sending' ? 'is being sent; pause it first' : `is ${campaign.status}, so it stays as it is`;
  throw new Refusal('campaign_locked', `The campaign ${campaign.name} ${how}`, { status: campaign.status });
}

/** A scheduled campaign must still be able to start when its time comes. */
export function requireOneLeft(campaign: Campaign, what: 'audience' | 'content step', left: number): void {
  if (campaign.status !== 'scheduled' || left > 0) return;
  throw new Refusal('campaign_locked', `This is the last ${what} of a scheduled campaign; set its status to draft first`, {
    status: campaign.status,
  });
}

/** Its state may change whatever it is, the rest only while it is not locked. */
function requireUnlocked(record: Campaign, { status: _, ...rest }: Record<string, unknown>): void {
  const changes = Object.entries(rest).some(([name, value]) => value !== record[name as keyof Campaign]);
  if (changes) requireEditable(record);
}

async function requireSender(
  context: Context,
  { channel, fromAddress }: Pick<Campaign, 'channel'> & UpdateFor<'campaigns'>,
): Promise<void> {
  if (channel === 'email' && fromAddress && !fields.email.safeParse(fromAddress).success)
    throw invalid([{ path: 'fromAddress', rule: 'invalid_format', message: 'must be an e-mail address' }]);
  if (await isAllowedSender(context, fromAddress)) return;
  const how = `the operator allows it with \`cs admin team sender add ADDRESS --team ${context.team.slug}\``;
  throw invalid([{ path: 'fromAddress', rule: 'sender_not_allowed', message: `isn't an address that the team may send from; ${how}` }]);
}

/** What a campaign needs before it may start: somebody, something, and when it is scheduled a time that has not come. */
async function requireReady(context: Context, record: Campaign, next: Campaign): Promise<void> {
  const issues: Issue[] = [];
  const keepsTime = record.status === 'scheduled' && record.scheduledAt === next.scheduledAt;
  if (next.status === 'scheduled' && !keepsTime) {
    if (!next.scheduledAt) issues.push({ path: 'scheduledAt', rule: 'required', message: 'is required for a scheduled campaign' });
    else if (next.scheduledAt <= context.now) issues.push({ path: 'scheduledAt', rule: 'in_future', message: 'must lie in the future' });
  }
  if ((await audiencesOf(context, record.id)).length === 0)
    issues.push({ path: 'audiences', rule: 'at_least_one', message: 'are missing: add one before the campaign can start' });
  if ((await stepsOf(context, record.id)).length === 0)
    issues.push({ path: 'content', rule: 'at_least_one', message: 'is missing: add a step before the campaign can start' });
  if (issues.length > 0) throw invalid(issues);
}

/** Says what is left to do of the campaign now that it is in another state or has another time. */
async function arrange(context: Context, before: Campaign, campaign: Campaign): Promise<Campaign> {
  const { id, status } = campaign;
  if (status === before.status && (status !== 'scheduled' || campaign.scheduledAt === before.scheduledAt)) return campaign;
  if (status === 'scheduled') await putRun(context, id, { phase: 'start', dueAt: campaign.scheduledAt as string });
  else if (status === 'sending') await putRun(context, id, { phase: before.startedAt ? 'review' : 'gather' });
  else if (status === 'cancelled' && before.startedAt) await putRun(context, id, { phase: 'drop' });
  else await endRun(context, id);
  if (status === 'scheduled' || status === 'sending') {
    for (const audience of await audiencesOf(context, id)) await refreshEstimate(context, campaign, audience);
  }
  return campaign;
}
