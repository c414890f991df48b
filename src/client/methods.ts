/** What can be called on a resource, with the types that its declaration gives. */
import type { z } from 'zod';
import type { Contract, CreateFor, FiltersFor, RecordFor, ResourceName, UpdateFor } from '../contract/contract.ts';
import type { BytesAnswer } from './answers.ts';
import type { CallOptions } from './options.ts';
import type { Page } from './pages.ts';

/** The id of the record that the path goes through, for a resource that has one. */
type Parents<N extends ResourceName> = Contract[N] extends { parent: object } ? [parentId: string] : [];
type Ids<N extends ResourceName> = Contract[N] extends { singleton: true } ? [] : [...Parents<N>, id: string];

/** The parameters of every list (specification, section 8), beside the page. */
interface Selection {
  /** Only records changed at or after this time: ISO 8601 with an offset or `Z`. */
  updatedAfter?: string;
  /** Only these records; up to 200. */
  ids?: readonly string[];
}
export type AllQuery<N extends ResourceName> = Selection & FiltersFor<N>;
export type ListQuery<N extends ResourceName> = AllQuery<N> & {
  /** From 1. */
  page?: number;
  /** Records per page: 1 to 200, 50 unless given. */
  limit?: number;
};
type Parameters<N extends ResourceName, V extends string> = Contract[N]['operations'] extends { [K in V]: { query: infer Q } }
  ? { [P in keyof Q]?: Q[P] extends { schema: z.ZodType } ? z.input<Q[P]['schema']> : never }
  : Record<string, never>;

export interface Deleted {
  id: string;
  deleted: true;
}

/** A whole list: record by record, or, several times as fast for a long one, by the pages in which they come. Read it one way or the other. */
export type Everything<T> = AsyncGenerator<T, void> & { pages(): AsyncGenerator<T[], void> };

/** Every verb there is. Each call throws as `Transport.request` does. */
interface Methods<N extends ResourceName> {
  /** One page. */
  list(...args: [...parents: Parents<N>, query?: ListQuery<N>, call?: CallOptions]): Promise<Page<RecordFor<N>>>;
  /** Every record, each once, also while others change the list; an error ends it, so what ends without one is complete. */
  all(...args: [...parents: Parents<N>, query?: AllQuery<N>, call?: CallOptions]): Everything<RecordFor<N>>;
  get(...args: [...ids: Ids<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  create(...args: [...parents: Parents<N>, body: CreateFor<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  /** An absent field stays as it is, null clears it. */
  update(...args: [...ids: Ids<N>, body: UpdateFor<N>, call?: CallOptions]): Promise<RecordFor<N>>;
  delete(...args: [...ids: Ids<N>, query?: Parameters<N, 'delete'>, call?: CallOptions]): Promise<Deleted>;
  /** The bytes, as they come in. Read them to their end, or break out of the loop, so that the connection is free again. */
  content(...args: [...ids: Ids<N>, call?: CallOptions]): Promise<Pick<BytesAnswer, 'body' | 'contentType' | 'size'>>;
}

type Verbs<N extends ResourceName> = keyof Contract[N]['operations'];
type MethodNames<N extends ResourceName> = (Verbs<N> & keyof Methods<N>) | ('list' extends Verbs<N> ? 'all' : never);

/** The calls of a resource: those of its operations, and `all` where there is a list. */
export type ResourceClient<N extends ResourceName> = Pick<Methods<N>, MethodNames<N>>;
