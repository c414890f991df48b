/** A folder with a mirror of the server's records: a file per resource, and sync.json with the state. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { kebab } from '../../terminal/text.ts';
import { cursorAfter, isSetBack, isTime } from '../bulk/cursor.ts';
import { encodeChunks } from '../bulk/lines.ts';
import { isVersionMap, SeenVersions, type Versions } from '../bulk/recent.ts';
import { kebabName } from '../bulk/resources.ts';
import {
  type Difference,
  type Entry,
  fileExists,
  mergeSorted,
  readSorted,
  sortedById,
} from '../bulk/sorted.ts';
import { readState, requireSameOrigin, syncFolder, writeState } from '../bulk/state-file.ts';
import { isOrigin, type Origin } from '../connection/origin.ts';
import { makeTargetFolder } from '../files/folders.ts';
import { type CountDifference, compareCounts, countOnServer } from './counts.ts';
import type { TableState } from './database.ts';
import {
  createDigest,
  type Digest,
  digestOf,
  fileChanged,
  isSameDigest,
  lockFolder,
  partMissing,
} from './mirror-files.ts';
import { isNewest, type Newest, NewestRecords } from './newest.ts';

/** The state of one resource. */
interface Progress extends Digest {
  /** Earlier changes are in the file; by the server's clock. */
  readonly since: string | null;
  /** Changes at or after `since` that are already in the file. */
  readonly recent: Versions;
  readonly newest: Newest;
  /** When the last run and the last full run ended, by this machine's clock. Earlier versions didn't write it. */
  readonly syncedAt?: string;
  readonly fullAt?: string;
  /**
   * The state of the replaced file. Written before the rename, so that after an interruption one of the two describes the file on disk.
   */
  readonly replaced?: Omit<Progress, 'replaced'>;
}

interface State extends Origin {
  readonly version: 1;
  readonly resources: Readonly<Record<string, Partial<Progress>>>;
}

export interface Mirrored extends Difference, CountDifference {
  readonly resource: string;
  readonly file: string;
  /** Whether all records were read, not only changes. */
  readonly full: boolean;
}

/** A mirror as it is, whatever wrote it. */
export interface Inspected {
  readonly origin: Origin;
  readonly tables: readonly Omit<TableState, 'table'>[];
  /** By resource: its file, or its table, was deleted. */
  readonly lost: ReadonlyMap<string, CliError>;
  /** Reads all of these resources. Exit 7 for a damaged database, and for a file or table that was changed or deleted since the last run. */
  checkFiles(resources: readonly string[]): Promise<void>;
  /** The records of a resource with all their values. */
  whole(name: SyncName): AsyncIterable<Row>;
  /** The records of a resource, for their names and places. */
  records(name: SyncName): AsyncIterable<Row>;
  close(): void;
}

export interface UpdateOptions {
  readonly full: boolean;
  readonly progress: (read: number) => void;
}

export interface Mirror {
  /** Without `full`, exit 7 if the file was changed or the server is in an older state. */
  update(name: SyncName, options: UpdateOptions): Promise<Mirrored>;
  close(): void;
}

const stateFile = 'sync.json';
const fileOf = (resource: string): string => `${resource}.ndjson`;
/** Prefix of temporary files. */
const scratch = '.sync-';
/** Remembered changes; older ones are compared with the file. */
const maxRecent = 5_000;

export interface MirrorOptions {
  /** A folder, or the file of a database. */
  readonly path: string;
  readonly client: Client;
  readonly origin: Origin;
  /** The command that replaces a file whatever its content. */
  readonly repair: (name: SyncName) => string;
  readonly note: (text: string) => void;
  readonly now: () => Date;
  /** Read everything when the last full run is older, in milliseconds. */
  readonly fullEveryMs: number | undefined;
}

/** Whether the last full run is too old. Without one, the first run is full anyway. */
export const isFullDue = (
  { now, fullEveryMs }: Pick<MirrorOptions, 'now' | 'fullEveryMs'>,
  fullAt: string | undefined,
): boolean =>
  fullEveryMs !== undefined && !(now().getTime() - Date.parse(fullAt ?? '') < fullEveryMs);

