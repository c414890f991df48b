import { contract, type RecordFor, type UpdateFor } from '../../contract/contract.ts';
import * as fields from '../../contract/fields.ts';
import type { Issue } from '../../contract/problems.ts';
import { audiencesOf, campaignOf, stepsOf } from '../campaigns/parts.ts';
import { refreshEstimate } from '../campaigns/recipients.ts';
import { endRun, putRun } from '../campaigns/runs.ts';
import { isAllowedSender } from '../campaigns/senders.ts';
import { forgetStep } from '../campaigns/sends.ts';
import { requireTransition } from '../constraints.ts';
import type { Context } from '../context.ts';
import { ApiProblem, invalid, invalidValue } from '../problem.ts';
import { change, findOrThrow } from '../records.ts';
import { toColumns } from '../values.ts';
import { renumber } from './positions.ts';
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
    if (starts || schedules || next.fromAddress !== record.fromAddress)
      await requireSender(context, next);
    if (starts || next.status === 'scheduled') await requireReady(context, record, next);
    return arrange(
      context,
      record,
      await proceed(starts ? { startedAt: record.startedAt ?? context.now } : {}),
    );
  },
};

const locked: readonly Campaign['status'][] = ['sending', 'sent', 'cancelled'];

/** Refuses changes to content and audiences during and after sending. */
function requireEditable(campaign: Campaign): void {
  if (!locked.includes(campaign.status)) return;
  const how =
    campaign.status === 'sending'
      ? 'is being sent; pause it first'
      : `is ${campaign.status} and can't be changed`;
  throw new ApiProblem('campaign_locked', `The campaign ${campaign.name} ${how}`, {
    status: campaign.status,
  });
}

/** A scheduled campaign must stay able to start. */
function requireOneLeft(campaign: Campaign, what: 'audience' | 'content step', left: number): void {
  if (campaign.status !== 'scheduled' || left > 0) return;
  throw new ApiProblem(
    'campaign_locked',
    `This is the last ${what} of a scheduled campaign; set its status to draft first`,
    {
      status: campaign.status,
    },
  );
}

/** While locked, only the status can change. */
function requireUnlocked(record: Campaign, { status: _, ...rest }: Record<string, unknown>): void {
  const changes = Object.entries(rest).some(
    ([name, value]) => value !== record[name as keyof Campaign],
  );
  if (changes) requireEditable(record);
}

async function requireSender(
  context: Context,
  { channel, fromAddress }: Pick<Campaign, 'channel'> & UpdateFor<'campaigns'>,
): Promise<void> {
  if (channel === 'sms' || !fromAddress) return;
  if (!fields.email.safeParse(fromAddress).success)
    throw invalidValue('fromAddress', 'invalid_format', 'must be an e-mail address');
  if (await isAllowedSender(context, fromAddress)) return;
  const how = `the operator can allow it with \`cs admin team sender add ADDRESS --team ${context.team.slug}\``;
  throw invalidValue(
    'fromAddress',
    'sender_not_allowed',
    `isn't an allowed sender of the team; ${how}`,
  );
}

/** A campaign needs an audience and content before it starts, and a scheduled one a future time. */
async function requireReady(context: Context, record: Campaign, next: Campaign): Promise<void> {
  const issues: Issue[] = [];
  if (record.channel === 'sms')
    issues.push({
      path: 'channel',
      rule: 'not_delivered',
      message: "is sms: this service records SMS and doesn't deliver them",
    });
  const keepsTime = record.status === 'scheduled' && record.scheduledAt === next.scheduledAt;
  if (next.status === 'scheduled' && !keepsTime) {
    if (!next.scheduledAt)
      issues.push({
        path: 'scheduledAt',
        rule: 'required',
        message: 'is required for a scheduled campaign',
      });
    else if (next.scheduledAt <= context.now)
      issues.push({ path: 'scheduledAt', rule: 'in_future', message: 'must be in the future' });
  }
  if ((await audiencesOf(context, record.id)).length === 0)
    issues.push({
      path: 'audiences',
      rule: 'at_least_one',
      message: 'need at least one entry before the campaign can start',
    });
  if ((await stepsOf(context, record.id)).length === 0)
    issues.push({
      path: 'content',
      rule: 'at_least_one',
      message: 'needs at least one step before the campaign can start',
    });
  if (issues.length > 0) throw invalid(issues);
}

/** Sets the campaign's next work after a change of status or time. */
async function arrange(context: Context, before: Campaign, campaign: Campaign): Promise<Campaign> {
  const { id, status } = campaign;
  if (
    status === before.status &&
    (status !== 'scheduled' || campaign.scheduledAt === before.scheduledAt)
  )
    return campaign;
  if (status === 'scheduled')
    await putRun(context, id, { phase: 'start', dueAt: campaign.scheduledAt as string });
  else if (status === 'sending')
    await putRun(context, id, { phase: before.startedAt ? 'review' : 'gather' });
  else if (status === 'cancelled' && before.startedAt) await putRun(context, id, { phase: 'drop' });
  else await endRun(context, id);
  if (status === 'scheduled' || status === 'sending') {
    for (const audience of await audiencesOf(context, id))
      await refreshEstimate(context, campaign, audience);
  }
  return campaign;
}

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

type Step = RecordFor<'campaignSteps'>;

export const campaignSteps: RulesOf<'campaignSteps'> = {
  async create(context, { body, parent: campaign }, proceed) {
    requireEditable(campaign);
    const text = await writeText(context, campaign, body);
    const others = await stepsOf(context, campaign.id);
    return proceed({
      ...text,
      position: await renumber(context, 'campaignSteps', others, body.position),
    });
  },
  async update(context, { record, body }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    const text = await writeText(context, campaign, body, record);
    if (body.position === undefined) return proceed(text);
    const others = (await stepsOf(context, campaign.id)).filter(({ id }) => id !== record.id);
    return proceed({
      ...text,
      position: await renumber(context, 'campaignSteps', others, body.position),
    });
  },
  async delete(context, { record }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    await forgetStep(context, record);
    await proceed();
    const left = await stepsOf(context, campaign.id);
    requireOneLeft(campaign, 'content step', left.length);
    await renumber(context, 'campaignSteps', left);
  },
};

/** Subject and text of a step: from the body, else from a newly set template, else as before. */
async function writeText(
  context: Context,
  { channel }: Campaign,
  body: UpdateFor<'campaignSteps'>,
  before?: Step,
): Promise<Pick<Step, 'subject' | 'body'>> {
  const template =
    body.templateId && body.templateId !== before?.templateId
      ? await useTemplate(context, channel, body.templateId)
      : undefined;
  const subject =
    body.subject === undefined ? (template?.subject ?? before?.subject ?? null) : body.subject;
  const text = body.body ?? template?.body ?? before?.body;
  const issues: Issue[] = [];
  if (channel === 'email' && subject === null)
    issues.push({ path: 'subject', rule: 'required', message: 'is required for e-mail' });
  if (text === undefined)
    issues.push({ path: 'body', rule: 'required', message: 'is required without a template' });
  if (issues.length > 0 || text === undefined) throw invalid(issues);
  return { subject, body: text };
}

async function useTemplate(
  context: Context,
  channel: Campaign['channel'],
  templateId: string,
): Promise<RecordFor<'templates'>> {
  const template = await findOrThrow(context, 'templates', templateId);
  if (template.channel !== channel) {
    throw invalidValue(
      'templateId',
      'same_channel',
      `must be a template for ${channel}; this one is for ${template.channel}`,
    );
  }
  return change(context, 'templates', template, { lastUsedAt: context.now });
}
