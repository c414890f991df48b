/** What the derived commands of a resource need beyond the contract. */

import type { ResourceName } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Resource, Verb } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Command } from '../framework/command.ts';
import type { Row, View } from '../output/view.ts';
import type { AskCreate } from './record-form.ts';

export type CrudVerb = Exclude<Verb, 'content'>;

export interface CrudCommands {
  readonly resource: ResourceName;
  readonly view: View;
  /** The verbs to derive (default: all of the contract). The others are written by hand. */
  readonly verbs?: readonly CrudVerb[];
  readonly more?: MoreFlags;
  readonly filters?: MoreFilters;
  readonly arrange?: Arrange;
  readonly deleting?: Deleting;
  readonly noteAfter?: NoteAfter;
  /** Loads the questions of `create` on a terminal (default: one for each required value). */
  readonly askCreate?: () => Promise<AskCreate>;
  /** The field that `create` takes as a range, such as A1..A40. */
  readonly range?: string;
  /**
   * Descriptions that replace those of the contract, where these don't fit a command or don't tell
   * two commands apart.
   */
  readonly about?: { readonly [V in CrudVerb]?: string };
  readonly examples?: { readonly [V in CrudVerb]?: readonly string[] };
}

/** Flags of create for a field that no single flag can give, such as an object. */
export interface MoreFlags {
  readonly add: (command: Command) => void;
  /** Returns the fields that the flags give. */
  readonly read: (
    context: Context,
    given: {
      readonly options: Readonly<Record<string, unknown>>;
      readonly parents: readonly string[];
      /** The fields so far. */
      readonly body: Record<string, unknown>;
    },
  ) => Promise<Record<string, unknown>>;
}

/** Flags of a list for filters with other names. */
export interface MoreFilters {
  readonly add: (command: Command) => void;
  readonly read: (
    context: Context,
    options: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /**
   * The field that orders a time range such as a day. All records of the range are read, unless a
   * page was asked for.
   */
  readonly sortedBy?: (options: Readonly<Record<string, unknown>>) => string | undefined;
  /**
   * Selects records by what the list has no filter for (default: all). The whole list is read, and
   * shown unless a page was asked for.
   */
  readonly keep?: (
    context: Context,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<((row: Row) => boolean) | undefined>;
}

/**
 * Builds the columns of a list from its records: the view, and the records in the shape that it
 * expects.
 */
export type Arrange = (
  context: Context,
  list: { readonly parents: readonly string[]; readonly records: readonly Row[] },
) => Promise<{ readonly view: View; readonly records: readonly Row[] }>;

/**
 * What a delete does, where its flags decide: `question` ends without its question mark,
 * `pastTense` says what was done.
 */
export type Deleting = (query: Readonly<Record<string, unknown>>) => {
  question: (what: string) => string;
  pastTense: string;
  /** What the answer leaves open: a warning about the deleted record, `title`. */
  warnAfter?: (title: string) => string;
};

/** Adds a note for a person after `get` printed a record. */
export type NoteAfter = (context: Context, record: Row) => Promise<void>;

/** What the derived commands of one resource share. */
export interface CrudResource {
  readonly name: ResourceName;
  readonly resource: Resource;
  readonly view: View;
  readonly operation: Operation;
  readonly more?: MoreFlags;
  readonly filters?: MoreFilters;
  readonly arrange?: Arrange;
  readonly deleting?: Deleting;
  readonly noteAfter?: NoteAfter;
  readonly askCreate?: () => Promise<AskCreate>;
  readonly range?: string;
}
