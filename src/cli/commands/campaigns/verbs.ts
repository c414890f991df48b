/** A verb that takes campaigns from one state to another. */
import type { RecordFor, UpdateFor } from '../../../contract/contract.ts';
import { readByIds } from '../../crud/methods.ts';
import { addRecordsVerb, type RecordsVerb } from '../../crud/verbs.ts';
import { CliError } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime, parseWhen, timeExamples } from '../../input/when.ts';
import { confirm, confirmByTyping } from '../../prompts/confirm.ts';
import { askLine, missingInput, validationMessage } from '../../prompts/prompts.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { addressesOf, type Preview, previewOf, reachOf, showPreview } from './preview.ts';
import { campaignView } from './views.ts';

type Campaign = RecordFor<'campaigns'>;
type Changes = UpdateFor<'campaigns'>;

interface Asked {
  /** At least one, each in a state in which it can be done. */
  readonly campaigns: readonly Campaign[];
  readonly changes: Changes;
  readonly options: Input['options'];
}

interface CampaignVerb extends Pick<RecordsVerb, 'name' | 'summary' | 'examples' | 'flags'> {
  readonly more: string;
  /** The states in which it can be done. */
  readonly from: readonly Campaign['status'][];
  /** `sent`, in what is said when it cannot be done and when it was. */
  readonly done: string;
  /** What to do instead, by the state in which it cannot be done. */
  readonly wayOut: WayOut;
  readonly changes: (context: Context, options: Input['options']) => Promise<Changes>;
  /** Asks the person, where that is needed: what was asked and not agreed to throws. For a dry run it tells what would be asked. */
  readonly agree?: (context: Context, asked: Asked) => Promise<void>;
}

function addCampaignVerb(command: Command, verb: CampaignVerb): void {
  const { name, summary, more, examples, flags, from, done } = verb;
  addRecordsVerb(command, {
    ...{ resource: 'campaigns', view: campaignView, name, summary, more, examples, flags, did: done },
    async plan(context, { ids, single, options }) {
      const changes = await verb.changes(context, options);
      const found = await read(context, ids, single);
      const only = single === undefined ? undefined : found.get(single);
      // One that was named is told of before anything is asked; of several, each when its turn comes.
      if (only && !from.includes(only.status)) throw wrongState(context, only, verb);
      const ready = [...found.values()].filter(({ status }) => from.includes(status));
      const agree = async () => {
        if (ready.length > 0) await verb.agree?.(context, { campaigns: ready, changes, options });
        for (const { id } of ready) context.campaignStarts.approve(id);
      };
      if (options.dryRun) await agree();
      return {
        body: changes,
        agree,
        async act(id) {
          const campaign = found.get(id);
          if (campaign && !from.includes(campaign.status)) throw wrongState(context, campaign, verb);
          const changed = await (await context.client()).campaigns.update(id, changes);
          if (changes.status === 'sending') tellNext(context, changed);
          return changed;
        },
      };
    },
  });
}

/** One that is not there fails by itself when it is its turn; when it is the only one, here. */
async function read(context: Context, ids: readonly string[], single: string | undefined): Promise<Map<string, Campaign>> {
  const client = await context.client();
  if (single !== undefined) return new Map([[single, await client.campaigns.get(single)]]);
  const found = new Map<string, Campaign>();
  for await (const campaign of readByIds(ids, (query) => client.campaigns.list(query))) found.set(campaign.id, campaign);
  return found;
}

/** `Spring letter`, or how many there are. */
export const named = ([first, ...others]: readonly Campaign[]): string =>
  first && others.length === 0 ? first.name : pluralize(others.length + 1, 'campaign', 'campaigns');

/** A sentence and the command that it leads to; `NAME` stands for the campaign's name. */
type WayOut = Readonly<Partial<Record<Campaign['status'], readonly [why: string, ...words: string[]]>>>;

/** What leads from a state to where a campaign can be set going. Only for who wants that: it would be the opposite of what others typed. */
const towardsSending: WayOut = {
  draft: ['a draft goes nowhere until it is sent', 'campaigns', 'send', 'NAME'],
  scheduled: ['take it back first', 'campaigns', 'update', 'NAME', '--status', 'draft'],
  sending: ['see how it goes', 'campaigns', 'get', 'NAME'],
  paused: ['go on with it', 'campaigns', 'resume', 'NAME'],
};

/** Told before anything is asked. */
function wrongState(context: Context, { name, status }: Campaign, { from, done, wayOut }: CampaignVerb): CliError {
  const [why, ...words] = wayOut[status] ?? [];
  const next = words.map((word) => (word === 'NAME' ? name : word));
  return new CliError({
    code: 'invalid_transition',
    message: `The campaign ${name} is ${status}; it can be ${done} while it is ${joinList(from, 'or')}. Nothing was changed.`,
    hint: why && (next.length > 0 ? `${why}: \`${nextCommand(next, connectionFlags(context))}\`` : why),
    // Not what the state may become otherwise: beside the message it would read as what this command takes.
    details: { from: status },
  });
}

function tellNext(context: Context, { name }: Campaign): void {
  const flags = connectionFlags(context);
  context.note(`How it goes: \`${nextCommand(['campaigns', 'get', name], flags)}\``);
  context.note(`What failed: \`${nextCommand(['campaigns', 'sends', 'list', name, '--status', 'failed'], flags)}\``);
}

/** What sets a campaign going, and what holds it back. */

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
  });
}
