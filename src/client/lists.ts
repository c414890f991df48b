/**
 * Reads the lists of a resource, from servers of other teams too. One of them may ignore or refuse a filter, since the specification
 * leaves filters open, apply it in its own way, or give smaller pages. Then the list is read without the filter, and the records are
 * filtered here: nobody gets a record that wasn't asked for, or misses one that was.
 */
import type { Operation } from '../contract/operations.ts';
import { defaultLimit } from '../contract/schemas.ts';
import { fillPath, type Query } from './address.ts';
import type { JsonAnswer } from './answers.ts';
import { findUnapplied } from './empty-lists.ts';
import { type ApiError, ProtocolError } from './errors.ts';
import { absurdWord, type Condition, conditionsOf, untoldReason } from './filters.ts';
import { IdSet } from './id-set.ts';
import { type ListBody, listBodyOf, type PageQuery } from './list-body.ts';
import { type ListOptions, sentOptions } from './options.ts';
import type { ListPosition } from './page-position.ts';
import { type Page, type ReadOptions, readPages } from './pages.ts';
import {
  fallbackRequests,
  guaranteedPageSize,
  isRefusal,
  type Sent,
} from './refused-parameters.ts';
import type { Transport } from './transport.ts';
import { checkedTotal, withoutDuplicates } from './uncounted-pages.ts';
import { Copies, isShown, type WiderQuery, widerQuery } from './whole-lists.ts';

type Row = Record<string, unknown>;

export interface ListReader {
  /** One page. `total` is undefined where the server doesn't count, or where it is too far to read. */
  page(parents: readonly string[], query: Query, call?: ListOptions): Promise<Page<Row>>;
  /** Every record, by page. */
  pages(
    parents: readonly string[],
    query: Query,
    call?: ListOptions,
    progress?: ReadProgress,
  ): AsyncGenerator<Row[], void>;
  /** Lists that were read whole, to be told of writes. */
  readonly copies: Copies;
}

export interface ReadProgress extends Pick<ReadOptions<Row>, 'from' | 'onPosition'> {
  /** Gets each answer of the server. */
  readonly onAnswer?: (answer: JsonAnswer) => void;
}

