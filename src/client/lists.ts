/**
 * Reads the lists of a resource. Filters are sent to a server that promises to apply them (`total-of: all-pages`, as ours does).
 * Elsewhere the whole list is read once and compared here, since the specification leaves filters open.
 */
import type { Operation } from '../contract/operations.ts';
import { defaultLimit } from '../contract/schemas.ts';
import { allPages } from './abilities.ts';
import { fillPath, type Query } from './address.ts';
import type { JsonAnswer } from './answers.ts';
import { ProtocolError } from './errors.ts';
import { conditionsOf, matching } from './filters.ts';
import { IdSet } from './ids.ts';
import type { CallOptions, ListOptions } from './options.ts';
import { type Page, type PageQuery, type ReadOptions, readOne, readPages } from './pages.ts';
import type { Transport } from './transport.ts';

type Row = Record<string, unknown>;

export interface ListReader {
  /** One page. */
  page(parents: readonly string[], query: Query, call?: ListOptions): Promise<Page<Row>>;
  /** Every record, by page. */
  pages(
    parents: readonly string[],
    query: Query,
    call?: ListOptions,
    progress?: ReadProgress,
  ): AsyncGenerator<Row[], void>;
}

export interface ReadProgress extends Pick<ReadOptions<Row>, 'from' | 'limit' | 'onPosition'> {
  /** Gets each answer of the server. */
  readonly onAnswer?: (answer: JsonAnswer) => void;
}

/** The only filter that the specification states for its list (section 4). Others are examples. */
const stated: ReadonlySet<string> = new Set(['/event-types?scope']);

/** Requests for one list from which on the program is told. */
const manyPages = 10;

