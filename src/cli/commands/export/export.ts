/** `cs export`: writes all records of resources to files, or of one resource to stdout. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { kindOf, shownFields } from '../../../contract/schemas.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { formatOf as outputFormat } from '../../output/formats.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row, View } from '../../output/view.ts';
import { writeXlsx } from '../../output/xlsx.ts';
import { methodsOf } from '../../resources/methods.ts';
import { column, viewOf } from '../../resources/view.ts';
import { write } from '../../terminal/io.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import type { Styles } from '../../terminal/style.ts';
import { grouped, shortPath } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import { encodeChunks } from '../bulk/lines.ts';
import { outputAs } from '../bulk/output-as.ts';
import {
  isDataFile,
  kebabName,
  listableResources,
  parseResources,
  resourceArgument,
  resourceOf,
} from '../bulk/resources.ts';
import { syncFolder, writeState } from '../bulk/state-file.ts';
import { readOrigin } from '../connection/origin.ts';
import { makeTargetFolder } from '../files/folders.ts';

const formats = ['ndjson', 'csv', 'json', 'xlsx'] as const;
type ExportFormat = (typeof formats)[number];

const exportView: View = {
  one: 'resource',
  many: 'resources',
  columns: [
    { ...column('resource'), neverCut: true },
    { ...column('records'), align: 'right', neverCut: true },
    column('file'),
  ],
  title: (row) => row.resource,
};

export const exportCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Write all records of some or all resources to a folder: a file per resource, and manifest.json with their checksums. It is written last; without it the export is incomplete.',
        '-o chooses ndjson, csv or json (default: ndjson), and --format xlsx writes spreadsheets. csv and xlsx contain the fields that this version knows, the others all fields of the server. In xlsx, times are dates in the time zone of this machine.',
        'Works while others write: it includes every record that exists throughout. Later changes may be missing; the manifest has the time for each resource.',
        'Records that belong to others need a request per parent. Photos and assets are exported as URLs; download them with `cs cars photos` and `cs assets download`.',
      ].join('\n'),
    )
    .addArgument(
      resourceArgument(
        '[resource...]',
        'such as cars and car-events; `cs schema` lists them',
        listableResources,
      ),
    )
    .option('--all', 'all resources')
    .requiredOption('--to <folder|->', 'the folder for the files; - writes one resource to stdout')
    .addOption(new Option('--format <format>', 'in place of -o').choices(formats))
    .option('--overwrite', 'replace the files of an existing export');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'the manifest has the time of the server (`Date`); without it, it says nothing of later changes',
  });
  command.examples([
    'cs export cars customers --to export-2026',
    'cs export --all --to everything --overwrite',
    'cs export customers --to - -o csv > customers.csv',
    'cs export cars --to sheets --format xlsx',
  ]);
  command.workInBulk().handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<void> {
  const given: string[] = args[0] ?? [];
  if (options.all && given.length > 0)
    throw usage("--all and resource names can't be used together.", 'leave one of them out');
  if (!options.all && given.length === 0)
    throw usage('Missing resource.', 'name some, such as cars customers, or use --all');
  const names = options.all ? listableResources : parseResources(given, listableResources);
  const format = options.format ?? formatOf(context);
  if (isDataFile(options.to))
    throw usage(
      `--to names a folder, and "${options.to}" is the name of a file.`,
      `name a folder, or write one resource to stdout: \`${nextCommand(['export', kebabName(names[0] as SyncName), '--to', '-', '--format', format])}\``,
    );
  const client = await context.client();
  if (options.to === '-') return toStdout(context, client, names, format);
  await toFolder(context, {
    client,
    names,
    format,
    folder: resolve(context.io.cwd, options.to),
    overwrite: options.overwrite === true,
  });
}

/** A column per field that this version knows. */
function xlsxOf(
  name: SyncName,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void> {
  const columns = Object.entries(shownFields(resourceOf(name))).map(([field, schema]) => ({
    name: field,
    kind: kindOf(schema),
  }));
  const rows = async function* () {
    for await (const records of pages)
      for (const record of records) yield columns.map((one) => record[one.name]);
  };
  return writeXlsx(kebabName(name), columns, rows());
}

/** Exit 2 for another format with -o. Other formats of the environment or the profile are ignored. */
function formatOf({ settings }: Context): ExportFormat {
  const given = settings.find('output');
  const found = formats.find((format) => format === given?.value);
  if (!found && given?.origin.startsWith('flag'))
    throw usage(
      `An export can't be written as ${given.value}.`,
      `choose one of ${formats.filter((format) => format !== 'xlsx').join(', ')} with -o, or --format xlsx`,
    );
  return found ?? 'ndjson';
}

async function toStdout(
  context: Context,
  client: Client,
  names: readonly SyncName[],
  format: ExportFormat,
): Promise<void> {
  const [name, second] = names;
  if (!name || second)
    throw usage(
      'Only one resource can be written to stdout.',
      'name a single one, or a folder with --to',
    );
  const pages = async function* () {
    for await (const { records } of readEverything(client, name)) yield records;
  };
  if (format === 'xlsx') {
    if (context.io.stdoutIsTerminal)
      throw usage(
        "An xlsx file can't be shown on a terminal.",
        'redirect it to a file, or name a folder with --to',
      );
    for await (const bytes of xlsxOf(name, pages())) await write(context.io.stdout, bytes);
    return;
  }
  const view = viewOf(name);
  await outputAs(context, format, view, (output) => output.list({ view, records: { pages } }));
}

interface Task {
  readonly client: Client;
  readonly names: readonly SyncName[];
  readonly format: ExportFormat;
  readonly folder: string;
  readonly overwrite: boolean;
}

async function toFolder(
  context: Context,
  { client, names, format, folder, overwrite }: Task,
): Promise<void> {
  const startedAt = context.io.now().toISOString();
  const manifest = join(folder, 'manifest.json');
  makeTargetFolder(folder);
  const { server, team } = await readOrigin(context);
  const fileOf = (name: SyncName) => `${kebabName(name)}.${format}`;
  if (!overwrite) await assertFree([manifest, ...names.map((name) => join(folder, fileOf(name)))]);
  // It describes files that are about to be replaced.
  await rm(manifest, { force: true });
  await syncFolder(folder);
  const spinner = await startSpinner(context, 'Reading');
  const written: Row[] = [];
  try {
    await forEachResource(context, {
      names,
      view: exportView,
      pastTense: 'exported',
      act: async (name) => {
        const file = fileOf(name);
        const progress = (read: number) =>
          spinner.text(`Reading ${kebabName(name)}: ${grouped(read)}`);
        const how = {
          overwrite,
          styles: context.styles,
          csvRaw: context.settings.csvRaw,
          progress,
        };
        const found = await writeOne({ client, name, format, path: join(folder, file), ...how });
        written.push({ resource: kebabName(name), file, ...found });
        return {
          resource: kebabName(name),
          records: found.records,
          file: shortPath(context.io.cwd, join(folder, file)),
        };
      },
      done: async (failed) => {
        spinner.stop();
        // Nothing partial may look whole.
        if (failed.length > 0) return;
        // After a power cut, the manifest must not exist without its files.
        await syncFolder(folder);
        const finishedAt = context.io.now().toISOString();
        await writeState(manifest, {
          version: 1,
          server,
          team,
          format,
          startedAt,
          finishedAt,
          resources: written,
        });
      },
    });
  } finally {
    spinner.stop();
  }
}

interface File {
  readonly client: Client;
  readonly name: SyncName;
  readonly format: ExportFormat;
  readonly path: string;
  readonly overwrite: boolean;
  readonly styles: Styles;
  readonly csvRaw: boolean;
  readonly progress: (read: number) => void;
}

/** `changesSince`: later changes may be missing in the file. Null if unknown, or if the list was empty. */
async function writeOne({ client, name, format, path, overwrite, styles, csvRaw, progress }: File) {
  let records = 0;
  let changesSince: string | null = null;
  const hash = createHash('sha256');
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    const onStart = (since: string | undefined) => {
      changesSince = since ?? null;
    };
    for await (const { records: some } of readEverything(client, name, onStart)) {
      records += some.length;
      progress(records);
      yield some;
    }
  }
  async function* texts(textFormat: Exclude<ExportFormat, 'xlsx'>): AsyncGenerator<string, void> {
    const nothing = { label: String, time: String, relativeTime: () => '' };
    const made = await outputFormat(textFormat).open({
      ...{
        view: viewOf(name),
        fields: undefined,
        columns: undefined,
        jq: undefined,
        width: undefined,
      },
      ...{ styles, csvRaw, context: async () => nothing, note: () => {} },
    });
    for await (const some of pages()) yield await made.records(some);
    yield await made.end();
  }
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of format === 'xlsx'
      ? xlsxOf(name, pages())
      : encodeChunks(texts(format))) {
      hash.update(piece);
      yield piece;
    }
  }
  const size = await saveFile(path, bytes(), { overwrite });
  return { records, bytes: size, sha256: hash.digest('hex'), changesSince };
}

