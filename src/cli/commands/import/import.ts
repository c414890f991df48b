/** `cs import`: creates or updates a record for each row of a file. */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { UnprintedResult } from '../../errors/ended-run.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { unusableFile } from '../../errors/file-system.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import { addWriteFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { encodings } from '../../input/decode.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { openImports } from '../../state/imports.ts';
import { ownerOf, stateFile } from '../../state/state.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize, quote } from '../../terminal/text.ts';
import { formatOfName } from '../bulk/formats.ts';
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
import { lockBeside } from '../files/lock.ts';
import {
  type Checked,
  checkRows,
  invalidRows,
  type Job,
  numbersIn,
  preview,
  rowView,
} from './check.ts';
import { columnsOf, rowReader } from './columns.ts';
import { createNameResolver, createRowParser } from './requests.ts';
import { type FileRow, readRows, readSource } from './rows.ts';
import { failure, isRejected, type RowResult, sendRows } from './send.ts';
import { createUpsertParser, parseUpsertKey } from './upsert.ts';

const maxParallel = 32;

/** It has whole records. */
const ofOwner = { overwrite: true, mode: 0o600 };

export const importCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Create a record for each row of a file: ndjson, a JSON array, or csv or xlsx with a name in each column of the first line. Names are those of fields or of the flags of `create`, such as locationId, location or "License plate", in any case, with spaces, hyphens or underscores. References take ids or names, and address.city is a nested field. An empty cell leaves the field out; null in ndjson and JSON clears it.',
        'All rows are checked first, with the names in them; nothing is sent if one is invalid. With --rejects the valid ones are sent, and the others are kept in a file, to fix and import (exit 11).',
        '--update updates the records of rows with an id, reading them first. --upsert-by looks each row up by a field such as vin or email: it updates the one record that has the value, creates one if none has it, and refuses the row if several do. A record that has the values already is unchanged. Rows of records that belong to others need the parent: carId for car-events.',
        "Safe to run again with the same file, or with failed rows corrected; a changed row that was imported is a new row, so use --upsert-by for it. This machine remembers for 30 days what became of each row, before and after its request. A created row is reported as already_imported if the server still has its record, and a row without an answer is sent again with its key where the server recognises it. Other rows are named, and a person decides: outcome_unknown may be stored, so look, then add --skip or --again with the row's number; not_found was imported and is gone. Rows with an id are updated again.",
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
      'ignore read-only fields, such as those of an export, and the names of --with-names; an id needs --update or --upsert-by',
    )
    .option(
      '--rejects <file>',
      'continue after invalid and refused rows, and write them to this file, in the same format',
    )
    .option(
      '--results <file>',
      'also write what became of each row to this file: lines of JSON with row, key, did, id and error',
    )
    .option('--skip <rows>', 'leave these rows out, such as 17 or 17,20-25')
    .option(
      '--again <rows|all>',
      'import these rows again unless they are stored: those without an answer, or whose record is gone (all: only the latter)',
    )
    .option(
      '--parallel <count>',
      `number of parallel requests, 1 to ${maxParallel} (default: 4; 1 for records that belong to others or to each other, to keep their order)`,
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
  const { io, note } = context;
  const name = parseResource(text, listableResources);
  const resource = resourceOf(name);
  const needsOrder =
    resource.parent !== undefined ||
    Object.values(resource.fields).some(({ references }) => references === name);
  const parallel = options.parallel ?? (needsOrder ? 1 : 4);
  if (parallel < 1 || parallel > maxParallel)
    throw usage(`--parallel ${parallel} is out of range.`, `give 1 to ${maxParallel}`);
  if (options.update && options.upsertBy !== undefined)
    throw usage("--update and --upsert-by can't be used together.", 'leave one of them out');
  const skipReadOnly = options.skipReadOnly === true;
  const key =
    options.upsertBy === undefined ? undefined : parseUpsertKey(resource, options.upsertBy);
  const columns = columnsOf(resource, options.map ?? [], skipReadOnly);
  const requestFor = key
    ? createUpsertParser(resource, { key, skipReadOnly })
    : createRowParser(resource, { as: options.update ? 'either' : 'create', skipReadOnly });
  const [rejects, resultsFile] = [options.rejects, options.results].map((path) =>
    path === undefined ? undefined : resolve(io.cwd, path),
  );
  await refuseSameFile({
    given: given === '-' ? undefined : resolve(io.cwd, given),
    '--rejects': rejects,
    '--results': resultsFile,
  });
  const file = await readRows(await readSource(context, given), {
    name: given === '-' ? 'stdin' : given,
    encoding: options.encoding,
    sheet: options.sheet,
    hasFlag: true,
    unpacked: `gunzip -c ${given === '-' ? 'FILE' : quote(given)} | ${nextCommand(['import', kebabName(name), '-'])}`,
    csvRaw: context.settings.csvRaw,
  });
  const { sheets, header, format } = file;
  const rejectsFormat = rejects && formatOfName(rejects);
  if (rejectsFormat && rejectsFormat !== format)
    throw usage(
      `--rejects must have the format of the imported file, ${format}.`,
      `end its name with .${format}`,
    );
  if (sheets && options.encoding !== undefined)
    throw usage('--encoding is for text, not for xlsx files.', 'leave it out');
  if (!sheets && options.sheet !== undefined)
    throw usage('--sheet is for xlsx files.', 'leave it out');
  const [first, ...others] = sheets ?? [];
  if (others.length > 0 && options.sheet === undefined)
    note(
      `Reading the sheet ${first}, not ${joinList(others, 'or')}. Choose another one with --sheet.`,
    );
  if (header) columns.check(header);
  const read = rowReader(resource, header !== undefined);
  const valuesOf = (row: FileRow) => {
    const values = file.read(row);
    return typeof values === 'string' ? values : columns.rename(values);
  };
  const job: Job = {
    name,
    key,
    parallel,
    now: io.now(),
    place: file.place,
    skip: numbersIn(options.skip, '--skip', file),
    again: options.again === 'all' ? 'all' : numbersIn(options.again, '--again', file),
    resolve: createNameResolver(context, resource),
    rows: file.rows,
    content: valuesOf,
    made(row, now) {
      const values = valuesOf(row);
      return typeof values === 'string'
        ? { issues: [{ path: '', rule: 'row', message: values }] }
        : requestFor(read(values, now));
    },
  };
  const checked = await withSpinner(context, 'Checking the rows', () => checkRows(job));
  const { total, wrong, starts } = checked;
  if (total === 0) note('There are no rows to import.');
  if (wrong.size > 0 && (rejects === undefined || (options.dryRun && wrong.size === total)))
    throw invalidRows(job, checked, false);
  if (starts.length > 0)
    await withSpinner(context, 'Asking the server', () => context.checkWrites(starts));
  if (options.dryRun) {
    await preview(context, job, checked);
    if (wrong.size > 0) throw invalidRows(job, checked, true);
    return;
  }
  const former =
    rejects !== undefined && (await stat(rejects).catch(() => undefined))?.isFile()
      ? await readFile(rejects)
      : Buffer.of();
  // Before anything is sent: then it is known that the file can be written.
  if (rejects !== undefined) await saveFile(rejects, [former], ofOwner);
  // The confirmation of a production profile comes before the spinner.
  await context.writes.permit();
  const { error, failed } = await send(context, job, {
    checked,
    resultsFile,
    rejects: options.rejects,
  });
  if (rejects !== undefined) {
    const refused = new Set(failed.filter(isRejected).map(({ row }) => row));
    const bytes = await file.write(file.rows.filter(({ number }) => refused.has(number)));
    // Somebody may have fixed the rows in it.
    if (former.length > 0 && !former.equals(bytes)) {
      let kept = `${options.rejects}~`;
      while (existsSync(resolve(io.cwd, kept))) kept += '~';
      await rename(rejects, resolve(io.cwd, kept));
      note(`${options.rejects} had other rows: they are in ${kept} now.`);
    }
    await saveFile(rejects, [bytes], ofOwner);
  }
  if (error) throw error;
}

