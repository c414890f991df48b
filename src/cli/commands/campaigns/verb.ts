/** A verb that takes campaigns from one state to another. */

import type { RecordFor, UpdateFor } from '../../../contract/contract.ts';
import { readByIds } from '../../crud/methods.ts';
import { addRecordsVerb, type RecordsVerb } from '../../crud/records-verb.ts';
import { CliError } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { globalFlagsOf, nextCommand } from '../../framework/next-command.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { campaignView } from './views.ts';

export type Campaign = RecordFor<'campaigns'>;
export type Changes = UpdateFor<'campaigns'>;

export interface Asked {
  /** At least one, each in a state in which it can be done. */
  readonly campaigns: readonly Campaign[];
  readonly changes: Changes;
  readonly options: Input['options'];
}

export interface CampaignVerb extends Pick<RecordsVerb, 'name' | 'summary' | 'examples' | 'flags'> {
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

export function addCampaignVerb(command: Command, verb: CampaignVerb): void {
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
        for (const { id } of ready) context.campaignStarts.agree(id);
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
export type WayOut = Readonly<Partial<Record<Campaign['status'], readonly [why: string, ...words: string[]]>>>;

/** What leads from a state to where a campaign can be set going. Only for who wants that: it would be the opposite of what others typed. */
export const towardsSending: WayOut = {
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
    hint: why && (next.length > 0 ? `${why}: \`${nextCommand(next, globalFlagsOf(context))}\`` : why),
    // Not what the state may become otherwise: beside the message it would read as what this command takes.
    details: { from: status },
    exitCode: 7,
  });
}

function tellNext(context: Context, { name }: Campaign): void {
  const flags = globalFlagsOf(context);
  context.note(`How it goes: \`${nextCommand(['campaigns', 'get', name], flags)}\``);
  context.note(`What failed: \`${nextCommand(['campaigns', 'sends', 'list', name, '--status', 'failed'], flags)}\``);
}
