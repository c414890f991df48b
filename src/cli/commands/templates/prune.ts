/** `cs templates prune`: for a job that runs by night, so it does nothing that it was not told in so many words. */

import { ApiError } from '../../../client/errors.ts';
import { contract } from '../../../contract/contract.ts';
import { templateChannels } from '../../../contract/templates.ts';
import { checkValues, flagFields } from '../../crud/fields.ts';
import { gather } from '../../crud/methods.ts';
import { forEachRecord } from '../../crud/several.ts';
import { column, spareColumn, viewOf } from '../../crud/view.ts';
import { type ExitCode, usage } from '../../errors/exit.ts';
import { type Command, type Input, Option, suggestValues } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addWriteFlags, wholeNumber } from '../../framework/flags.ts';
import { parseSpan } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { confirmByTyping } from '../../prompts/confirm.ts';
import { flagOf, pluralize } from '../../terminal/text.ts';
import { chooseTemplates, type DeletedRecords, unclosed } from './choose.ts';

/** How many are named before a person is asked. */
const named = 20;

const pruneView = viewOf('templates', {
  columns: [column('name'), column('channel'), { ...column('why', 'reason'), whole: true }, { ...spareColumn('id'), whole: true }],
  fields: ['id', 'name', 'channel', 'lastUsedAt', 'updatedAt', 'reason', 'deleted'],
});

export function addPrune(command: Command): void {
  const prune = command
    .command('prune')
    .summary('Delete templates that nobody uses')
    .description(
      [
        'Delete templates that nobody uses. At least one of --unused-for, --keep, --name and --channel says which.',
        'Of those that match --name and --channel, the --keep that were used or changed last stay; of the rest go those that were neither used nor changed for --unused-for.',
        'A template that someone else deletes meanwhile counts as deleted. Without a terminal, --confirm says how many to delete. --dry-run deletes nothing; with --exit-code it exits with 12 when there is something to delete.',
      ].join('\n'),
    )
    .option('--unused-for <time>', 'neither used nor changed for this long, such as 90d')
    .option('--keep <number>', 'how many stay in any case, 1 or more', wholeNumber)
    .option('--name <glob>', 'only names like this: * any text, ? one character, [ab], {a,b}')
    .addOption(suggestValues(new Option('--channel <value>', `only templates for ${templateChannels.join(', ')}`), templateChannels))
    .option('--confirm <number>', 'how many will be deleted; another number deletes none', wholeNumber)
    .option('--exit-code', 'exit with 12 when something was deleted, or would be with --dry-run');
  addWriteFlags(prune);
  prune.examples([
    'cs templates prune --unused-for 90d --dry-run',
    "cs templates prune --name 'ci/*' --keep 10 --confirm 1",
    'cs templates prune --channel email --keep 11',
  ]);
  prune.declareOutput(pruneView).handle(run);
}

async function run(context: Context, { options }: Input): Promise<ExitCode> {
  const { channel, name, keep } = options;
  refuseEverything(options);
  refuseBroken(name);
  // Before it is known whether anything would go: a job that lacks the flag fails on its first night.
  if (!context.interactive && !options.dryRun && options.confirm === undefined)
    throw usage('This needs --confirm: how many will be deleted.', 'count them with --dry-run, then give --confirm NUMBER');
  checkValues(channelFields, { channel });
  const unusedFor = options.unusedFor === undefined ? undefined : parseSpan(options.unusedFor, '--unused-for');
  const client = await context.client();
  const all = await gather(client.templates.all(channel === undefined ? {} : { channel }));
  const doomed = chooseTemplates(all, { unusedFor, keep, name }, context.io.now());

  const success: ExitCode = options.exitCode && doomed.length > 0 ? 12 : 0;
  if (options.dryRun) {
    await context.output.list({ view: { ...pruneView, emptyHint: 'Nothing would be deleted.' }, records: doomed.map(rowOf) });
    return success;
  }
  if (doomed.length === 0) {
    await context.output.list({ view: { ...pruneView, emptyHint: 'Nothing to delete.' }, records: [] });
    return 0;
  }
  if (context.interactive && options.confirm === undefined) tellWhich(context, doomed);
  const count = pluralize(doomed.length, 'template', 'templates');
  const given = options.confirm === undefined ? undefined : String(options.confirm);
  await confirmByTyping(context, { message: `Delete ${count}`, expected: String(doomed.length), given });

  const known = new Map(doomed.map((one) => [one.template.id, rowOf(one)]));
  await forEachRecord(context, {
    view: pruneView,
    ids: [...known.keys()],
    did: 'deleted',
    again: (left) => `run it again with --confirm ${left}, if nothing else has changed; --dry-run counts what is left`,
    known: (id) => known.get(id),
    act: async (id) => {
      await client.templates.delete(id).catch(unlessGone);
      return { ...(known.get(id) as Row), deleted: true };
    },
  });
  return success;
}

const channelFields = flagFields({ channel: contract.templates.filters.channel });

/** Without a criterion everything would go. */
function refuseEverything({ unusedFor, keep, name, channel }: Input['options']): void {
  const flags = ['unusedFor', 'keep', 'name', 'channel'].map(flagOf).join(', ');
  if (unusedFor === undefined && keep === undefined && name === undefined && channel === undefined)
    throw usage('Nothing says which templates are to go.', `give one or more of ${flags}`);
  if (keep === 0) throw usage('--keep 0 keeps nothing.', 'leave it out, or give 1 or more');
  if (name === '') throw usage('--name is empty.', "give a pattern, such as 'ci/*'");
}

/** A bracket that is never closed would match no name, and a job would clean up nothing for good. */
function refuseBroken(name: string | undefined): void {
  const open = name === undefined ? undefined : unclosed(name);
  if (open) throw usage(`--name ${name}: the ${open} is never closed.`, `close it, or write [${open}] for the character itself`);
}

function tellWhich({ note }: Context, doomed: readonly DeletedRecords[]): void {
  for (const { template, reason } of doomed.slice(0, named)) note(`${template.name} (${template.channel}): ${reason}`);
  if (doomed.length > named) note(`and ${doomed.length - named} more; --dry-run lists all`);
}

const rowOf = ({ template: { id, name, channel, lastUsedAt, updatedAt }, reason }: DeletedRecords): Row => ({
  id,
  name,
  channel,
  lastUsedAt,
  updatedAt,
  reason,
});

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
