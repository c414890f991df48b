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

/** Every verb. Each call throws like `Transport.request`. */
interface Methods<N extends ResourceName> {
  /** One page. */
  list(
    ...args: [...parents: Parents<N>, query?: ListQuery<N>, call?: ListOptions]
  ): Promise<Page<RecordFor<N>>>;
  /** Every record once, also while others change the list. A loop that ends without an error is complete. */
  all(
    ...args: [...parents: Parents<N>, query?: AllQuery<N>, call?: ListOptions]
  ): Everything<RecordFor<N>>;
  get(...args: [...ids: Ids<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  create(
    ...args: [...parents: Parents<N>, body: CreateFor<N>, call?: CallOptions & PreconditionsFor<N>]
  ): Promise<RecordFor<N>>;
  /** An absent field stays unchanged, null clears it. */
  update(...args: [...ids: Ids<N>, body: UpdateFor<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  delete(
    ...args: [...ids: Ids<N>, query?: Parameters<N, 'delete'>, call?: CallOptions]
  ): Promise<Deleted>;
  /** Streams the bytes. Read them to the end or break out of the loop, to free the connection. */
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
