/** What a campaign will send, and to how many: shown before it is agreed to. */

import type { RecordFor } from '../../../contract/contract.ts';
import type { Issue } from '../../../contract/problems.ts';
import { gather } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { firstLine } from '../../lookup/labels.ts';
import { labelled } from '../../output/labelled.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { delayOf } from './views.ts';

type Campaign = RecordFor<'campaigns'>;

export interface Preview {
  readonly campaign: Campaign;
  readonly audiences: readonly RecordFor<'campaignAudiences'>[];
  readonly steps: readonly RecordFor<'campaignSteps'>[];
  /** Whether the audiences were counted just now, rather than when they were written. */
  readonly fresh: boolean;
}

/** Fails with exit 3 when there is nobody to send to, or nothing to send. `count`: the audiences are counted anew. */
export async function previewOf(context: Context, campaign: Campaign, { count }: { count: boolean }): Promise<Preview> {
  const client = await context.client();
  const [stored, steps] = await Promise.all([
    gather(client.campaignAudiences.all(campaign.id)),
    gather(client.campaignSteps.all(campaign.id)),
  ]);
  requireParts(context, campaign, { audience: stored.length, content: steps.length });
  const audiences = [];
  // An audience is counted when it is written; nothing of it changes.
  for (const audience of stored)
    audiences.push(count ? await client.campaignAudiences.update(campaign.id, audience.id, { name: audience.name }) : audience);
  return { campaign, audiences, steps, fresh: count };
}

/** Addresses of all audiences; somebody in several counts in each. */
export const addressesOf = (previews: readonly Pick<Preview, 'audiences'>[]): number =>
  previews.flatMap(({ audiences }) => audiences).reduce((sum, { estimatedCount }) => sum + (estimatedCount ?? 0), 0);

function requireParts(context: Context, { name }: Campaign, parts: { audience: number; content: number }): void {
  const flags = connectionFlags(context);
  const lacks = [
    { what: 'audience', path: 'audiences', command: nextCommand(['campaigns', 'audiences', 'create', name, '--name', 'NAME'], flags) },
    { what: 'content', path: 'content', command: nextCommand(['campaigns', 'content', 'create', name, '--template', 'TEMPLATE'], flags) },
  ].filter(({ what }) => parts[what as keyof typeof parts] === 0);
  if (lacks.length === 0) return;
  throw new CliError({
    code: 'validation_failed',
    message: `The campaign ${name} has no ${lacks.map(({ what }) => what).join(' and no ')} yet. Nothing was sent.`,
    hint: lacks.map(({ command }) => `\`${command}\``).join(', then '),
    details: { issues: lacks.map(({ what, path }): Issue => ({ path, rule: 'at_least_one', message: `${what} is missing` })) },
  });
}

/** `2 addresses`; `at most 5 addresses` where somebody may be in several audiences. */
export const reachOf = (previews: readonly Pick<Preview, 'audiences'>[]): string =>
  `${previews.some(({ audiences }) => audiences.length > 1) ? 'at most ' : ''}${pluralize(addressesOf(previews), 'address', 'addresses')}`;

/** For a person, on stderr, before the question. */
export function showPreview(context: Context, preview: Preview, when: string): void {
  const { campaign, audiences, steps, fresh } = preview;
  if (!context.io.stderrIsTerminal || context.settings.quiet) return;
  const content = steps.map(
    ({ position, subject, body, delayMinutes }) => `${position}. ${subject ?? firstLine(body)} (${delayOf(delayMinutes)})`,
  );
  context.io.stderr.write(
    labelled(context, [
      ['Campaign', campaign.name],
      ['Channel', [campaign.channel, campaign.fromAddress && `from ${campaign.fromAddress}`].filter(Boolean).join(' ')],
      ['To', audiences.map(({ name, estimatedCount }) => `${name} (${grouped(estimatedCount ?? 0)})`).join(', ')],
      ['Reaches', `${reachOf([preview])}${fresh ? '' : ', as last counted'}`],
      ['Sends', content],
      ['Starts', when],
    ]),
  );
}
