/**
 * A car storage service of another team, in memory: written from the specification alone, without a line of ours. What the specification
 * leaves open differs by `Ways`.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIds, OtherRecords, type Row } from './other-records.ts';
import { Refusal, type Write, writeRecord } from './other-writes.ts';

/** What the specification leaves open, and what a server breaks in it. The defaults keep to it and add nothing. */
export interface Ways {
  /**
   * Query parameters beyond the specification: those with the name of a field are applied and others ignored; or all are ignored, or
   * refused, or nothing is found with one.
   */
  readonly filters?: 'fields' | 'ignored' | 'refused' | 'empty';
  /**
   * How it finds less than was asked for: it searches (`q`) with capitals as they are typed, or each field by itself; it takes the times of
   * `startFrom` and `startTo` for dates; or it applies every parameter to a page that it has cut already.
   */
  readonly narrow?: 'case' | 'column' | 'date' | 'page';
  /** Parameters of the specification that it ignores. */
  readonly ignores?: readonly string[];
  readonly eventTypeList?: 'pages' | 'data alone';
  /** Between the words of an event type's value. */
  readonly wordBreak?: '_' | '-';
  /** Whether event types say that they free the place (`config.releasesParkingSpot`). */
  readonly tellsRelease?: boolean;
  /** Fields beyond the specification that its records lack, or that are null. */
  readonly lacks?: Lack | readonly Lack[];
  /** How it sends true and false. */
  readonly booleans?: 'booleans' | 'text' | 'numbers';
  /** The words that the specification states, in capitals. */
  readonly words?: 'in capitals';
  /** How it sends null. */
  readonly nulls?: 'null' | 'empty text' | 'missing' | 'zero time';
  /** What the id of its records is called, or an empty id. */
  readonly ownId?: '_id' | 'empty';
  /** What it stores in place of the fields that were sent. */
  readonly rewrites?: Readonly<Row>;
  /** The type that every appointment gets. */
  readonly givesType?: string;
  /** A PATCH changes nothing, and is answered like any other; or it replaces the record, with null for what it doesn't name. */
  readonly changes?: 'stored' | 'ignored' | 'replace the record';
  readonly changeStatus?: 200 | 202 | 204;
  readonly createStatus?: 201 | 202;
  /** What answers every POST in place of the record, which is stored. */
  readonly createAnswer?: unknown;
  /** Stated fields too, in the answers to writes or in all. */
  readonly unshown?: {
    readonly fields: readonly string[];
    readonly as: 'missing' | 'null' | 'another word';
    readonly in: 'writes' | 'all';
  };
  /** Fields that it doesn't store. */
  readonly drops?: readonly string[];
  readonly ids?: 'uuid' | 'integer' | 'large integer' | 'integer by list' | 'cuid' | 'short text';
  /** Which UUIDs it sends in capitals: those of the records themselves, or those that name other records. It takes both spellings. */
  readonly capitals?: 'own ids' | 'references';
  readonly total?: 'number' | 'text' | 'missing' | 'of the page';
  readonly times?: 'utc' | 'offset' | 'basic offset' | 'without offset' | 'German' | 'seconds';
  /** Booleans and numbers as text. */
  readonly values?: 'as text';
  /** What a refused query parameter has in `details`. */
  readonly details?: 'of zod';
  /** With 404 nothing is deleted, with `202 for later` not yet. */
  readonly deleteStatus?:
    | 200
    | 204
    | 404
    | '200 and nothing'
    | '200 with text'
    | '202 and done'
    | '202 for later';
  /** What answers the first DELETE of each record, which is carried out. */
  readonly firstDelete?: 429 | 502 | 503 | 'reset';
  /** What it shows of each new photo, beside what was sent. */
  readonly photoShows?: Readonly<Row>;
  /** The field of a photo's bytes. */
  readonly photoField?: string;
  readonly unknownPath?: 'json' | 'html' | 'html with 200' | 'sign-in';
  /** Which record answers the path of one: the one with that id, or another of the list. Or those below another record have no such path. */
  readonly singleRecord?: 'asked for' | 'another' | 'none below another';
  /**
   * Records below another one: `mixed`, it ignores the id in the path, and shows whose they are; `another's`, its records name
   * another one, all or those that answer a write.
   */
  readonly nested?: 'by path' | 'mixed' | "another's" | "another's in answers";
  /** Whether it has the paths that the specification leaves open. */
  readonly paths?: 'all' | 'specified';
  /** Whether a car event has more than the session that the specification promises, or not even that. */
  readonly events?: 'whole' | 'with its place' | 'session alone' | 'without its session';
  /** Records per page below the 200 of the specification, and what happens to a larger `limit`. */
  readonly pages?: { readonly most: number; readonly above: 'refused' | 'cut' };
  /** The `limit` of a list's answer: that of the page, or the one that was asked for. */
  readonly toldLimit?: 'given' | 'asked';
  /** `cursor`: it ignores `page` and sends `{ data, next_cursor, has_more }`. */
  readonly paging?: 'pages' | 'cursor';
  /** Whether an assignment moves its car, or is a record alone. */
  readonly assignments?: 'move the car' | 'are stored';
  /** Body fields beyond the specification, where it states the others. */
  readonly unknownFields?: 'ignored' | 'refused';
  /** Whether `appointmentTypeId` names an event type, or a record of a list that nothing shows. */
  readonly appointmentTypes?: 'event types' | 'own';
  /** Methods that it has for no path, and its answer to them. */
  readonly unsupported?: {
    readonly methods: readonly string[];
    readonly status: 405 | 501;
    readonly page?: boolean;
  };
  /** Every request is refused like this. */
  readonly refusal?: { readonly status: number; readonly error: string; readonly code?: string };
}

