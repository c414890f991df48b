/** The verbs that change a campaign's status: schedule, send, pause, resume, cancel. */
import { IdMap } from '../../../client/ids.ts';
import { contract, type RecordFor, type UpdateFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime, parseWhen, timeExamples } from '../../input/when.ts';
import { confirm, confirmByTyping } from '../../prompts/confirm.ts';
import { askLine, missingInput, validationMessage } from '../../prompts/prompts.ts';
import { readByIds } from '../../resources/methods.ts';
import { addRecordsVerb, type RecordsVerb } from '../../resources/verbs.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import {
  countAddresses,
  createPreview,
  describeReach,
  type Preview,
  showPreview,
} from './preview.ts';
import { campaignView } from './views.ts';

type Campaign = RecordFor<'campaigns'>;
type Changes = UpdateFor<'campaigns'>;

interface VerbRequest {
  /** At least one, each in an allowed status. */
  readonly campaigns: readonly Campaign[];
  readonly changes: Changes;
  readonly options: Input['options'];
}

interface CampaignVerb extends Pick<RecordsVerb, 'name' | 'summary' | 'examples' | 'flags'> {
  readonly more: string;
  /** The statuses that allow it. */
  readonly from: readonly Campaign['status'][];
  /** Past participle for messages: `sent`. */
  readonly done: string;
  readonly changes: (context: Context, options: Input['options']) => Promise<Changes>;
  /** Prompts for confirmation, and throws if it is declined. For a dry run, it only prints the prompt. */
  readonly confirm?: (context: Context, request: VerbRequest) => Promise<void>;
}

function addCampaignVerb(command: Command, verb: CampaignVerb): void {
  const { name, summary, more, examples, flags, done } = verb;
  addRecordsVerb(command, {
    resource: 'campaigns',
    view: campaignView,
    name,
    summary,
    more,
    examples,
    flags,
    pastTense: done,
    async plan(context, { ids, single, options }) {
      const changes = await verb.changes(context, options);
      const found = await read(context, ids, single);
      const only = single === undefined ? undefined : found.get(single);
      // Check a single campaign before any prompt; of several, check each when it is its turn.
      if (only && !mayStart(only, verb)) throw wrongState(context, only, verb);
      const ready = [...found.values()].filter((one) => mayStart(one, verb));
      const agree = async () => {
        if (ready.length > 0) await verb.confirm?.(context, { campaigns: ready, changes, options });
        for (const { id } of ready) context.confirmedIds.add(id);
      };
      if (options.dryRun) await agree();
      return {
        body: changes,
        agree,
        async act(id) {
          const campaign = found.get(id);
          if (campaign && !mayStart(campaign, verb)) throw wrongState(context, campaign, verb);
          const changed = await (await context.client()).campaigns.update(id, changes);
          if (changes.status === 'sending') noteNextCommands(context, changed);
          return changed;
        },
      };
    },
  });
}

/** A state that the specification doesn't have, or none, is left to the server. */
const mayStart = ({ status }: Campaign, { from }: CampaignVerb): boolean =>
  from.includes(status) ||
  !contract.campaigns.fields.status.schema.options.some((known) => known === status);

/** A single missing campaign fails here; of several, each fails when it is its turn. */
async function read(
  context: Context,
  ids: readonly string[],
  single: string | undefined,
): Promise<Map<string, Campaign>> {
  const client = await context.client();
  if (single !== undefined) return new IdMap([[single, await client.campaigns.get(single)]]);
  const found = new IdMap<Campaign>();
  for await (const campaign of readByIds(ids, (query) => client.campaigns.all(query)))
    found.set(campaign.id, campaign);
  return found;
}

/** `Spring letter` or `3 campaigns`. */
export const describeCampaigns = ([first, ...others]: readonly Campaign[]): string =>
  first && others.length === 0 ? first.name : pluralize(others.length + 1, 'campaign', 'campaigns');

const wrongState = (
  context: Context,
  { name, status }: Campaign,
  { from, done }: CampaignVerb,
): CliError =>
  new CliError({
    code: 'invalid_transition',
    message: `The campaign ${name} is ${status}; it can be ${done} while it is ${joinList(from, 'or')}. Nothing was changed.`,
    hint: `see it with \`${nextCommand(['campaigns', 'get', name], connectionFlags(context))}\``,
    details: { from: status },
  });

function noteNextCommands(context: Context, { name }: Campaign): void {
  const flags = connectionFlags(context);
  context.note(`Progress: \`${nextCommand(['campaigns', 'get', name], flags)}\``);
  context.note(
    `Failed sends: \`${nextCommand(['campaigns', 'sends', 'list', name, '--status', 'failed'], flags)}\``,
  );
}

const addConfirm = (command: Command): Command =>
  command.option(
    '--confirm <count|name>',
    'confirm without a prompt: the number of addresses, or the name',
  );

