/** `cs sync verify`: compares a mirror with the server. */
import { resolve } from 'node:path';
import { sync } from '../../../client/client.ts';
import { column } from '../../crud/view.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import type { Row, View } from '../../output/view.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import { kebabName, parseResource, parseResources, resourceArgument, topLevelResources } from '../bulk/resources.ts';
import { requireSameOrigin } from '../bulk/state-file.ts';
import { readOrigin } from '../connection/origin.ts';
import { inspectMirror, notMirrored } from './inspect.ts';
import type { Inspected } from './mirror.ts';

/** Ids that are listed for each kind of difference. */
const maxListed = 20;

const number = (header: string, field = header) => ({
  header,
  cell: (row: Row) => row[field]?.count ?? row[field],
  align: 'right' as const,
  neverCut: true as const,
});

const view: View = {
  one: 'resource',
  many: 'resources',
  columns: [
    { ...column('resource'), neverCut: true },
    number('records'),
    number('on server', 'onServer'),
    number('missing'),
    number('outdated'),
    number('gone'),
  ],
  title: (row) => row.resource,
  fields: ['resource', 'records', 'onServer', 'missing', 'outdated', 'gone'],
};

export function addVerify(sync: Command): void {
  const command = sync.command('verify');
  command
    .summary('Compare a mirror with the server')
    .description(
      [
        'Compare a mirror with the server: the number of records, their ids, and when each was changed last. Reads every record of the server, and changes nothing.',
        'Missing: on the server only. Outdated: with another time of change. Gone: in the mirror only. Exit 12 if something differs, also by changes since the last run; exit 7 if the database is damaged, or a file was changed. Other values of a database are not compared.',
      ].join('\n'),
    )
    .argument('<mirror>', 'the folder or the database')
    .addArgument(resourceArgument('[resource...]', 'only these (default: all of the mirror)', topLevelResources));
  command.needs({ part: 'cars.updatedAt', otherwise: 'records are compared by their ids alone' });
  command.declareOutput(view).handle(run);
  command.examples(['cs sync verify mirror.db', 'cs sync verify backup cars --json']);
}

async function run(context: Context, { args: [given, only] }: Input): Promise<ExitCode> {
  const path = resolve(context.io.cwd, given);
  const mirror = await inspectMirror(context, given);
  try {
    const known = mirror.tables.map(({ resource }) => resource);
    const names = only.length > 0 ? parseResources(only, topLevelResources) : known.map((name) => parseResource(name, topLevelResources));
    const absent = names.map(kebabName).find((name) => !known.includes(name));
    if (absent !== undefined || names.length === 0) throw notMirrored(path, absent ?? 'records', known);
    await mirror.checkFiles();
    requireSameOrigin(path, mirror.origin, await withSpinner(context, 'Asking the server', () => readOrigin(context)));
    const differing: Row[] = [];
    const spinner = await startSpinner(context, 'Comparing');
    try {
      await forEachResource(context, {
        ...{ names, view, pastTense: 'compared' },
        done: async () => spinner.stop(),
        act: async (name) => {
          const progress = (read: number) => spinner.text(`Comparing ${kebabName(name)}: ${grouped(read)}`);
          const found = await compare(context, { mirror, name, progress });
          if (found.missing.count + found.outdated.count + found.gone.count > 0) differing.push(found);
          return found;
        },
      });
    } finally {
      spinner.stop();
    }
    for (const { resource, ...found } of differing) context.note(`${resource}: ${describeDifferences(found)}`);
    return differing.length > 0 ? 12 : 0;
  } finally {
    mirror.close();
  }
}

interface Ids {
  count: number;
  /** The first of them. */
  readonly ids: string[];
}

type Kind = 'missing' | 'outdated' | 'gone';

async function compare(
  context: Context,
  { mirror, name, progress }: { mirror: Inspected; name: (typeof topLevelResources)[number]; progress: (read: number) => void },
) {
  const resource = kebabName(name);
  const differences: Record<Kind, Ids> = { missing: noIds(), outdated: noIds(), gone: noIds() };
  const { DatabaseSync } = await import('node:sqlite');
  // A temporary database, which SQLite deletes: a mirror may have more ids than fit in memory.
  const left = new DatabaseSync('');
  try {
    left.exec('create table left (id text primary key, updated_at text) strict, without rowid; begin');
    const insert = left.prepare('insert into left values (?, ?)');
    let records = 0;
    for await (const { id, updatedAt } of mirror.stamps(resource)) {
      insert.run(id, typeof updatedAt === 'string' ? updatedAt : null);
      records += 1;
    }
    const take = left.prepare('delete from left where id = ? returning updated_at');
    let onServer = 0;
    for await (const page of sync(await context.client(), name).pages()) {
      for (const { id, updatedAt } of page as Row[]) {
        const found = take.get(String(id));
        if (!found) add(differences.missing, String(id));
        else if (!isSameTime(found.updated_at, updatedAt)) add(differences.outdated, String(id));
      }
      onServer += page.length;
      progress(onServer);
    }
    for (const { id } of left.prepare('select id from left order by id').iterate()) add(differences.gone, String(id));
    return { resource, records, onServer, ...differences };
  } finally {
    left.close();
  }
}

const noIds = (): Ids => ({ count: 0, ids: [] });

function add(to: Ids, id: string): void {
  to.count += 1;
  if (to.ids.length < maxListed) to.ids.push(id);
}

/** Records without a time of change are compared by their ids alone. */
function isSameTime(before: unknown, now: unknown): boolean {
  const [a, b] = [Date.parse(String(before)), Date.parse(String(now))];
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function describeDifferences(found: Row): string {
  const kinds: readonly Kind[] = ['missing', 'outdated', 'gone'];
  return kinds
    .flatMap((kind) => {
      const { count, ids }: Ids = found[kind];
      if (count === 0) return [];
      return `${pluralize(count, 'record', 'records')} ${kind} (${ids.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`;
    })
    .join(', ');
}
