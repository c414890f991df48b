/** `cs export`: writes all records of resources to files, and a manifest once every file is there. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { type Kind, kindOf, shownFields } from '../../../contract/schemas.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import { formatOf as outputFormat } from '../../output/formats.ts';
import { toJson } from '../../output/json.ts';
import { saveFile, syncFolder } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { writeXlsx } from '../../output/xlsx.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { methodsOf } from '../../resources/methods.ts';
import { nameBeside, referencesIn } from '../../resources/operation.ts';
import { column, viewOf } from '../../resources/view.ts';
import { joinList, shortPath } from '../../terminal/text.ts';
import { forEachResource, numberColumn, resourceView } from '../bulk/each-resource.ts';
import { type FileFormat, fileFormats, formatOfName } from '../bulk/formats.ts';
import {
  kebabName,
  listableResources,
  parseResources,
  resourceArgument,
  resourceOf,
} from '../bulk/resources.ts';
import { readOrigin } from '../connection/origin.ts';
import { makeTargetFolder } from '../files/folders.ts';

const exportView = resourceView([numberColumn('records'), column('file')]);

export const exportCommand: CommandBuilder = (command) => {
  command
    .description(
      [
        'Write all records of some or all resources to a folder: a file per resource, and manifest.json with counts and checksums. It is written last; without it the export is incomplete.',
        'csv and xlsx contain the fields that this version knows, the others all fields of the server. In xlsx, times are dates in the time zone of this machine.',
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
    .requiredOption('--to <folder>', 'the folder for the files')
    .addOption(
      new Option('-o, --output <format>', 'format of the files (default: ndjson)').choices(
        fileFormats,
      ),
    )
    .option(
      '--with-names',
      'add what people call the customer, the car or the place beside each id: customerName; the key needs their scopes',
    )
    .option('--overwrite', 'replace the files of an existing export');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'the manifest has the time of the server (`Date`); without it, it says nothing of later changes',
  });
  command.examples([
    'cs export cars customers --to export-2026',
    'cs export --all --to everything --overwrite',
    'cs export appointments parking-assignments --to accounting -o csv --with-names',
    'cs export cars --to sheets -o xlsx',
  ]);
  command.workInBulk().handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<void> {
  const given: string[] = args[0];
  if (options.all && given.length > 0)
    throw usage("--all and resource names can't be used together.", 'leave one of them out');
  if (!options.all && given.length === 0)
    throw usage('Missing resource.', 'name some, such as cars customers, or use --all');
  const names = options.all ? listableResources : parseResources(given, listableResources);
  const format = options.output ?? formatOf(context);
  // A folder of that name would be taken for a file.
  if (options.to === '-' || formatOfName(options.to)) throw notAFolder(options.to);
  const client = await context.client();
  const folder = resolve(context.io.cwd, options.to);
  const startedAt = context.io.now().toISOString();
  const manifest = join(folder, 'manifest.json');
  makeTargetFolder(folder);
  const { server, team } = await readOrigin(context);
  const fileOf = (name: SyncName) => `${kebabName(name)}.${format}`;
  const overwrite = options.overwrite === true;
  assertFree(folder, ['manifest.json', ...names.map(fileOf)], overwrite);
  // It describes files that are about to be replaced.
  await rm(manifest, { force: true });
  await syncFolder(folder);
  const written: Row[] = [];
  await forEachResource(context, {
    names,
    view: exportView,
    title: 'Reading',
    pastTense: 'exported',
    again: 'run it again with --overwrite',
    act: async (name, progress) => {
      const file = fileOf(name);
      const path = join(folder, file);
      const withNames = options.withNames === true;
      const found = await writeOne(context, {
        client,
        name,
        format,
        path,
        overwrite,
        withNames,
        progress,
      });
      const resource = kebabName(name);
      written.push({ resource, file, ...found });
      return { resource, records: found.records, file: shortPath(context.io.cwd, path) };
    },
    done: async (isComplete) => {
      // Nothing partial may look whole.
      if (!isComplete) return;
      // After a power cut, the manifest must not exist without its files.
      await syncFolder(folder);
      const finishedAt = context.io.now().toISOString();
      const about = { version: 1, server, team, format, startedAt, finishedAt };
      const text = toJson({ ...about, resources: written });
      await saveFile(manifest, [Buffer.from(text)], { overwrite: true });
      await syncFolder(folder);
    },
  });
}

/** Exit 2 for another format before the command. Other formats of the environment or the profile are ignored. */
function formatOf({ settings }: Context): FileFormat {
  const given = settings.find('output');
  const found = fileFormats.find((format) => format === given?.value);
  if (!found && given?.origin.startsWith('flag'))
    throw usage(
      `An export can't be written as ${given.value}.`,
      `choose one of ${fileFormats.join(', ')} with -o`,
    );
  return found ?? 'ndjson';
}

const notAFolder = (target: string): CliError =>
  usage(
    target === '-'
      ? '--to names a folder: an export is files with a manifest.'
      : `--to names a folder, and "${target}" is the name of a file.`,
    'name a folder, such as --to export; `cs cars list --all -o csv` prints one resource, `cs sync` writes a database',
  );

