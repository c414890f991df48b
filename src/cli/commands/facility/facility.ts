/** `cs facility`: locations, zones, spots, templates and forms as a file. */
import { contract } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { Command, CommandBuilder, Input } from '../../framework/command.ts';
import { addWriteFlags, wholeNumber } from '../../framework/flags.ts';
import { readText } from '../../input/input.ts';
import { createPrinter } from '../../output/pager.ts';
import { cellText, type Row, resultView, type View } from '../../output/view.ts';
import { confirmByTyping } from '../../prompts/confirm.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { cut } from '../../terminal/width.ts';
import { carryOut } from '../plan-file/carry-out.ts';
import {
  byKey,
  type Change,
  compare,
  isRemoved,
  readItems,
  type Section,
  sectionNames,
  sections,
  store,
} from './plan.ts';

export const facility: CommandBuilder = (command) => {
  command
    .description(
      'Keep the facility as a YAML file: locations with their zones and spots, templates and forms. Event types are made with `cs admin`.\n' +
        'Records are found by their names, so a new name is a new record. Everything in the file is active. Fields and sections that it leaves out stay as they are.',
    )
    .examples(['cs facility export > facility.yaml', 'cs facility plan facility.yaml']);
  const needs = sectionNames.flatMap((section) =>
    sections[section].map((name) => ({
      part: `${name}.list`,
      otherwise: `exit 9; leave ${section} out, with --only or in the file`,
    })),
  );
  const exported = command.command('export').summary('Print the facility as YAML');
  exported
    .description('Print the facility as YAML, or as JSON with -o json: what is active.')
    .addOption(exported.createOption('--only <section>', 'only this section').choices(sectionNames))
    .examples(['cs facility export > facility.yaml', 'cs facility export --only locations'])
    .needs(...needs)
    .handle(exportFacility);
  addFile(command.command('plan').summary('Compare a file with the server'))
    .description('Show what `cs facility apply` would change. Nothing is written.')
    .examples(['cs facility plan facility.yaml', 'cs facility plan facility.yaml --prune'])
    .needs(...needs)
    .handle((context, input) => run(context, input, true));
  addWriteFlags(addFile(command.command('apply').summary('Store a file on the server')))
    .description(
      'Store the facility of a file: shows the changes, asks, and stores them. Safe to run again after a failure: only what is missing is stored.\n' +
        'With --prune, records that the file lacks are removed: templates are deleted, locations, zones and spots deactivated, published forms closed. The number of removals is typed, or given as --confirm.',
    )
    .option('--confirm <number>', 'the expected number of removals', wholeNumber)
    .examples([
      'cs facility apply facility.yaml --yes',
      'cs facility apply facility.yaml --prune --dry-run',
    ])
    .needs(...needs)
    .handle((context, input) => run(context, input, input.options.dryRun === true));
};

const changeView = {
  ...resultView('change', ['change', 'resource', 'name', 'id', 'fields']),
  title: (row: Row) => lineOf(row as Change),
} satisfies View;

const addFile = (command: Command): Command =>
  command
    .argument('<file>', 'the file; - for stdin')
    .option('--prune', 'also remove the records that the file lacks')
    .option('--exit-code', 'exit 12 if something differed')
    .declareOutput(changeView);

async function exportFacility(context: Context, { options }: Input): Promise<void> {
  const { io, settings, output } = context;
  const wanted = new Set<Section>(options.only ? [options.only] : sectionNames);
  const items = (await readItems(await context.client(), wanted)).filter((one) => !isRemoved(one));
  const { contentOf, facilityText } = await import('./file.ts');
  const content = contentOf([...byKey(items).values()], wanted);
  const isAsked = ['output', 'json', 'jq'].some((name) => settings.find(name) !== undefined);
  if (isAsked && !output.forPeople && output.format !== 'yaml') return output.value(content, '');
  const printer = createPrinter(io, settings);
  await printer.print(facilityText(content));
  await printer.done();
}

async function run(
  context: Context,
  { args: [name], options }: Input,
  isPlan: boolean,
): Promise<ExitCode> {
  const { note } = context;
  const text = await readText(context, name, 'file');
  const { parseFacility } = await import('./file.ts');
  const file = parseFacility(text, name);
  const client = await context.client();
  const stored = await readItems(client, file.sections);
  const { steps, extra } = compare(file.items, stored);
  if (options.prune) steps.push(...extra);
  else if (extra.length > 0)
    note(`Not in the file: ${pluralize(extra.length, 'record', 'records')}. --prune removes them.`);
  const ids = new Map(stored.map(({ key, record }) => [key, record?.id]));
  const unchanged = extra.length > 0 ? 'Nothing to store.' : 'The server has what the file says.';
  await carryOut(context, {
    view: changeView,
    isDryRun: isPlan,
    unchanged,
    changes: steps.map(({ item, ...row }) => ({
      row,
      store: () => store(client, { item, ...row }, ids),
    })),
    ...(options.prune &&
      extra.length > 0 && {
        confirmed: (message: string) =>
          confirmByTyping(context, {
            message: `${message}, with the removal of ${pluralize(extra.length, 'record', 'records')}`,
            expected: `${extra.length}`,
            given: options.confirm === undefined ? undefined : `${options.confirm}`,
          }),
      }),
  });
  return options.exitCode && steps.length + extra.length > 0 ? 12 : 0;
}

/** `~ location Harbour (timezone: Europe/Berlin -> Europe/Vienna)` */
function lineOf({ change, resource, name, fields }: Change): string {
  const text = (value: unknown) => cut(cellText(value), 40) || '(empty)';
  const changed = Object.entries(fields).flatMap(([field, { from, to }]) => {
    if (change === 'create') return field === 'name' ? [] : [`${field}: ${text(to)}`];
    return [`${field}: ${text(from)} -> ${text(to)}`];
  });
  const sign = { create: '+', update: '~', remove: '-' }[change];
  const what = `${sign} ${contract[resource].singular} ${name}`;
  return sanitize(changed.length > 0 ? `${what} (${changed.join(', ')})` : what);
}
