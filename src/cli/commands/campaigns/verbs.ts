/** What sets a campaign going, and what holds it back. */

import { CliError } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { localTime, parseWhen, timeExamples } from '../../input/when.ts';
import { confirm, confirmByTyping } from '../../prompts/confirm.ts';
import { askLine, missingInput, validationMessage } from '../../prompts/prompts.ts';
import { pluralize } from '../../terminal/text.ts';
import { addressesOf, type Preview, previewOf, reachOf, showPreview } from './preview.ts';
import { type Asked, addCampaignVerb, type CampaignVerb, named, towardsSending } from './verb.ts';

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
      command.nameFlags({ scheduledAt: '--at' });
    },
    // Of one that is scheduled it changes the time.
    from: ['draft', 'scheduled'],
    done: 'scheduled',
    wayOut: towardsSending,
    changes: async (context, options) => ({ status: 'scheduled', scheduledAt: await timeToCome(context, options.at) }),
    async agree(context, asked) {
      const when = localTime(asked.changes.scheduledAt);
      await agreeToReach(context, asked, { when, ask: (name, reach) => `Schedule ${name} for ${when}, to ${reach}` });
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
    wayOut: towardsSending,
    changes: async () => ({ status: 'sending' }),
    agree: (context, asked) => agreeToReach(context, asked, { when: 'now', ask: (name, reach) => `Send ${name} to ${reach}` }),
  },
  {
    name: 'pause',
    summary: 'Hold a campaign that is being sent',
    more: 'What was handed over is gone; the rest waits for `cs campaigns resume`.',
    examples: ['cs campaigns pause "Spring letter"', 'cs campaigns list --status sending -o id | cs campaigns pause --ids -'],
    from: ['sending'],
    done: 'paused',
    wayOut: {
      draft: ['it is a draft, so nothing of it goes out'],
      scheduled: ['take it back first', 'campaigns', 'update', 'NAME', '--status', 'draft'],
      paused: ['it is held already'],
    },
    changes: async () => ({ status: 'paused' }),
  },
  {
    name: 'resume',
    summary: 'Go on with a campaign that was paused',
    more: 'Shows whom it reaches and how many sends are queued, and asks for the count or the name: who came into its audiences in the pause is written to as well.',
    examples: ['cs campaigns resume "Spring letter" --confirm "Spring letter"', 'cs campaigns resume "Spring letter" --dry-run'],
    flags: addConfirm,
    from: ['paused'],
    done: 'resumed',
    wayOut: towardsSending,
    changes: async () => ({ status: 'sending' }),
    async agree(context, asked) {
      const queued = asked.campaigns.reduce((sum, { stats }) => sum + (stats?.queued ?? 0), 0);
      const left = pluralize(queued, 'send', 'sends');
      await agreeToReach(context, asked, {
        when: 'now; nobody gets a step twice',
        ask: (name, reach) => `Go on with ${name} to ${reach}, with ${left} queued`,
      });
    },
  },
  {
    name: 'cancel',
    summary: 'Cancel a campaign for good',
    more: 'What is still queued is never sent.',
    examples: ['cs campaigns cancel "Spring letter"', 'cs campaigns cancel "Spring letter" --yes'],
    from: ['scheduled', 'sending', 'paused'],
    done: 'cancelled',
    wayOut: {
      draft: ['there is nothing to cancel, as a draft does not go out by itself; to be rid of it', 'campaigns', 'delete', 'NAME'],
      cancelled: ['it is cancelled already'],
    },
    changes: async () => ({ status: 'cancelled' }),
    async agree(context, { campaigns, options }) {
      if (!options.dryRun) await confirm(context, `Cancel ${campaigns.length === 1 ? 'the campaign ' : ''}${named(campaigns)} for good?`);
    },
  },
];

export function addCampaignVerbs(command: Command): void {
  for (const verb of verbs) addCampaignVerb(command, verb);
}

interface Reach {
  readonly when: string;
  readonly ask: (name: string, reach: string) => string;
}

/** Counts first, so that the number that is repeated is the one that is sent to. A dry run sends nothing, so it takes what was last counted. */
async function agreeToReach(context: Context, { campaigns, options }: Asked, { when, ask }: Reach): Promise<void> {
  const previews: Preview[] = [];
  for (const campaign of campaigns) previews.push(await previewOf(context, campaign, { count: !options.dryRun }));
  const question = ask(named(campaigns), reachOf(previews));
  for (const preview of previews) showPreview(context, preview, when);
  if (options.dryRun) return context.note(`It would ask: ${question}? The count is that of the last time that the audiences were counted.`);
  const expected = String(addressesOf(previews));
  await confirmByTyping(context, { message: question, expected, or: onlyName(campaigns), given: options.confirm });
}

/** Of several none is meant by a name alone. */
const onlyName = ([first, second]: Asked['campaigns']): string | undefined => (second ? undefined : first?.name);

async function timeToCome(context: Context, given: string | undefined): Promise<string> {
  const now = context.io.now();
  if (given !== undefined) return timeAfter(now, given);
  const check = async (text: string) => validationMessage(() => timeAfter(now, text));
  if (!context.interactive) throw missingInput(['--at']);
  return timeAfter(now, await askLine(context, { label: 'Starts at', hint: timeExamples, required: true, check }));
}

function timeAfter(now: Date, text: string): string {
  const time = parseWhen(text, now, '--at');
  if (Date.parse(time) > now.getTime()) return time;
  throw new CliError({
    code: 'validation_failed',
    message: `--at: "${text}" lies in the past.`,
    hint: 'give a time to come, or start it now with `cs campaigns send`',
    details: { issues: [{ path: 'scheduledAt', rule: 'in_future', message: 'lies in the past' }] },
    exitCode: 3,
  });
}
