/** `cs templates prune`: for unattended jobs, so every deletion must be explicit. */

import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { templateChannels } from '../../../contract/templates.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { type Command, type Input, Option, suggestValues } from '../../framework/command.ts';
import { addWriteFlags, wholeNumber } from '../../framework/flags.ts';
import { parseSpan } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { confirmByTyping } from '../../prompts/confirm.ts';
import { forEachRecord } from '../../resources/batch.ts';
import { gather } from '../../resources/methods.ts';
import { column, droppableColumn, viewOf } from '../../resources/view.ts';
import { flagOf, pluralize } from '../../terminal/text.ts';
import { type SelectedTemplate, selectTemplates } from './choose.ts';

/** Templates that are listed before the prompt. */
const maxListed = 20;

const pruneView = viewOf('templates', {
  columns: [
    column('name'),
    column('channel'),
    { ...column('why', 'reason'), neverCut: true },
    { ...droppableColumn('id'), neverCut: true },
  ],
  fields: ['id', 'name', 'channel', 'lastUsedAt', 'updatedAt', 'reason', 'deleted'],
});

export function addPrune(command: Command): void {
  const prune = command
    .command('prune')
    .summary('Delete unused templates')
    .description(
      [
        'Delete unused templates, chosen with at least one of --unused-for, --keep, --name and --channel.',
        'Of the templates that match --name and --channel, it keeps the --keep most recently used or changed ones, and deletes those that were neither used nor changed for --unused-for.',
        'A template that someone else deletes meanwhile counts as deleted. Without a terminal, --confirm NUMBER is required. --dry-run deletes nothing; with --exit-code it exits 12 if there is something to delete.',
      ].join('\n'),
    )
    .option('--unused-for <time>', 'neither used nor changed for this long, such as 90d')
    .option('--keep <number>', 'number of templates to keep in any case, 1 or more', wholeNumber)
    .option('--name <glob>', 'only matching names: * any text, ? one character, [ab], {a,b}')
    .addOption(
      suggestValues(
        new Option('--channel <value>', `only templates for ${templateChannels.join(', ')}`),
        templateChannels,
      ),
    )
    .option(
      '--confirm <number>',
      'the expected number of deletions; nothing is deleted if it differs',
      wholeNumber,
    )
    .option('--exit-code', 'exit 12 if something was deleted, or would be with --dry-run');
  addWriteFlags(prune);
  prune.needs(
    { part: 'templates.list', otherwise: 'exit 9' },
    {
      part: 'templates.lastUsedAt',
      otherwise: '--unused-for and --keep go by updatedAt',
    },
  );
  prune.examples([
    'cs templates prune --unused-for 90d --dry-run',
    "cs templates prune --name 'ci/*' --keep 10 --confirm 1",
    'cs templates prune --channel email --keep 11',
  ]);
  prune.declareOutput(pruneView).handle(run);
}

async function run(context: Context, { options }: Input): Promise<ExitCode> {
  const { channel, name, keep } = options;
  requireCriteria(options);
  const unusedFor =
    options.unusedFor === undefined ? undefined : parseSpan(options.unusedFor, '--unused-for');
  // Check before reading: a job without the flag must fail on its first run, not later.
  if (!context.interactive && !options.dryRun && options.confirm === undefined)
    throw usage(
      'Missing required flag: --confirm, the number of deletions.',
      'count them with --dry-run, then add --confirm NUMBER',
    );
  const client = await context.client();
  const all = await gather(client.templates.all(channel === undefined ? {} : { channel }));
  if (name !== undefined && all.length > 0 && all.every((one) => one.name === undefined))
    throw new CliError({
      code: 'filter_ignored',
      message: 'No template shows its name on this server, so nothing tells which match --name.',
      hint: 'delete them by id with `cs templates delete`',
    });
  const criteria = { unusedFor, keep, name };
  const { selected, undecided } = selectTemplates(all, criteria, context.io.now());

  if (undecided.length > 0) throw unknownUse(undecided);
  const exitCode: ExitCode = options.exitCode && selected.length > 0 ? 12 : 0;
  if (options.dryRun || selected.length === 0) {
    const emptyHint = options.dryRun ? 'Nothing would be deleted.' : 'Nothing to delete.';
    await context.output.list({ view: { ...pruneView, emptyHint }, records: selected.map(rowOf) });
    return exitCode;
  }
  if (context.interactive && options.confirm === undefined) noteSelected(context, selected);
  const count = pluralize(selected.length, 'template', 'templates');
  const given = options.confirm === undefined ? undefined : String(options.confirm);
  await confirmByTyping(context, {
    message: `Delete ${count}`,
    expected: String(selected.length),
    given,
  });

  const known = new Map(selected.map((one) => [one.template.id, rowOf(one)]));
  await forEachRecord(context, {
    view: pruneView,
    ids: [...known.keys()],
    pastTense: 'deleted',
    retryHint: (left) =>
      `run it again with --confirm ${left}, if nothing else has changed; --dry-run counts the rest`,
    known: (id) => known.get(id),
    act: async (id) => {
      await deleteTemplate(client, id);
      return { ...(known.get(id) as Row), deleted: true };
    },
  });
  return exitCode;
}

/** Unknown is no reason to delete. */
function unknownUse(undecided: readonly RecordFor<'templates'>[]): CliError {
  const count = pluralize(undecided.length, 'template', 'templates');
  return new CliError({
    code: 'filter_ignored',
    message: `This server shows neither last use nor last change of ${count} (lastUsedAt, updatedAt). Nothing was deleted.`,
    hint: 'choose by --name or --channel alone, or delete them with `cs templates delete`',
    details: { templates: undecided.map(({ id, name }) => ({ id, name })) },
  });
}

/** Without criteria, everything would be deleted. */
function requireCriteria({ unusedFor, keep, name, channel }: Input['options']): void {
  const flags = ['unusedFor', 'keep', 'name', 'channel'].map(flagOf).join(', ');
  if (unusedFor === undefined && keep === undefined && name === undefined && channel === undefined)
    throw usage('Missing criteria.', `give at least one of ${flags}`);
  if (keep === 0) throw usage('--keep 0 keeps nothing.', 'leave it out, or give 1 or more');
}

function noteSelected({ note }: Context, selected: readonly SelectedTemplate[]): void {
  for (const { template, reason } of selected.slice(0, maxListed))
    note(`${template.name} (${template.channel}): ${reason}`);
  if (selected.length > maxListed)
    note(`and ${selected.length - maxListed} more; --dry-run lists all`);
}

const rowOf = ({
  template: { id, name, channel, lastUsedAt, updatedAt },
  reason,
}: SelectedTemplate): Row => ({
  id,
  name,
  channel,
  lastUsedAt,
  updatedAt,
  reason,
});

/** A template that is gone counts as deleted. */
async function deleteTemplate(client: Client, id: string): Promise<void> {
  await client.templates.delete(id).catch((error: unknown) => {
    const isGone =
      error instanceof ApiError && error.status === 404 && error.code !== 'operation_missing';
    if (!isGone) throw error;
  });
}
