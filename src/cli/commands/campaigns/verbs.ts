/** What sets a campaign going, and what holds it back. */
import type { Command } from 'commander';
import { type Context, type Input, nameFlags, type On } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { askText, confirm, confirmBy } from '../../question.ts';
import { counted } from '../../text.ts';
import { localTime, parseWhen } from '../../when.ts';
import { previewOf, reachOf, showPreview } from './preview.ts';
import { addCampaignVerb, type Campaign, type CampaignVerb } from './verb.ts';

const addConfirm = (command: Command): Command =>
  command.option('--confirm <count|name>', 'how many it reaches, or its name, instead of being asked');

const verbs: readonly CampaignVerb[] = [
  {
    name: 'schedule',
    summary: 'Let a campaign start by itself at a time',
    more: 'Shows whom it reaches, and asks for the count or the name.',
    examples: [
      'cs campaigns schedule "Spring letter" --at "2090-06-01 9:00" --confirm "Spring letter"',
      'cs campaigns schedule "Spring letter" --at "in 2 days" --dry-run',
    ],
    flags(command) {
      addConfirm(command.option('--at <when>', 'when it starts: "tomorrow 9:00", "2026-03-01 14:30"'));
      nameFlags(command, { scheduledAt: '--at' });
    },
    // Of one that is scheduled it changes the time.
    from: ['draft', 'scheduled'],
    done: 'scheduled',
    changes: async (context, options) => ({ status: 'scheduled', scheduledAt: await timeToCome(context, options.at) }),
    async agree(context, { campaign, changes, options }) {
      const when = localTime(changes.scheduledAt);
      await agreeToReach(context, { campaign, options, when, ask: (reach) => `Schedule ${campaign.name} for ${when}, to ${reach}` });
    },
  },
  {
    name: 'send',
    summary: 'Send a campaign now',
    more: 'Shows whom it reaches, and asks for the count or the name.',
    examples: ['cs campaigns send "Spring letter" --confirm "Spring letter"', 'cs campaigns send "Spring letter" --dry-run'],
    flags: addConfirm,
    from: ['draft'],
    done: 'started',
    changes: async () => ({ status: 'sending' }),
    agree: (context, { campaign, options }) =>
      agreeToReach(context, { campaign, options, when: 'now', ask: (reach) => `Send ${campaign.name} to ${reach}` }),
  },
  {
    name: 'pause',
    summary: 'Hold a campaign that is being sent',
    more: 'What was handed over is gone; the rest waits for `cs campaigns resume`.',
    examples: ['cs campaigns pause "Spring letter"', 'cs campaigns pause "Spring letter" --dry-run'],
    from: ['sending'],
    done: 'paused',
    changes: async () => ({ status: 'paused' }),
  },
  {
    name: 'resume',
    summary: 'Go on with a campaign that was paused',
    more: 'Says how many sends are queued, and asks for that count or the name.',
    examples: ['cs campaigns resume "Spring letter" --confirm "Spring letter"', 'cs campaigns resume "Spring letter" --dry-run'],
    flags: addConfirm,
    from: ['paused'],
    done: 'resumed',
    changes: async () => ({ status: 'sending' }),
    async agree(context, { campaign: { name, stats }, options }) {
      const queued = stats?.queued ?? 0;
      const message = `Go on with ${name}, which has ${counted(queued, 'send', 'sends')} queued`;
      await confirmBy(context, { message, expected: String(queued), or: name, given: options.confirm });
    },
  },
  {
    name: 'cancel',
    summary: 'Cancel a campaign for good',
    more: 'What is still queued is never sent.',
    examples: ['cs campaigns cancel "Spring letter"', 'cs campaigns cancel "Spring letter" --yes'],
    from: ['scheduled', 'sending', 'paused'],
    done: 'cancelled',
    changes: async () => ({ status: 'cancelled' }),
    agree: (context, { campaign }) => confirm(context, `Cancel the campaign ${campaign.name} for good?`),
  },
];

export function addCampaignVerbs(command: Command, on: On): void {
  for (const verb of verbs) addCampaignVerb(command, on, verb);
}

interface Reach {
  readonly campaign: Campaign;
  readonly options: Input['options'];
  readonly when: string;
  readonly ask: (reach: string) => string;
}

async function agreeToReach(context: Context, { campaign, options, when, ask }: Reach): Promise<void> {
  const preview = await previewOf(context, campaign);
  showPreview(context, preview, when);
  const asked = { message: ask(reachOf(preview)), expected: String(preview.addresses), or: campaign.name, given: options.confirm };
  await confirmBy(context, asked);
}

async function timeToCome(context: Context, given: string | undefined): Promise<string> {
  const text = given ?? (await askText(context, { flag: '--at', message: 'Starts at' }));
  const time = parseWhen(text, context.io.now(), '--at');
  if (Date.parse(time) > context.io.now().getTime()) return time;
  throw new CliError({
    code: 'validation_failed',
    message: `--at: "${text}" lies in the past.`,
    hint: 'give a time to come, or start it now with `cs campaigns send`',
    details: { issues: [{ path: 'scheduledAt', rule: 'in_future', message: 'lies in the past' }] },
    exitCode: 3,
  });
}