/** Also through links, and under another name. */
async function refuseSameFile(files: Readonly<Record<string, string | undefined>>): Promise<void> {
  const known = new Map<string, string>();
  for (const [flag, path] of Object.entries(files)) {
    if (path === undefined) continue;
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    const file = found ? `${found.dev} ${found.ino}` : path;
    const before = known.get(file);
    if (before !== undefined)
      throw usage(
        before === 'given'
          ? `${flag} names the file that is imported.`
          : `${before} and ${flag} name one file.`,
        `choose another one for ${flag}`,
      );
    known.set(file, flag);
  }
}

interface Send {
  readonly checked: Checked;
  readonly resultsFile: string | undefined;
  /** For hints. */
  readonly rejects: string | undefined;
}

/** Prints what became of the rows. */
async function send(context: Context, job: Job, { checked, resultsFile, rejects }: Send) {
  const { io, note, output } = context;
  const { name } = job;
  const facility = (await facilityOf(context)).id;
  const client = await context.client();
  const announces = checked.creates && (await client.transport.knowsIdempotencyKeys());
  const owner = ownerOf('', sourceOf(context).key ?? '').slice(0, 8);
  const journal = openImports(io);
  const closing = [() => journal.close()];
  const title = `Sending ${kebabName(name)}`;
  const done = { created: 0, updated: 0, unchanged: 0, already_imported: 0, skipped: 0, failed: 0 };
  const failed: RowResult[] = [];
  const startedAt = io.now().getTime();
  let tried = 0;
  let error: unknown;
  const spinner = await startSpinner(context, title);
  try {
    // Where no key tells a repeat, two runs of one file would both send its rows.
    const isAlone = !announces || job.key !== undefined;
    const lock = isAlone
      ? await lockBeside(`${stateFile(io)}-import-${ownerOf(facility, name)}`)
      : undefined;
    if (isAlone && !lock)
      throw new CliError({
        code: 'already_running',
        message: `Another import of ${kebabName(name)} is running. Nothing was sent.`,
        hint: 'wait until it ends, then run this one again',
      });
    if (lock) closing.push(() => lock.release());
    const results = resultsFile === undefined ? undefined : openResults(resultsFile);
    if (results) closing.push(results.close);
    const goesOn = rejects !== undefined;
    const sending = { client, journal, checked, facility, owner, announces, note, goesOn };
    const shown = async function* (): AsyncGenerator<Row, void> {
      for await (const result of sendRows(job, sending)) {
        const { row, did, key, id, error } = result;
        done[did] += 1;
        if (!job.skip.has(row)) tried += 1;
        if (did === 'failed') failed.push(result);
        const ms = io.now().getTime() - startedAt;
        if (spinner.isShown) spinner.text(`${title}: ${progress(tried, checked.total, ms)}`);
        const more = {
          ...(id !== undefined && { id }),
          ...(error && { error: { code: error.code, message: error.message } }),
        };
        results?.write({ row, key, did, ...more });
        if (did !== 'failed' || output.format !== 'id') yield { row, did, ...more };
      }
    };
    if (output.forPeople) for await (const _ of shown());
    else await output.list({ view: rowView, records: shown(), failures: true });
  } catch (thrown) {
    spinner.stop();
    if (io.signal.aborted)
      note(`Stopped after ${pluralize(tried, 'row', 'rows')}; run the same command to continue.`);
    if (!(thrown instanceof UnprintedResult)) throw thrown;
    error = thrown;
  } finally {
    spinner.stop();
    for (const close of closing) close();
  }
  // The output contains the result of each row.
  io.run.notes = io.run.notes.filter(({ kind }) => kind !== 'replayed');
  const left = checked.total - tried;
  if (output.forPeople && !error) await output.value([], summary(name, done, left));
  if (failed.length > 0)
    error ??= failure(job.place, { failed, done: tried - failed.length, left, rejects });
  return { error, failed };
}

