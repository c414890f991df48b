/**
 * The vocabulary of the contract. A resource is data: it can be printed, compared and sent.
 * Routes, validation, client methods, commands and the interface description derive from it; behaviour is written by hand.
 */
import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { Scope, ScopeRule } from './scopes.ts';

/** The source of a statement: the specification, or our decision where it is silent. */
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
  /** The value in a record; nullable where it may be empty. */
  readonly schema: Schema;
  /** The value in a body, where that is narrower: a record may be empty where a body may not. */
  readonly given?: z.ZodType;
  /** Required, optional or forbidden in a create. */
  readonly create: Create;
  /** Whether a PATCH may change it. */
  readonly update: Update;
  /** Whether records contain it. */
  readonly read: Read;
  readonly about: string;
  /** The meaning of each value of a boolean. */
  readonly meanings?: Meanings;
  /** The stored value when a create leaves the field out (default: `null`). */
  readonly initial?: unknown;
  /** The same in words, for a value that depends on others. */
  readonly initialText?: string;
  /** When a server may store another value than the one sent: `always` for a position, which may be beyond the end of its list. */
  readonly adjusts?: 'on_create' | 'always';
  /** The referenced resource of the value, or of each value of a list. An unknown id is 404, like one in the path. */
  readonly references?: string;
  /** The same for an object: the referenced resource of each property. */
  readonly innerReferences?: Readonly<Record<string, string>>;
}

/** What a boolean means, as a sentence for each value. */
export interface Meanings {
  readonly true: string;
  readonly false: string;
}

/** The description of a field with its default, where the schema can't state it. */
export const aboutWithDefault = ({
  about,
  initialText,
}: Pick<Field, 'about' | 'initialText'>): string =>
  initialText === undefined ? about : `${about} Default: ${initialText}.`;

/**
 * A list parameter. `equals`, `from` (at or after) and `to` (at or before) compare one field;
 * `search` finds the words of the value in any of the fields, and whole values in the keys, ignoring case (docs/decisions.md); a `rule` is
 * written by hand in the service.
 */
export type Filter = {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
  /** The meaning of each value of a boolean. */
  readonly meanings?: Meanings;
  /** Required: 422 without it. */
  readonly required?: true;
} & (
  | { readonly by: 'from' | 'to'; readonly field: string }
  | {
      readonly by: 'equals';
      readonly field: string;
      /** Spaces and hyphens don't count. */
      readonly lettersOnly?: true;
    }
  | {
      readonly by: 'search';
      readonly fields: readonly string[];
      /** Names of a record: a field, or several fields joined by a space. */
      readonly keys: readonly (readonly string[])[];
    }
  | {
      readonly by: 'rule';
      /** Whether a record of any server meets the value at a time; undefined where it doesn't carry the fields that tell. */
      readonly fits: (
        record: Readonly<Record<string, unknown>>,
        value: unknown,
        now: number,
      ) => boolean | undefined;
    }
);

/** Values that must be unique in a team: one field, or one field within another. Null never collides; records within null form one group. */
export interface Unique {
  readonly field: string;
  readonly within?: string;
  readonly ignoreCase?: true;
  /** Records with this value are ignored. */
  readonly unless?: { readonly field: string; readonly is: string };
}

/** The transitions of a status: for each value, the values that a PATCH may set. A create may give any of `first`. */
export interface Transitions {
  readonly field: string;
  readonly source: Source;
  /** Valid values in a create (default: all). */
  readonly first?: readonly string[];
  readonly to: Readonly<Record<string, readonly string[]>>;
}

/** The order of a list (default: most recently updated first). */
export interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** A header with a state of the service that the request expects. Elsewhere the request is refused, and nothing is stored. */
export interface Precondition {
  readonly header: string;
  readonly source: Source;
  readonly schema: z.ZodType<string>;
  readonly about: string;
}

