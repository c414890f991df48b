/** `cs export`: whole resources as files, or one of them on stdout. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { methodsOf } from '../../crud/methods.ts';
import { column, viewOf } from '../../crud/view.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { formatOf as outputFormat } from '../../output/formats.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row, View } from '../../output/view.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import type { Paint } from '../../terminal/style.ts';
import { grouped, shortPath } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import { inPieces } from '../bulk/lines.ts';
import { outputAs } from '../bulk/output-as.ts';
import { kebabName, listableResources, resourceArgument, resourceOf, resourcesNamed } from '../bulk/resources.ts';
import { isThere } from '../bulk/sorted.ts';
import { keepNames, originOf, writeState } from '../bulk/state-file.ts';
import { makeFolder } from '../files/folders.ts';

const formats = ['ndjson', 'csv', 'json'] as const;
type ExportFormat = (typeof formats)[number];

const exportView: View = {
  one: 'resource',
  many: 'resources',
  columns: [{ ...column('resource'), whole: true }, { ...column('records'), align: 'right', whole: true }, column('file')],
  title: (row) => row.resource,
};

export const exportCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Write every record of some resources, or of all, to a folder: a file for each, and manifest.json, which is written last and says what the others hold. Without it the export is not whole.',
        `-o chooses ${formats.join(', ')}; ndjson unless given. csv has the fields that this version knows, the others everything that the server gives.`,
        'Others may write meanwhile: no record that stays is left out, and each is as it was at some moment since its resource was begun. The manifest says from when on changes may be missing.',
        'Records that lie below others are read through each of those, so they take as many requests. Photos and assets are left as their addresses: `cs cars photos` and `cs assets download` get the bytes.',
      ].join('\n'),
    )
    .addArgument(resourceArgument('[resource...]', 'such as cars and car-events; `cs schema` lists them', listableResources))
    .option('--all', 'every resource that there is')
    .requiredOption('--to <folder|->', 'where the files go; - writes one resource to stdout')
    .option('--overwrite', 'replace the files of an export that is there');
  command.examples([
    'cs export cars customers --to export-2026',
    'cs export --all --to everything --overwrite',
    'cs export customers --to - -o csv > customers.csv',
  ]);
  command.handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<void> {
  const given: string[] = args[0] ?? [];
  if (options.all && given.length > 0) throw usage('--all and names of resources exclude each other.', 'leave one of them out');
  if (!options.all && given.length === 0) throw usage('No resource was named.', 'name some, such as cars customers, or give --all');
  const names = options.all ? listableResources : resourcesNamed(given, listableResources);
  const format = formatOf(context);
  const client = await context.client();
  if (options.to === '-') return toStdout(context, client, names, format);
  if (options.to.trim() === '') throw usage('--to needs a folder.', 'name one, such as --to export');
  await toFolder(context, { client, names, format, folder: resolve(context.io.cwd, options.to), overwrite: options.overwrite === true });
}

/** What -o says, or the environment or the profile where that is a format that files can have. Exit 2 for another flag. */
function formatOf({ settings }: Context): ExportFormat {
  const given = settings.find('output');
  const found = formats.find((format) => format === given?.value);
  if (!found && given?.origin.startsWith('flag'))
    throw usage(`An export is not written as ${given.value}.`, `choose one of ${formats.join(', ')} with -o`);
  return found ?? 'ndjson';
}