/** What became of each row in this run, in a file. Exit 7 for a file of something else. */
function openResults(path: string) {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw unusableFile(`Couldn't write ${path}`, error, {
        reasons: { ENOENT: "the folder doesn't exist" },
        hint: 'give another file with --results, and run it again',
      });
    }
  };
  const file = attempt(() => openSync(path, 'a+', 0o600));
  // A pipe or a device holds nothing to replace.
  if (fstatSync(file).isFile()) {
    const begin = Buffer.alloc('{"row":'.length);
    const size = attempt(() => readSync(file, begin, 0, begin.length, 0));
    if (size > 0 && begin.toString() !== '{"row":')
      throw new CliError({
        code: 'file_exists',
        message: `${path} isn't a file of results. Nothing was sent.`,
        hint: 'give another file with --results',
      });
    ftruncateSync(file);
  }
  return {
    write: (row: object) => attempt(() => writeSync(file, `${JSON.stringify(row)}\n`)),
    close: () => closeSync(file),
  };
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
  name: Job['name'],
  { created, ...done }: Readonly<Record<RowResult['did'], number>>,
  left: number,
): string {
  const { singular, plural } = resourceOf(name);
  const records = (count: number) => pluralize(count, singular, plural);
  const rows = (count: number) => pluralize(count, 'row', 'rows');
  const counts = [
    done.updated > 0 && `${records(done.updated)} updated`,
    done.unchanged > 0 && `${records(done.unchanged)} unchanged`,
    done.already_imported > 0 && `${records(done.already_imported)} already imported`,
    done.skipped > 0 && `${rows(done.skipped)} skipped`,
  ].filter(Boolean);
  return [
    (created > 0 || counts.length === 0) && `${records(created)} created`,
    ...counts,
    done.failed > 0 && `${rows(done.failed)} failed`,
    left > 0 && `${rows(left)} not tried`,
  ]
    .filter(Boolean)
    .join(', ');
}