export interface Lack {
  readonly fields: readonly string[];
  readonly as: 'missing' | 'null';
  /** (default: every list) */
  readonly of?: '/cars' | '/event-types' | '/parking/assignments';
}

export interface Logged extends Write {
  readonly status: number;
  /** The records that the write added, changed or deleted: `/cars/17`. */
  readonly changed: readonly string[];
}

export interface OtherServer {
  readonly url: string;
  readonly ways: Ways;
  readonly records: OtherRecords;
  /** Every write since the last `reset`, refused ones too. */
  readonly writes: Logged[];
  /** Puts back the records, as they are after `fill`. */
  reset(fill: (records: OtherRecords) => void): void;
  close(): Promise<void>;
}

export const otherKey = 'key_other.secret';

export async function startOtherServer(ways: Ways, now: () => Date): Promise<OtherServer> {
  const state = { records: new OtherRecords(makeIds(ways.ids), now), writes: [] as Logged[] };
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = (text: string) =>
      ways.capitals ? text.replace(uuids, (id) => id.toLowerCase()) : text;
    const body = read(await textOf(request));
    const { pathname, searchParams } = new URL(read(request.url ?? '/'), 'http://localhost');
    const { status, sent, location } = respond({
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      body,
      headers: request.headers,
    });
    const lost = isFirstDelete(state.writes) ? ways.firstDelete : undefined;
    if (lost === 'reset') return void request.socket.destroy();
    if (lost)
      return void response
        .writeHead(lost, { 'content-type': 'application/json' })
        .end('{"error":"Try again"}');
    response.setHeader('date', now().toUTCString());
    if (location) response.setHeader('location', location);
    if (sent === undefined) response.writeHead(status).end();
    else if (Buffer.isBuffer(sent))
      response.writeHead(status, { 'content-type': 'image/png' }).end(sent);
    else if (typeof sent === 'string')
      response.writeHead(status, { 'content-type': 'text/html' }).end(sent);
    else response.writeHead(status, { 'content-type': 'application/json' }).end(toJson(sent));
  }

  function respond(request: OtherRequest): { status: number; sent?: unknown; location?: string } {
    try {
      return route(request, ways, state);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.page)
        return {
          status: error.status,
          location: error.location,
          sent: '<!doctype html><h1>Car storage</h1>',
        };
      return {
        status: error.status,
        sent: { error: error.message, code: error.code, details: error.details },
      };
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ways,
    get records() {
      return state.records;
    },
    get writes() {
      return state.writes;
    },
    reset(fill) {
      state.records = new OtherRecords(makeIds(ways.ids), now);
      state.writes = [];
      fill(state.records);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function isFirstDelete(writes: readonly Logged[]): boolean {
  const last = writes.at(-1);
  return (
    last?.method === 'DELETE' &&
    writes.filter(({ method, path }) => method === 'DELETE' && path === last.path).length === 1
  );
}

interface OtherRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

interface State {
  readonly records: OtherRecords;
  readonly writes: Logged[];
}

const base = '/api/v1';

/** Section 5, then the path, then what the method does. */
function route(
  { method, path, query, body, headers }: OtherRequest,
  ways: Ways,
  { records, writes }: State,
): { status: number; sent?: unknown } {
  const asked = path.startsWith(`${base}/`) ? placeOf(path.slice(base.length)) : undefined;
  const place = asked && (ways.nested === 'mixed' ? whereItIs(asked, records) : asked);
  const isOpen = ways.paths === 'specified' && place && !isSpecified(method, place);
  if (!place || isOpen) throw unknownPath(ways);
  requireKey(headers, ways);
  const { methods, status: unsupported, page } = ways.unsupported ?? {};
  if (unsupported && methods?.includes(method))
    throw new Refusal(unsupported, 'Method not supported', { page });
  if (method === 'GET') {
    if (place.id === undefined)
      return { status: 200, sent: listOf({ ways, records, query, collection: place.collection }) };
    if (ways.singleRecord === 'none below another' && isBelowAnother(place.collection)) missing();
    const found = records.get(place.collection, place.id) ?? missing();
    const another = records.list(place.collection).find(({ id }) => id !== found.id);
    const record = ways.singleRecord === 'another' && another ? another : found;
    if (place.content) return { status: 200, sent: contentOf(record) };
    const shown = { ...record, ...parentOf(place.collection, ways) };
    return { status: 200, sent: { data: show(shown, place.collection, ways) } };
  }
  const before = records.snapshot();
  const write: Write = {
    method,
    path: path.slice(base.length),
    body: body === '' ? undefined : (JSON.parse(body, withLargeIntegers) as Row),
  };
  const stored = {
    ...write,
    body: write.body && storedFields(write.body, ways),
  };
  let status = 500;
  try {
    const done = writeRecord({ write: stored, place, query, records, ways });
    status = done.status;
    if (done.record === undefined) return { status };
    if (method === 'POST' && ways.createAnswer !== undefined)
      return { status, sent: ways.createAnswer };
    const isEvent = /^\/cars\/[^/]+\/events$/.test(place.collection);
    if (isEvent && ways.events === 'session alone')
      return { status, sent: { data: { sessionId: done.record.sessionId } } };
    const shown = withoutUnshown(show(done.record, place.collection, ways), ways);
    const nested = ways.nested === "another's in answers" ? "another's" : ways.nested;
    return { status, sent: { data: { ...shown, ...parentOf(place.collection, { nested }) } } };
  } catch (error) {
    if (error instanceof Refusal) status = error.status;
    throw error;
  } finally {
    writes.push({ ...write, status, changed: records.changedSince(before) });
  }
}

const storedFields = (body: Row, { drops, rewrites }: Ways): Row =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([field]) => !drops?.includes(field))
      .map(([field, value]) => [field, rewrites && field in rewrites ? rewrites[field] : value]),
  );

