/** A folder that is kept equal to the server: a file for each resource, and one that says up to when. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { methodsOf } from '../../crud/methods.ts';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { inPieces } from '../bulk/lines.ts';
import { isVersions, Recent, type Versions } from '../bulk/recent.ts';
import { kebabName } from '../bulk/resources.ts';
import { combined, type Difference, type Entry, readSorted, sortedById } from '../bulk/sorted.ts';
import { isOrigin, keepNames, type Origin, readState, refuseOther, writeState } from '../bulk/state-file.ts';
import { makeFolder } from '../files/folders.ts';
import { createDigest, type Digest, digestOf, isSameDigest, lockFolder } from './mirror-files.ts';
import { isNewest, type Newest, NewestRecords } from './newest.ts';

/** What is known of one resource. */
interface Progress extends Digest {
  /** What changed before it is in the file, by the server's clock. */
  readonly since: string | null;
  /** Changes at or after `since` that are in the file already. */
  readonly recent: Versions;
  readonly newest: Newest;
  /**
   * What was known of the file that this one replaces. It is written before the file is renamed, so that after a stop at any moment one
   * of the two describes the file that is there.
   */
  readonly replaced?: Omit<Progress, 'replaced'>;
}

interface State extends Origin {
  readonly version: 1;
  readonly resources: Readonly<Record<string, Partial<Progress>>>;
}

export interface Mirrored extends Difference {
  readonly resource: string;
  readonly file: string;
  /** Whether every record was read, and not only what changed. */
  readonly full: boolean;
  /** How many more there are in the file than on the server: they were deleted, and only a full run finds which. */
  readonly gone: number;
}

interface Mirror {
  /** Exit 7 when the file isn't as the last run left it, or when the server is in an older state, unless `full`. */
  update(name: SyncName, options: { full: boolean; progress: (read: number) => void }): Promise<Mirrored>;
  close(): void;
}

const stateFile = 'sync.json';
/** Begins every file that is only there while a run is at work. */
const scratch = '.sync-';
/** More repeats than this are compared with the file instead. */
const mostRecent = 5_000;

interface Opening {
  readonly folder: string;
  readonly client: Client;
  readonly origin: Origin;
  /** The command that makes a file equal to the server whatever is in it. */
  readonly repair: (name: SyncName) => string;
  readonly note: (text: string) => void;
}

