/** `cs sync`: mirrors records into a folder or a database. */

import { resolve } from 'node:path';
import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { type ExitCode, usage } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan } from '../../input/when.ts';
import type { View } from '../../output/view.ts';
import { column } from '../../resources/view.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { flagOf, grouped, shortPath } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import {
  isDataFile,
  kebabName,
  parseResources,
  resourceArgument,
  topLevelResources,
} from '../bulk/resources.ts';
import { readOrigin } from '../connection/origin.ts';
import { isDatabasePath } from './database.ts';
import { type Mirror, type Mirrored, type MirrorOptions, openFolderMirror } from './mirror.ts';
import { addStatus } from './status.ts';
import { addVerify } from './verify.ts';

const number = (field: string) => ({
  ...column(field),
  align: 'right' as const,
  neverCut: true as const,
});

const syncView: View = {
  one: 'resource',
  many: 'resources',
  columns: [
    { ...column('resource'), neverCut: true },
    number('added'),
    number('changed'),
    number('removed'),
    number('records'),
    column('file'),
  ],
  title: (row) => row.resource,
  fields: ['resource', 'added', 'changed', 'removed', 'records', 'full', 'gone', 'missing', 'file'],
};

export const sync: CommandBuilder = (command) => {
  command
    .description(
      [
        'Mirror records into a folder or an SQLite database. The first run reads everything, later runs only changes.',
        'A folder gets a file per resource: one record per line, sorted by id. Files are replaced atomically. sync.json stores the server, the time of the last run, and checksums.',
        'A name that ends in .db, .sqlite or .sqlite3 is a database with a table per resource: numbers as numbers, booleans as 0 and 1, times as ISO 8601 in UTC, nested values as JSON, and fields unknown to this version in the column extra. An interrupted run goes on where it stopped; with --full it starts over.',
        '--full also removes records that were deleted on the server, and --full-every does so regularly. Other runs report that some were: into a database when one of the newest is missing, or when something else changed as well. They also report records that are on the server only.',
        'Exit 7 if a file was changed, if a table has another number of records, or if the server was restored to an older state: repair the mirror with --full. A damaged database is moved aside.',
        '--to - writes Singer messages (SCHEMA, RECORD, STATE) for other tools, with the bookmark in STATE. Deleted records send no message.',
        "Records that belong to others, such as the events of a car, can't be mirrored; use `cs export`.",
      ].join('\n'),
    )
    .addArgument(
      resourceArgument(
        '<resource...>',
        'such as cars and parking-spots; `cs schema` lists them',
        topLevelResources,
      ),
    )
    .option(
      '--to <folder|file.db|->',
      'the folder or the database, created if missing; - writes Singer messages to stdout (required)',
    )
    .option('--state <file>', 'with --to -: go on after this value of the last STATE message')
    .option('--full', 'read everything, and remove deleted records')
    .option('--full-every <time>', 'do that when the last full run is older, such as 7d')
    .option('--exit-code', 'exit 12 if something changed');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'a run goes on from the time of the server (`Date`); without it, the resource is read whole',
  });
  command.examples([
    'cs sync cars customers parking-spots --to backup',
    'cs sync cars appointments --to mirror.db --full-every 7d',
    'cs sync cars --to backup --full',
    'cs sync cars customers --to - > messages.jsonl',
    'cs sync cars --to backup --exit-code -q || echo "changed, or failed"',
  ]);
  command.workInBulk().declareOutput(syncView).handle(run);
  addStatus(command);
  addVerify(command);
};

async function run(context: Context, { args, options }: Input): Promise<ExitCode> {
  if (options.to === undefined)
    throw usage(
      'Missing required flag: --to.',
      'name a folder or a database, such as --to mirror.db',
    );
  const names = parseResources(args[0], topLevelResources);
  const path = resolve(context.io.cwd, options.to);
  if (!isDatabasePath(path) && isDataFile(path))
    throw usage(
      `--to names a folder or an SQLite database, and "${options.to}" is another file.`,
      'name a folder, or a database that ends in .db, .sqlite or .sqlite3',
    );
  const repair = (resource: string) =>
    nextCommand(['sync', resource], ['--to', options.to, '--full', ...connectionFlags(context)]);
  const toStdout = options.to === '-';
  refuseOthers(
    options,
    toStdout ? ['fullEvery', 'exitCode'] : ['state'],
    toStdout ? 'to a folder or a database' : 'with --to -',
  );
  const shared = {
    ...{
      client: await context.client(),
      origin: await withSpinner(context, 'Asking the server', () => readOrigin(context)),
      note: context.warn,
    },
    repair: (name: SyncName) => repair(kebabName(name)),
  };
  if (toStdout) {
    const statePath =
      options.state === undefined ? undefined : resolve(context.io.cwd, options.state);
    const { writeSinger } = await import('./singer.ts');
    await writeSinger({ ...shared, io: context.io, names, statePath, full: options.full === true });
    return 0;
  }
  const mirror = await openMirror({
    ...{ ...shared, path, now: context.io.now },
    fullEveryMs:
      options.fullEvery === undefined ? undefined : parseSpan(options.fullEvery, '--full-every'),
  });
  const spinner = await startSpinner(context, 'Reading');
  const differing: Mirrored[] = [];
  let changes = 0;
  try {
    await forEachResource(context, {
      view: syncView,
      names,
      pastTense: 'synced',
      // Before the table is printed.
      done: async () => spinner.stop(),
      act: async (name) => {
        const typed = kebabName(name);
        const mirrored = await mirror.update(name, {
          full: options.full === true,
          progress: (read) => spinner.text(`Reading ${typed}: ${grouped(read)}`),
        });
        changes += mirrored.added + mirrored.changed + mirrored.removed;
        if (mirrored.gone + mirrored.missing > 0) differing.push(mirrored);
        const { file, ...counts } = mirrored;
        return { ...counts, file: shortPath(context.io.cwd, file) };
      },
    });
  } finally {
    spinner.stop();
    mirror.close();
  }
  const mirrorName = shortPath(context.io.cwd, path);
  for (const { resource, gone, missing } of differing) {
    if (gone > 0)
      context.note(
        `${mirrorName} has ${grouped(gone)} more ${resource} than the server. Remove deleted ones with \`${repair(resource)}\`.`,
      );
    else
      context.note(
        `The server has ${grouped(missing)} more ${resource} than ${mirrorName}. If the next run doesn't add them, read them with \`${repair(resource)}\`.`,
      );
  }
  return options.exitCode && changes > 0 ? 12 : 0;
}

function refuseOthers(options: Input['options'], others: readonly string[], only: string): void {
  const found = others.find((name) => options[name] !== undefined);
  if (found) throw usage(`${flagOf(found)} only works ${only}.`, 'leave it out');
}

async function openMirror(options: MirrorOptions): Promise<Mirror> {
  if (!isDatabasePath(options.path)) return openFolderMirror(options);
  return (await import('./database-mirror.ts')).openDatabaseMirror(options);
}
