/** `cs sync status`: how old a mirror is, and what it holds. */

import type { Command } from '../../framework/command.ts';
import type { Row, View } from '../../output/view.ts';
import { column } from '../../resources/view.ts';
import { grouped } from '../../terminal/text.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { inspectMirror } from './inspect.ts';
import type { Inspected } from './mirror.ts';

const view: View = {
  one: 'resource',
  many: 'resources',
  columns: [
    { ...column('resource'), neverCut: true },
    { ...column('records'), align: 'right', neverCut: true },
    {
      header: 'age',
      cell: ({ ageSeconds }) =>
        ageSeconds === null ? 'never' : formatDuration(ageSeconds * 1_000),
    },
    { header: 'changes since', cell: ({ since }, { time }) => time(since), droppable: true },
    { header: 'last full run', cell: ({ fullAt }, { time }) => time(fullAt), droppable: true },
    {
      header: 'interrupted',
      cell: ({ interrupted }) =>
        interrupted && `at ${grouped(interrupted.read)} of ${grouped(interrupted.total)}`,
    },
  ],
  title: (row) => row.resource,
  fields: ['resource', 'records', 'ageSeconds', 'syncedAt', 'fullAt', 'since', 'interrupted'],
  emptyHint: 'no run was completed yet',
};

export function addStatus(sync: Command): void {
  const command = sync.command('status');
  command
    .summary('Show the age and the records of a mirror')
    .description(
      'Show for each resource of a mirror the number of records, when its last run ended, and the time from which the next run reads changes. Works without the server and during a run.',
    )
    .argument('<mirror>', 'the folder or the database');
  command.declareOutput(view).handle(async (context, { args: [path] }) => {
    const mirror = await inspectMirror(context, path);
    try {
      const now = context.io.now().getTime();
      await context.output.list({
        view,
        records: mirror.tables.map((table) => statusRow(table, now)),
      });
      for (const { message, hint } of mirror.lost.values())
        context.warn(`${message} To repair the mirror, ${hint}.`);
    } finally {
      mirror.close();
    }
  });
  command.examples(['cs sync status mirror.db', 'cs sync status backup --json']);
}

function statusRow(
  { resource, records, since, syncedAt, fullAt, position }: Inspected['tables'][number],
  now: number,
): Row {
  const age = Math.max(0, Math.round((now - Date.parse(syncedAt ?? '')) / 1_000));
  const { read, total } = (position ?? {}) as { read?: number; total?: number };
  return {
    ...{ resource, records, ageSeconds: Number.isNaN(age) ? null : age },
    ...{ syncedAt: syncedAt ?? null, fullAt: fullAt ?? null, since: since ?? null },
    interrupted: read === undefined ? null : { read, total },
  };
}
