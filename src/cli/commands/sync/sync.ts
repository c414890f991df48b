/** `cs sync`: mirrors records into a folder. */

import { resolve } from 'node:path';
import { column } from '../../crud/view.ts';
import { type ExitCode, usage } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { View } from '../../output/view.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { grouped, shortPath } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import { kebabName, parseResources, resourceArgument, topLevelResources } from '../bulk/resources.ts';
import { readOrigin } from '../bulk/state-file.ts';
import { type Mirrored, openMirror } from './mirror.ts';

const number = (field: string) => ({ ...column(field), align: 'right' as const, neverCut: true as const });

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
  fields: ['resource', 'added', 'changed', 'removed', 'records', 'full', 'gone', 'file'],
};

export const sync: CommandBuilder = (command) => {
  command
    .description(
      [
        'Mirror records into a folder: one file per resource, one record per line, sorted by id.',
        'The first run reads everything, later runs only changes. --full also removes records that were deleted on the server; other runs report that some were.',
        'Files are replaced atomically: an interrupted run leaves either the old file or the new one. sync.json stores the server, the time of the last run, and checksums.',
        'Exit 7 if a file was changed, or if the server was restored to an older state. Repair the folder with --full.',
        "Records that belong to others, such as the events of a car, can't be mirrored; use `cs export`.",
      ].join('\n'),
    )
    .addArgument(resourceArgument('<resource...>', 'such as cars and parking-spots; `cs schema` lists them', topLevelResources))
    .requiredOption('--to <folder>', 'the folder for the files; created if missing')
    .option('--full', 'read everything, and remove deleted records')
    .option('--exit-code', 'exit 12 if something changed');
  command.needs({ part: 'cars.updatedAt', otherwise: 'each run reads the resource whole' });
  command.examples([
    'cs sync cars customers parking-spots --to backup',
    'cs sync cars --to backup --full',
    'cs sync cars --to backup --exit-code -q || echo "changed, or failed"',
  ]);
  command.declareOutput(syncView).handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<ExitCode> {
  if (options.to.trim() === '' || options.to === '-') throw usage('--to needs a folder.', 'name one, such as --to backup');
  const names = parseResources(args[0], topLevelResources);
  const folder = resolve(context.io.cwd, options.to);
  const repair = (resource: string) => nextCommand(['sync', resource], ['--to', options.to, '--full', ...connectionFlags(context)]);
  const mirror = await openMirror({
    ...{ folder, client: await context.client(), origin: await readOrigin(context), note: context.warn },
    repair: (name) => repair(kebabName(name)),
  });
  const spinner = await startSpinner(context, 'Reading');
  const gone: Mirrored[] = [];
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
        if (mirrored.gone > 0) gone.push(mirrored);
        const { file, ...counts } = mirrored;
        return { ...counts, file: shortPath(context.io.cwd, resolve(folder, file)) };
      },
    });
  } finally {
    spinner.stop();
    mirror.close();
  }
  for (const { resource, gone: more } of gone)
    context.note(
      `${shortPath(context.io.cwd, folder)} has ${grouped(more)} more ${resource} than the server. Remove deleted ones with \`${repair(resource)}\`.`,
    );
  return options.exitCode && changes > 0 ? 12 : 0;
}