async function toStdout(context: Context, client: Client, names: readonly SyncName[], format: ExportFormat): Promise<void> {
  const [name, second] = names;
  if (!name || second) throw usage('Only one resource can go to stdout.', 'name a single one, or give a folder with --to');
  const pages = async function* () {
    for await (const { records } of readEverything(client, name)) yield records;
  };
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

async function toFolder(context: Context, { client, names, format, folder, overwrite }: Task): Promise<void> {
  const startedAt = context.io.now().toISOString();
  const manifest = join(folder, 'manifest.json');
  await makeFolder(folder);
  const { server, team } = await originOf(context);
  const fileOf = (name: SyncName) => `${kebabName(name)}.${format}`;
  if (!overwrite) await refuseOccupied([manifest, ...names.map((name) => join(folder, fileOf(name)))]);
  // From now on it would speak of files that are being replaced.
  await rm(manifest, { force: true });
  await keepNames(folder);
  const spinner = await startSpinner(context, 'Reading');
  const written: Row[] = [];
  try {
    await forEachResource(context, {
      names,
      view: exportView,
      did: 'exported',
      act: async (name) => {
        const file = fileOf(name);
        const progress = (read: number) => spinner.text(`Reading ${kebabName(name)}: ${grouped(read)}`);
        const found = await writeOne({ client, name, format, path: join(folder, file), overwrite, paint: context.paint, progress });
        written.push({ resource: kebabName(name), file, ...found });
        return { resource: kebabName(name), records: found.records, file: shortPath(context.io.cwd, join(folder, file)) };
      },
      done: async (failed) => {
        spinner.stop();
        // The manifest must not outlive files whose names a power cut takes back.
        await keepNames(folder);
        const finishedAt = context.io.now().toISOString();
        await writeState(manifest, { version: 1, server, team, format, startedAt, finishedAt, resources: written, failed });
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
  readonly paint: Paint;
  readonly progress: (read: number) => void;
}

/** `changesSince`: what changed at or after it may not be in the file. Null where the list was empty, or nothing tells. */
async function writeOne({ client, name, format, path, overwrite, paint, progress }: File) {
  const nothing = { label: String, time: String };
  const made = await outputFormat(format).open({
    ...{ view: viewOf(name), fields: undefined, columns: undefined, jq: undefined, width: undefined },
    ...{ paint, context: async () => nothing, note: () => {} },
  });
  let records = 0;
  let changesSince: string | null = null;
  const hash = createHash('sha256');
  async function* texts(): AsyncGenerator<string, void> {
    const began = (since: string | undefined) => {
      changesSince = since ?? null;
    };
    for await (const { records: some } of readEverything(client, name, began)) {
      records += some.length;
      progress(records);
      yield await made.records(some);
    }
    yield await made.end();
  }
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of inPieces(texts())) {
      hash.update(piece);
      yield piece;
    }
  }
  const size = await saveFile(path, bytes(), { overwrite });
  return { records, bytes: size, sha256: hash.digest('hex'), changesSince };
}

async function refuseOccupied(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!(await isThere(path))) continue;
    throw new CliError({
      code: 'file_exists',
      message: `${path} is there already.`,
      hint: 'choose another folder, or replace the export with --overwrite',
    });
  }
}

/** Every record of a resource, also of one that lies below others: then through each of those. */

interface Found {
  /** Ids of the records above, outermost first. */
  readonly within: readonly string[];
  readonly records: readonly Row[];
}

/** `began` is told from when on changes may be missing, as far as that can be known. */
async function* readEverything(
  client: Client,
  name: SyncName,
  began: (since: string | undefined) => void = () => {},
): AsyncGenerator<Found, void> {
  const { parent } = resourceOf(name);
  if (!parent) {
    const everything = sync(client, name);
    for await (const records of everything.pages()) yield { within: [], records };
    began(everything.next);
    return;
  }
  // A parent is a resource that can be listed, or what lies below it could not be found.
  for await (const { within, records } of readEverything(client, parent.resource as SyncName, began)) {
    for (const { id } of records) {
      for await (const below of pagesBelow(client, name, [...within, id])) yield { within: [...within, id], records: below };
    }
  }
}

async function* pagesBelow(client: Client, name: SyncName, within: readonly string[]): AsyncGenerator<readonly Row[], void> {
  try {
    yield* sync(client, name, { within }).pages() as AsyncGenerator<Row[], void>;
  } catch (error) {
    // Deleted since it was listed, and what lay below it went with it. A server that does not have the list is another matter.
    if (!isMissing(error) || (await recordExists(client, resourceOf(name).parent?.resource as SyncName, within))) throw error;
  }
}

async function recordExists(client: Client, name: SyncName, ids: readonly string[]): Promise<boolean> {
  try {
    await methodsOf(client, name).get(...ids);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
