/** `cs sync status`: how old a mirror is, and what it holds. */
import type { Command } from '../../framework/command.ts';
import { numberColumn, resourceView } from '../bulk/each-resource.ts';
import { parseResource, topLevelResources } from '../bulk/resources.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { targetOf } from './target.ts';

const view = resourceView(
  [
    numberColumn('records'),
    {
      header: 'age',
      cell: ({ ageSeconds }) =>
        ageSeconds === null ? 'never complete' : formatDuration(ageSeconds * 1_000),
    },
    {
      header: 'changes since',
      cell: ({ since }, { time }) => (since === null ? 'the beginning' : time(since)),
      droppable: true,
    },
    { header: 'last full run', cell: ({ fullAt }, { time }) => time(fullAt), droppable: true },
  ],
  { fields: ['resource', 'records', 'ageSeconds', 'syncedAt', 'fullAt', 'since'] },
);

export const mirrorForm = '[file.db|postgres://…]';
export const mirrorAbout = 'the database (default: the address in the file of CS_MIRROR_URL_FILE)';

export function addStatus(sync: Command): void {
  const command = sync.command('status');
  command
    .summary('Show the age and the records of a mirror')
    .description(
      'Show for each resource of a mirror the number of records, when its last complete run ended, and the time from which the next run reads changes. Works without the server and during a run.',
    )
    .argument(mirrorForm, mirrorAbout);
  command.declareOutput(view).handle(async (context, { args: [given] }) => {
    const { Mirror } = await import('./mirror.ts');
    const mirror = await Mirror.toRead(targetOf(context.io, given));
    try {
      const now = context.io.now().getTime();
      const records = [];
      for (const { resource, since, syncedAt, fullAt } of await mirror.bookmarks()) {
        const age = Math.max(0, Math.round((now - Date.parse(syncedAt ?? '')) / 1_000));
        records.push({
          resource,
          records: await mirror.count(parseResource(resource, topLevelResources)),
          ageSeconds: Number.isNaN(age) ? null : age,
          syncedAt,
          fullAt,
          since,
        });
      }
      await context.output.list({ view, records });
    } finally {
      await mirror.close();
    }
  });
  command.examples(['cs sync status mirror.db', 'cs sync status mirror.db --json']);
}