export function listReader(
  transport: Transport,
  { resource, path: template }: Pick<Operation, 'resource' | 'path'>,
  copies = new Copies(),
): ListReader {
  const source = resource.operations.list?.source ?? 'decision';
  const operation = { path: template, resource, source };
  const where = `GET ${template} on ${transport.baseUrl}`;
  const isStated = (name: string) => stated.has(`${template}?${name}`);

  const refused = (path: string, why: string) =>
    new ProtocolError(`${where} can't be filtered: ${why}`, {
      ...{ method: 'GET', path, status: 200, code: 'filter_ignored' },
    });

  async function read(path: string, query: Query, call: CallOptions): Promise<JsonAnswer> {
    const request = { ...call, method: 'GET', path, query, expect: 'list', operation } as const;
    const answer = await transport.request(request);
    const isTrusting = conditionsOf(resource, query).some(({ name }) => !isStated(name));
    if (isTrusting && answer.headers['total-of'] !== allPages)
      throw refused(path, 'it no longer promises to apply filters');
    return answer;
  }

  /** Without the records that weren't named: a server that has event types alone may ignore the ids. */
  const named = (rows: Row[], { ids }: Query): Row[] => {
    const wanted = new IdSet(ids ? String(ids).split(',') : []);
    return ids ? rows.filter(({ id }) => wanted.has(String(id))) : rows;
  };

  async function* readWhole(
    path: string,
    query: Query,
    call: CallOptions,
    { onAnswer, ...progress }: ReadProgress,
  ): AsyncGenerator<Row[], void> {
    const readPage = async (page: PageQuery) => {
      const answer = await read(path, { ...query, ...page }, call);
      onAnswer?.(answer);
      return pageOf(answer, page);
    };
    for await (const rows of readPages({ ...progress, read: readPage })) yield named(rows, query);
  }

  /** Whether the server gets the whole query. One small request finds out, if it isn't known: a refused filter would be an error. */
  async function takes(path: string, query: Query, call: CallOptions): Promise<boolean> {
    if (conditionsOf(resource, query).length === 0) return true;
    const { ids: _, updatedAfter: __, page: ___, ...needed } = withoutFilters(query);
    if (transport.promisesLists() === undefined) await read(path, { ...needed, limit: 1 }, call);
    return transport.promisesLists() === true;
  }

  /** What every server is sent. */
  const withoutFilters = (query: Query): Query =>
    Object.fromEntries(
      Object.entries(query).filter(([name]) => {
        const filter = resource.filters?.[name];
        return !filter || filter.required || isStated(name);
      }),
    );

  /** @throws ProtocolError `filter_ignored` where the records don't show what is compared */
  async function filtered(
    path: string,
    query: Query,
    { words, fresh, ...call }: ListOptions,
    progress?: ReadProgress,
  ): Promise<Row[]> {
    const { page: _, limit: __, ...wanted } = withoutFilters(query);
    let pages = 0;
    const onAnswer = () => {
      if (++pages === manyPages + 1)
        transport.warn({
          kind: 'whole_list',
          message: `${where} doesn't promise to apply filters, so the whole list is read`,
        });
    };
    const readAll = async (how: ReadProgress) =>
      (await Array.fromAsync(readWhole(path, wanted, call, how))).flat();
    if (fresh) copies.forget();
    const all = progress
      ? await readAll(progress)
      : await copies.get(JSON.stringify([path, wanted]), () => readAll({ onAnswer }), {
          now: transport.now(),
          signal: call.signal,
        });
    const conditions = conditionsOf(resource, query).filter(
      ({ filter }) => filter.by !== 'search' || words !== 'caller',
    );
    const { rows, unknown } = matching(all, conditions, { resource, now: transport.now() });
    if (unknown !== undefined) throw refused(path, unknown);
    return rows;
  }

  return {
    async *pages(parents, query, call = {}, progress) {
      const path = fillPath(template, parents);
      if (await takes(path, query, call))
        return yield* readWhole(path, query, call, progress ?? {});
      const rows = await filtered(path, query, call, progress);
      if (rows.length > 0) yield rows;
    },
    async page(parents, query, call = {}) {
      const path = fillPath(template, parents);
      const { page = 1, limit = defaultLimit } = query as Partial<PageQuery>;
      if (await takes(path, query, call)) {
        const readPage = async (asked: PageQuery): Promise<Page<Row>> => {
          const answer = await read(path, query, call);
          const keysFirst = answer.headers['search-order'] === 'keys-first';
          return { ...pageOf(answer, asked), ...(keysFirst && { keysFirst }) };
        };
        const found = await readOne(readPage, { page, limit });
        return { ...found, data: named(found.data, query) };
      }
      const rows = await filtered(path, query, call);
      const data = rows.slice((page - 1) * limit, page * limit);
      return { data, page, limit, total: rows.length };
    },
  };
}

/** The specification shows the list of event types without numbers: it is whole. */
export function pageOf({ body }: JsonAnswer, asked: PageQuery): Page<Row> {
  const { data, ...numbers } = body as { data: Row[] };
  if ('total' in numbers) return body as Page<Row>;
  return { data: asked.page > 1 ? [] : data, ...asked, total: data.length };
}

/** Milliseconds. */
const maxAge = 60_000;

interface Copy {
  readonly rows: Promise<Row[]>;
  readonly readAt: number;
  readonly signal: AbortSignal | undefined;
  isRead: boolean;
}

/** The lists that were read whole, of all resources of a client. Read again a minute later: a program may run for days. */
export class Copies {
  readonly #lists = new Map<string, Copy>();

  /** A read that is under way is shared by calls with one signal alone: another's abort would end them all. */
  get(
    key: string,
    read: () => Promise<Row[]>,
    { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
  ): Promise<Row[]> {
    const known = this.#lists.get(key);
    if (known && now - known.readAt < maxAge && (known.isRead || known.signal === signal))
      return known.rows;
    const copy: Copy = { rows: read(), readAt: now, signal, isRead: false };
    this.#lists.set(key, copy);
    copy.rows.then(
      () => {
        copy.isRead = true;
      },
      () => this.#lists.get(key) === copy && this.#lists.delete(key),
    );
    return copy.rows;
  }

  /** After a write. */
  forget(): void {
    this.#lists.clear();
  }
}
