import type { RecordFor, UpdateFor } from '../../contract/contract.ts';
import type { Issue } from '../../contract/problems.ts';
import { campaignOf, stepsOf } from '../campaigns/parts.ts';
import { forgetStep } from '../campaigns/sends.ts';
import type { Context } from '../context.ts';
import { change, find } from '../records.ts';
import { invalid } from '../refusal.ts';
import { requireEditable, requireOneLeft } from './campaigns.ts';
import { makeRoom } from './positions.ts';
import type { RulesOf } from './rule.ts';

type Campaign = RecordFor<'campaigns'>;
type Step = RecordFor<'campaignSteps'>;

export const campaignSteps: RulesOf<'campaignSteps'> = {
  async create(context, { body, parent: campaign }, proceed) {
    requireEditable(campaign);
    const text = await writeText(context, campaign, body);
    const others = await stepsOf(context, campaign.id);
    return proceed({ ...text, position: await makeRoom(context, 'campaignSteps', others, body.position) });
  },
  async update(context, { record, body }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    const text = await writeText(context, campaign, body, record);
    if (body.position === undefined) return proceed(text);
    const others = (await stepsOf(context, campaign.id)).filter(({ id }) => id !== record.id);
    return proceed({ ...text, position: await makeRoom(context, 'campaignSteps', others, body.position) });
  },
  async delete(context, { record }, proceed) {
    const campaign = await campaignOf(context, record);
    requireEditable(campaign);
    await forgetStep(context, record);
    await proceed();
    const left = await stepsOf(context, campaign.id);
    requireOneLeft(campaign, 'content step', left.length);
    await makeRoom(context, 'campaignSteps', left);
  },
};

/** Subject and text of a step as they will be kept: what the body gives, then what a newly named template does, then what was there. */
async function writeText(
  context: Context,
  { channel }: Campaign,
  body: UpdateFor<'campaignSteps'>,
  before?: Step,
): Promise<Pick<Step, 'subject' | 'body'>> {
  const template =
    body.templateId && body.templateId !== before?.templateId ? await useTemplate(context, channel, body.templateId) : undefined;
  const subject = body.subject === undefined ? (template?.subject ?? before?.subject ?? null) : body.subject;
  const text = body.body ?? template?.body ?? before?.body;
  const issues: Issue[] = [];
  if (channel === 'email' && subject === null) issues.push({ path: 'subject', rule: 'required', message: 'is required for e-mail' });
  if (text === undefined) issues.push({ path: 'body', rule: 'required', message: 'is required, or a template that gives it' });
  if (issues.length > 0 || text === undefined) throw invalid(issues);
  return { subject, body: text };
}

async function useTemplate(context: Context, channel: Campaign['channel'], templateId: string): Promise<RecordFor<'templates'>> {
  const template = await find(context, 'templates', templateId);
  if (!template) throw new Error('The template was checked before');
  if (template.channel !== channel) {
    throw invalid([
      { path: 'templateId', rule: 'same_channel', message: `must be a template for ${channel}; this one is for ${template.channel}` },
    ]);
  }
  return change(context, 'templates', template, { lastUsedAt: context.now });
}
