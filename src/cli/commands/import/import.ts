/** `cs import`: creates or updates a record for each row of a file. */
import { existsSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { UnprintedResult } from '../../errors/ended-run.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import { addWriteFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { encodings } from '../../input/decode.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { ownerOf } from '../../state/state.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize, quote } from '../../terminal/text.ts';
import {
  kebabName,
  listableResources,
  parseResource,
  resourceArgument,
  resourceOf,
} from '../bulk/resources.ts';
import { sourceOf } from '../connection/origin.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { facilityOf } from '../counter/facility.ts';
import { checkRows, invalidRows, type Job, preview, rowView } from './check.ts';
import { cellParser, columnsOf } from './columns.ts';
import { createNameResolver, createRowParser } from './requests.ts';
import { openResults } from './results.ts';
import {
  encodeRows,
  type FileRow,
  formatOf,
  openRows,
  openSource,
  type RowFormat,
  type RowSource,
  rowFormats,
} from './rows.ts';
import { failure, isRejected, type RowResult, type Sending, sendRows } from './send.ts';
import { createUpsertParser, parseUpsertKey } from './upsert.ts';

const maxParallel = 32;

export const importCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Create a record for each row of a file: ndjson, a JSON array, or csv or xlsx with a name in each column of the first line. Names are those of fields or of the flags of `create`, such as locationId or location, and references take ids or names. In csv and xlsx, an empty cell leaves the field out, and address.city is a nested field.',
        'All rows are checked first, with the names in them; nothing is sent if one is invalid. With --rejects the valid ones are sent, and the others are kept in a file, to fix and import (exit 11).',
        '--update updates the records of rows with an id. --upsert-by looks each row up by a field such as vin or email: it updates the one record that has the value, creates one if none has it, and refuses the row if several do. Rows of records that belong to others need the parent: carId for car-events.',
        "Safe to run again with the same or a corrected file: this machine remembers for 30 days what became of each row, before and after its request. A created row is reported as already_imported, a row without an answer is sent again with its key where the server recognises it. Elsewhere it is named (outcome_unknown): look whether it is stored, then add --skip or --again with the row's number. Rows with an id are updated again.",
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
    .addOption(
      new Option(
        '--format <format>',
        'format (default: from the name or content of the file)',
      ).choices(rowFormats),
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
    .option(
      '--skip-read-only',
      'ignore read-only fields, such as those of an export, and the names of --with-names',
    )
    .option(
      '--rejects <file>',
      'continue after invalid and refused rows, and write them to this file, in the same format',
    )
    .option(
      '--results <file>',
      'also note what became of each row in this file: lines of JSON with row, key, did and id',
    )
    .option('--skip <rows>', 'leave these rows out, such as 17 or 17,20-25')
    .option(
      '--again <rows|all>',
      'import these rows again unless they are stored: those without an answer, or whose record is gone (all: only the latter)',
    )
    .option(
      '--parallel <count>',
      `number of parallel requests, 1 to ${maxParallel} (default: 4; 1 for records that belong to others, to keep their order)`,
      wholeNumber,
    );
  addWriteFlags(command);
  command.needs(
    {
      part: 'cars.create',
      otherwise: 'exit 6 or 9 for a resource that the server lets nobody create',
    },
    {
      part: '`--upsert-by`: records that show the field',
      otherwise: 'exit 9 before the first write; the list is read whole, once',
    },
    {
      part: '`Idempotency-Key` of a POST',
      otherwise:
        'a row whose answer was lost is named, and a person decides with --skip or --again',
    },
  );
  command.examples([
    'cs import customers customers.csv --dry-run',
    'cs import customers customers.csv --rejects rejects.csv --results results.ndjson',
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
  const parallel = options.parallel ?? (resource.parent ? 1 : 4);
  if (parallel < 1 || parallel > maxParallel)
    throw usage(`--parallel ${parallel} is out of range.`, `give 1 to ${maxParallel}`);
  if (options.update && options.upsertBy !== undefined)
    throw usage("--update and --upsert-by can't be used together.", 'leave one of them out');
  const skip = rowsIn(options.skip, '--skip');
  const again = options.again === 'all' ? 'all' : rowsIn(options.again, '--again');
  const skipReadOnly = options.skipReadOnly === true;
  const key =
    options.upsertBy === undefined ? undefined : parseUpsertKey(resource, options.upsertBy);
  const columns = columnsOf(resource, options.map ?? [], skipReadOnly);
  const requestFor = key
    ? createUpsertParser(resource, { key, skipReadOnly })
    : createRowParser(resource, { as: options.update ? 'either' : 'create', skipReadOnly });
  const source = await openSource(context, given);
  try {
    const files = {
      rejects: fileOf(context, options.rejects),
      results: fileOf(context, options.results),
    };
    await refuseSameFile(source.path, files);
    const rowSource: RowSource = {
      ...source,
      encoding: options.encoding,
      sheet: options.sheet,
      hasFlag: true,
      unpacked: `gunzip -c ${given === '-' ? 'FILE' : quote(given)} | ${nextCommand(['import', kebabName(name), '-'])}`,
      csvRaw: context.settings.csvRaw,
      checkColumns: columns.check,
    };
    const file = openRows(rowSource, options.format ?? (await formatOf(rowSource)));
    if (file.sheetNames) noteSheets(context, await file.sheetNames(), rowSource);
    else if (options.sheet !== undefined) throw usage('--sheet is for xlsx files.', 'leave it out');
    const parse = file.hasCells ? cellParser(resource) : (row: Row) => row;
    const job: Job = {
      ...{ name, file, key, parallel },
      skip: isIn(skip),
      resolve: createNameResolver(context, resource),
      place: placeNames[file.format],
      now: context.io.now(),
      async *rows() {
        for await (const row of file.rows()) {
          const { value, problem = 'is empty' } = row;
          const content = value ? columns.rename(value, !file.hasCells) : row.source;
          const unreadable = { issues: [{ path: '', rule: 'row', message: problem }] };
          yield {
            ...{ row, content },
            made: (now) => (value ? requestFor(parse(content as Row, now)) : unreadable),
          };
        }
      },
    };
    await requireRows(job, skip, '--skip');
    if (again !== 'all') await requireRows(job, again, '--again');
    const checked = await withSpinner(context, 'Checking the rows', () => checkRows(job));
    const { total, wrong, starts } = checked;
    if (total === 0) context.note('There are no rows to import.');
    const goesOn = files.rejects !== undefined;
    if (wrong.size > 0 && (!goesOn || (options.dryRun && wrong.size === total)))
      throw invalidRows(job, checked, false);
    if (starts.length > 0)
      await withSpinner(context, 'Asking the server', () => context.checkWrites(starts));
    if (options.dryRun) {
      await preview(context, job, checked);
      if (wrong.size > 0) throw invalidRows(job, checked, true);
      return;
    }
    const changed = async (what: string) => {
      if (await source.isChanged())
        throw new CliError({
          code: 'invalid_file',
          message: `${given} was changed while it was read. ${what}`,
          hint: 'run it again; imported rows are skipped',
        });
    };
    await changed('Nothing was sent.');
    const { rejects } = files;
    const former =
      rejects !== undefined && existsSync(rejects) ? await readFile(rejects) : undefined;
    const save = async (path: string, bytes: Uint8Array) =>
      void (await saveFile(path, [bytes], { overwrite: true }));
    const keep = async (numbers: ReadonlySet<number>) => {
      if (rejects === undefined) return;
      const rows = async function* (): AsyncGenerator<FileRow, void> {
        for await (const row of file.rows()) if (numbers.has(row.number)) yield row;
      };
      const bytes = Buffer.concat(await Array.fromAsync(encodeRows(rowSource, file, rows())));
      // Somebody may have mended the rows in it.
      if (former && former.length > 0 && !former.equals(bytes)) {
        let kept = `${options.rejects}~`;
        while (existsSync(resolve(context.io.cwd, kept))) kept += '~';
        await rename(rejects, resolve(context.io.cwd, kept));
        context.note(`${options.rejects} had other rows: they are in ${kept} now.`);
      }
      await save(rejects, bytes);
    };
    // Before anything is sent: then it is known that the file can be written.
    if (rejects !== undefined && former) await save(rejects, former);
    else await keep(new Set(wrong.keys()));
    // The confirmation of a production profile comes before the spinner.
    await context.writes.permit();
    const { creates } = checked;
    const facility = creates ? (await facilityOf(context)).id : '';
    const client = await context.client();
    const announces = creates && (await client.transport.knowsIdempotencyKeys());
    const { key: apiKey = '' } = sourceOf(context);
    const results = await openResults(context, {
      // A key keeps two imports of the same rows apart; without one, they take turns.
      what: creates && !announces ? [facility, name] : undefined,
      path: files.results,
    });
    try {
      const sending: Sending = {
        ...{ client, results, checked, facility, announces, goesOn },
        again: again === 'all' ? again : isIn(again),
        note: context.note,
        owner: ownerOf('', apiKey).slice(0, 8),
      };
      await send(context, job, { sending, keep, rejects: options.rejects });
    } finally {
      results.close();
    }
    await changed('Rows may be missing.');
  } finally {
    await source.close();
  }
}

type Range = readonly [from: number, to: number];

/** `17,20-25` */
const rowsIn = (text: string | undefined, flag: string): Range[] =>
  (text?.split(',') ?? []).map((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined)
      throw usage(
        `${flag}: "${text}" isn't a list of rows.`,
        `write it like ${flag} 17 or ${flag} 17,20-25`,
      );
    return [Number(from), Number(to)];
  });

const isIn =
  (ranges: readonly Range[]) =>
  (row: number): boolean =>
    ranges.some(([from, to]) => from <= row && row <= to);

/** A number that was typed wrong would leave its row to be sent. */
async function requireRows(
  { file, place }: Job,
  ranges: readonly Range[],
  flag: string,
): Promise<void> {
  const left = new Set(ranges);
  if (left.size > 0)
    for await (const { number } of file.rows())
      for (const range of left) if (isIn([range])(number)) left.delete(range);
  const [missing] = left;
  if (missing)
    throw usage(
      `${flag}: the file has no ${place} ${[...new Set(missing)].join('-')}.`,
      `give the number that the results have as \`row\``,
    );
}

const fileOf = ({ io }: Context, given: string | undefined): string | undefined =>
  given === undefined ? undefined : resolve(io.cwd, given);

/** Also through links, and under another name. */
async function refuseSameFile(
  path: string,
  { rejects, results }: Readonly<Record<'rejects' | 'results', string | undefined>>,
): Promise<void> {
  const one = async (file: string | undefined) =>
    file === undefined ? undefined : stat(file, { bigint: true }).catch(() => undefined);
  const [own, ...others] = await Promise.all([path, rejects, results].map(one));
  for (const [at, other] of others.entries())
    if (other && own?.ino === other.ino && own.dev === other.dev)
      throw usage(
        `${['--rejects', '--results'][at]} names the file that is imported.`,
        'choose another file',
      );
  if (rejects !== undefined && rejects === results)
    throw usage('--rejects and --results name one file.', 'choose another one for --results');
}

const placeNames: Readonly<Record<RowFormat, string>> = {
  ndjson: 'line',
  json: 'record',
  csv: 'line',
  xlsx: 'row',
};

/** Says which sheets aren't read. Exit 2 for a flag of text. */
function noteSheets(
  { note }: Context,
  [first, ...others]: readonly string[],
  { encoding, sheet }: RowSource,
): void {
  if (encoding !== undefined)
    throw usage('--encoding is for text, not for xlsx files.', 'leave it out');
  if (others.length > 0 && sheet === undefined)
    note(
      `Reading the sheet ${first}, not ${joinList(others, 'or')}. Choose another one with --sheet.`,
    );
}

interface Send {
  readonly sending: Sending;
  /** Writes the rejects. */
  readonly keep: (rows: ReadonlySet<number>) => Promise<void>;
  readonly rejects: string | undefined;
}

async function send(context: Context, job: Job, { sending, keep, rejects }: Send): Promise<void> {
  const { name, place } = job;
  const { total } = sending.checked;
  const { results } = sending;
  const title = `Sending ${kebabName(name)}`;
  const spinner = await startSpinner(context, title);
  const done = { created: 0, updated: 0, already_imported: 0, skipped: 0, failed: 0 };
  const failed: RowResult[] = [];
  const startedAt = context.io.now().getTime();
  let tried = 0;
  let unprinted: UnprintedResult | undefined;
  async function* shown(): AsyncGenerator<Row, void> {
    for await (const result of sendRows(job, sending)) {
      const { row, did, id, error } = result;
      done[did] += 1;
      if (!job.skip(row.number)) tried += 1;
      if (did === 'failed') failed.push(result);
      const ms = context.io.now().getTime() - startedAt;
      if (spinner.isShown) spinner.text(`${title}: ${progress(tried, total, ms)}`);
      if (did !== 'failed' || context.output.format !== 'id')
        yield {
          ...{ row: row.number, did },
          ...(id !== undefined && { id }),
          ...(error && { error: { code: error.code, message: error.message } }),
        };
    }
  }
  try {
    if (context.output.forPeople) for await (const _ of shown());
    else await context.output.list({ view: rowView, records: shown(), failures: true });
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
  }
  // The output contains the result of each row.
  const { run } = context.io;
  run.notes = run.notes.filter(({ kind }) => kind !== 'replayed');
  await keep(new Set(failed.filter(isRejected).map(({ row }) => row.number)));
  if (unprinted) throw unprinted;
  const left = total - tried;
  if (context.output.forPeople) await context.output.value([], summary(name, done, left));
  if (results.trouble()) throw results.trouble();
  if (failed.length > 0)
    throw failure(place, { failed, done: tried - failed.length, left, rejects });
}

/** `1,200 of 2,000, 240 a second, 3 seconds left` */
export function progress(tried: number, total: number, ms: number): string {
  const perSecond = (tried * 1_000) / Math.max(ms, 1);
  const left =
    ms < 1_000
      ? ''
      : `, ${grouped(Math.round(perSecond))} a second, ${formatDuration(((total - tried) / perSecond) * 1_000)} left`;
  return `${grouped(tried)} of ${grouped(total)}${left}`;
}

function summary(
  name: SyncName,
  done: Readonly<Record<RowResult['did'], number>>,
  left: number,
): string {
  const { singular, plural } = resourceOf(name);
  const { created, updated, already_imported: before, skipped, failed } = done;
  const counts = [
    updated + before + skipped === 0 || created > 0
      ? `${pluralize(created, singular, plural)} created`
      : '',
    updated > 0 ? `${pluralize(updated, singular, plural)} updated` : '',
    before > 0 ? `${pluralize(before, singular, plural)} already imported` : '',
    skipped > 0 ? `${pluralize(skipped, 'row', 'rows')} skipped` : '',
    failed > 0 ? `${pluralize(failed, 'row', 'rows')} failed` : '',
    left > 0 ? `${pluralize(left, 'row', 'rows')} not tried` : '',
  ];
  return counts.filter(Boolean).join(', ');
}
