/** A folder that is kept equal to the server: a file for each resource, and one that says up to when. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, type SyncName, sync } from '../../client/client.ts';
import { CliError } from '../exit.ts';
import { isObject } from '../plain-object.ts';
import type { Row } from '../render/view.ts';
import { methodsOf } from '../resources/methods.ts';
import { saveFile } from '../save-file.ts';
import { makeFolder } from './folder.ts';
import { lockFolder } from './folder-lock.ts';
import { inPieces } from './lines.ts';
import { isOrigin, type Origin, refuseOther } from './origin.ts';
import { isVersions, Recent, type Versions } from './recent.ts';
import { typedName } from './resources.ts';
import { combined, type Difference, isThere, readSorted, sortedById } from './sorted.ts';
import { keepNames, readState, writeState } from './state-file.ts';

/** What is known of one resource. Each part is written with its file, or a moment after it. */
interface Progress {
  /** What changed before it is in the file, by the server's clock. */
  readonly since: string | null;
  readonly records: number;
  /** Changes at or after `since` that are in the file already. */
  readonly recent: Versions;
}

interface State extends Origin {
  readonly version: 1;
  readonly resources: Readonly<Record<string, Progress>>;
}

export interface Mirrored extends Difference {
  readonly resource: string;
  readonly file: string;
  /** Whether every record was read, and not only what changed. */
  readonly full: boolean;
  /** How many more there are in the file than on the server: they were deleted, and only a full run finds which. */
  readonly gone: number;
}

export interface Mirror {
  update(name: SyncName, options: { full: boolean; progress: (read: number) => void }): Promise<Mirrored>;
  close(): void;
}

const stateFile = 'sync.json';
/** Begins every file that is only there while a run is at work. */
const scratch = '.sync-';
/** More repeats than this are compared with the file instead. */
const mostRecent = 5_000;

/** Opens a folder for one run. Exit 7 when another run has it, or when it holds the records of another server or team. */
export async function openMirror(folder: string, client: Client, origin: Origin): Promise<Mirror> {
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
        const { mirrored, progress } = await updateOne({ folder, client, name, known, ...options });
        resources = { ...resources, [name]: progress };
        await writeState(path, { version: 1, ...origin, resources } satisfies State);
        return mirrored;
      },
      close: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Task {
  readonly folder: string;
  readonly client: Client;
  readonly name: SyncName;
  readonly known: Progress | undefined;
  readonly full: boolean;
  readonly progress: (read: number) => void;
}

async function updateOne({
  folder,
  client,
  name,
  known,
  full: asked,
  progress,
}: Task): Promise<{ mirrored: Mirrored; progress: Progress }> {
  const file = `${typedName(name)}.ndjson`;
  const path = join(folder, file);
  const before = (await isThere(path)) ? known : undefined;
  const since = asked ? undefined : (before?.since ?? undefined);
  const full = since === undefined;
  const recent = new Recent(full ? {} : before?.recent, mostRecent);
  const changes = sync(client, name, { since });
  let read = 0;
  let fresh = 0;
  async function* unseen(): AsyncGenerator<Row, void> {
    for await (const record of changes) {
      progress(++read);
      if (typeof record.id !== 'string') throw noIds(name);
      if (!recent.isNew(record)) continue;
      fresh += 1;
      yield record;
    }
  }

  const difference: Difference = { added: 0, changed: 0, removed: 0, records: 0 };
  try {
    const now = await sortedById(unseen(), join(folder, scratch));
    // A full run writes also when there is nothing, so that the file is there.
    if (full || fresh > 0) {
      await saveFile(path, inPieces(combined({ before: readSorted(path), now, whole: full }, difference)), { overwrite: true });
      await keepNames(folder);
    } else difference.records = before?.records ?? 0;
  } finally {
    await removeRemains(folder);
  }
  const gone = full ? 0 : Math.max(0, difference.records - (await countOnServer(client, name)));
  return {
    mirrored: { resource: typedName(name), ...difference, gone, full, file },
    progress: { since: changes.next ?? null, records: difference.records, recent: recent.after(changes.next) },
  };
}

/** As the server counts them; it may be one that does not count well, so this only gives a hint. */
async function countOnServer(client: Client, name: SyncName): Promise<number> {
  return (await methodsOf(client, name).list({ limit: 1 })).total;
}

const noIds = (name: SyncName): CliError =>
  new CliError({
    code: 'no_ids',
    message: `The server gives ${typedName(name)} no id, so they cannot be kept apart.`,
    hint: 'leave them out, or write them once with `cs export`; `cs doctor` tells how the interface of this server differs',
    exitCode: 9,
  });

/** What a run that was killed has left behind. */
async function removeRemains(folder: string): Promise<void> {
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
  Object.values(value.resources).every(isProgress);

const isProgress = (value: unknown): value is Progress =>
  isObject(value) &&
  (value.since === null || typeof value.since === 'string') &&
  typeof value.records === 'number' &&
  isVersions(value.recent);
