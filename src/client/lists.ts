/**
 * Reads the lists of a resource. Filters are sent to a server that promises to apply them (`total-of: all-pages`, as ours does).
 * Elsewhere the whole list is read once and compared here, since the specification leaves filters open: a server may ignore or refuse
 * one, or search in its own way.
 */
import type { Operation } from '../contract/operations.ts';
import { defaultLimit } from '../contract/schemas.ts';
import { fillPath, type Query } from './address.ts';
import type { JsonAnswer } from './answers.ts';
import { ProtocolError } from './errors.ts';
import { type Condition, conditionsOf, matching } from './filters.ts';
import { idKey, isSameId } from './ids.ts';
import type { CallOptions, ListOptions } from './options.ts';
import { type Page, type PageQuery, type ReadOptions, readPages } from './pages.ts';
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

  async function read(path: string, query: Query, call: CallOptions): Promise<JsonAnswer> {
    return transport.request({ ...call, method: 'GET', path, query, expect: 'list', operation });
  }

  /** What every server is sent. */
  const withoutFilters = (query: Query): Query =>
    Object.fromEntries(
      Object.entries(query).filter(([name]) => {
        const filter = resource.filters?.[name];
        return !filter || filter.required || stated.has(`${template}?${name}`);
      }),
    );

  /** One small request finds out, if it isn't known: the first page of a filtered list would show it too late, and a whole one costs more. */
  async function promisesLists(path: string, query: Query, call: CallOptions): Promise<boolean> {
    const { ids: _, updatedAfter: __, page: ___, ...needed } = withoutFilters(query);
    if (transport.promisesLists() === undefined) await read(path, { ...needed, limit: 1 }, call);
    return transport.promisesLists() === true;
  }

  /** Without the records that weren't named. */
  const named = (rows: Row[], { ids }: Query): Row[] => {
    if (ids === undefined || ids === null) return rows;
    const wanted = new Set(String(ids).split(',').map(idKey));
    return rows.filter(({ id }) => wanted.has(idKey(id)));
  };

  async function* readWhole(
    path: string,
    query: Query,
    call: CallOptions,
    { onAnswer, ...progress }: ReadProgress,
  ): AsyncGenerator<Row[], void> {
    const readOne = async (page: PageQuery) => {
      const answer = await read(path, { ...query, ...page }, call);
      onAnswer?.(answer);
      return pageOf(answer, page);
    };
    for await (const rows of readPages({ ...progress, read: readOne })) yield named(rows, query);
  }

  /** The whole list, once for all calls of a minute. */
  function copyOf(path: string, query: Query, { fresh, ...call }: ListOptions): Promise<Row[]> {
    if (fresh) copies.forget();
    return copies.get(path, query, transport.now(), async () => {
      let pages = 0;
      const onAnswer = () => {
        if (++pages === manyPages + 1)
          transport.warn({
            kind: 'whole_list',
            message: `${where} doesn't promise to apply filters, so the whole list is read`,
          });
      };
      return (await Array.fromAsync(readWhole(path, query, call, { onAnswer }))).flat();
    });
  }

  /** @throws ProtocolError `filter_ignored` where the records don't show what is compared */
  async function filtered(
    path: string,
    query: Query,
    { words, ...call }: ListOptions,
    progress: ReadProgress = {},
  ): Promise<Row[]> {
    const { page: _, limit: __, ...wanted } = withoutFilters(query);
    const all = progress.onAnswer
      ? (await Array.fromAsync(readWhole(path, wanted, call, progress))).flat()
      : await copyOf(path, wanted, call);
    const conditions = conditionsOf(resource, query).filter(
      ({ filter }) => filter.by !== 'search' || words !== 'caller',
    );
    const { rows, unknown } = matching(all, conditions, { resource, now: transport.now() });
    if (unknown === undefined) return rows;
    const names = conditions.map(({ name }: Condition) => name).join(', ');
    throw new ProtocolError(`${where} can't be filtered by ${names}: ${unknown}`, {
      ...{ method: 'GET', path, status: 200, unknownOutcome: false, code: 'filter_ignored' },
    });
  }

  return {
    async *pages(parents, query, call = {}, progress = {}) {
      const path = fillPath(template, parents);
      const isPlain = conditionsOf(resource, query).length === 0;
      if (isPlain || (await promisesLists(path, query, call))) {
        let isFirst = true;
        for await (const rows of readWhole(path, query, call, progress)) {
          // What is known of the server may be stale.
          if (isFirst && !isPlain && !transport.promisesLists()) break;
          isFirst = false;
          yield rows;
        }
        if (isPlain || transport.promisesLists()) return;
      }
      const rows = await filtered(path, query, call, progress);
      if (rows.length > 0) yield rows;
    },
    async page(parents, query, call = {}) {
      const path = fillPath(template, parents);
      const isPlain = conditionsOf(resource, query).length === 0;
      const { page = 1, limit = defaultLimit } = query as { page?: number; limit?: number };
      if (isPlain || (await promisesLists(path, query, call))) {
        const answer = await read(path, query, call);
        const found = pageOf(answer, { page, limit });
        const keysFirst = answer.headers['search-order'] === 'keys-first';
        if (isPlain || transport.promisesLists())
          return { ...found, data: named(found.data, query), ...(keysFirst && { keysFirst }) };
      }
      const rows = await filtered(path, query, call);
      return {
        data: rows.slice((page - 1) * limit, page * limit),
        page,
        limit,
        total: rows.length,
      };
    },
  };
}

