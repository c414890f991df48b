/**
 * Reads the lists of a resource. Filters are sent to a server that promises to apply them (`total-of: all-pages`, as ours does).
 * Elsewhere the whole list is read once and compared here, since the specification leaves filters open.
 */
import type { Operation } from '../contract/operations.ts';
import { defaultLimit, maxLimit } from '../contract/schemas.ts';
import { fillPath, type Query } from './address.ts';
import type { JsonAnswer } from './answers.ts';
import { idsIn } from './check-answer.ts';
import { ProtocolError } from './errors.ts';
import { conditionsOf, matching } from './filters.ts';
import type { ListOptions } from './options.ts';
import { type Page, type PageQuery, readOne, readPages } from './pages.ts';
import type { Transport } from './transport.ts';

type Row = Record<string, unknown>;

export interface ListReader {
  /** One page. */
  page(parents: readonly string[], query: Query, call?: ListOptions): Promise<Page<Row>>;
  /** Every record, by page. */
  pages(
    parents: readonly string[],
    query: Query,
    call?: ListOptions & Reading,
  ): AsyncGenerator<Row[], void>;
}

interface Reading {
  /** Records per request. */
  readonly limit?: number | undefined;
  /** Gets each answer of the server. */
  readonly onAnswer?: (answer: JsonAnswer) => void;
}

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

  const refused = (path: string, why: string) =>
    new ProtocolError(`${where} can't be filtered: ${why}`, {
      method: 'GET',
      path,
      status: 200,
      code: 'filter_ignored',
    });

  /** The list of these parents with this query. */
  function listOf(parents: readonly string[], query: Query, call: ListOptions & Reading) {
    const { words, fresh, limit, onAnswer, ...options } = call;
    const path = fillPath(template, parents);
    const conditions = conditionsOf(resource, query);
    const request = { ...options, method: 'GET', path, expect: 'list', operation } as const;
    const ids = idsIn(resource, parents);

    const ask = (wanted: Query) => transport.request({ ...request, ids, query: wanted });

    /** The whole query is sent. */
    async function askAll(page: Query): Promise<JsonAnswer> {
      const answer = await ask({ ...query, ...page });
      onAnswer?.(answer);
      if (conditions.length > 0 && !transport.promisesLists())
        throw refused(path, 'it no longer promises to apply filters');
      return answer;
    }

    /** The records that meet the conditions, for a server that doesn't promise its lists. */
    async function compared(): Promise<Row[] | undefined> {
      if (conditions.length === 0) return undefined;
      const names = ['page', 'limit', ...conditions.map(({ name }) => name)];
      const rest = Object.entries(query).filter(([name]) => !names.includes(name));
      const wanted = Object.fromEntries(rest);
      // Whether it promises them, page 1 of the whole list tells.
      let first =
        transport.promisesLists() === undefined
          ? await ask({ ...wanted, page: 1, limit: maxLimit })
          : undefined;
      if (transport.promisesLists()) return undefined;
      let answers = 0;
      const read = async (page: PageQuery) => {
        const answer = first ?? (await ask({ ...wanted, ...page }));
        first = undefined;
        onAnswer?.(answer);
        if (++answers === manyPages + 1)
          transport.warn({
            kind: 'whole_list',
            message: `${where} doesn't promise to apply filters, so the whole list is read`,
          });
        return pageOf(answer, page);
      };
      if (fresh) copies.forget();
      const now = transport.now();
      const all = await copies.get(JSON.stringify([path, wanted]), now, async () =>
        (await Array.fromAsync(readPages(read))).flat(),
      );
      const own = conditions.filter(({ filter }) => filter.by !== 'search' || words !== 'caller');
      const { rows, unknown } = matching(all, own, { resource, now });
      if (unknown !== undefined) throw refused(path, unknown);
      return rows;
    }
    return { askAll, compared };
  }

  return {
    async *pages(parents, query, call = {}) {
      const { askAll, compared } = listOf(parents, query, call);
      const rows = await compared();
      const whole = async (page: PageQuery) => pageOf(await askAll({ ...page }), page);
      if (!rows) yield* readPages(whole, call.limit);
      else if (rows.length > 0) yield rows;
    },
    async page(parents, query, call = {}) {
      const { askAll, compared } = listOf(parents, query, call);
      const { page = 1, limit = defaultLimit } = query as Partial<PageQuery>;
      const rows = await compared();
      if (rows) {
        const data = rows.slice((page - 1) * limit, page * limit);
        return { data, page, limit, total: rows.length };
      }
      return readOne(async (asked) => pageOf(await askAll({}), asked), { page, limit });
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

/** The lists that were read whole, of all resources of a client. Read again a minute later: a program may run for days. */
export class Copies {
  readonly #lists = new Map<string, { rows: Promise<Row[]>; readAt: number }>();

  async get(key: string, now: number, read: () => Promise<Row[]>): Promise<Row[]> {
    const known = this.#lists.get(key);
    // Where it failed, or its caller stopped it, this one reads it.
    const rows = known && now - known.readAt < maxAge && (await known.rows.catch(() => undefined));
    if (rows) return rows;
    const copy = { rows: read(), readAt: now };
    this.#lists.set(key, copy);
    return copy.rows;
  }

  /** After a write. */
  forget(): void {
    this.#lists.clear();
  }
}