function unknownPath({ unknownPath = 'json' }: Ways): Refusal {
  if (unknownPath === 'html with 200') return new Refusal(200, '', { page: true });
  if (unknownPath === 'sign-in') return new Refusal(302, '', { page: true, location: '/sign-in' });
  return new Refusal(404, 'No such page', { page: unknownPath === 'html' });
}

/** The file of a photo or an asset. */
export const contentOf = ({ filename }: Row): Buffer => Buffer.from(`the bytes of ${filename}`);

function requireKey(headers: IncomingHttpHeaders, { refusal }: Ways): void {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (refusal) throw new Refusal(refusal.status, refusal.error, { code: refusal.code });
  if (key !== otherKey) throw new Refusal(401, 'Unknown API key');
}

/** The lists of the interface; `*` stands for the id of the record above. */
const collections = [
  ...[
    '/cars',
    '/cars/*/events',
    '/cars/*/photos',
    '/event-types',
    '/customers',
    '/contacts',
    '/locations',
    '/appointments',
  ],
  ...[
    '/parking/zones',
    '/parking/spots',
    '/parking/assignments',
    '/communications/threads',
    '/communications/threads/*/messages',
  ],
  ...[
    '/marketing/campaigns',
    '/marketing/campaigns/*/audiences',
    '/marketing/campaigns/*/content',
    '/marketing/campaigns/*/sends',
  ],
  ...[
    '/marketing/social-posts',
    '/marketing/social-accounts',
    '/marketing/calendar',
    '/marketing/templates',
    '/marketing/forms',
  ],
  ...[
    '/marketing/forms/*/submissions',
    '/marketing/social-events',
    '/marketing/social-events/*/rsvp-options',
  ],
  ...[
    '/marketing/social-events/*/invites',
    '/marketing/social-events/*/rsvps',
    '/marketing/assets',
    '/marketing/asset-folders',
  ],
].map((path) => path.split('/'));

