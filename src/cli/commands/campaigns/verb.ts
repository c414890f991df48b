/** A verb that takes a campaign from one state to another. */
import { Argument, type Command } from 'commander';
import { campaigns } from '../../../contract/campaigns.ts';
import type { RecordFor, UpdateFor } from '../../../contract/contract.ts';
import { type Context, examples, type Input, type On, performs } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { addWriteFlags } from '../../flags.ts';
import { resolveRecord } from '../../names/names.ts';
import { globalFlagsOf, nextCommand } from '../../next-command.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { namesRecords } from '../../tree/manifest.ts';
import { campaignView } from './views.ts';

export type Campaign = RecordFor<'campaigns'>;
export type Changes = UpdateFor<'campaigns'>;

export interface CampaignVerb {
  readonly name: string;
  readonly summary: string;
  /** What more the help says. */
  readonly more: string;
  readonly examples: readonly string[];
  readonly flags?: (command: Command) => void;
  /** The states in which it can be done. */
  readonly from: readonly Campaign['status'][];
  /** `sent`, in what is said when it cannot be done and when it was. */
  readonly done: string;
  readonly changes: (context: Context, options: Input['options']) => Promise<Changes>;
  /** Asks the person, where that is needed: what was asked and not agreed to throws. */
  readonly agree?: (context: Context, asked: { campaign: Campaign; changes: Changes; options: Input['options'] }) => Promise<void>;
}

export function addCampaignVerb(command: Command, on: On, verb: CampaignVerb): void {
  const made = performs(command.command(verb.name), 'campaigns.update')
    .summary(verb.summary)
    .description(`${verb.summary}. ${verb.more}`)
    .addArgument(namesRecords(new Argument('<campaign>', 'id of the campaign, or its name'), 'campaigns'));
  verb.flags?.(made);
  addWriteFlags(made);
  examples(made, verb.examples);
  made.action(
    on(async (context, { args: [text], options }) => {
      const changes = await verb.changes(context, options);
      const campaign = (await resolveRecord(context, { resource: 'campaigns', text })) as Campaign;
      if (!verb.from.includes(campaign.status)) throw wrongState(context, campaign, verb);
      if (options.dryRun) return context.output.request(planned(operationFor('campaigns', 'update'), [campaign.id], changes));
      await verb.agree?.(context, { campaign, changes, options });
      const client = await context.client();
      await context.output.written(campaignView, await client.campaigns.update(campaign.id, changes), verb.done);
      if (changes.status === 'sending') tellNext(context, campaign);
    }),
  );
}

/** What leads from a state to where a campaign can be set going; `NAME` stands for its name. */
const wayOut: Readonly<Partial<Record<Campaign['status'], readonly [why: string, ...words: string[]]>>> = {
  scheduled: ['take it back first', 'campaigns', 'update', 'NAME', '--status', 'draft'],
  sending: ['see how it goes', 'campaigns', 'get', 'NAME'],
  paused: ['go on with it', 'campaigns', 'resume', 'NAME'],
};

/** Told before anything is asked. */
function wrongState(context: Context, { name, status }: Campaign, { from, done }: CampaignVerb): CliError {
  const [why, ...words] = wayOut[status] ?? [];
  const next = words.map((word) => (word === 'NAME' ? name : word));
  return new CliError({
    code: 'invalid_transition',
    message: `The campaign ${name} is ${status}; it can be ${done} while it is ${from.join(' or ')}. Nothing was changed.`,
    hint: why && `${why}: \`${nextCommand(next, globalFlagsOf(context))}\``,
    details: { from: status, allowed: campaigns.transitions.to[status] ?? [] },
    exitCode: 7,
  });
}

function tellNext(context: Context, { name }: Campaign): void {
  const flags = globalFlagsOf(context);
  context.note(`How it goes: \`${nextCommand(['campaigns', 'get', name], flags)}\``);
  context.note(`What failed: \`${nextCommand(['campaigns', 'sends', 'list', name, '--status', 'failed'], flags)}\``);
}
