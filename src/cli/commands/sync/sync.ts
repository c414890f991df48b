/** `cs sync`: a folder that is kept equal to the server. */

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
import { kebabName, resourceArgument, resourcesNamed, topLevel } from '../bulk/resources.ts';
import { originOf } from '../bulk/state-file.ts';
import { type Mirrored, openMirror } from './mirror.ts';

const number = (field: string) => ({ ...column(field), align: 'right' as const, whole: true as const });

const syncView: View = {
  one: 'resource',
  many: 'resources',
  columns: [
    { ...column('resource'), whole: true },
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
        'Keep a folder equal to the server: a file for each resource, one record a line, in the order of their ids.',
        'The first run reads everything, later ones what changed since. What was deleted on the server leaves the folder with --full; a run without it tells when something has to.',
        'A file is replaced in one step, so a run that is stopped at any moment leaves the old one or the new one. sync.json says where the records come from, up to when, and what each file holds.',
        'A file that was cut or edited, or a server that was restored to an older state, is exit 7 with the command that repairs the folder: the same one with --full.',
        `Records that lie below others, such as the events of a car, have no list of their own: \`cs export\` reads them through those.`,
      ].join('\n'),
    )
    .addArgument(resourceArgument('<resource...>', 'such as cars and parking-spots; `cs schema` lists them', topLevel))
    .requiredOption('--to <folder>', 'where the files are; made when it is not there')
    .option('--full', 'read everything, and remove what is gone')
    .option('--exit-code', 'exit with 12 when something has changed');
  command.examples([
    'cs sync cars customers parking-spots --to backup',
    'cs sync cars --to backup --full',
    'cs sync cars --to backup --exit-code -q || echo "changed, or failed"',
  ]);
  command.declareOutput(syncView).handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<ExitCode> {
  if (options.to.trim() === '' || options.to === '-') throw usage('--to needs a folder.', 'name one, such as --to backup');
  const names = resourcesNamed(args[0], topLevel);
  const folder = resolve(context.io.cwd, options.to);
  const repair = (resource: string) => nextCommand(['sync', resource], ['--to', options.to, '--full', ...connectionFlags(context)]);
  const mirror = await openMirror({
    ...{ folder, client: await context.client(), origin: await originOf(context), note: context.warn },
    repair: (name) => repair(kebabName(name)),
  });
  const spinner = await startSpinner(context, 'Reading');
  const gone: Mirrored[] = [];
  let changes = 0;
  try {
    await forEachResource(context, {
      view: syncView,
      names,
      did: 'synced',
      // A table and a spinner cannot share a line.
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
      `${grouped(more)} more ${resource} in ${shortPath(context.io.cwd, folder)} than on the server: \`${repair(resource)}\` removes what is gone.`,
    );
  return options.exitCode && changes > 0 ? 12 : 0;
}
