/** `cs import`: creates or updates a record for each row of a file. */

import { resolve } from 'node:path';
import { UnprintedResult } from '../../errors/ended-run.ts';
import { usage } from '../../errors/exit.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { encodings } from '../../input/decode.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize, quote } from '../../terminal/text.ts';
import { kebabName, listableResources, parseResource, resourceArgument, resourceOf } from '../bulk/resources.ts';
import { checkRows, dryRunFailure, refusal, refuseRepeated } from './check-rows.ts';
import { checkColumns, parseCells } from './columns.ts';
import type { Job } from './job.ts';
import { mapColumns, mapRow, parseMap } from './map.ts';
import { preview } from './preview.ts';
import { type Done, failure, rowView, summary } from './report.ts';
import { createNameResolver, createRowParser } from './row-request.ts';
import { type FileRow, formatOf, openRows, openSource, type RowFile, type RowFormat, type RowSource, rowFormats } from './rows.ts';
import { type ReadRow, type RowResult, resultRow, sendRows } from './send-rows.ts';
import { createUpsertParser, parseUpsertKey } from './upsert.ts';

const maxParallel = 32;

export const importCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Create a record for each row of a file: ndjson, a JSON array, or csv or xlsx with field names in the first line. References to other records accept names. In csv and xlsx, an empty cell leaves the field out, and address.city is a nested field.',
        'All rows are checked first; nothing is sent if one is invalid. --update updates the records of rows with an id. --upsert-by looks each row up by a field such as vin or email: it updates the one record that has the value, creates one if none has it, and refuses the row if several do. Rows of records that belong to others need the parent: carId for car-events.',
        'Safe to run again with the same or a corrected file: within a day, an imported row is reported as already_imported and not imported twice, unless --again is given. Rows with an id are updated again.',
      ].join('\n'),
    )
    .addArgument(resourceArgument('<resource>', 'such as customers; `cs schema customers create` shows the fields', listableResources))
    .argument('<file|->', 'the rows; - for stdin')
    .option('--format <format>', `${rowFormats.join(', ')} (default: from the name or content of the file)`)
    .addOption(new Option('--encoding <encoding>', 'encoding of the file (default: utf-8)').choices(encodings))
    .option('--sheet <name>', 'the sheet of an xlsx file (default: the first)')
    .option('--map <field=column>', 'fill a field from a column with another name; repeatable', collect)
    .option('--upsert-by <field>', 'update the one record with the same value, such as vin or email; create it if there is none')
    .option('--update', 'update the records of rows with an id, create the others')
    .option('--skip-read-only', 'ignore read-only fields, such as those of an export')
    .option('--continue-on-error', 'continue after a failed row; exit 11 if some failed')
    .option('--failures <file>', 'write failed and untried rows to this file, in the same format')
    .option(
      '--parallel <count>',
      `number of parallel requests, 1 to ${maxParallel} (default: 4; 1 for records that belong to others, to keep their order)`,
      wholeNumber,
    );
  command.option('--again', 'import rows again that an earlier run imported');
  addCreateFlags(command);
  command.needs(
    { part: 'cars.create', otherwise: 'exit 6 or 9 for a resource that the server lets nobody create' },
    {
      part: '`--upsert-by`: records with the field',
      otherwise: 'exit 9 before the first write; without the filter the list is read whole',
    },
  );
  command.examples([
    'cs import customers customers.csv --dry-run',
    'cs import customers customers.csv --continue-on-error --failures failed.csv',
    'cs export cars --to - | cs import cars - --update --skip-read-only',
    'cs import car-events events.ndjson',
    'cs import cars cars.xlsx --dry-run',
    'cs import customers contacts.csv --map lastName=Surname --map email=E-Mail --upsert-by email',
  ]);
  command.workInBulk().declareOutput(rowView).handle(run);
};

async function run(context: Context, { args: [text, given], options }: Input): Promise<void> {
  const name = parseResource(text, listableResources);
  const resource = resourceOf(name);
  const format = formatGiven(options.format);
  if (options.again && options.idempotencyKey !== undefined)
    throw usage(
      "--again and --idempotency-key can't be used together.",
      'leave one of them out; another --idempotency-key imports the rows once more, too',
    );
  const parallel = options.parallel ?? (resource.parent ? 1 : 4);
  if (parallel < 1 || parallel > maxParallel) throw usage(`--parallel ${parallel} is out of range.`, `give 1 to ${maxParallel}`);
  if (options.update && options.upsertBy !== undefined)
    throw usage("--update and --upsert-by can't be used together.", 'leave one of them out');
  const skipReadOnly = options.skipReadOnly === true;
  const key = options.upsertBy === undefined ? undefined : parseUpsertKey(resource, options.upsertBy);
  const map = parseMap(resource, options.map ?? []);
  const requestFor = key
    ? createUpsertParser(resource, { key, skipReadOnly })
    : createRowParser(resource, { as: options.update ? 'either' : 'create', skipReadOnly });
  const source = await openSource(context, given);
  try {
    const rowSource: RowSource = {
      ...source,
      encoding: options.encoding,
      sheet: options.sheet,
      hasFlag: true,
      unpacked: `gunzip -c ${given === '-' ? 'FILE' : quote(given)} | ${nextCommand(['import', kebabName(name), '-'])}`,
      csvRaw: context.settings.csvRaw,
      checkColumns: (names) => checkColumns(resource, mapColumns(map, names)),
    };
    const file = openRows(rowSource, format ?? (await formatOf(rowSource)));
    await checkSheet(context, file, rowSource);
    const place = ({ number }: FileRow) => `${placeNames[file.format]} ${number}`;
    const rows = async function* (): AsyncGenerator<ReadRow, void> {
      const first = new Map<string, string>();
      for await (const row of file.rows()) {
        if (row.value === undefined) {
          yield { row, made: { issues: [{ path: '', rule: 'row', message: row.problem ?? 'is empty' }] } };
          continue;
        }
        const value = mapRow(map, row.value, { nested: !file.hasCells });
        const made = requestFor(file.hasCells ? parseCells(resource, value, context.io.now()) : value);
        yield { row, made: 'key' in made ? refuseRepeated(made, { first, place: place(row) }) : made };
      }
    };
    const job = { name, file, key, rows, place };
    const { total, wrong, starts } = await checkRows(job);
    // With --continue-on-error the valid rows are sent, if there are any.
    if (wrong.length > 0 && (!options.continueOnError || (options.dryRun && wrong.length === total)))
      throw refusal(wrong, { total, options });
    if (starts.length > 0) await context.checkWrites(starts);
    if (options.dryRun) {
      await preview(context, job, total - wrong.length);
      if (wrong.length > 0) throw dryRunFailure(wrong, total);
      return;
    }
    await send(context, job, { total, parallel, options });
  } finally {
    await source.close();
  }
}