const isBelowAnother = (collection: string) =>
  !collections.some((one) => one.join('/') === collection);

/** The requests that the specification shows with their paths (section 4). */
const specifiedRequests = [
  ...[
    'GET /cars',
    'GET /cars/*',
    'POST /cars/*/events',
    'POST /cars/*/photos',
    'GET /event-types',
    'GET /customers',
    'POST /appointments',
  ],
  ...[
    'DELETE /marketing/campaigns/*/content/*',
    'DELETE /marketing/social-events/*',
    'DELETE /marketing/templates/*',
  ],
  ...['DELETE /locations/*', 'DELETE /contacts/*'],
];

function isSpecified(method: string, { collection, id, content }: Place): boolean {
  const path = id === undefined ? collection : `${collection}/${id}`;
  return (
    !content &&
    specifiedRequests.some((one) =>
      new RegExp(`^${one.replaceAll('*', '[^/]+')}$`).test(`${method} ${path}`),
    )
  );
}

/** The field with the id of the record above: `{ carId: 17 }` in `/cars/17/photos`. */
function parentOf(collection: string, { nested = 'by path' }: Ways): Row {
  const [, list, parent] = /([\w-]+)s\/([^/]+)\/[^/]+$/.exec(collection) ?? [];
  if (list === undefined || nested === 'by path' || nested === "another's in answers") return {};
  return { [`${list}Id`]: nested === 'mixed' ? parent : 'another' };
}

/** The list with the record, whatever the path says of what is above it. */
function whereItIs(place: Place, records: OtherRecords): Place {
  const collection = records
    .alike(place.collection)
    .find((one) => place.id !== undefined && records.get(one, place.id));
  return collection === undefined ? place : { ...place, collection };
}

export interface Place {
  /** With the id of the parent: `/cars/17/events`. */
  readonly collection: string;
  /** Undefined for the list. */
  readonly id: string | undefined;
  readonly content: boolean;
}

function placeOf(path: string): Place | undefined {
  const parts = path.split('/').map(decodeURIComponent);
  const pattern = collections
    .filter((one) => one.every((part, index) => part === '*' || part === parts[index]))
    .sort((a, b) => b.length - a.length)[0];
  if (!pattern) return undefined;
  const [id, tail, ...rest] = parts.slice(pattern.length);
  if (rest.length > 0 || (tail !== undefined && tail !== 'content')) return undefined;
  return { collection: parts.slice(0, pattern.length).join('/'), id, content: tail !== undefined };
}

interface ListRequest {
  readonly ways: Ways;
  readonly records: OtherRecords;
  readonly query: URLSearchParams;
  readonly collection: string;
}

