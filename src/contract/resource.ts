/**
 * The vocabulary in which the interface is declared. A resource is data: it can be printed, compared and sent.
 * What can be read off it (routes, validation, client methods, commands, the interface description) is derived;
 * behaviour is written by hand beside the face that has it.
 */
import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { Scope, ScopeRule } from './scopes.ts';

/** Where a statement comes from: the specification, or our decision where it is silent. */
export type Source = 'specification' | 'decision';
export const spec = 'specification';
export const decision = 'decision';

export type OnCreate = 'required' | 'optional' | 'never';

export interface Field<
  Schema extends z.ZodType = z.ZodType,
  Create extends OnCreate = OnCreate,
  Update extends boolean = boolean,
  Read extends boolean = boolean,
> {
  readonly source: Source;
  /** The value as a record shows it; nullable where it may be empty. */
  readonly schema: Schema;
  /** The value as a body gives it, where that is narrower: a record may be empty where a body may not say so. */
  readonly given?: z.ZodType;
  /** Whether a create must, may or must not give it. */
  readonly create: Create;
  /** Whether a PATCH may change it. */
  readonly update: Update;
  /** Whether a record shows it. */
  readonly read: Read;
  readonly about: string;
  /** What a create stores when the field is left out; `null` unless stated. */
  readonly initial?: unknown;
  /** The resource whose record the value must name, or each value of a list: an unknown one is 404, like one in the path. */
  readonly references?: string;
  /** The same of an object: which resource each of these properties must name. */
  readonly innerReferences?: Readonly<Record<string, string>>;
}

/**
 * A list parameter. `equals`, `from` (at or after) and `to` (at or before) compare one field;
 * `search` finds the words of the value in any of the fields, and a value that is a key as a whole, whatever the case (docs/gaps.md); `rule` is written
 * by hand in the service.
 */
export type Filter = {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
  /** A list that makes no sense without it: 422 when it is left out. */
  readonly required?: true;
} & (
  | { readonly by: 'equals' | 'from' | 'to'; readonly field: string }
  | {
      readonly by: 'search';
      readonly fields: readonly string[];
      /** What people call a record: a field, or several with a space between. */
      readonly keys: readonly (readonly string[])[];
    }
  | { readonly by: 'rule' }
);

/** Values that must differ between records of a team: one field, within another when stated. Without a value it never collides; those within null are together. */
export interface Unique {
  readonly field: string;
  readonly within?: string;
  readonly ignoreCase?: true;
  /** Records with this value do not count. */
  readonly unless?: { readonly field: string; readonly is: string };
}

/** The states that a field can pass through: from each, those that a PATCH may set. A create may give any of `first`. */
export interface Transitions {
  readonly field: string;
  readonly source: Source;
  /** What a create may say; anything when left out. */
  readonly first?: readonly string[];
  readonly to: Readonly<Record<string, readonly string[]>>;
}

/** In which order a list comes: most recently updated first unless stated. */
export interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface OperationRule {
  readonly source: Source;
  readonly scope: ScopeRule;
  /** Where the scope comes from, when not from where the operation does: what a scope opens may be stated though the operation is not shown. */
  readonly scopeSource?: Source;
  readonly about: string;
  /** A scope needed only when the body gives one of these fields. */
  readonly bodyScope?: {
    readonly fields: readonly string[];
    readonly scope: Scope;
  };
  /** Query parameters of an operation that is not a list. */
  readonly query?: Readonly<
    Record<
      string,
      {
        readonly source: Source;
        readonly schema: z.ZodType;
        readonly about: string;
        /** What is meant when it is left out. */
        readonly initial?: unknown;
      }
    >
  >;
  /** The codes it can answer with beyond those that every such operation can. */
  readonly problems?: readonly ProblemCode[];
  /** A create that can find what it was asked to make, and then answers 200 with it: when that is. */
  readonly existing?: string;
  /** A body larger than the common limit: its size in bytes. */
  readonly bodyLimit?: number;
  /** It carries or fetches a file: how many of them come in a minute is limited apart. */
  readonly upload?: true;
}

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete' | 'content';

export interface Resource {
  /** The key of the resource in the contract, the client and the database. */
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  /** Path of the collection, `{id}` standing for the parent's id; of the record itself for a singleton. */
  readonly path: string;
  /** One record without an id, such as the caller's own team. */
  readonly singleton?: true;
  /** The record that the path goes through, and the field that holds its id. */
  readonly parent?: { readonly resource: string; readonly field: string };
  /** Name of the record's own parameter in the path; `id` unless nested. */
  readonly param: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Where teamId, createdAt and updatedAt of its records come from: our decision unless stated. */
  readonly storedSource?: Source;
  readonly filters?: Readonly<Record<string, Filter>>;
  /** Fields of which a create must give at least one, since without any nobody would know whom or what it is about. */
  readonly atLeastOne?: readonly string[];
  readonly unique?: readonly Unique[];
  readonly transitions?: Transitions;
  readonly order?: Order;
  /** Not kept: its lists are made of other records, by a rule. */
  readonly computed?: true;
  readonly operations: { readonly [V in Verb]?: OperationRule };
}

type Fields = Readonly<Record<string, Field>>;
type Flat<T> = { [K in keyof T]: T[K] };
type Named<F extends Fields, K extends 'create' | 'update' | 'read', V> = {
  [N in keyof F]: F[N][K] extends V ? N : never;
}[keyof F];

/** A record as the interface answers it. */
export type RecordOf<R extends { fields: Fields }> = {
  [N in Named<R['fields'], 'read', true>]: z.output<R['fields'][N]['schema']>;
};
/** A field's value in a body. */
type Given<F extends Field> = z.input<F extends { given: infer G extends z.ZodType } ? G : F['schema']>;
/** The body that makes a record. */
export type CreateOf<R extends { fields: Fields }> = Flat<
  {
    [N in Named<R['fields'], 'create', 'required'>]: Given<R['fields'][N]>;
  } & {
    [N in Named<R['fields'], 'create', 'optional'>]?: Given<R['fields'][N]>;
  }
>;
/** The body that changes a record: an absent field stays, a null clears. */
export type UpdateOf<R extends { fields: Fields }> = {
  [N in Named<R['fields'], 'update', true>]?: Given<R['fields'][N]>;
};
/** The filters of a list, beside page, limit, updatedAfter and ids. */
export type FiltersOf<R extends Resource> = {
  [N in keyof NonNullable<R['filters']>]?: z.input<NonNullable<R['filters']>[N]['schema']>;
};

/**
 * Declares a resource, keeping the exact types of its parts. What is declared by a getter is made when it is first asked for, and once:
 * a command needs the schemas of a few resources, and making those of all would be a third of the time that it takes.
 */
export function resource<const R extends Resource>(declaration: R): R {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(declaration))) {
    if (!get) continue;
    Object.defineProperty(declaration, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = get.call(declaration);
        Object.defineProperty(declaration, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return declaration;
}
