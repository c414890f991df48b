/** The preview of a campaign before it is confirmed: recipients, content, and start. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { labelled } from '../../output/labelled.ts';
import { firstLine } from '../../resources/labels.ts';
import { gather } from '../../resources/methods.ts';
import { pluralize } from '../../terminal/text.ts';
import { formatDelay } from './views.ts';

type Campaign = RecordFor<'campaigns'>;

export interface Preview {
  readonly campaign: Campaign;
  readonly audiences: readonly RecordFor<'campaignAudiences'>[];
  readonly steps: readonly RecordFor<'campaignSteps'>[];
  /** Whether the audiences were counted now. */
  readonly fresh: boolean;
}

/** Exit 3 without audience or content. `count`: count the audiences again. */
export async function createPreview(
  context: Context,
  campaign: Campaign,
  { count }: { count: boolean },
): Promise<Preview> {
  const client = await context.client();
  const [stored, steps] = await Promise.all([
    gather(client.campaignAudiences.all(campaign.id)),
    gather(client.campaignSteps.all(campaign.id)),
  ]);
  requireParts(context, campaign, { audience: stored.length, content: steps.length });
  const audiences = [];
  // The service counts an audience on each update; this one changes nothing. Another server may not count at all.
  for (const audience of stored)
    audiences.push(
      count && typeof audience.estimatedCount === 'number'
        ? await client.campaignAudiences.update(campaign.id, audience.id, { name: audience.name })
        : audience,
    );
  return { campaign, audiences, steps, fresh: count };
}

/** Sum over all audiences; duplicates count several times. Undefined where the server doesn't count them. */
export function countAddresses(
  previews: readonly Pick<Preview, 'audiences'>[],
): number | undefined {
  const sizes = previews.flatMap(({ audiences }) =>
    audiences.map(({ estimatedCount }) => estimatedCount),
  );
  const known = sizes.filter((size) => typeof size === 'number');
  return known.length < sizes.length ? undefined : known.reduce((sum, size) => sum + size, 0);
}

function requireParts(
  context: Context,
  { name }: Campaign,
  { audience, content }: { audience: number; content: number },
): void {
  if (audience > 0 && content > 0) return;
  const missing = [...(audience > 0 ? [] : ['audience']), ...(content > 0 ? [] : ['content'])];
  const create = [
    ...(audience > 0 ? [] : [['audiences', 'create', name, '--name', 'NAME']]),
    ...(content > 0 ? [] : [['content', 'create', name, '--template', 'TEMPLATE']]),
  ].map((words) => `\`${nextCommand(['campaigns', ...words], connectionFlags(context))}\``);
  throw new CliError({
    code: 'validation_failed',
    message: `The campaign ${name} has no ${missing.join(' and no ')} yet. Nothing was sent.`,
    hint: create.join(', then '),
  });
}

/** `2 addresses`, or `at most 5 addresses` if audiences may overlap. */
export function describeReach(previews: readonly Pick<Preview, 'audiences'>[]): string {
  const count = countAddresses(previews);
  if (count === undefined) return 'an unknown number of addresses';
  const overlap = previews.some(({ audiences }) => audiences.length > 1);
  return `${overlap ? 'at most ' : ''}${pluralize(count, 'address', 'addresses')}`;
}

/** On stderr, before the prompt. */
export function showPreview(context: Context, preview: Preview, when: string): void {
  const { campaign, audiences, steps, fresh } = preview;
  if (!context.io.stderrIsTerminal || context.settings.quiet) return;
  const content = steps.map(
    ({ position, subject, body, delayMinutes }) =>
      `${position}. ${subject ?? firstLine(body)} (${formatDelay(delayMinutes)})`,
  );
  context.io.stderr.write(
    labelled(context, [
      ['Campaign', campaign.name],
      [
        'Channel',
        [campaign.channel, campaign.fromAddress && `from ${campaign.fromAddress}`]
          .filter(Boolean)
          .join(' '),
      ],
      [
        'To',
        audiences
          .map(({ name, estimatedCount }) => `${name} (${estimatedCount ?? 'size unknown'})`)
          .join(', '),
      ],
      ['Reaches', `${describeReach([preview])}${fresh ? '' : ' (last count)'}`],
      ['Sends', content],
      ['Starts', when],
    ]),
  );
}