/** Section 8. */
function listOf({ ways, records, query, collection }: ListRequest): object {
  const parent = /^(.*)\/([^/]+)\/[^/]+$/.exec(collection);
  const [, above, parentId] = parent ?? [];
  if (
    above &&
    collections.some((one) => one.join('/') === above) &&
    !records.get(above, parentId as string)
  )
    missing();
  const specified = [
    'page',
    'limit',
    'updatedAfter',
    'ids',
    ...(collection === '/event-types' ? ['scope'] : []),
  ];
  const others = [...query.keys()].filter((name) => !specified.includes(name));
  if (others[0] !== undefined && ways.filters === 'refused')
    throw new Refusal(422, `Query parameter not supported: ${others[0]}`, {
      details: detailsOf(ways, others[0]),
    });
  const { most, above: beyond } = ways.pages ?? { most: 200, above: 'refused' };
  const page =
    ways.paging === 'cursor'
      ? 1
      : numberIn(query, 'page', { byDefault: 1, most: Number.MAX_SAFE_INTEGER });
  const wanted = numberIn(query, 'limit', {
    byDefault: Math.min(50, most),
    most: beyond === 'cut' ? 200 : most,
  });
  const limit = Math.min(wanted, most);
  const applied = [
    ...(ways.filters === 'ignored' || ways.filters === 'refused' ? [] : others),
    'updatedAfter',
    'ids',
    'scope',
  ];
  const tests = applied.flatMap((name) => {
    const value = query.get(name);
    return value === null || ways.ignores?.includes(name)
      ? []
      : [narrowTestFor(name, value, ways.narrow) ?? testFor(name, value)];
  });
  // A calendar needs its range.
  const none = ways.filters === 'empty' && others.some((name) => !['from', 'to'].includes(name));
  const lists = ways.nested === 'mixed' ? records.alike(collection) : [collection];
  const all = lists.flatMap((one) =>
    records.list(one).map((row) => ({ ...row, ...parentOf(one, ways) })),
  );
  const byChange = all.sort((a, b) => String(b.updatedAt).localeCompare(String(a.updatedAt)));
  const fitting = (rows: Row[]) =>
    none ? [] : rows.filter((row) => tests.every((test) => test(row)));
  if (ways.narrow === 'page') {
    const data = fitting(byChange.slice((page - 1) * limit, page * limit)).map((row) =>
      show(row, collection, ways),
    );
    return { data, page, limit, total: data.length };
  }
  const newest = fitting(byChange);
  if (collection === '/event-types' && ways.eventTypeList === 'data alone')
    return { data: newest.map((row) => show(row, collection, ways)) };
  const data = newest
    .slice((page - 1) * limit, page * limit)
    .map((row) => show(row, collection, ways));
  const follow = newest.length > data.length;
  if (ways.paging === 'cursor')
    return { data, next_cursor: follow ? `after ${data.length}` : null, has_more: follow };
  return {
    data,
    page,
    limit: ways.toldLimit === 'asked' ? wanted : limit,
    ...totalOf({ found: newest, data, ways }),
  };
}

function totalOf({
  found,
  data,
  ways: { total },
}: {
  found: Row[];
  data: Row[];
  ways: Ways;
}): object {
  if (total === 'missing') return {};
  if (total === 'of the page') return { total: data.length };
  return { total: total === 'text' ? String(found.length) : found.length };
}

function numberIn(
  query: URLSearchParams,
  name: string,
  { byDefault, most }: { byDefault: number; most: number },
): number {
  const number = Number(query.get(name) ?? byDefault);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Refusal(422, `${name} must be between 1 and ${most}`);
  return number;
}

function testFor(name: string, value: string): (row: Row) => boolean {
  if (name === 'ids') return ({ id }) => value.split(',').includes(String(id));
  if (name === 'updatedAfter')
    return ({ updatedAt }) => Date.parse(String(updatedAt)) >= Date.parse(value);
  return (row) => !(name in row) || String(row[name]) === value;
}

/** Undefined for a parameter that it applies like any other server. */
function narrowTestFor(
  name: string,
  value: string,
  narrow: Ways['narrow'],
): ((row: Row) => boolean) | undefined {
  const as = (text: unknown) =>
    narrow === 'case' ? String(text ?? '') : String(text ?? '').toLowerCase();
  if (narrow !== undefined && name === 'q')
    return (row) => Object.values(row).some((field) => as(field).includes(as(value)));
  if (narrow !== 'date' || !/^start(From|To)$/.test(name)) return undefined;
  const date = Date.parse(value.slice(0, 10));
  return ({ startAt }) =>
    name === 'startFrom'
      ? Date.parse(String(startAt)) >= date
      : Date.parse(String(startAt)) <= date;
}

function withoutUnshown(row: Row, { unshown }: Ways): Row {
  const shown = { ...row };
  for (const field of unshown?.fields ?? []) {
    if (!(field in shown)) continue;
    if (unshown?.as === 'missing') delete shown[field];
    else shown[field] = unshown?.as === 'null' ? null : 'E-12';
  }
  return shown;
}

/** A record as this server sends it. */
function show(row: Row, collection: string, ways: Ways): Row {
  const sent = shownAlways(row, collection, ways);
  return ways.unshown?.in === 'all' ? withoutUnshown(sent, ways) : sent;
}

