/**
 * A car storage service of another team, in memory: written from the specification alone, without a line of ours. It has the paths of
 * ours, since their names are all that the specification shows of most, and announces nothing of itself.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { interfaceTable, specified } from './interface-table.ts';
import { listen } from './listen.ts';
import { OtherRecords, type Row } from './other-records.ts';
import { notFound, Refusal, writeRecord } from './other-writes.ts';

/** The ways in which a server may differ where the specification is silent. */
export interface Ways {
  /** Query parameters beyond the specification (default: those with the name of a field are applied, others are ignored). */
  readonly filters?: 'ignored' | 'refused';
  /** What answers a delete (default: 200 with `{ id, deleted: true }`). */
  readonly deletes?: 204;
  readonly nulls?: 'left out';
  /** Event types come without `page`, `limit` and `total`. */
  readonly eventTypes?: 'data alone';
  /** Whether it has only the paths that the specification shows. */
  readonly paths?: 'specified';
  /** Whether it recognises the repeat of a POST, and has an interface description that says so. */
  readonly idempotencyKeys?: true;
  /** The field of a photo's bytes (default: `base64`). */
  readonly photoField?: string;
}

export interface Answer {
  readonly status: number;
  /** (default: `application/json`) */
  readonly type?: string;
  readonly body?: string | Buffer;
}

export interface OtherRequest {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Row | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface OtherServer {
  readonly url: string;
  ways: Ways;
  readonly records: OtherRecords;
  /** Every write, refused ones too. */
  readonly writes: OtherRequest[];
  /** Breaks the specification: what is sent in place of an answer; `lost` closes the connection, `silence` sends nothing. */
  spoil: ((request: OtherRequest, answer: Answer) => Answer | 'lost' | 'silence') | undefined;
  close(): Promise<void>;
}

export const otherKey = 'key_other.secret';

export async function startOtherServer(now: () => Date): Promise<OtherServer> {
  const records = new OtherRecords(now);
  const writes: OtherRequest[] = [];
  const answered = new Map<string, Answer>();
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    const { ways, spoil } = started;
    if (request.method !== 'GET') writes.push(request);
    const key = ways.idempotencyKeys && request.headers['idempotency-key'];
    const answer = answered.get(String(key)) ?? respond(request, { ways, records });
    if (key) answered.set(String(key), answer);
    const sent = spoil?.(request, answer) ?? answer;
    if (sent === 'lost') return void incoming.socket.resetAndDestroy();
    if (sent === 'silence') return;
    const type = sent.body !== undefined && { 'content-type': sent.type ?? 'application/json' };
    response.writeHead(sent.status, { date: now().toUTCString(), ...type }).end(sent.body);
  });
  const { url, close } = await listen(server);
  const started: OtherServer = {
    url,
    close,
    ways: {},
    records,
    writes,
    spoil: undefined,
  };
  return started;
}

async function readRequest(incoming: IncomingMessage): Promise<OtherRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
  return {
    method: incoming.method ?? 'GET',
    path: pathname.replace(/^\/api\/v1(?=\/)/, ''),
    query: searchParams,
    body: body === '' ? undefined : JSON.parse(body),
    headers: incoming.headers,
  };
}

interface Server {
  readonly ways: Ways;
  readonly records: OtherRecords;
}

export const json = (status: number, body: unknown): Answer => ({
  status,
  body: JSON.stringify(body),
});

function respond(request: OtherRequest, server: Server): Answer {
  try {
    return route(request, server);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = error;
    return json(status, { error: message, code: `E-${status}`, details: null });
  }
}

function route(request: OtherRequest, server: Server): Answer {
  const { method, path, headers, body = {} } = request;
  const { ways, records } = server;
  if (path === '/openapi.json' && ways.idempotencyKeys) return json(200, description);
  const place = placeOf(path);
  if (!place || (ways.paths === 'specified' && !isSpecified(method, place)))
    throw new Refusal(404, 'No such page');
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (key !== otherKey) throw new Refusal(401, 'Unknown API key');
  const { collection, id, isFile } = place;
  if (method === 'GET' && id === undefined) return listOf(request, place, server);
  if (method === 'GET') {
    const found = records.get(collection, id);
    if (!found) throw notFound();
    if (isFile) return { status: 200, type: 'image/png', body: bytesOf(found) };
    return json(200, { data: shown(found, ways) });
  }
  const { photoField = 'base64' } = ways;
  const { query } = request;
  const done = writeRecord({ method, collection, id, query, body, records, photoField });
  if (done.record) return json(done.status, { data: shown(done.record, ways) });
  return ways.deletes ? { status: 204 } : json(200, { data: { id, deleted: true } });
}