/** The specification shows the list of event types without numbers: it is whole. */
export function pageOf({ body }: JsonAnswer, asked: PageQuery): Page<Row> {
  const {
    data,
    page = asked.page,
    limit = asked.limit,
    total,
  } = body as Partial<Page<Row>> & { data: Row[] };
  const rows = total === undefined && page > 1 ? [] : data;
  return {
    data: rows,
    page,
    limit: total === undefined ? Math.max(limit, data.length) : limit,
    total: total ?? data.length,
  };
}

/** Milliseconds. */
const maxAge = 60_000;

interface Copy {
  readonly path: string;
  readonly rows: Promise<Row[]>;
  readonly readAt: number;
}

/** The lists that were read whole, of all resources of a client. */
export class Copies {
  readonly #lists = new Map<string, Copy>();

  /** Reads the list the first time, and again a minute later: a program may run for days. */
  get(path: string, query: Query, now: number, read: () => Promise<Row[]>): Promise<Row[]> {
    const key = JSON.stringify([path, query]);
    const known = this.#lists.get(key);
    if (known && Math.abs(now - known.readAt) < maxAge) return known.rows;
    const rows = read();
    this.#lists.set(key, { path, rows, readAt: now });
    rows.catch(() => this.#lists.delete(key));
    return rows;
  }

  /** After a write: its list has the record as it is now, or lacks it. Other lists may show its effects, so they are read again. */
  tell(
    path: string | undefined,
    change: { readonly stored: Row } | { readonly deletedId: string },
  ): void {
    for (const [key, list] of this.#lists) {
      if (list.path !== path) this.#lists.delete(key);
      else
        list.rows.then(
          (rows) => applyTo(rows, change),
          () => {},
        );
    }
  }

  /** After a write of unknown outcome. */
  forget(): void {
    this.#lists.clear();
  }
}

function applyTo(rows: Row[], change: Parameters<Copies['tell']>[1]): void {
  const id = 'stored' in change ? change.stored.id : change.deletedId;
  const at = rows.findIndex((row) => isSameId(row.id, id));
  if ('deletedId' in change) rows.splice(at, at < 0 ? 0 : 1);
  else if (at < 0) rows.push(change.stored);
  else rows[at] = { ...rows[at], ...change.stored };
}
