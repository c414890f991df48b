/**
 * The vocabulary in which the interface is declared. A resource is data: it can be printed, compared and sent.
 * What can be read off it (routes, validation, client methods, commands, the interface description) is derived;
 * behaviour is written by hand beside the face that has it.
 */
import type { z } from 'zod';
import { text, timestamp } from './fields.ts';
import type { ProblemCode } from './problems.ts';
import type { Scope, ScopeRule } from './scopes.ts';

/** Where a statement comes from: the specification, or our decision where it is silent. */
export type Source = 'specification' | 'decision';
export const S = 'specification';
export const D = 'decision';

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
  /** Whether a create must, may or must not give it. */
  readonly create: Create;
  /** Whether a PATCH may change it. */
  readonly update: Update;
  /** Whether a record shows it. */
  readonly read: Read;
  readonly about: string;
  /** What a create stores when the field is left out; `null` unless stated. */
  readonly initial?: unknown;
  /** The resource whose record the value must name: an unknown one is 404, like one in the path. */
  readonly references?: string;
}

interface More {
  references?: string;
  initial?: unknown;
}

/** Must be given, may be changed. */
export const required = <T extends z.ZodType>(source: Source, schema: T, about: string, more?: More): Field<T, 'required', true, true> => ({
  source,
  schema,
  about,
  create: 'required',
  update: true,
  read: true,
  ...more,
});
/** Must be given, never changes. */
export const fixed = <T extends z.ZodType>(source: Source, schema: T, about: string, more?: More): Field<T, 'required', false, true> => ({
  source,
  schema,
  about,
  create: 'required',
  update: false,
  read: true,
  ...more,
});
/** May be left out or null; may be changed and cleared. */
export const optional = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  more?: More,
): Field<z.ZodNullable<T>, 'optional', true, true> => ({
  source,
  schema: schema.nullable() as z.ZodNullable<T>,
  about,
  create: 'optional',
  update: true,
  read: true,
  ...more,
});
/** May be given on create, or null; never changes. */
export const once = <T extends z.ZodType>(
  source: Source,
  schema: T,
  about: string,
  more?: More,
): Field<z.ZodNullable<T>, 'optional', false, true> => ({
  source,
  schema: schema.nullable() as z.ZodNullable<T>,
  about,
  create: 'optional',
  update: false,
  read: true,
  ...more,
});
/** Has a value of its own when left out; never null. */
export const defaulted = <T extends z.ZodType>(
  source: Source,
  schema: T,
  initial: z.output<T>,
  about: string,
): Field<T, 'optional', true, true> => ({
  source,
  schema,
  about,
  initial,
  create: 'optional',
  update: true,
  read: true,
});
/** Set by the service. */
export const shown = <T extends z.ZodType>(source: Source, schema: T, about: string, more?: More): Field<T, 'never', false, true> => ({
  source,
  schema,
  about,
  create: 'never',
  update: false,
  read: true,
  ...more,
});
/** Part of a create, never kept or shown. */
export const sent = <T extends z.ZodType>(source: Source, schema: T, about: string): Field<z.ZodNullable<T>, 'optional', false, false> => ({
  source,
  schema: schema.nullable() as z.ZodNullable<T>,
  about,
  create: 'optional',
  update: false,
  read: false,
});
/** Empty at first, set by a PATCH. */
export const settled = <T extends z.ZodType>(source: Source, schema: T, about: string): Field<z.ZodNullable<T>, 'never', true, true> => ({
  source,
  schema: schema.nullable() as z.ZodNullable<T>,
  about,
  create: 'never',
  update: true,
  read: true,
});

/**
 * A list parameter. `equals`, `from` (at or after) and `to` (at or before) compare one field;
 * `search` finds the words of the value in any of the fields, whatever the case; `rule` is written by hand in the service.
 */
export type Filter = {
  readonly source: Source;
  readonly schema: z.ZodType;
  readonly about: string;
} & (
  | { readonly by: 'equals' | 'from' | 'to'; readonly field: string }
  | { readonly by: 'search'; readonly fields: readonly string[] }
  | { readonly by: 'rule' }
);

export const equals = <T extends z.ZodType>(source: Source, schema: T, field: string, about: string) =>
  ({ source, schema, by: 'equals', field, about }) as const;
export const from = (source: Source, field: string, about: string) => ({ source, schema: timestamp, by: 'from', field, about }) as const;
export const to = (source: Source, field: string, about: string) => ({ source, schema: timestamp, by: 'to', field, about }) as const;
export const search = (source: Source, fields: readonly string[], about: string) =>
  ({ source, schema: text(200), by: 'search', fields, about }) as const;
export const byRule = <T extends z.ZodType>(source: Source, schema: T, about: string) => ({ source, schema, by: 'rule', about }) as const;

/** Values that must differ between records of a team: one field, within another when stated. Nulls never collide. */
export interface Unique {
  readonly field: string;
  readonly within?: string;
  readonly ignoreCase?: true;
  /** Records with this value do not count. */
  readonly unless?: { readonly field: string; readonly is: string };
}

export interface OperationRule {
  readonly source: Source;
  readonly scope: ScopeRule;
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
      }
    >
  >;
  /** The codes it can answer with beyond those that every such operation can. */
  readonly problems?: readonly ProblemCode[];
  /** A body larger than the common limit: its size in bytes. */
  readonly bodyLimit?: number;
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
  readonly filters?: Readonly<Record<string, Filter>>;
  readonly unique?: readonly Unique[];
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
/** The body that makes a record. */
export type CreateOf<R extends { fields: Fields }> = Flat<
  {
    [N in Named<R['fields'], 'create', 'required'>]: z.input<R['fields'][N]['schema']>;
  } & {
    [N in Named<R['fields'], 'create', 'optional'>]?: z.input<R['fields'][N]['schema']>;
  }
>;
/** The body that changes a record: an absent field stays, a null clears. */
export type UpdateOf<R extends { fields: Fields }> = {
  [N in Named<R['fields'], 'update', true>]?: z.input<R['fields'][N]['schema']>;
};
/** The filters of a list, beside page, limit, updatedAfter and ids. */
export type FiltersOf<R extends Resource> = {
  [N in keyof NonNullable<R['filters']>]?: z.input<NonNullable<R['filters']>[N]['schema']>;
};

/** Declares a resource, keeping the exact types of its parts. */
export const resource = <const R extends Resource>(declaration: R): R => declaration;
