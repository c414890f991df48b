/** `cs sync --to -`: records as Singer messages on stdout: SCHEMA, RECORD and STATE, one per line. */
import { z } from 'zod';
import { type SyncName, type SyncPosition, sync } from '../../../client/client.ts';
import type { Resource } from '../../../contract/resource.ts';
import { shownFields } from '../../../contract/schemas.ts';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import type { Io } from '../../terminal/io.ts';
import { write } from '../../terminal/io.ts';
import { cursorAfter, isSetBack, isSyncPosition, isTime } from '../bulk/cursor.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';
import { readState, requireSameOrigin } from '../bulk/state-file.ts';
import { isOrigin, type Origin } from '../connection/origin.ts';
import { type MirrorOptions, noIds, olderServer } from './mirror.ts';
import { sqlName } from './mirror-table.ts';
import { isNewest, type Newest, NewestRecords } from './newest.ts';
import { recordSplitter, typedFields } from './typed-record.ts';

/** The position of one resource. */
interface Bookmark {
  /** Earlier changes were written; by the server's clock. Null before the first complete run. */
  readonly since: string | null;
  readonly newest: Newest;
  /** Where an interrupted run stopped. */
  readonly position?: SyncPosition;
}

/** The value of a STATE message, which the next run gets with --state. */
interface State extends Origin {
  readonly version: 1;
  readonly bookmarks: Readonly<Record<string, Bookmark>>;
}

/** Pages between two STATE messages within a resource: a target stores its records before it passes one on. */
const pagesPerState = 25;

interface SingerOptions extends Pick<MirrorOptions, 'client' | 'origin' | 'repair' | 'note'> {
  readonly io: Io;
  readonly names: readonly SyncName[];
  /** (default: read everything) */
  readonly statePath: string | undefined;
  readonly full: boolean;
}

export async function writeSinger({
  io,
  names,
  statePath,
  full,
  origin,
  ...shared
}: SingerOptions): Promise<void> {
  let bookmarks = statePath === undefined ? {} : await readBookmarks(statePath, origin);
  const emit = (messages: readonly object[]) =>
    write(io.stdout, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  for (const name of names) {
    const resource = kebabName(name);
    await emit([schemaMessage(resourceOf(name))]);
    const known = full ? undefined : bookmarks[resource];
    for await (const { messages, bookmark } of streamMessages({ ...shared, name, known })) {
      if (bookmark) bookmarks = { ...bookmarks, [resource]: bookmark };
      const state: object[] = bookmark
        ? [{ type: 'STATE', value: { version: 1, ...origin, bookmarks } satisfies State }]
        : [];
      await emit([...messages, ...state]);
    }
  }
}

async function readBookmarks(path: string, origin: Origin): Promise<State['bookmarks']> {
  const before = await readState(path, isState, {
    setAside: false,
    hint: 'store the value of the last STATE message in it again, or leave --state out to read everything',
  });
  if (!before)
    throw new CliError({
      code: 'usage',
      message: `${path} doesn't exist.`,
      hint: 'leave --state out in the first run, and store the value of the last STATE message',
    });
  requireSameOrigin(path, before, origin);
  return before.bookmarks;
}

const isState = (value: unknown): value is State =>
  isObject(value) &&
  value.version === 1 &&
  isOrigin(value) &&
  isObject(value.bookmarks) &&
  Object.values(value.bookmarks).every(isBookmark);

const isBookmark = (value: unknown): value is Bookmark =>
  isObject(value) &&
  (value.since === null || isTime(value.since)) &&
  isNewest(value.newest) &&
  (value.position === undefined || isSyncPosition(value.position));

interface Stream extends Pick<SingerOptions, 'client' | 'repair' | 'note'> {
  readonly name: SyncName;
  readonly known: Bookmark | undefined;
}

interface Batch {
  readonly messages: readonly object[];
  /** The position after these messages. */
  readonly bookmark?: Bookmark;
}

async function* streamMessages(options: Stream): AsyncGenerator<Batch, void> {
  const { client, name, known, note } = options;
  const since = known?.position ? known.position.since : (known?.since ?? undefined);
  const changes = sync(client, name, known?.position ? { resume: known.position } : { since });
  const newest = new NewestRecords(known?.newest ?? {});
  const toMessage = messageMaker(resourceOf(name));
  const refuseOlder = async () => {
    // An interrupted run doesn't read again what it has written.
    const from = known?.position ? undefined : since;
    const found = known && (await newest.compare(client, name, from ?? new Date(0).toISOString()));
    if (found?.older !== undefined) throw olderServer(options, found.older);
  };
  let count = 0;
  for await (const page of changes.pages() as AsyncGenerator<Row[]>) {
    for (const record of page) {
      if (typeof record.id !== 'string') throw noIds(name);
      newest.add(record);
    }
    if (++count === 1 && isSetBack(known?.position?.newest ?? since, changes.serverTime)) {
      note(`The server's clock is behind the last run of ${kebabName(name)}. Reading all records.`);
      return yield* streamMessages({ ...options, known: undefined });
    }
    if (count === 1) await refuseOlder();
    const { position } = changes;
    const pause = position !== undefined && count % pagesPerState === 0;
    yield {
      messages: page.map(toMessage),
      ...(pause && { bookmark: { since: known?.since ?? null, newest: newest.after(), position } }),
    };
  }
  if (count === 0) await refuseOlder();
  yield { messages: [], bookmark: { since: cursorAfter(changes) ?? null, newest: newest.after() } };
}

function messageMaker(resource: Resource): (record: Row) => object {
  const fields = typedFields(resource);
  const split = recordSplitter(fields);
  const stream = sqlName(resource.name);
  return (record) => {
    const { values, extra } = split(record);
    return {
      type: 'RECORD',
      stream,
      record: {
        ...Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])),
        extra,
      },
    };
  };
}

const schemaMessage = (resource: Resource): object => ({
  type: 'SCHEMA',
  stream: sqlName(resource.name),
  schema: {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        Object.entries(shownFields(resource)).map(([name, schema]) => [
          name,
          jsonSchema(schema, name !== 'id'),
        ]),
      ),
      // Fields that this version doesn't know, and values of another type.
      extra: { type: ['null', 'object'] },
    },
  },
  key_properties: ['id'],
  bookmark_properties: ['updatedAt'],
});

/** Every field may be null, since other servers lack some. With `type` as a list, which every target reads. */
function jsonSchema(schema: z.ZodType, nullable = true): object {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return jsonSchema(schema.unwrap() as z.ZodType, nullable);
  const type = (name: string) => (nullable ? ['null', name] : [name]);
  if (schema instanceof z.ZodBoolean) return { type: type('boolean') };
  if (schema instanceof z.ZodNumber) return { type: type('integer') };
  if (schema instanceof z.ZodISODateTime) return { type: type('string'), format: 'date-time' };
  if (schema instanceof z.ZodArray) return { type: type('array') };
  if (schema instanceof z.ZodObject) return { type: type('object') };
  return { type: type('string') };
}