const verbs: readonly CampaignVerb[] = [
  {
    name: 'schedule',
    summary: 'Schedule a campaign',
    more: 'Shows the recipients and asks for their number or the name.',
    examples: [
      'cs campaigns schedule "Spring letter" --at "2090-06-01 9:00" --confirm "Spring letter"',
      'cs campaigns schedule "Spring letter" --at "in 2 days" --dry-run',
    ],
    flags(command) {
      addConfirm(command.option('--at <when>', 'start time: "tomorrow 9:00", "2026-03-01 14:30"'));
      command.nameFlags({ scheduledAt: '--at' });
    },
    // Scheduling again changes the time.
    from: ['draft', 'scheduled'],
    done: 'scheduled',
    changes: async (context, options) => ({
      status: 'scheduled',
      scheduledAt: await readFutureTime(context, options.at),
    }),
    async confirm(context, request) {
      const when = localTime(request.changes.scheduledAt);
      await confirmReach(context, request, {
        when,
        ask: (name, reach) => `Schedule ${name} for ${when}, to ${reach}`,
      });
    },
  },
  {
    name: 'send',
    summary: 'Send a campaign now',
    more: 'Shows the recipients and asks for their number or the name.',
    examples: [
      'cs campaigns send "Spring letter" --confirm "Spring letter"',
      'cs campaigns send "Spring letter" --dry-run',
    ],
    flags: addConfirm,
    from: ['draft'],
    done: 'started',
    changes: async () => ({ status: 'sending' }),
    confirm: (context, request) =>
      confirmReach(context, request, {
        when: 'now',
        ask: (name, reach) => `Send ${name} to ${reach}`,
      }),
  },
  {
    name: 'pause',
    summary: 'Pause a campaign that is being sent',
    more: "Messages that were already sent can't be recalled; the rest waits for `cs campaigns resume`.",
    examples: [
      'cs campaigns pause "Spring letter"',
      'cs campaigns list --status sending -o id | cs campaigns pause --ids -',
    ],
    from: ['sending'],
    done: 'paused',
    changes: async () => ({ status: 'paused' }),
  },
  {
    name: 'resume',
    summary: 'Resume a paused campaign',
    more: 'Shows the recipients and asks for their number or the name. People who joined the audiences meanwhile are included.',
    examples: [
      'cs campaigns resume "Spring letter" --confirm "Spring letter"',
      'cs campaigns resume "Spring letter" --dry-run',
    ],
    flags: addConfirm,
    from: ['paused'],
    done: 'resumed',
    changes: async () => ({ status: 'sending' }),
    confirm: (context, request) =>
      confirmReach(context, request, {
        when: 'now; nobody gets a step twice',
        ask: (name, reach) => `Resume ${name} to ${reach}`,
      }),
  },
  {
    name: 'cancel',
    summary: 'Cancel a campaign permanently',
    more: 'Queued messages are never sent.',
    examples: ['cs campaigns cancel "Spring letter"', 'cs campaigns cancel "Spring letter" --yes'],
    from: ['scheduled', 'sending', 'paused'],
    done: 'cancelled',
    changes: async () => ({ status: 'cancelled' }),
    async confirm(context, { campaigns, options }) {
      if (!options.dryRun)
        await confirm(
          context,
          `Cancel ${campaigns.length === 1 ? 'the campaign ' : ''}${describeCampaigns(campaigns)} permanently?`,
        );
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

/** Counts the audiences first, so that the confirmed number is current. A dry run sends nothing, so it uses the last count. */
async function confirmReach(
  context: Context,
  { campaigns, options }: VerbRequest,
  { when, ask }: Reach,
): Promise<void> {
  const previews: Preview[] = [];
  for (const campaign of campaigns)
    previews.push(await createPreview(context, campaign, { count: !options.dryRun }));
  const question = ask(describeCampaigns(campaigns), describeReach(previews));
  for (const preview of previews) showPreview(context, preview, when);
  if (options.dryRun)
    return context.note(
      `It would ask: ${question}? The number is from the last count of the audiences.`,
    );
  const name = onlyName(campaigns);
  // Where the server doesn't count addresses, the name confirms, or the number of campaigns.
  const expected = String(countAddresses(previews) ?? name ?? campaigns.length);
  await confirmByTyping(context, { message: question, expected, or: name, given: options.confirm });
}

/** A name confirms only a single campaign. */
const onlyName = ([first, second]: VerbRequest['campaigns']): string | undefined =>
  second ? undefined : first?.name;

async function readFutureTime(context: Context, given: string | undefined): Promise<string> {
  const read = (text: string): string => {
    const now = context.io.now();
    const time = parseWhen(text, now, '--at');
    if (Date.parse(time) > now.getTime()) return time;
    throw usage(
      `--at: "${text}" is in the past.`,
      'give a future time, or start it now with `cs campaigns send`',
    );
  };
  if (given !== undefined) return read(given);
  if (!context.interactive) throw missingInput(['--at']);
  const check = async (text: string) => validationMessage(() => read(text));
  return read(
    await askLine(context, { label: 'Starts at', hint: timeExamples, required: true, check }),
  );
}