const shown = (row: Row, { nulls }: Ways): Row =>
  nulls ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row;

/** The file of a photo or an asset. */
export const bytesOf = ({ filename }: Row): Buffer => Buffer.from(`the bytes of ${filename}`);

/** The lists of the interface, apart from two that only our service has. */
const collections = Object.entries(interfaceTable).flatMap(([name, { operations }]) =>
  ['me', 'eventSessions'].includes(name) ? [] : (operations[0]?.split(' ')[1] ?? []),
);

const matches = (pattern: string, text: string) =>
  new RegExp(`^${pattern.replaceAll(/{\w+}/g, '[^/]+')}$`).test(text);

interface Place {
  /** With the id of the parent: `/cars/17/events`. */
  readonly collection: string;
  /** Undefined for the list. */
  readonly id: string | undefined;
  readonly isFile: boolean;
}

function placeOf(path: string): Place | undefined {
  const [, record = '', file] = /^(.*?)(\/content)?$/.exec(path) ?? [];
  for (const [whole, isFile] of [
    [path, false],
    [record, file !== undefined],
  ] as const) {
    if (!isFile && collections.some((one) => matches(one, whole)))
      return { collection: whole, id: undefined, isFile };
    const [, collection = '', id] = /^(.*)\/([^/]+)$/.exec(whole) ?? [];
    if (collections.some((one) => matches(one, collection))) return { collection, id, isFile };
  }
  return undefined;
}

const isSpecified = (method: string, { collection, id, isFile }: Place) =>
  !isFile &&
  specified.some((one) =>
    matches(one, `${method} ${id === undefined ? collection : `${collection}/${id}`}`),
  );

/** Section 8. */
function listOf({ query }: OtherRequest, { collection }: Place, { ways, records }: Server): Answer {
  const [, above, parent] = /^(.+)\/([^/]+)\/[^/]+$/.exec(collection) ?? [];
  if (above && collections.includes(above) && !records.get(above, parent)) throw notFound();
  const isType = collection === '/event-types';
  const known = ['page', 'limit', 'updatedAfter', 'ids', ...(isType ? ['scope'] : [])];
  const others = [...query.keys()].filter((name) => !known.includes(name));
  if (others[0] !== undefined && ways.filters === 'refused')
    throw new Refusal(422, `Query parameter not supported: ${others[0]}`);
  const page = numberIn(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const limit = numberIn(query, 'limit', 50, 200);
  const applied = [...query].filter(([name]) => !ways.filters || known.includes(name));
  const found = records
    .list(collection)
    .filter((row) => applied.every(([name, value]) => meets(row, name, value)))
    .sort((a, b) => String(b.updatedAt).localeCompare(String(a.updatedAt)));
  const rows = found.slice((page - 1) * limit, page * limit).map((row) => shown(row, ways));
  if (isType && ways.eventTypes === 'data alone') return json(200, { data: rows });
  return json(200, { data: rows, page, limit, total: found.length });
}

function meets(row: Row, name: string, value: string): boolean {
  if (name === 'ids') return value.split(',').includes(String(row.id));
  if (name === 'updatedAfter') return Date.parse(String(row.updatedAt)) >= Date.parse(value);
  return !(name in row) || String(row[name]) === value;
}

function numberIn(query: URLSearchParams, name: string, byDefault: number, most: number): number {
  const number = Number(query.get(name) ?? byDefault);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Refusal(422, `${name} must be between 1 and ${most}`);
  return number;
}

/** An interface description that announces the header of every POST, and nothing else. */
const description = {
  openapi: '3.1.0',
  info: { title: 'Cars', version: '1.1.0' },
  paths: Object.fromEntries(
    collections.flatMap((collection) => {
      const path = collection.replace('{id}', '{parentId}');
      const header = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
      return [
        [path, { get: {}, post: { parameters: [header] } }],
        [`${path}/{id}`, { get: {}, patch: {}, delete: {} }],
      ];
    }),
  ),
};