export function listReader(
  transport: Transport,
  { resource, path: template }: Pick<Operation, 'resource' | 'path'>,
): ListReader {
  const operation = {
    path: template,
    resource,
    source: resource.operations.list?.source ?? ('decision' as const),
  };
  /** The filters that this server doesn't apply, found out by its answers. */
  const unapplied = new Set<string>();
  /** Those of them that it refuses. */
  const refused = new Set<string>();
  /** Those that its records don't tell of. */
  const unchecked = new Set<string>();
  /** Those that it applies, as a record showed. */
  const proven = new Set<string>();
  const copies = new Copies();
  /** Whether this server promises that its lists hold all that meets the parameters; undefined before its first answer. */
  let promises: boolean | undefined;
  let mostPerPage = Number.POSITIVE_INFINITY;
  /** Whether pages are read in the size that the server chooses. */
  let leavesOutLimit = false;
  /** Whether this server searches by words; undefined until it matters. */
  let searches: Promise<boolean> | undefined;

  /** The filters that are left out, since the records are filtered here. Those that every list needs are left out where they are refused. */
  const isLeftOut = (name: string): boolean =>
    refused.has(name) || (unapplied.has(name) && resource.filters?.[name]?.required !== true);

  /** Sends a page's request, and a simpler one where the server refuses it. `sent` gets the filters that the answer depends on. */
  async function read(
    path: string,
    query: Query,
    { call, sent }: { call: ListOptions; sent?: Set<string> },
  ): Promise<JsonAnswer> {
    const conditions = conditionsOf(resource, query, transport.now()).filter(
      ({ name }) => !isLeftOut(name),
    );
    const request = async ({ filters, limit }: Sent) => {
      const kept = Object.entries({ ...query, limit }).filter(
        ([name]) => !isLeftOut(name) && (filters || !isFilter(name)),
      );
      const answer = await transport.request({
        ...sentOptions(call),
        method: 'GET',
        path,
        query: Object.fromEntries(kept),
        expect: 'list',
        operation,
      });
      promises = listBodyOf(answer).countsAllPages === true;
      if (filters) for (const { name } of conditions) sent?.add(name);
      return answer;
    };
    const asked = typeof query.limit === 'number' ? query.limit : undefined;
    const limit = asked === undefined || leavesOutLimit ? undefined : Math.min(asked, mostPerPage);
    const full = { filters: true, limit };
    try {
      return await request(full);
    } catch (error) {
      if (!isRefusal(error, { conditions, limit })) throw error;
      for (const simpler of fallbackRequests(full, conditions.length > 0)) {
        const answer = await request(simpler).catch((again: unknown) => {
          if (!isRefusal(again, { conditions: [], limit: simpler.limit })) throw again;
        });
        if (!answer) continue;
        if (!simpler.filters) for (const { name } of conditions) markRefused(name, error);
        if (simpler.limit !== limit)
          useSmallPages(limit as number, simpler.limit ?? (answer.body as ListBody<Row>).limit);
        return answer;
      }
      throw error;
    }
  }

  /** A server may refuse those too that our service requires. */
  const isFilter = (name: string): boolean =>
    isSpecified(name) || resource.filters?.[name] !== undefined;

  function markRefused(name: string, { message }: ApiError | ProtocolError): void {
    refused.add(name);
    unapplied.add(name);
    transport.warn({
      kind: 'filter_refused',
      message: `${where} refuses the filter ${name} (${message}), so the whole list is read and filtered here`,
    });
  }

  function useSmallPages(tooMany: number, most: number | undefined): void {
    if (most === undefined) leavesOutLimit = true;
    else mostPerPage = most;
    const sentence = 'the specification (section 8) allows 1 to 200 records per page';
    transport.warn({
      kind: 'limit_refused',
      message: `${where} refuses pages of ${tooMany}, so smaller ones are read; ${sentence}`,
    });
  }

  function markIgnored(name: string): void {
    if (unapplied.has(name)) return;
    unapplied.add(name);
    const sentence = isSpecified(name)
      ? `, which the specification (section 8) gives every list`
      : '';
    transport.warn({
      kind: 'filter_ignored',
      message: `${where} ignores ${name}${sentence}, so the whole list is read and filtered here`,
    });
  }

  /**
   * The records that meet every condition.
   * @throws ProtocolError `filter_ignored` when a record lacks the field to filter by
   */
  async function applyFilters(
    rows: readonly Row[],
    { conditions, path, call }: Filtering,
  ): Promise<Row[]> {
    const applied = new Set<string>();
    for (const { name, filter, fits } of conditions) {
      if (rows.every((row) => fits(row) !== 'differs')) continue;
      if (
        filter?.by === 'search' &&
        !unapplied.has(name) &&
        (await searchesByWords(name, { path, call }))
      )
        applied.add(name);
      else markIgnored(name);
    }
    const decisive = conditions.filter(({ name }) => !applied.has(name));
    return fittingRows(rows, { conditions: decisive, path, call });
  }

  /** @throws ProtocolError `filter_ignored` when a record lacks the field to filter by */
  function fittingRows(rows: readonly Row[], { conditions, path, call }: Filtering): Row[] {
    const unknown = new Map<Condition, Row>();
    const kept = rows.filter((row) => {
      const fits = conditions.map((condition) => ({ condition, fit: condition.fits(row) }));
      if (fits.some(({ fit }) => fit === 'differs')) return false;
      for (const { condition, fit } of fits)
        if (fit === 'unknown' && !unknown.has(condition)) unknown.set(condition, row);
      return true;
    });
    for (const [condition, row] of unknown) {
      if (call.strict !== false || unapplied.has(condition.name))
        throw undecidable(condition, row, path);
      markUnchecked(condition.name);
    }
    return kept;
  }

  /** Asks for a word that no record has: a server that finds records doesn't search. */
  function searchesByWords(
    name: string,
    { path, call }: Pick<Filtering, 'path' | 'call'>,
  ): Promise<boolean> {
    searches ??= transport
      .request({
        ...sentOptions(call),
        method: 'GET',
        path,
        query: { [name]: absurdWord, limit: 1 },
        expect: 'list',
      })
      .then(({ body }) => (body as ListBody<Row>).data.length === 0)
      .catch((error: unknown) => {
        searches = undefined;
        throw error;
      });
    return searches;
  }

  /** Marks the filters for which the server finds nothing at all. Returns whether the list must be read again. */
  async function isUntrue(
    path: string,
    query: Query,
    { conditions, call }: Omit<Filtering, 'path'>,
  ): Promise<boolean> {
    if (call.strict === false) return false;
    const needed = Object.fromEntries(
      Object.entries(query).filter(([name]) => resource.filters?.[name]?.required),
    );
    const rowsOf = async (more: Query) =>
      listBodyOf<Row>(await read(path, { ...needed, ...more }, { call })).data;
    const asked = conditions.filter(({ name }) => !isLeftOut(name));
    const wrong = await findUnapplied(asked, proven, {
      now: transport.now(),
      sample: () => rowsOf({ limit: guaranteedPageSize }),
      // A filter that is refused is left out, and finds records.
      finds: async (name, value) => (await rowsOf({ [name]: value, limit: 1 } as Query)).length > 0,
    });
    for (const name of wrong) markIgnored(name);
    return asked.some(({ name }) => isLeftOut(name));
  }

  function markUnchecked(name: string): void {
    if (unchecked.has(name)) return;
    unchecked.add(name);
    transport.warn({
      kind: 'filter_unchecked',
      message: `${where} sends records that don't tell whether it applied ${name}`,
    });
  }

  const undecidable = (condition: Condition, row: Row, path: string) =>
    untold(
      `${where} gives no sign whether it applies ${condition.name}: ${untoldReason(condition, row)}`,
      path,
    );

  const where = `GET ${template} on ${transport.baseUrl}`;

  async function* pages(
    parents: readonly string[],
    query: Query,
    call: ListOptions = {},
    progress: ReadProgress = {},
  ): AsyncGenerator<Row[], void> {
    const path = fillPath(template, parents);
    const conditions = conditionsOf(resource, query, transport.now());
    const wider = call.whole ? widerQuery(conditions, query) : undefined;
    if (wider && promises === false)
      return yield* fromWider(parents, wider, { conditions, path, call, asked: query });
    const given = new IdSet();
    for (let { from } = progress; ; from = undefined) {
      const sent = new Set<string>();
      const misses = () => conditions.some(({ name }) => sent.has(name) && isLeftOut(name));
      let position: ListPosition | undefined;
      let isPromised = false;
      const readOne = async (page: PageQuery) => {
        const answer = await read(path, { ...query, ...page }, { call, sent });
        progress.onAnswer?.(answer);
        const body = listBodyOf<Row>(answer);
        isPromised ||= body.countsAllPages === true;
        return body;
      };
      const onPosition = (at: ListPosition) => {
        position = at;
      };
      let isEmpty = true;
      for await (const rows of readPages({
        read: readOne,
        from,
        onPosition,
        most: Array.isArray(query.ids) ? query.ids.length : undefined,
      })) {
        if (wider && !promises) break;
        isEmpty &&= rows.length === 0;
        const kept = await applyFilters(rows, { conditions, path, call });
        if (misses()) break;
        // A position in a list that is read without a filter would be wrong in a list with it.
        if (position && !conditions.some(({ name }) => unapplied.has(name)))
          progress.onPosition?.(position);
        const fresh = conditions.length > 0 ? withoutDuplicates(kept, given) : kept;
        if (fresh.length > 0) yield fresh;
      }
      if (wider && !promises)
        return yield* fromWider(parents, wider, { conditions, path, call, asked: query });
      // The server applies a filter in its own way, so the list is read again without it.
      if (
        !misses() &&
        !(isEmpty && !from && !isPromised && (await isUntrue(path, query, { conditions, call })))
      )
        return;
    }
  }

  /** What a search looks for is left to the caller. */
  async function* fromWider(
    parents: readonly string[],
    { query, isShared }: WiderQuery,
    { conditions, path, call, asked }: FromWider,
  ) {
    const lists = () => pages(parents, query, { ...call, whole: false });
    const tests = conditions.filter(({ filter }) => filter?.by !== 'search');
    if (!isShared) {
      for await (const rows of lists()) yield fittingRows(rows, { conditions: tests, path, call });
      return;
    }
    const copy = () => copies.get(path, query, async () => (await Array.fromAsync(lists())).flat());
    // A copy has new records as the answers to their writes show them, which may be less than the list does.
    if (!isShown(call.shown, await copy())) copies.forget();
    const rows = await copy();
    if (!isShown(call.shown, rows))
      throw untold(`${where} shows no ${call.shown} in any record`, path);
    // Records may lack a field that is null. Where none has it, only the server can tell.
    const isTold = tests.every(
      ({ fits }) => rows.length === 0 || rows.some((row) => fits(row) !== 'unknown'),
    );
    if (isTold) yield rows.filter((row) => tests.every(({ fits }) => fits(row) === 'meets'));
    else yield* pages(parents, asked, { ...call, whole: false });
  }

  /** A page of the records that are filtered here. */
  async function pageHere(
    parents: readonly string[],
    query: Query,
    call: ListOptions,
  ): Promise<Page<Row>> {
    const { page: asked, limit: size, ...others } = query;
    const page = typeof asked === 'number' ? asked : 1;
    const limit = typeof size === 'number' ? size : defaultLimit;
    const most = Array.isArray(query.ids) ? query.ids.length : Number.POSITIVE_INFINITY;
    const found: Row[] = [];
    let whole = true;
    for await (const rows of pages(parents, others, call)) {
      found.push(...rows);
      whole = found.length <= page * limit;
      if (!whole || found.length >= most) break;
    }
    return {
      data: found.slice((page - 1) * limit, page * limit),
      page,
      limit,
      total: whole ? found.length : undefined,
    };
  }

  return {
    copies,
    pages,
    async page(parents, query, call = {}) {
      const path = fillPath(template, parents);
      const conditions = conditionsOf(resource, query, transport.now());
      const isDoubtful = call.whole === true && widerQuery(conditions, query) !== undefined;
      const lacking = () =>
        conditions.some(({ name }) => unapplied.has(name)) || (isDoubtful && promises === false);
      if (!lacking()) {
        const answer = await read(path, query, { call });
        if (!lacking()) {
          const body = listBodyOf<Row>(answer);
          const { data, page, limit } = body;
          await applyFilters(data, { conditions, path, call });
          if (data.length === 0 && !body.countsAllPages)
            await isUntrue(path, query, { conditions, call });
          const size = limit ?? (typeof query.limit === 'number' ? query.limit : data.length);
          const keysFirst = answer.headers['search-order'] === 'keys-first';
          const at = page ?? (typeof query.page === 'number' ? query.page : 1);
          const readNext = async (next: PageQuery) =>
            listBodyOf<Row>(await read(path, { ...query, ...next }, { call }));
          const total =
            call.checkTotal && !lacking()
              ? await checkedTotal(body, { page: at, limit: size }, readNext)
              : body.total;
          if (!lacking())
            return { data, page: at, limit: size, total, ...(keysFirst && { keysFirst }) };
        }
      }
      return pageHere(parents, query, call);
    },
  };
}

interface FromWider extends Filtering {
  readonly asked: Query;
}

interface Filtering {
  readonly conditions: readonly Condition[];
  readonly path: string;
  readonly call: ListOptions;
}

const untold = (message: string, path: string) =>
  new ProtocolError(message, {
    method: 'GET',
    path,
    status: 200,
    unknownOutcome: false,
    code: 'filter_ignored',
  });

const isSpecified = (name: string) => name === 'ids' || name === 'updatedAfter';