async function assertFree(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!existsSync(path)) continue;
    throw new CliError({
      code: 'file_exists',
      message: `${path} already exists.`,
      hint: 'choose another folder, or replace the export with --overwrite',
    });
  }
}

interface Found {
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  readonly records: readonly Row[];
}

/** All records, through all parents if the resource has some. `onStart` receives the time from which changes may be missing, if known. */
async function* readEverything(
  client: Client,
  name: SyncName,
  onStart: (since: string | undefined) => void = () => {},
): AsyncGenerator<Found, void> {
  const { parent } = resourceOf(name);
  if (!parent) {
    const everything = sync(client, name);
    for await (const records of everything.pages()) yield { within: [], records };
    onStart(everything.next);
    return;
  }
  // Every parent has a list.
  for await (const { within, records } of readEverything(
    client,
    parent.resource as SyncName,
    onStart,
  )) {
    for (const { id } of records) {
      for await (const below of pagesBelow(client, name, [...within, id]))
        yield { within: [...within, id], records: below };
    }
  }
}

async function* pagesBelow(
  client: Client,
  name: SyncName,
  within: readonly string[],
): AsyncGenerator<readonly Row[], void> {
  try {
    yield* sync(client, name, { within }).pages() as AsyncGenerator<Row[], void>;
  } catch (error) {
    // Ignore a parent that was deleted meanwhile, but not a server without this list.
    if (
      !isMissing(error) ||
      (await recordExists(client, resourceOf(name).parent?.resource as SyncName, within))
    )
      throw error;
  }
}

async function recordExists(
  client: Client,
  name: SyncName,
  ids: readonly string[],
): Promise<boolean> {
  try {
    await methodsOf(client, name).get(...ids);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
