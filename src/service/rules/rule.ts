import type { Readable } from 'node:stream';
import type {
  Contract,
  CreateFor,
  PreconditionsFor,
  RecordFor,
  ResourceName,
  StoredName,
  UpdateFor,
} from '../../contract/contract.ts';
import type { Caller, Context, IngestContext, ReadContext } from '../context.ts';
import type { FilterRule, ListContext, ListQuery, Page } from '../lists.ts';

/**
 * A rule wraps a generic operation inside its transaction: code before `proceed` runs before the write, code after it afterwards.
 * A rule that doesn't call `proceed` replaces the operation.
 */
type Rule<Input, Extra, Made, Result = Made> = (
  context: Context,
  input: Input,
  proceed: (extra?: Extra) => Promise<Made>,
) => Promise<Result>;

/** Result of a create that found the record: 200 instead of 201. */
export class AlreadyExists<T> {
  readonly record: T;
  constructor(record: T) {
    this.record = record;
  }
}

/** Files stored before the transaction. */
export interface Ingested<Values> {
  readonly values: Values;
  /** Called inside the transaction, once the record is sure: its team has the bytes from now on. Throws `quota_exceeded`. */
  store(context: Context, options?: { readonly isNew?: boolean }): Promise<void>;
  /** Deletes the bytes if `store` had no effect. Never rejects. */
  discard(): Promise<void>;
}

/** Bytes to be streamed. */
export interface Bytes {
  readonly stream: Readable;
  readonly size: number;
  readonly contentType: string;
  readonly filename: string;
  /** Strong validator: the hash of the bytes. */
  readonly hash: string;
}

type ParentOf<N extends ResourceName> = Contract[N] extends {
  parent: { resource: infer P extends StoredName };
}
  ? RecordFor<P>
  : undefined;

interface IngestInput<N extends StoredName> {
  readonly body: CreateFor<N>;
  readonly parent: ParentOf<N>;
}
export interface CreateInput<N extends StoredName> extends IngestInput<N> {
  readonly ingested: Ingested<Partial<RecordFor<N>>> | undefined;
  readonly preconditions: PreconditionsFor<N>;
}
interface UpdateInput<N extends StoredName> {
  readonly record: RecordFor<N>;
  readonly body: UpdateFor<N>;
}
interface DeleteInput<N extends StoredName> {
  readonly record: RecordFor<N>;
  readonly query: { readonly hard?: boolean };
}

interface RecordRules<N extends StoredName> {
  /** Runs before the transaction, for slow work. Checks made here are repeated inside it. */
  ingest?: (
    context: IngestContext,
    input: IngestInput<N>,
  ) => Promise<Ingested<Partial<RecordFor<N>>>>;
  create?: Rule<
    CreateInput<N>,
    Partial<RecordFor<N>>,
    RecordFor<N>,
    RecordFor<N> | AlreadyExists<RecordFor<N>>
  >;
  update?: Rule<UpdateInput<N>, Partial<RecordFor<N>>, RecordFor<N>>;
  delete?: Rule<DeleteInput<N>, undefined, void>;
}
type Operations<N extends ResourceName> = Contract[N]['operations'];
type Filters<N extends ResourceName> = Contract[N] extends { filters: infer F }
  ? F
  : Record<never, never>;
type FiltersByRule<N extends ResourceName> = {
  [F in keyof Filters<N>]: Filters<N>[F] extends { by: 'rule' } ? F : never;
}[keyof Filters<N>];

/** Operations that generic code can't do need a rule: bytes, records without a table, filters by rule. */
type Needed<N extends ResourceName> = (Operations<N> extends { content: unknown }
  ? {
      content: (
        context: ReadContext & { files: IngestContext['files'] },
        record: RecordFor<N>,
      ) => Promise<Bytes>;
    }
  : unknown) &
  (Contract[N] extends { computed: true }
    ? { list: (context: ListContext, query: ListQuery) => Promise<Page<RecordFor<N>>> }
    : unknown) &
  (Contract[N] extends { singleton: true } ? { get: (caller: Caller) => RecordFor<N> } : unknown) &
  ([FiltersByRule<N>] extends [never]
    ? unknown
    : { filters: { [F in FiltersByRule<N>]: FilterRule } });

export type RulesOf<N extends ResourceName> = (N extends StoredName ? RecordRules<N> : unknown) &
  Needed<N>;
