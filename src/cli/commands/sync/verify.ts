/** `cs sync verify`: compares a mirror with the server. */
import { resolve } from 'node:path';
import { type SyncName, sync } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Row, View } from '../../output/view.ts';
import { column } from '../../resources/view.ts';
import { startSpinner, withSpinner } from '../../terminal/spinner.ts';
import { grouped, joinList, pluralize } from '../../terminal/text.ts';
import { forEachResource } from '../bulk/each-resource.ts';
import { versionOf } from '../bulk/recent.ts';
import {
  kebabName,
  parseResource,
  parseResources,
  resourceArgument,
  resourceOf,
  topLevelResources,
} from '../bulk/resources.ts';
import { requireSameOrigin } from '../bulk/state-file.ts';
import { readOrigin } from '../connection/origin.ts';
import { inspectMirror, notMirrored } from './inspect.ts';
import type { Inspected } from './mirror.ts';
import { comparableForm, typedFields } from './typed-record.ts';

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
    number('changed'),
    number('gone'),
  ],
  title: (row) => row.resource,
  fields: ['resource', 'records', 'onServer', 'missing', 'outdated', 'changed', 'gone'],
};

export function addVerify(sync: Command): void {
  const command = sync.command('verify');
  command
    .summary('Compare a mirror with the server')
    .description(
      [
        'Compare a mirror with the server: every record with all its values. Reads every record of the server, and changes nothing.',
        'Missing: on the server only. Outdated: with another time of change. Changed: with other values and the same time of change, which a run without --full may never read again; with the fields of those that are listed. Gone: in the mirror only. Exit 12 if something differs, also by changes since the last run; exit 7 if the database is damaged, or a file was changed.',
      ].join('\n'),
    )
    .argument('<mirror>', 'the folder or the database')
    .addArgument(
      resourceArgument(
        '[resource...]',
        'only these (default: all of the mirror)',
        topLevelResources,
      ),
    );
  command.needs({
    part: 'cars.updatedAt',
    otherwise: 'changed records count as changed, not as outdated',
  });
  command.declareOutput(view).handle(run);
  command.examples(['cs sync verify mirror.db', 'cs sync verify backup cars --json']);
}

async function run(context: Context, { args: [given, only] }: Input): Promise<ExitCode> {
  const path = resolve(context.io.cwd, given);
  const mirror = await inspectMirror(context, given);
  try {
    const known = mirror.tables.map(({ resource }) => resource);
    const names =
      only.length > 0
        ? parseResources(only, topLevelResources)
        : known.map((name) => parseResource(name, topLevelResources));
    const absent = names.map(kebabName).find((name) => !known.includes(name));
    if (absent !== undefined || names.length === 0)
      throw notMirrored(path, absent ?? 'records', known);
    await mirror.checkFiles(names.map(kebabName));
    requireSameOrigin(
      path,
      mirror.origin,
      await withSpinner(context, 'Asking the server', () => readOrigin(context)),
    );
    const differing: Compared[] = [];
    const spinner = await startSpinner(context, 'Comparing');
    try {
      await forEachResource(context, {
        ...{ names, view, pastTense: 'compared' },
        done: async () => spinner.stop(),
        act: async (name) => {
          const progress = (read: number) =>
            spinner.text(`Comparing ${kebabName(name)}: ${grouped(read)}`);
          const found = await compare(context, { mirror, name, progress });
          if (kinds.some((kind) => found[kind].count > 0)) differing.push(found);
          return found;
        },
      });
    } finally {
      spinner.stop();
    }
    for (const found of differing) context.note(`${found.resource}: ${describeDifferences(found)}`);
    const stale = differing.flatMap(({ resource, changed }) =>
      changed.count > 0 ? [resource] : [],
    );
    if (stale.length > 0)
      context.note(
        `To read all records again: \`${nextCommand(['sync', ...stale, '--to', given, '--full'], connectionFlags(context))}\``,
      );
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

const kinds = ['missing', 'outdated', 'changed', 'gone'] as const;
type Kind = (typeof kinds)[number];

interface Compared extends Readonly<Record<Kind, Ids>> {
  readonly resource: string;
  readonly records: number;
  readonly onServer: number;
  /** `fields`: whose values differ in the records that are listed. */
  readonly changed: Ids & { fields: string[] };
}

async function compare(
  context: Context,
  {
    mirror,
    name,
    progress,
  }: { mirror: Inspected; name: SyncName; progress: (read: number) => void },
): Promise<Compared> {
  const differences: Record<Kind, Ids> = {
    missing: noIds(),
    outdated: noIds(),
    changed: noIds(),
    gone: noIds(),
  };
  const { DatabaseSync } = await import('node:sqlite');
  // A temporary database, which SQLite deletes: a mirror may have more ids than fit in memory.
  const left = new DatabaseSync('');
  try {
    left.exec(
      'create table left (id text primary key, updated_at text, version text) strict, without rowid; begin',
    );
    const insert = left.prepare('insert or replace into left values (?, ?, ?)');
    const formOf = comparableForm(typedFields(resourceOf(name)));
    let records = 0;
    for await (const record of mirror.whole(name)) {
      const form = formOf(record);
      insert.run(String(record.id), stampIn(form), versionOf([...form]));
      records += 1;
    }
    const take = left.prepare('delete from left where id = ? returning updated_at, version');
    const listed = new Map<string, Form>();
    let onServer = 0;
    for await (const page of sync(await context.client(), name).pages()) {
      for (const record of page as Row[]) {
        const [id, form] = [String(record.id), formOf(record)];
        const found = take.get(id);
        if (!found) add(differences.missing, id);
        else if (found.updated_at !== stampIn(form)) add(differences.outdated, id);
        else if (found.version !== versionOf([...form])) {
          add(differences.changed, id);
          if (listed.size < maxListed) listed.set(id, form);
        }
      }
      onServer += page.length;
      progress(onServer);
    }
    for (const { id } of left.prepare('select id from left order by id').iterate())
      add(differences.gone, String(id));
    const fields = new Set<string>();
    if (listed.size > 0)
      for await (const record of mirror.whole(name))
        addDiffering(fields, formOf(record), listed.get(String(record.id)));
    return {
      resource: kebabName(name),
      records,
      onServer,
      ...differences,
      changed: { ...differences.changed, fields: [...fields].sort() },
    };
  } finally {
    left.close();
  }
}

type Form = ReadonlyMap<string, string>;

/** As JSON text. Two records without a time of change were changed at the same time, as far as anyone knows. */
const stampIn = (form: Form): string | null => form.get('updatedAt') ?? null;

function addDiffering(fields: Set<string>, form: Form, other: Form | undefined): void {
  if (other)
    for (const field of [...form.keys(), ...other.keys()])
      if (form.get(field) !== other.get(field)) fields.add(field);
}

const noIds = (): Ids => ({ count: 0, ids: [] });

function add(to: Ids, id: string): void {
  to.count += 1;
  if (to.ids.length < maxListed) to.ids.push(id);
}

function describeDifferences(found: Compared): string {
  return kinds
    .flatMap((kind) => {
      const { count, ids } = found[kind];
      if (count === 0) return [];
      const fields =
        kind === 'changed' && found.changed.fields.length > 0
          ? `; ${joinList(found.changed.fields, 'and')}`
          : '';
      return `${pluralize(count, 'record', 'records')} ${kind} (${ids.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''}${fields})`;
    })
    .join(', ');
}