const placeNames: Readonly<Record<RowFormat, string>> = { ndjson: 'line', json: 'record', csv: 'line', xlsx: 'row' };

/** Says which sheets aren't read. Exit 2 for flags of another format. */
async function checkSheet({ note }: Context, { format }: RowFile, { encoding, ...source }: RowSource): Promise<void> {
  if (format !== 'xlsx') {
    if (source.sheet !== undefined) throw usage('--sheet is for xlsx files.', 'leave it out');
    return;
  }
  if (encoding !== undefined) throw usage('--encoding is for text, not for xlsx files.', 'leave it out');
  const { readSheetNames } = await import('./xlsx-rows.ts');
  const names = await readSheetNames(source);
  const others = names.filter((name, index) => (source.sheet === undefined ? index > 0 : name !== source.sheet));
  if (others.length > 0 && source.sheet === undefined)
    note(`Reading the sheet ${names[0]}, not ${joinList(others, 'or')}. Choose another one with --sheet.`);
}

function formatGiven(text: string | undefined): RowFormat | undefined {
  const found = rowFormats.find((format) => format === text);
  if (text !== undefined && !found) throw usage(`"${text}" isn't a format (--format).`, `choose one of ${rowFormats.join(', ')}`);
  return found;
}

interface SendOptions {
  readonly total: number;
  readonly parallel: number;
  readonly options: Input['options'];
}

async function send(context: Context, job: Job, { total, parallel, options }: SendOptions): Promise<void> {
  const { name, rows } = job;
  const salt = options.again ? crypto.randomUUID() : (options.idempotencyKey ?? '');
  // The confirmation of a production profile comes before the spinner.
  await context.writes.permit();
  const client = await context.client();
  const spinner = await startSpinner(context, `Sending ${kebabName(name)}`);
  const results = sendRows({
    ...{ client, name, parallel, rows: rows(), continueOnError: options.continueOnError === true, salt },
    resolve: createNameResolver(context, resourceOf(name)),
  });
  const done: Done = { created: 0, updated: 0, already_imported: 0, failed: 0 };
  const failed: RowResult[] = [];
  let last = 0;
  let tried = 0;
  let unprinted: UnprintedResult | undefined;
  async function* shown(): AsyncGenerator<Row, void> {
    for await (const result of results) {
      done[result.did] += 1;
      tried += 1;
      last = result.row.number;
      if (result.did === 'failed') failed.push(result);
      spinner.text(`Sending ${kebabName(name)}: ${grouped(tried)} of ${grouped(total)}`);
      if (result.did !== 'failed' || context.output.format !== 'id') yield resultRow(result);
    }
  }
  try {
    if (context.output.forPeople) for await (const _ of shown());
    else await context.output.list({ view: rowView, records: shown(), failures: true });
  } catch (error) {
    spinner.stop();
    if (context.io.signal.aborted)
      context.note(
        `Stopped after ${pluralize(tried, 'row', 'rows')}; ${options.again ? 'check the existing records before you run it again' : 'run the same command to continue'}.`,
      );
    if (!(error instanceof UnprintedResult)) throw error;
    unprinted = error;
  } finally {
    spinner.stop();
  }
  // The output contains the result of each row.
  context.io.run.ledger.replayed = [];
  const left = total - tried;
  if (options.failures !== undefined) await writeFailures(context, job, { path: options.failures, failed, last });
  if (unprinted) throw unprinted;
  if (context.output.forPeople) await context.output.value([], summary(name, done, left));
  if (failed.length > 0) throw failure(job.place, { failed, done, left });
}

/** Failed and untried rows. Written even if empty, to replace the file of an older run. */
async function writeFailures(
  { io }: Context,
  { file }: Job,
  { path, failed, last }: { path: string; failed: readonly RowResult[]; last: number },
): Promise<void> {
  const numbers = new Set(failed.map(({ row }) => row.number));
  const remaining = async function* () {
    for await (const row of file.rows()) if (numbers.has(row.number) || row.number > last) yield row;
  };
  await saveFile(resolve(io.cwd, path), file.write(remaining()), { overwrite: true });
}