/** Locks a folder for one run. Exit 7 if another run uses it, or if it belongs to another server or team. */
export async function openFolderMirror({
  path: folder,
  origin,
  ...shared
}: MirrorOptions): Promise<Mirror> {
  makeTargetFolder(folder);
  const lock = await lockFolder(folder, 'cs sync');
  try {
    const path = join(folder, stateFile);
    const before = await readState(path, isState, {
      setAside: true,
      hint: 'run it again to read all records into new files',
    });
    if (before) requireSameOrigin(path, before, origin);
    await removeTemporaryFiles(folder);
    let resources = before?.resources ?? {};
    return {
      async update(name, options) {
        const known = Object.hasOwn(resources, name) ? resources[name] : undefined;
        return updateResource({
          ...{ ...shared, folder, name, known },
          ...options,
          saveProgress: async (progress) => {
            resources = { ...resources, [name]: progress };
            await writeState(path, { version: 1, ...origin, resources } satisfies State);
          },
        });
      },
      close: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The command that reads a resource into this mirror again. */
export type Repair = (resource: string, ...flags: string[]) => string;

/** For a look at a folder, without a lock. Undefined if it isn't a mirror. */
export async function inspectFolder(
  folder: string,
  repair: Repair,
): Promise<Inspected | undefined> {
  const state = await readState(join(folder, stateFile), isState, {
    setAside: false,
    hint: '`cs sync` moves it aside; the run after that reads all records into new files',
  });
  if (!state) return undefined;
  const lost = new Map<string, CliError>();
  const tables: Inspected['tables'][number][] = [];
  async function* recordsOf(name: SyncName): AsyncGenerator<Row, void> {
    for await (const { line } of readSorted(join(folder, fileOf(kebabName(name)))))
      yield JSON.parse(line);
  }
  for (const [name, { records = 0, since, syncedAt, fullAt }] of Object.entries(state.resources)) {
    const resource = kebab(name);
    const path = join(folder, fileOf(resource));
    const isThere = await fileExists(path);
    if (!isThere) lost.set(resource, partMissing(path, repair(resource)));
    tables.push({
      resource,
      records: isThere ? records : 0,
      syncedAt,
      fullAt,
      since: since ?? undefined,
      position: undefined,
    });
  }
  return {
    ...{ origin: state, tables, lost, close: () => {} },
    async checkFiles(resources) {
      requireThere(lost, resources);
      for (const [name, known] of Object.entries(state.resources)) {
        const resource = kebab(name);
        if (!resources.includes(resource)) continue;
        const path = join(folder, fileOf(resource));
        const onDisk = await digestOf(path);
        if (onDisk && isProgress(known) && !matching(known, onDisk))
          throw fileChanged(path, { known, onDisk }, repair(resource, '--full'));
      }
    },
    ...{ whole: recordsOf, records: recordsOf },
  };
}

export function requireThere(lost: Inspected['lost'], resources: readonly string[]): void {
  const first = resources.find((resource) => lost.has(resource));
  if (first !== undefined) throw lost.get(first);
}

interface Task extends Omit<MirrorOptions, 'path' | 'origin'>, UpdateOptions {
  readonly folder: string;
  readonly name: SyncName;
  readonly known: Partial<Progress> | undefined;
  readonly saveProgress: (progress: Progress) => Promise<void>;
}

async function updateResource(task: Task): Promise<Mirrored> {
  const { folder, client, name, progress, saveProgress } = task;
  const path = join(folder, fileOf(kebabName(name)));
  const onDisk = await digestOf(path);
  const before = findProgress(task, path, onDisk);
  const since =
    task.full || isFullDue(task, before?.fullAt) ? undefined : (before?.since ?? undefined);
  const full = since === undefined;
  const recent = new SeenVersions(full ? {} : before?.recent, maxRecent);
  const newest = new NewestRecords(full ? {} : (before?.newest ?? {}));
  const changes = sync(client, name, { since });
  let read = 0;
  let fresh = 0;
  async function* unseen(): AsyncGenerator<Row, void> {
    for await (const record of changes) {
      progress(++read);
      if (typeof record.id !== 'string') throw noIds(name);
      newest.add(record);
      if (!recent.isNew(record)) continue;
      fresh += 1;
      yield record;
    }
  }

  const difference: Difference = { added: 0, changed: 0, removed: 0, records: 0 };
  const position = () => {
    const [next, syncedAt] = [cursorAfter(changes), task.now().toISOString()];
    const fullAt = full ? syncedAt : before?.fullAt;
    return {
      since: next ?? null,
      recent: recent.after(next),
      newest: newest.after(),
      syncedAt,
      ...(fullAt !== undefined && { fullAt }),
    };
  };
  try {
    const now = await sortedById(unseen(), join(folder, scratch));
    if (isSetBack(since, changes.serverTime)) {
      task.note(
        `The server's clock is behind the last run of ${kebabName(name)}. Reading all records.`,
      );
      return await updateResource({ ...task, full: true });
    }
    const { older } = since === undefined ? {} : await newest.compare(client, name, since);
    if (older !== undefined) throw olderServer(task, older);
    // A full run always writes, so that the file exists.
    if (full || fresh > 0) {
      const digest = createDigest();
      const old = !full || (onDisk && (await isReadable(path))) ? readSorted(path) : nothing();
      const lines = mergeSorted({ before: old, now, whole: full }, difference);
      // Also for an unknown file: after an interruption it must not count as the new one.
      const replaced = before ?? (onDisk && { ...onDisk, since: null, recent: {}, newest: {} });
      await saveFile(path, hashing(encodeChunks(lines), digest), {
        overwrite: true,
        beforeRename: () =>
          saveProgress({ ...digest.end(), ...position(), ...(replaced && { replaced }) }),
      });
      await syncFolder(folder);
    } else {
      difference.records = before?.records ?? 0;
      if (before) await saveProgress({ ...before, ...position() });
    }
  } finally {
    await removeTemporaryFiles(folder);
  }
  const onServer = full ? undefined : await countOnServer(client, name);
  return {
    resource: kebabName(name),
    ...difference,
    ...compareCounts(difference.records, onServer),
    full,
    file: path,
  };
}

/** The state that matches the file on disk; undefined if everything must be read. */
function findProgress(
  { name, known, full, repair, note }: Task,
  path: string,
  onDisk: Digest | undefined,
): Progress | undefined {
  if (!known || !onDisk) return undefined;
  if (!isProgress(known)) {
    if ('sha256' in known && !full)
      throw new CliError({
        code: 'state_unusable',
        message: `What sync.json says of ${path} is damaged.`,
        hint: `read all records again: \`${repair(name)}\``,
      });
    note(
      `sync.json has no checksum of ${path}: it was written by an earlier version of cs. Reading all records again.`,
    );
    return undefined;
  }
  const found = matching(known, onDisk);
  if (found || full) return found;
  throw fileChanged(path, { known, onDisk }, repair(name));
}

/** A run that was killed may have left the file that it was about to replace. */
const matching = ({ replaced, ...latest }: Progress, onDisk: Digest): Progress | undefined =>
  [latest, replaced].find((one) => one && isSameDigest(one, onDisk));

export const olderServer = (
  { name, repair }: { name: SyncName } & Pick<MirrorOptions, 'repair'>,
  why: string,
): CliError =>
  new CliError({
    code: 'data_unusable',
    exitCode: 7,
    message: `The server's ${kebabName(name)} are older than the mirror's: ${why}. It may have been restored from a backup.`,
    hint: `mirror the server's current state: \`${repair(name)}\``,
  });

async function* hashing(
  pieces: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createDigest>,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    digest.add(piece);
    yield piece;
  }
}

/** A damaged file is replaced without counting changes. */
async function isReadable(path: string): Promise<boolean> {
  try {
    for await (const _ of readSorted(path));
    return true;
  } catch {
    return false;
  }
}

async function* nothing(): AsyncGenerator<Entry, void> {}

export const noIds = (name: SyncName): CliError =>
  new CliError({
    code: 'unexpected_answer',
    message: `The server sends ${kebabName(name)} without ids, so they can't be mirrored.`,
    hint: 'leave them out, or write them once with `cs export`; compare the API of this server with `cs doctor`',
  });

/** Also those of a run that was killed. */
async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(scratch) || /^(sync\.json|[a-z-]+\.ndjson)\.[0-9a-f]{8}\.part$/.test(name))
      await rm(join(folder, name), { force: true });
  }
}

const isState = (value: unknown): value is State =>
  isObject(value) &&
  value.version === 1 &&
  isOrigin(value) &&
  isObject(value.resources) &&
  Object.values(value.resources).every(isObject);

/** Earlier versions stored no checksums. */
const isProgress = (value: unknown): value is Progress =>
  isObject(value) &&
  (value.since === null || isTime(value.since)) &&
  typeof value.records === 'number' &&
  typeof value.sha256 === 'string' &&
  isVersionMap(value.recent) &&
  isNewest(value.newest) &&
  (value.replaced === undefined || isProgress(value.replaced));
