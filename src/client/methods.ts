/** The methods of a resource, typed by its declaration. */
import type { z } from 'zod';
import type {
  Contract,
  CreateFor,
  FiltersFor,
  PreconditionsFor,
  RecordFor,
  ResourceName,
  UpdateFor,
} from '../contract/contract.ts';
import type { BytesAnswer } from './answers.ts';
import type { CallOptions, ListOptions } from './options.ts';
import type { Page } from './pages.ts';

/** The id of the parent, for a resource with one. */
type Parents<N extends ResourceName> = Contract[N] extends { parent: object }
  ? [parentId: string]
  : [];
type Ids<N extends ResourceName> = Contract[N] extends { singleton: true }
  ? []
  : [...Parents<N>, id: string];

/** The parameters of every list but the page (specification, section 8). */
interface Selection {
  /** Only records changed at or after this time: ISO 8601 with an offset or `Z`. */
  updatedAfter?: string;
  /** Only these records; up to 200. */
  ids?: readonly string[];
}
export type AllQuery<N extends ResourceName> = Selection & FiltersFor<N>;
export type ListQuery<N extends ResourceName> = AllQuery<N> & {
  /** Counted from 1. */
  page?: number;
  /** Records per page: 1 to 200 (default: 50). */
  limit?: number;
};
type Parameters<N extends ResourceName, V extends string> = Contract[N]['operations'] extends {
  [K in V]: { query: infer Q };
}
  ? { [P in keyof Q]?: Q[P] extends { schema: z.ZodType } ? z.input<Q[P]['schema']> : never }
  : Record<string, never>;

export interface Deleted {
  id: string;
  deleted: true;
}

/** A whole list: by record, or by page, which is several times as fast for a long list. Use one of the two. */
export type Everything<T> = AsyncGenerator<T, void> & { pages(): AsyncGenerator<T[], void> };

/** Every verb. The arguments are the ids of the path, then the query or the body, then the options of the call. */
interface Methods<N extends ResourceName> {
  /**
   * Reads one page: `{ data, page, limit, total }`, where `total` counts all pages (specification, section 8).
   *
   * Filters are sent to a server that promises to apply them. Elsewhere the whole list is read, kept for a minute and
   * compared here.
   * @throws ApiError for a refusal, NetworkError without an answer, ProtocolError for an answer of another interface, and
   * `filter_ignored` where no record shows what a filter compares; UsageError; the reason of `signal`
   */
  list(
    ...args: [...parents: Parents<N>, query?: ListQuery<N>, call?: ListOptions]
  ): Promise<Page<RecordFor<N>>>;
  /**
   * Reads every record once, 200 for each request, also while others change the list. A loop that ends without an error is complete.
   * `.pages()` yields the records of each request at once, which is several times as fast for a long list.
   * @throws UnsteadyListError where the list changes too fast, or its pages contradict each other; else like `list`
   */
  all(
    ...args: [...parents: Parents<N>, query?: AllQuery<N>, call?: ListOptions]
  ): Everything<RecordFor<N>>;
  /**
   * Reads one record. Times are ISO 8601, ids are text.
   * @throws ApiError with `status` 404 for an unknown id; ProtocolError for another record than the one that was named; else like `list`
   */
  get(...args: [...ids: Ids<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  /**
   * Stores one record and returns it. A new Idempotency-Key goes with each call, and each of its tries, so that a server that announces the
   * key stores it once. On other servers it isn't sent again after a lost answer.
   * @throws ApiError with `status` 422 and `details` for an invalid body; ProtocolError where the answer's ids, times or status aren't those
   * sent. With `unknownOutcome` on any error it may be stored: check before you repeat it
   */
  create(
    ...args: [...parents: Parents<N>, body: CreateFor<N>, call?: CallOptions & PreconditionsFor<N>]
  ): Promise<RecordFor<N>>;
  /**
   * Changes the given fields and returns the record. An absent field stays unchanged, null clears it. Safe to repeat.
   * @throws like `create`
   */
  update(...args: [...ids: Ids<N>, body: UpdateFor<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  /**
   * Deletes one record: `{ id, deleted: true }` (specification, section 4). A repeat that finds no record after a lost answer counts as done.
   * @throws ApiError with `status` 404 for an unknown id; else like `create`
   */
  delete(
    ...args: [...ids: Ids<N>, query?: Parameters<N, 'delete'>, call?: CallOptions]
  ): Promise<Deleted>;
  /**
   * Streams the bytes of a file, with its media type and its size in bytes, if the server sends it. Read them to the end or break out of
   * the loop, to free the connection.
   * @throws like `get`; a failure while streaming is a NetworkError
   */
  content(
    ...args: [...ids: Ids<N>, call?: CallOptions]
  ): Promise<Pick<BytesAnswer, 'body' | 'contentType' | 'size'>>;
}

type Verbs<N extends ResourceName> = keyof Contract[N]['operations'];
type MethodNames<N extends ResourceName> =
  | (Verbs<N> & keyof Methods<N>)
  | ('list' extends Verbs<N> ? 'all' : never);

/** The calls of a resource: its operations, and `all` for a list. */
export type ResourceClient<N extends ResourceName> = Pick<Methods<N>, MethodNames<N>>;
