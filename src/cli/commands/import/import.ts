/** `cs import`: creates or updates a record for each row of a file. */

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client, SyncName } from '../../../client/client.ts';
import { describeKey } from '../../config/describe-key.ts';
import type { Context } from '../../context.ts';
import { UnprintedResult } from '../../errors/ended-run.ts';
import { usage } from '../../errors/exit.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import { addCreateFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { encodings } from '../../input/decode.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize, quote } from '../../terminal/text.ts';
import {
  kebabName,
  listableResources,
  parseResource,
  resourceArgument,
  resourceOf,
} from '../bulk/resources.ts';
import { type Checked, checkRows, dryRunFailure, refusal, refuseRepeated } from './check-rows.ts';
import { checkColumns, createCellParser, createRelativeCheck } from './columns.ts';
import type { Job } from './job.ts';
import { mapColumns, mapRow, parseMap } from './map.ts';
import { preview } from './preview.ts';
import { type Done, failure, rowView, summary } from './report.ts';
import { createNameResolver, createRowParser } from './row-request.ts';
import {
  type FileRow,
  formatOf,
  openRows,
  openSource,
  type RowFile,
  type RowFormat,
  type RowSource,
  rowFormats,
} from './rows.ts';
import { possibly, type ReadRow, type RowResult, resultRow, sendRows } from './send-rows.ts';
import type { SentRows } from './sent-rows.ts';
import { createUpsertParser, parseUpsertKey } from './upsert.ts';

const maxParallel = 32;