export interface OperationRule {
  readonly source: Source;
  readonly scope: ScopeRule;
  /** The source of the scope, where it differs from the operation's: the specification may state a scope without showing its operation. */
  readonly scopeSource?: Source;
  readonly about: string;
  /** An additional scope for bodies with one of these fields. */
  readonly bodyScope?: {
    readonly fields: readonly string[];
    readonly scope: Scope;
  };
  /** Query parameters of an operation other than a list. */
  readonly query?: Readonly<
    Record<
      string,
      {
        readonly source: Source;
        readonly schema: z.ZodType;
        readonly about: string;
        /** The default. */
        readonly initial?: unknown;
      }
    >
  >;
  /** The preconditions that a request may have, by the name of their option in the client. */
  readonly preconditions?: Readonly<Record<string, Precondition>>;
  /** Error codes beyond those of every operation of its kind. */
  readonly problems?: readonly ProblemCode[];
  /** When a create answers 200 with an existing record. */
  readonly existing?: string;
  /** What a delete makes of the record that stays, `unless` this query parameter is true (default: nothing stays). */
  readonly leaves?: { readonly field: string; readonly is: unknown; readonly unless: string };
  /** A body limit above the common one, in bytes. */
  readonly bodyLimit?: number;
  /** It sends or fetches a file; such requests have their own rate limit. */
  readonly upload?: true;
}

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete' | 'content';

export interface Resource {
  /** The key of the resource in the contract, the client and the database. */
  readonly name: string;
  readonly singular: string;
  readonly plural: string;
  /** Path of the collection, with `{id}` for the parent's id; path of the record for a singleton. */
  readonly path: string;
  /** One record without an id, such as the caller's own team. */
  readonly singleton?: true;
  /** The parent in the path, and the field with its id. */
  readonly parent?: { readonly resource: string; readonly field: string };
  /** The record's own path parameter; `id` unless nested. */
  readonly param: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Who says what a record in an answer looks like, with teamId, createdAt and updatedAt (default: decision). */
  readonly recordSource?: Source;
  readonly filters?: Readonly<Record<string, Filter>>;
  /** A create must give at least one of these fields, to identify the record. */
  readonly atLeastOne?: readonly string[];
  readonly unique?: readonly Unique[];
  readonly transitions?: Transitions;
  readonly order?: Order;
  /** Not stored: a rule computes its lists from other records. */
  readonly computed?: true;
  readonly operations: { readonly [V in Verb]?: OperationRule };
}

type Fields = Readonly<Record<string, Field>>;
type Flat<T> = { [K in keyof T]: T[K] };
type Named<F extends Fields, K extends 'create' | 'update' | 'read', V> = {
  [N in keyof F]: F[N][K] extends V ? N : never;
}[keyof F];

/** A record in an answer. */
export type RecordOf<R extends { fields: Fields }> = {
  [N in Named<R['fields'], 'read', true>]: z.output<R['fields'][N]['schema']>;
};
/** A field's value in a body. */
type Given<F extends Field> = z.input<
  F extends { given: infer G extends z.ZodType } ? G : F['schema']
>;
/** The body of a create. */
export type CreateOf<R extends { fields: Fields }> = Flat<
  {
    [N in Named<R['fields'], 'create', 'required'>]: Given<R['fields'][N]>;
  } & {
    [N in Named<R['fields'], 'create', 'optional'>]?: Given<R['fields'][N]>;
  }
>;
/** The body of an update: an absent field stays unchanged, null clears it. */
export type UpdateOf<R extends { fields: Fields }> = {
  [N in Named<R['fields'], 'update', true>]?: Given<R['fields'][N]>;
};
/** The filters of a list, besides page, limit, updatedAfter and ids. */
export type FiltersOf<R extends Resource> = {
  [N in keyof NonNullable<R['filters']>]?: z.input<NonNullable<R['filters']>[N]['schema']>;
};

/**
 * Declares a resource with exact types. Getters are evaluated once, on first use: a command needs the schemas of a few resources, and
 * building all of them would take a third of its time.
 */
export function resource<const R extends Resource>(declaration: R): R {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(declaration))) {
    if (!get) continue;
    Object.defineProperty(declaration, name, {
      get() {
        const value = get.call(declaration);
        Object.defineProperty(declaration, name, { value });
        return value;
      },
    });
  }
  return declaration;
}