function shownAlways(row: Row, collection: string, ways: Ways): Row {
  const { lacks, times, values, booleans, capitals, tellsRelease = true } = ways;
  const shown: Row = capitals ? withCapitals(row, capitals) : { ...row };
  // The specification states every field of an appointment, and isActive of a location.
  const stated =
    collection === '/appointments'
      ? Object.keys(row)
      : collection === '/locations'
        ? ['isActive']
        : [];
  for (const { fields, as, of = collection } of [lacks ?? []].flat()) {
    for (const field of of === collection ? fields : []) {
      if (stated.includes(field) || !(field in shown)) continue;
      if (as === 'null') shown[field] = null;
      else delete shown[field];
    }
  }
  if (collection === '/event-types' && !tellsRelease) {
    const { releasesParkingSpot: _, ...config } = (shown.config ?? {}) as Row;
    shown.config = config;
  }
  const sent =
    booleans === undefined || booleans === 'booleans' ? shown : withOtherBooleans(shown, booleans);
  const timed = times === undefined || times === 'utc' ? sent : withTimes(sent, timeForms[times]);
  return withOwnForms(values === 'as text' ? inText(timed) : timed, collection, ways);
}

const statedWords: Readonly<Record<string, string>> = {
  '/appointments': 'status',
  '/event-types': 'scope',
};

function withOwnForms(row: Row, collection: string, { words, nulls, ownId }: Ways): Row {
  const shown = Object.entries(row).map(([name, value]): [string, unknown] => {
    if (name === 'id' && ownId) return ownId === '_id' ? ['_id', value] : ['id', ''];
    if (value === null && nulls === 'zero time' && /At$/.test(name))
      return [name, '0001-01-01T00:00:00Z'];
    if (words === 'in capitals' && name === statedWords[collection])
      return [name, String(value).toUpperCase()];
    if (value === null && nulls === 'empty text') return [name, ''];
    return [name, value === null && nulls === 'missing' ? undefined : value];
  });
  return Object.fromEntries(shown);
}

const uuids = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

function withCapitals(row: Row, which: Ways['capitals']): Row {
  const isCapital = (name: string) => (which === 'own ids' ? name === 'id' : /Ids?$/.test(name));
  const inCapitals = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inCapitals)
      : typeof value === 'string'
        ? value.replace(uuids, (id) => id.toUpperCase())
        : value;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isCapital(name) ? inCapitals(value) : value]),
  );
}

const withOtherBooleans = (row: Row, form: 'text' | 'numbers'): Row =>
  JSON.parse(
    JSON.stringify(row, (name, value: unknown) => {
      if (typeof value !== 'boolean' || name === 'deleted') return value;
      return form === 'text' ? String(value) : Number(value);
    }),
  );

const detailsOf = ({ details }: Ways, name: string): unknown =>
  details === 'of zod'
    ? { issues: [{ path: [name], code: 'unrecognized_keys', message: 'Unrecognized key' }] }
    : null;

const timeForms = {
  /** The same times two hours ahead of UTC, in whole seconds. */
  offset: (time: Date) =>
    new Date(time.getTime() + 7_200_000).toISOString().replace(/\.\d+Z$/, '+02:00'),
  /** ISO 8601 without colons in the offset, and without seconds. */
  'basic offset': (time: Date) =>
    new Date(time.getTime() + 7_200_000).toISOString().replace(/:\d\d\.\d+Z$/, '+0200'),
  'without offset': (time: Date) => time.toISOString().slice(0, 19),
  German: (time: Date) =>
    time.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+:\d+).*$/, '$3.$2.$1 $4'),
  seconds: (time: Date) => Math.floor(time.getTime() / 1_000),
};

function withTimes(row: Row, form: (time: Date) => unknown): Row {
  const isTime = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isTime(value) ? form(new Date(String(value))) : value,
    ]),
  );
}

/** Ids stay as they are. */
const inText = (row: Row): Row =>
  JSON.parse(JSON.stringify(row), (name, value) =>
    !/^id$|Ids?$/.test(name) && (typeof value === 'boolean' || typeof value === 'number')
      ? String(value)
      : value,
  );

function missing(): never {
  throw new Refusal(404, 'Resource not found');
}

/** Integers of any size, as they are. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(inner))
      : inner,
  );
const withLargeIntegers = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(source) : value;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
