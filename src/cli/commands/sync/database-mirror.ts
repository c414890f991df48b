/** A mirror of the server's records in an SQLite database: a table per resource. */
import { dirname } from 'node:path';
import { type Sync, type SyncName, type SyncPosition, sync } from '../../../client/client.ts';
import { CliError } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { cursorAfter, isSetBack, isSyncPosition } from '../bulk/cursor.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';
import { requireSameOrigin } from '../bulk/state-file.ts';
import { makeTargetFolder, unusableFolder } from '../files/folders.ts';
import { followLinks } from '../files/links.ts';
import { compareCounts, countOnServer } from './counts.ts';
import { explained, inUse, MirrorDatabase, mirrorExists, type TableState } from './database.ts';
import {
  isFullDue,
  type Mirror,
  type Mirrored,
  type MirrorOptions,
  noIds,
  olderServer,
  type UpdateOptions,
} from './mirror.ts';
import { requireLock } from './mirror-files.ts';
import { MirrorTable } from './mirror-table.ts';
import { type Comparison, NewestRecords } from './newest.ts';

/** Locks the database for one run, and creates it if missing. Exit 7 if another run uses it, or if it belongs to another server or team. */
export async function openDatabaseMirror({
  path: given,
  ...options
}: MirrorOptions): Promise<Mirror> {
  // One lock for the file, whatever links lead to it.
  const path = await followLinks(given);
  makeTargetFolder(dirname(path));
  const lock = await requireLock(`${path}-lock`, (error) =>
    error ? unusableFolder(dirname(path), error) : inUse(path),
  );
  let database: MirrorDatabase | undefined;
  const close = () => {
    database?.close();
    lock.release();
  };
  try {
    if (!mirrorExists(path)) await MirrorDatabase.create(path, options.origin);
    const opened = await MirrorDatabase.open(path);
    database = opened;
    requireSameOrigin(
      path,
      opened.origin,
      options.origin,
      (column) => `change "${column}" in its table cs_origin`,
    );
    let lost: unknown;
    return {
      async update(name, how) {
        // A damaged file is closed, so nothing works any more.
        if (lost) throw lost;
        try {
          return await updateTable({ ...options, ...how, path, name, database: opened });
        } catch (error) {
          const found = await explained(path, error, () => opened.close());
          if (found !== error) lost = found;
          throw found;
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Task extends MirrorOptions, UpdateOptions {
  readonly name: SyncName;
  readonly database: MirrorDatabase;
}

/** What a run is about to read. */
interface Plan {
  readonly changes: Sync<Row>;
  readonly since: string | undefined;
  readonly resumed: boolean;
  /** Every record is read while the table has some: those that don't arrive are removed at the end. */
  readonly removing: boolean;
}

/** How far an interrupted run came. */
interface Position extends SyncPosition {
  readonly removing: boolean;
}

async function updateTable(task: Task): Promise<Mirrored> {
  const { client, name, database, path, progress, now } = task;
  const table = new MirrorTable(database.db, resourceOf(name));
  const resource = kebabName(name);
  const known = findState(task, table);
  let state: TableState = known ?? emptyState(resource, table.name);
  const { plan, pages, lacksSome } = await startReading(task, { table, state });
  const difference = { added: 0, changed: 0, removed: 0 };
  const seen = database.db.prepare('insert or ignore into cs_seen values (?, ?)');
  let read = 0;
  for await (const records of pages) {
    const counts = { added: 0, changed: 0, unchanged: 0 };
    database.transaction(() => {
      for (const record of records) {
        if (typeof record.id !== 'string') throw noIds(name);
        counts[table.save(record)] += 1;
        if (plan.removing) seen.run(resource, record.id);
      }
      const position =
        plan.changes.position &&
        ({ ...plan.changes.position, removing: plan.removing } satisfies Position);
      state = { ...state, records: state.records + counts.added, position };
      database.saveState(state);
    });
    difference.added += counts.added;
    difference.changed += counts.changed;
    read += records.length;
    progress(read);
  }
  const full = plan.since === undefined;
  // Without changes, one request is enough: deleted records wait for the next change, for verify, or for a full run.
  const isCounted = full ? plan.resumed : difference.added + difference.changed > 0 || lacksSome;
  // Before the end, so that a run that is stopped here goes on and tells it.
  const onServer = isCounted ? await countOnServer(client, name) : undefined;
  database.transaction(() => {
    if (plan.removing) difference.removed = table.removeUnseen(resource);
    const at = now().toISOString();
    state = {
      ...state,
      records: state.records - difference.removed,
      since: cursorAfter(plan.changes) ?? undefined,
      syncedAt: at,
      // What an earlier part has read may have been deleted since.
      fullAt: full && !plan.resumed ? at : state.fullAt,
      position: undefined,
    };
    database.saveState(state);
  });
  return {
    resource,
    ...difference,
    records: state.records,
    ...compareCounts(state.records, onServer),
    full,
    file: path,
  };
}

const emptyState = (resource: string, table: string): TableState => ({
  ...{ resource, table, records: 0 },
  ...{ since: undefined, syncedAt: undefined, fullAt: undefined, position: undefined },
});

/** The state that matches the table; undefined if everything must be read into a new one. */
function findState(
  { name, database, full, path, repair, note }: Task,
  table: MirrorTable,
): TableState | undefined {
  const resource = kebabName(name);
  const state = database.states().find((one) => one.resource === resource);
  const current = table.isCurrent();
  if (state && current) {
    const records = table.count();
    if (records === state.records) return state;
    if (full) return { ...state, records };
    throw new CliError({
      code: 'state_unusable',
      message: `The table ${table.name} in ${path} was changed since the last run: it has ${pluralize(records, 'record', 'records')} instead of ${grouped(state.records)}.`,
      hint: `read all records again: \`${repair(name)}\``,
      details: { expected: { records: state.records }, found: { records } },
    });
  }
  if (current === false)
    note(
      `The table ${table.name} in ${path} has the columns of another version of cs. Reading all records again.`,
    );
  database.transaction(() => {
    table.create();
    table.forgetSeen(resource);
    database.saveState(emptyState(resource, table.name));
  });
  return undefined;
}

/** Reads the first page, which tells whether this is still the server of the last run. Nothing is written before. */
async function startReading(
  task: Task,
  { table, state }: { table: MirrorTable; state: TableState },
) {
  const { client, name, database, full, note } = task;
  const begin = (position: Position | undefined, since: string | undefined): Plan => ({
    changes: sync(client, name, position ? { resume: position } : { since }) as Sync<Row>,
    since: position ? position.since : since,
    resumed: position !== undefined,
    removing: position ? position.removing : since === undefined && state.records > 0,
  });
  const again = () => {
    table.forgetSeen(state.resource);
    return begin(undefined, undefined);
  };
  const open = async (plan: Plan) => {
    const pages = plan.changes.pages();
    return { plan, pages, first: await pages.next() };
  };

  const wantsFull = full || isFullDue(task, state.fullAt);
  const pending = isPosition(state.position) ? state.position : undefined;
  // A typed --full promises that no deleted record stays, so it starts over. --full-every goes on, and is due again after it.
  const resume =
    !full && pending && (pending.since === undefined || !wantsFull) ? pending : undefined;
  if (!resume) database.transaction(() => table.forgetSeen(state.resource));
  let started = await open(begin(resume, wantsFull ? undefined : state.since));
  // The list is in the order of the times, so a position in it is worth nothing either.
  if (isSetBack(resume ? resume.newest : started.plan.since, started.plan.changes.serverTime)) {
    note(`The server's clock is behind the last run of ${kebabName(name)}. Reading all records.`);
    await started.pages.return(undefined);
    started = await open(again());
  }
  const found = await compareNewest(task, { table, ...started });
  if (found.older !== undefined) {
    await started.pages.return(undefined);
    if (!full) throw olderServer(task, found.older);
    started = await open(again());
  }
  const { plan, pages, first } = started;
  async function* all(): AsyncGenerator<Row[], void> {
    if (!first.done) yield first.value;
    yield* pages;
  }
  return { plan, pages: all(), lacksSome: found.lacksSome };
}

/** Whether the server is in an older state than the table. A full run from the start replaces everything, so it isn't asked. */
async function compareNewest(
  { client, name }: Task,
  { table, plan, first }: { table: MirrorTable; plan: Plan; first: IteratorResult<Row[], void> },
): Promise<Comparison> {
  if (plan.since === undefined && !plan.resumed) return { lacksSome: false };
  const newest = new NewestRecords(table.newest());
  if (!first.done) for (const record of first.value) newest.add(record);
  // An interrupted run has stored records that it doesn't read again.
  return newest.compare(
    client,
    name,
    plan.resumed || plan.since === undefined ? new Date(0).toISOString() : plan.since,
  );
}

const isPosition = (value: unknown): value is Position =>
  isSyncPosition(value) && 'removing' in value;