/** Opens a folder for one run. Exit 7 when another run has it, or when it holds the records of another server or team. */
export async function openMirror({ folder, client, origin, repair, note }: Opening): Promise<Mirror> {
  await makeFolder(folder);
  const lock = await lockFolder(folder, 'cs sync');
  try {
    const path = join(folder, stateFile);
    const before = await readState(path, isState);
    if (before) refuseOther(path, before, origin);
    await removeRemains(folder);
    let resources = before?.resources ?? {};
    return {
      async update(name, options) {
        const known = Object.hasOwn(resources, name) ? resources[name] : undefined;
        return updateOne({
          ...{ folder, client, name, known, repair, note },
          ...options,
          keep: async (progress) => {
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

interface Task extends Pick<Opening, 'folder' | 'client' | 'repair' | 'note'> {
  readonly name: SyncName;
  readonly known: Partial<Progress> | undefined;
  readonly full: boolean;
  readonly progress: (read: number) => void;
  readonly keep: (progress: Progress) => Promise<void>;
}

async function updateOne(task: Task): Promise<Mirrored> {
  const { folder, client, name, progress, keep } = task;
  const file = `${kebabName(name)}.ndjson`;
  const path = join(folder, file);
  const there = await digestOf(path);
  const before = progressOf(task, path, there);
  const since = task.full ? undefined : (before?.since ?? undefined);
  const full = since === undefined;
  const recent = new Recent(full ? {} : before?.recent, mostRecent);
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
  const reached = () => ({ since: changes.next ?? null, recent: recent.after(changes.next), newest: newest.after() });
  try {
    const now = await sortedById(unseen(), join(folder, scratch));
    const contradiction = since === undefined ? undefined : await newest.contradiction(client, name, since);
    if (contradiction !== undefined) throw olderServer(task, contradiction);
    // A full run writes also when there is nothing, so that the file is there.
    if (full || fresh > 0) {
      const digest = createDigest();
      const old = !full || (there && (await isReadable(path))) ? readSorted(path) : nothing();
      const lines = combined({ before: old, now, whole: full }, difference);
      // A file that nobody knows is replaced as well, and a stop in between must not leave it to pass for the new one.
      const replaced = before ?? (there && { ...there, since: null, recent: {}, newest: {} });
      await saveFile(path, passing(inPieces(lines), digest), {
        overwrite: true,
        beforeRename: () => keep({ ...digest.end(), ...reached(), ...(replaced && { replaced }) }),
      });
      await keepNames(folder);
    } else {
      difference.records = before?.records ?? 0;
      if (before) await keep({ ...before, ...reached() });
    }
  } finally {
    await removeRemains(folder);
  }
  const gone = full ? 0 : Math.max(0, difference.records - (await countOnServer(client, name)));
  return { resource: kebabName(name), ...difference, gone, full, file };
}

/** What is known of the file that is there; nothing where everything has to be read. */
function progressOf({ name, known, full, repair, note }: Task, path: string, there: Digest | undefined): Progress | undefined {
  if (!known || !there) return undefined;
  if (!isProgress(known)) {
    note(`sync.json has no checksum of ${path}: an earlier version of cs wrote it. Every record is read again.`);
    return undefined;
  }
  const { replaced, ...latest } = known;
  const found = [latest, replaced].find((one) => one && isSameDigest(one, there));
  if (found || full) return found;
  throw new CliError({
    code: 'file_changed',
    message: `${path} isn't as the last run left it: ${differenceOf(known, there)}.`,
    hint: `read every record again: \`${repair(name)}\``,
    details: { expected: { records: known.records, sha256: known.sha256 }, found: there },
  });
}

const differenceOf = (known: Digest, there: Digest): string =>
  known.records === there.records
    ? 'its checksum differs'
    : `it has ${pluralize(there.records, 'record', 'records')}, and sync.json says ${grouped(known.records)}`;

const olderServer = ({ name, repair }: Task, why: string): CliError =>
  new CliError({
    code: 'server_older',
    message: `The server has an older state of ${kebabName(name)} than the folder: ${why}. Perhaps it was restored from a backup.`,
    hint: `make the folder equal to the server: \`${repair(name)}\``,
  });

async function* passing(pieces: AsyncIterable<Uint8Array>, digest: ReturnType<typeof createDigest>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    digest.add(piece);
    yield piece;
  }
}

/** A damaged file tells nothing of what changed, and is replaced as a whole. */
async function isReadable(path: string): Promise<boolean> {
  try {
    for await (const _ of readSorted(path));
    return true;
  } catch {
    return false;
  }
}

async function* nothing(): AsyncGenerator<Entry, void> {}

/** As the server counts them; it may be one that does not count well, so this only gives a hint. */
async function countOnServer(client: Client, name: SyncName): Promise<number> {
  return (await methodsOf(client, name).list({ limit: 1 })).total;
}

const noIds = (name: SyncName): CliError =>
  new CliError({
    code: 'no_ids',
    message: `The server gives ${kebabName(name)} no id, so they cannot be kept apart.`,
    hint: 'leave them out, or write them once with `cs export`; `cs doctor` tells how the interface of this server differs',
  });

/** What a run that was killed has left behind. */
async function removeRemains(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(scratch) || /^(sync\.json|[a-z-]+\.ndjson)\.[0-9a-f]{8}\.part$/.test(name))
      await rm(join(folder, name), { force: true });
  }
}

const isState = (value: unknown): value is State =>
  isObject(value) && value.version === 1 && isOrigin(value) && isObject(value.resources) && Object.values(value.resources).every(isObject);

/** Earlier versions of `cs` kept no checksums. */
const isProgress = (value: unknown): value is Progress =>
  isObject(value) &&
  (value.since === null || typeof value.since === 'string') &&
  typeof value.records === 'number' &&
  typeof value.sha256 === 'string' &&
  isVersions(value.recent) &&
  isNewest(value.newest) &&
  (value.replaced === undefined || isProgress(value.replaced));