export const importCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Create a record for each row of a file: ndjson, a JSON array, or csv or xlsx with field names in the first line. References to other records accept names. In csv and xlsx, an empty cell leaves the field out, and address.city is a nested field.',
        'All rows are checked first; nothing is sent if one is invalid. --update updates the records of rows with an id. --upsert-by looks each row up by a field such as vin or email: it updates the one record that has the value, creates one if none has it, and refuses the row if several do. Look and create are two requests: run one such import at a time. Rows of records that belong to others need the parent: carId for car-events.',
        "Safe to run again with the same or a corrected file: within a day, an imported row is reported as already_imported and not imported twice, whatever became of its record since; --again imports it again, and the same line finishes an --again that was cut off. Rows with an id are updated again. Where the server doesn't recognise a repeated request, this machine remembers the rows; one whose answer was lost is looked up, and reported as outcome_unknown if the server doesn't tell. One import at a time extends that memory; another one of the same resource ends with exit 7 (already_running).",
      ].join('\n'),
    )
    .addArgument(
      resourceArgument(
        '<resource>',
        'such as customers; `cs schema customers create` shows the fields',
        listableResources,
      ),
    )
    .argument('<file|->', 'the rows; - for stdin')
    .option(
      '--format <format>',
      `${rowFormats.join(', ')} (default: from the name or content of the file)`,
    )
    .addOption(
      new Option('--encoding <encoding>', 'encoding of the file (default: utf-8)').choices(
        encodings,
      ),
    )
    .option('--sheet <name>', 'the sheet of an xlsx file (default: the first)')
    .option(
      '--map <field=column>',
      'fill a field from a column with another name; repeatable',
      collect,
    )
    .option(
      '--upsert-by <field>',
      'update the one record with the same value, such as vin or email; create it if there is none',
    )
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
    {
      part: 'cars.create',
      otherwise: 'exit 6 or 9 for a resource that the server lets nobody create',
    },
    {
      part: '`--upsert-by`: records that show the field',
      otherwise:
        'exit 9 before the first write, also where it is null in every record; the list is read whole, once',
    },
    {
      part: '`Idempotency-Key` of a POST',
      otherwise:
        "this machine remembers the rows for a day, and looks up those without an answer; it names those that the server can't tell",
    },
  );
  command.examples([
    'cs import customers customers.csv --dry-run',
    'cs import customers customers.csv --continue-on-error --failures failed.csv',
    'cs cars list --all -o ndjson | cs import cars - --update --skip-read-only',
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
  if (parallel < 1 || parallel > maxParallel)
    throw usage(`--parallel ${parallel} is out of range.`, `give 1 to ${maxParallel}`);
  if (options.update && options.upsertBy !== undefined)
    throw usage("--update and --upsert-by can't be used together.", 'leave one of them out');
  const skipReadOnly = options.skipReadOnly === true;
  const key =
    options.upsertBy === undefined ? undefined : parseUpsertKey(resource, options.upsertBy);
  const map = parseMap(resource, options.map ?? []);
  const requestFor = key
    ? createUpsertParser(resource, { key, skipReadOnly })
    : createRowParser(resource, { as: options.update ? 'either' : 'create', skipReadOnly });
  const source = await openSource(context, given);
  try {
    if (
      options.failures !== undefined &&
      (await isSameFile(source.path, resolve(context.io.cwd, options.failures)))
    )
      throw usage(
        '--failures names the file that is imported.',
        'choose another one: it would lose the imported rows',
      );
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
    const parseCells = createCellParser(resource);
    const isRelative = createRelativeCheck(resource);
    const place = ({ number }: FileRow) => `${placeNames[file.format]} ${number}`;
    const rows = async function* (): AsyncGenerator<ReadRow, void> {
      const first = new Map<string, string>();
      for await (const row of file.rows()) {
        if (row.value === undefined) {
          yield {
            row,
            made: { issues: [{ path: '', rule: 'row', message: row.problem ?? 'is empty' }] },
          };
          continue;
        }
        const value = mapRow(map, row.value, { nested: !file.hasCells });
        const now = context.io.now();
        const madeAt = (moment: string) => requestFor(parseCells(value, new Date(moment)));
        const made = file.hasCells ? madeAt(now.toISOString()) : requestFor(value);
        const relative =
          file.hasCells && isRelative(value, now)
            ? { moment: now.toISOString(), madeAt }
            : undefined;
        yield {
          row,
          content: value,
          made: 'key' in made ? refuseRepeated(made, { first, place: place(row) }) : made,
          ...(relative && { relative }),
        };
      }
    };
    const job = { name, file, key, rows, place };
    const checked = await checkRows(job);
    const { total, wrong, starts, marked } = checked;
    if (marked > 0) context.note(aboutMarks(marked));
    // With --continue-on-error the valid rows are sent, if there are any.
    if (
      wrong.length > 0 &&
      (!options.continueOnError || (options.dryRun && wrong.length === total))
    )
      throw refusal(wrong, { total, options });
    if (starts.length > 0)
      await withSpinner(context, 'Asking the server', () => context.checkWrites(starts));
    if (options.dryRun) {
      await preview(context, job, total - wrong.length);
      if (wrong.length > 0) throw dryRunFailure(wrong, total);
      return;
    }
    await send(context, job, { checked, given, parallel, options });
  } finally {
    await source.close();
  }
}

/** Also through links, and under another name. */
async function isSameFile(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all(
    [path, other].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

const aboutMarks = (marked: number): string =>
  `${pluralize(marked, 'cell begins', 'cells begin')} with an apostrophe before a formula, as csv marks text, and ${marked === 1 ? 'keeps' : 'keep'} it. If a spreadsheet saved a csv file in this format, import the csv file itself.`;

const placeNames: Readonly<Record<RowFormat, string>> = {
  ndjson: 'line',
  json: 'record',
  csv: 'line',
  xlsx: 'row',
};

/** Says which sheets aren't read. Exit 2 for flags of another format. */
async function checkSheet(
  { note }: Context,
  { sheetNames }: RowFile,
  { encoding, sheet }: RowSource,
): Promise<void> {
  if (!sheetNames) {
    if (sheet !== undefined) throw usage('--sheet is for xlsx files.', 'leave it out');
    return;
  }
  if (encoding !== undefined)
    throw usage('--encoding is for text, not for xlsx files.', 'leave it out');
  const [first, ...others] = await sheetNames();
  if (others.length > 0 && sheet === undefined)
    note(
      `Reading the sheet ${first}, not ${joinList(others, 'or')}. Choose another one with --sheet.`,
    );
}

function formatGiven(text: string | undefined): RowFormat | undefined {
  const found = rowFormats.find((format) => format === text);
  if (text !== undefined && !found)
    throw usage(`"${text}" isn't a format (--format).`, `choose one of ${rowFormats.join(', ')}`);
  return found;
}

interface SendOptions {
  readonly checked: Checked;
  /** The file as it was typed. */
  readonly given: string;
  readonly parallel: number;
  readonly options: Input['options'];
}

async function send(
  context: Context,
  job: Job,
  { checked, given, parallel, options }: SendOptions,
): Promise<void> {
  const { name, rows } = job;
  const { total, createPath } = checked;
  // The confirmation of a production profile comes before the spinner.
  await context.writes.permit();
  const client = await context.client();
  const recognised = createPath === undefined || (await client.transport.knowsIdempotencyKeys());
  const needsSent =
    createPath !== undefined && (!recognised || options.again || checked.hasRelative);
  const again = options.again ? resolve(context.io.cwd, given) : undefined;
  const sent = needsSent ? await openSent(context, client, { name, again }) : undefined;
  const cutOffAt = recognised ? undefined : sent?.cutOffAt();
  if (cutOffAt !== undefined)
    await (await import('./late-request.ts')).outwait(
      context,
      `import of ${kebabName(name)}`,
      cutOffAt,
    );
  const salt = sent?.salt ?? options.idempotencyKey ?? '';
  const spinner = await startSpinner(context, `Sending ${kebabName(name)}`);
  const results = sendRows({
    ...{
      client,
      name,
      parallel,
      rows: rows(),
      continueOnError: options.continueOnError === true,
      salt,
      sent,
      recognised,
    },
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
    // About the others a person has to decide, with --again.
    const isLeft = ({ error }: RowResult) => !error?.mayStillRun && error?.code === possibly;
    if (tried === total && failed.every(isLeft)) sent?.finishAgain();
  } catch (error) {
    spinner.stop();
    if (context.io.signal.aborted)
      context.note(
        `Stopped after ${pluralize(tried, 'row', 'rows')}; run the same command to continue.`,
      );
    if (!(error instanceof UnprintedResult)) throw error;
    unprinted = error;
  } finally {
    spinner.stop();
    await sent?.close();
  }
  // The output contains the result of each row.
  const { run } = context.io;
  run.notes = run.notes.filter(({ kind }) => kind !== 'replayed');
  const left = total - tried;
  if (options.failures !== undefined)
    await writeFailures(context, job, { path: options.failures, failed, last });
  if (unprinted) throw unprinted;
  if (context.output.forPeople) await context.output.value([], summary(name, done, left));
  if (failed.length > 0) throw failure(job.place, { failed, done, left });
}

async function openSent(
  context: Context,
  client: Client,
  { name, again }: { name: SyncName; again: string | undefined },
): Promise<SentRows> {
  const { SentRows } = await import('./sent-rows.ts');
  const { value } = context.settings.connection().key;
  const about = {
    baseUrl: client.transport.baseUrl,
    key: value ? describeKey(value) : '',
    resource: name,
  };
  const check = nextCommand(['export', kebabName(name), '--to', 'check'], connectionFlags(context));
  return SentRows.open(context.io, { about, check, again });
}

/** Failed and untried rows. Written even if empty, to replace the file of an older run. */
async function writeFailures(
  { io }: Context,
  { file }: Job,
  { path, failed, last }: { path: string; failed: readonly RowResult[]; last: number },
): Promise<void> {
  const numbers = new Set(failed.map(({ row }) => row.number));
  const remaining = async function* () {
    for await (const row of file.rows())
      if (numbers.has(row.number) || row.number > last) yield row;
  };
  await saveFile(resolve(io.cwd, path), file.write(remaining()), { overwrite: true });
}
