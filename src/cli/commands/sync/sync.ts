/** `cs sync`: mirrors records into a database. */
import { sync as readChanges, type SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { forEachResource, numberColumn, resourceView } from '../bulk/each-resource.ts';
import {
  kebabName,
  parseResources,
  resourceArgument,
  topLevelResources,
} from '../bulk/resources.ts';
import { readOrigin } from '../connection/origin.ts';
import type { Mirror } from './mirror.ts';
import { addStatus } from './status.ts';
import { targetOf } from './target.ts';
import { addVerify } from './verify.ts';

const counts = ['added', 'changed', 'removed', 'records'];
const syncView = resourceView(
  counts.map((field) => numberColumn(field)),
  { fields: ['resource', ...counts, 'full'] },
);

export const sync: CommandBuilder = (command) => {
  command
    .description(
      [
        'Mirror records into an SQLite file or a PostgreSQL database, such as postgres://user@host/database. The first run reads everything, later runs only changes.',
        'Each resource is a table, such as parking_spots: numbers and booleans as such (0 and 1 in SQLite), times in UTC, nested values as JSON, and fields unknown to this version in the column extra. Other tables of a database are refused: give an empty one, or an empty schema with ?options=-csearch_path%3DSCHEMA.',
        'A run can be stopped at any time: each page of records is a transaction. The next run repeats it from the last bookmark, a first or full one from the beginning; records that come again change nothing. One run at a time writes a mirror.',
        'Deleted records are removed by --full, and by a run that notices them: one of the newest is missing, or something else changed and the server has fewer records than the mirror. So let a nightly job use --full.',
        "A password doesn't belong on a command line: CS_MIRROR_URL_FILE names a file with the address, in place of --to.",
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
      '--to <file.db|postgres://…>',
      'the database; a file is created if missing (default: the address in the file of CS_MIRROR_URL_FILE)',
    )
    .option('--full', 'read everything, and remove deleted records')
    .option('--exit-code', 'exit 12 if something changed');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'a run goes on from the time of the server (`Date`); without it, the resource is read whole',
  });
  command.examples([
    'cs sync cars customers parking-spots --to mirror.db',
    'cs sync cars --to mirror.db --full',
    'cs sync cars --to mirror.db --exit-code -q || echo "changed, or failed"',
  ]);
  command.workInBulk().declareOutput(syncView).handle(run);
  addStatus(command);
  addVerify(command);
};

async function run(context: Context, { args, options }: Input): Promise<ExitCode> {
  const names = parseResources(args[0], topLevelResources);
  const target = targetOf(context.io, options.to, names);
  const { Mirror } = await import('./mirror.ts');
  const origin = await withSpinner(context, 'Asking the server', () => readOrigin(context));
  const mirror = await Mirror.toWrite(target, origin);
  let changes = 0;
  try {
    await mirror.requireOrigin(origin);
    await forEachResource(context, {
      view: syncView,
      names,
      title: 'Reading',
      pastTense: 'synced',
      again: 'run it again',
      act: async (name, progress) => {
        const mirrored = await update(context, { mirror, name, full: options.full, progress });
        changes += mirrored.added + mirrored.changed + mirrored.removed;
        return mirrored;
      },
    });
  } finally {
    await mirror.close();
  }
  return options.exitCode && changes > 0 ? 12 : 0;
}

interface Task {
  readonly mirror: Mirror;
  readonly name: SyncName;
  readonly full: boolean | undefined;
  readonly progress: (read: number) => void;
}

/**
 * Reads what changed since the bookmark, or everything. A record of the mirror from the time of the bookmark that doesn't come again was
 * deleted, or the server was restored to an older state: then everything is read, too.
 */
async function update(context: Context, { mirror, name, full, progress }: Task) {
  const client = await context.client();
  const bookmark = await mirror.prepare(name);
  const counts = { added: 0, changed: 0, removed: 0 };
  async function pass(since: string | null) {
    const startedAt = context.io.now().getTime();
    if (since === null) await mirror.begin(bookmark);
    const missing = await (since === null ? mirror.ids(name) : mirror.idsSince(name, since));
    const changes = readChanges(client, name, { ...(since !== null && { since }) });
    let read = 0;
    for await (const records of changes.pages() as AsyncIterable<Row[]>) {
      const ids = records.map(({ id }) => id);
      const known =
        since === null
          ? ids.filter((id) => missing.has(id)).length
          : await mirror.countOf(name, ids);
      const added = records.length - known;
      counts.added += added;
      counts.changed += (await mirror.save(name, records)) - added;
      for (const id of ids) missing.delete(id);
      read += records.length;
      progress(read);
    }
    const tookMs = context.io.now().getTime() - startedAt;
    const isOrdered = client.transport.promisesLists() === true;
    return { missing, next: nextOf(changes.next ?? null, since, isOrdered ? 0 : tookMs) };
  }
  let since = full ? null : bookmark.since;
  let done = await pass(since);
  if (since !== null && (done.missing.size > 0 || (await lacksSome()))) {
    context.note(`The mirror has ${kebabName(name)} that the server lacks. Reading all of them.`);
    since = null;
    done = await pass(since);
  }
  /** Whether the server has fewer records. Without changes, one request has to do. */
  async function lacksSome(): Promise<boolean> {
    if (counts.added + counts.changed === 0) return false;
    const { total } = await methodsOf(client, name).list({ limit: 1 });
    return (await mirror.count(name)) > total;
  }
  const deleted = since === null ? done.missing : new Set<string>();
  counts.removed = deleted.size;
  const at = context.io.now().toISOString();
  const fullAt = since === null ? at : bookmark.fullAt;
  await mirror.finish(name, { ...bookmark, since: done.next, syncedAt: at, fullAt }, deleted);
  const records = await mirror.count(name);
  return { resource: kebabName(name), ...counts, records, full: since === null };
}

/** The start of a run. Where stamps may come out of order, the next run reads once more what changed in as long before it as the run took. */
const nextOf = (next: string | null, since: string | null, tookMs: number): string | null =>
  next === null || next === since ? next : new Date(Date.parse(next) - tookMs).toISOString();