/** Files of another export would stay beside a manifest that doesn't name them. */
function assertFree(folder: string, own: readonly string[], overwrite: boolean): void {
  const all = listableResources.flatMap((name) =>
    fileFormats.map((format) => `${kebabName(name)}.${format}`),
  );
  const isThere = (file: string) => existsSync(join(folder, file));
  const others = all.filter((file) => !own.includes(file) && isThere(file));
  if (others.length > 0)
    throw new CliError({
      code: 'file_exists',
      message: `${folder} has files of another export: ${joinList(others)}.`,
      hint: 'choose another folder, or delete them',
    });
  const found = overwrite ? undefined : own.find(isThere);
  if (found !== undefined)
    throw new CliError({
      code: 'file_exists',
      message: `${join(folder, found)} already exists.`,
      hint: 'choose another folder, or replace the export with --overwrite',
    });
}

interface File {
  readonly client: Client;
  readonly name: SyncName;
  readonly format: FileFormat;
  readonly path: string;
  readonly overwrite: boolean;
  readonly withNames: boolean;
  readonly progress: (read: number) => void;
}

/** `changesSince`: later changes may be missing in the file. Null if unknown, or if the list was empty. */
async function writeOne(context: Context, file: File) {
  const { client, name, format, path, overwrite, progress } = file;
  const names = file.withNames ? namesBeside(context, name) : undefined;
  const columns = Object.entries(shownFields(resourceOf(name))).flatMap(([field, schema]) => [
    { name: field, kind: kindOf(schema) },
    ...(names?.columnFor(field) ?? []),
  ]);
  let records = 0;
  let changesSince: string | null = null;
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    const onStart = (since: string | undefined) => {
      changesSince = since ?? null;
    };
    for await (const { records: some } of readEverything(client, name, onStart)) {
      records += some.length;
      progress(records);
      yield names ? await names.add(some) : some;
    }
  }
  async function* cells() {
    for await (const some of pages())
      for (const record of some) yield columns.map((one) => record[one.name]);
  }
  async function* texts(textFormat: Exclude<FileFormat, 'xlsx'>): AsyncGenerator<string, void> {
    const nothing = { label: String, time: String, relativeTime: () => '' };
    const made = await outputFormat(textFormat).open({
      view: { ...viewOf(name), fields: columns.map((one) => one.name) },
      note: () => {},
      fields: undefined,
      columns: undefined,
      jq: undefined,
      width: undefined,
      toTerminal: false,
      styles: context.styles,
      csvRaw: context.settings.csvRaw,
      context: async () => nothing,
    });
    for await (const some of pages()) yield await made.records(some);
    yield await made.end();
  }
  const hash = createHash('sha256');
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    const pieces = format === 'xlsx' ? writeXlsx(kebabName(name), columns, cells()) : texts(format);
    for await (const piece of pieces) {
      hash.update(piece);
      yield Buffer.from(piece);
    }
  }
  const size = await saveFile(path, bytes(), { overwrite });
  return { records, bytes: size, sha256: hash.digest('hex'), changesSince };
}

/** A column with the name beside each id of another record, such as `customerName`. Empty where the record is gone. */
function namesBeside(context: Context, name: SyncName) {
  const references = Object.entries(referencesIn(resourceOf(name))).filter(([field]) =>
    field.endsWith('Id'),
  );
  const known = new Map<string, string | undefined>();
  return {
    columnFor: (field: string): { name: string; kind: Kind }[] =>
      references.some(([one]) => one === field) ? [{ name: nameBeside(field), kind: 'text' }] : [],
    async add(records: readonly Row[]): Promise<Row[]> {
      for (const [field, resource] of references) {
        const ids = new Set<string>(
          records.map((record) => record[field]).filter((id) => id && !known.has(id)),
        );
        const found = await findLabels(context, new Map([[resource, ids]]), { needed: true });
        const labels = found.get(resource);
        for (const id of ids) known.set(id, labels?.get(id));
      }
      return records.map((record) => ({
        ...record,
        ...Object.fromEntries(
          references.map(([field]) => [nameBeside(field), known.get(record[field]) ?? null]),
        ),
      }));
    },
  };
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
  onStart: (since: string | undefined) => void,
): AsyncGenerator<Found, void> {
  const { parent } = resourceOf(name);
  if (!parent) {
    const everything = sync(client, name);
    for await (const records of everything.pages()) yield { within: [], records };
    onStart(everything.next);
    return;
  }
  // Every parent has a list.
  const above = parent.resource as SyncName;
  for await (const { within, records } of readEverything(client, above, onStart)) {
    for (const { id } of records) {
      const ids = [...within, id];
      try {
        for await (const below of sync(client, name, { within: ids }).pages())
          yield { within: ids, records: below };
      } catch (error) {
        // Ignore a parent that was deleted meanwhile, but not a server without this list.
        if (!isMissing(error) || (await recordExists(client, above, ids))) throw error;
      }
    }
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const recordExists = (client: Client, name: SyncName, ids: readonly string[]): Promise<boolean> =>
  methodsOf(client, name)
    .get(...ids)
    .then(
      () => true,
      (error) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
