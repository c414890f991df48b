/** `cs sync verify`: compares a mirror with the server. */
import { isDeepStrictEqual } from 'node:util';
import { type SyncName, sync } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Row } from '../../output/view.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { forEachResource, numberColumn, resourceView } from '../bulk/each-resource.ts';
import {
  kebabName,
  parseResource,
  parseResources,
  resourceArgument,
  resourceOf,
  topLevelResources,
} from '../bulk/resources.ts';
import { readOrigin } from '../connection/origin.ts';
import type { Mirror } from './mirror.ts';
import { columnsOf, normalized } from './rows.ts';
import { mirrorAbout, mirrorForm } from './status.ts';
import { isTarget, targetOf } from './target.ts';

/** Ids that are listed for each kind of difference. */
const maxListed = 20;

const view = resourceView(
  [
    numberColumn('records'),
    numberColumn('on server', 'onServer'),
    ...['missing', 'different', 'gone'].map((field) => numberColumn(field)),
  ],
  { fields: ['resource', 'records', 'onServer', 'missing', 'different', 'gone'] },
);

export function addVerify(sync: Command): void {
  const command = sync.command('verify');
  command
    .summary('Compare a mirror with the server')
    .description(
      [
        'Compare a mirror with the server: every record with all its values. Reads every record of the server, and changes nothing.',
        'Missing: on the server only. Different: with other values, with the fields of those that are listed. Gone: in the mirror only. Exit 12 if something differs, also by changes since the last run.',
      ].join('\n'),
    )
    .argument(mirrorForm, mirrorAbout)
    .addArgument(
      resourceArgument(
        '[resource...]',
        'only these (default: all of the mirror)',
        topLevelResources,
      ),
    );
  command.declareOutput(view).handle(run);
  command.examples(['cs sync verify mirror.db', 'cs sync verify mirror.db cars --json']);
}

async function run(context: Context, { args: [first, rest] }: Input): Promise<ExitCode> {
  // With CS_MIRROR_URL_FILE, the first word may be a resource.
  const isNamed = first === undefined || isTarget(first) || !context.io.env.CS_MIRROR_URL_FILE;
  const target = targetOf(context.io, isNamed ? first : undefined);
  const only: string[] = isNamed ? rest : [first, ...rest];
  const { Mirror } = await import('./mirror.ts');
  const mirror = await Mirror.toRead(target);
  try {
    const known = (await mirror.bookmarks()).map(({ resource }) => resource);
    const names =
      only.length > 0
        ? parseResources(only, topLevelResources)
        : known.map((name) => parseResource(name, topLevelResources));
    const absent = names.map(kebabName).find((name) => !known.includes(name));
    if (absent !== undefined || names.length === 0)
      throw new CliError({
        code: 'not_found',
        message: `${target.name} has no ${absent ?? 'records'}.`,
        hint: `it has ${known.join(', ') || 'no records yet'}`,
        exitCode: 6,
      });
    await mirror.requireOrigin(
      await withSpinner(context, 'Asking the server', () => readOrigin(context)),
    );
    const differing: Compared[] = [];
    await forEachResource(context, {
      names,
      view,
      title: 'Comparing',
      pastTense: 'compared',
      again: 'run it again',
      act: async (name, progress) => {
        const found = await compare(context, { mirror, name, progress });
        if (kinds.some((kind) => found[kind] > 0)) differing.push(found);
        return found;
      },
    });
    for (const found of differing) context.note(`${found.resource}: ${describe(found)}`);
    if (differing.length === 0) return 0;
    const words = ['sync', ...differing.map(({ resource }) => resource)];
    const to = target.given === undefined ? [] : ['--to', target.given];
    context.note(
      `To read all records again: \`${nextCommand([...words, ...to, '--full'], connectionFlags(context))}\``,
    );
    return 12;
  } finally {
    await mirror.close();
  }
}

const kinds = ['missing', 'different', 'gone'] as const;

interface Compared extends Readonly<Record<(typeof kinds)[number], number>> {
  readonly resource: string;
  readonly records: number;
  readonly onServer: number;
  /** The first of them. */
  readonly ids: Readonly<Record<(typeof kinds)[number], string[]>>;
  /** Whose values differ in the records that are listed. */
  readonly fields: string[];
}

async function compare(
  context: Context,
  { mirror, name, progress }: { mirror: Mirror; name: SyncName; progress: (read: number) => void },
): Promise<Compared> {
  const columns = columnsOf(resourceOf(name));
  const found = { missing: 0, different: 0, gone: 0 };
  const listed = { missing: [] as string[], different: [] as string[], gone: [] as string[] };
  const add = (kind: (typeof kinds)[number], id: string) => {
    found[kind] += 1;
    if (listed[kind].length < maxListed) listed[kind].push(id);
  };
  const fields = new Set<string>();
  const left = await mirror.ids(name);
  const records = left.size;
  let onServer = 0;
  for await (const page of sync(await context.client(), name).pages() as AsyncIterable<Row[]>) {
    const ids = page.map(({ id }) => String(id));
    const stored = new Map((await mirror.recordsWith(name, ids)).map((one) => [one.id, one]));
    for (const record of page) {
      const [before, now] = [stored.get(record.id), normalized(columns, record)];
      left.delete(record.id);
      if (!before) add('missing', record.id);
      else {
        const names = new Set([...Object.keys(now), ...Object.keys(before)]);
        const differing = [...names].filter(
          (field) => !isDeepStrictEqual(before[field] ?? null, now[field] ?? null),
        );
        if (differing.length === 0) continue;
        if (found.different < maxListed) for (const field of differing) fields.add(field);
        add('different', record.id);
      }
    }
    onServer += page.length;
    progress(onServer);
  }
  for (const id of [...left].sort()) add('gone', id);
  return {
    resource: kebabName(name),
    records,
    onServer,
    ...found,
    ids: listed,
    fields: [...fields].sort(),
  };
}

const describe = (found: Compared): string =>
  kinds
    .flatMap((kind) => {
      const [count, ids] = [found[kind], found.ids[kind]];
      const fields = kind === 'different' ? `; ${joinList(found.fields, 'and')}` : '';
      const more = count > 3 ? ', …' : '';
      return count === 0
        ? []
        : `${pluralize(count, 'record', 'records')} ${kind} (${ids.slice(0, 3).join(', ')}${more}${fields})`;
    })
    .join(', ');
