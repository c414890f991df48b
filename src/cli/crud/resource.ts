/**
 * The plain commands of a resource (list, get, create, update, delete), derived from the contract.
 * Columns and examples come from the resource's hand-written view; what behaves in its own way is a command written by hand.
 */

import { contract, type ResourceName } from '../../contract/contract.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import type { Resource, Verb } from '../../contract/resource.ts';
import { Argument, type Command, suggestRecords } from '../framework/command.ts';
import type { Context } from '../framework/context.ts';
import type { Row, View } from '../output/view.ts';
import { describeForHelp } from './about.ts';
import { addDelete, addUpdate, type Deleting } from './change.ts';
import { addCreate } from './create.ts';
import { flagFields } from './fields.ts';
import { addGet } from './get.ts';
import { addList } from './list.ts';
import { parentsOf } from './operation.ts';
import { deletedView } from './view.ts';

export type CrudVerb = Exclude<Verb, 'content'>;

export interface CrudCommands {
  readonly resource: ResourceName;
  readonly view: View;
  /** Those to make of what the contract has, all unless stated; the others are written by hand. */
  readonly verbs?: readonly CrudVerb[];
  readonly more?: MoreFlags;
  readonly filters?: MoreFilters;
  readonly arrange?: Arrange;
  readonly deleting?: Deleting;
  /** What a `get` of one record tells beside it. */
  readonly beside?: NoteBeside;
  /** Where the contract's words are not for a command, or leave out which of two commands is meant for what. */
  readonly about?: { readonly [V in CrudVerb]?: string };
  readonly examples?: { readonly [V in CrudVerb]?: readonly string[] };
}

/** Flags of a create and an update for a field that no single flag can give, such as one that holds an object. */
export interface MoreFlags {
  readonly add: (command: Command) => void;
  /** The fields that the flags make, beside those in `body`. An update tells the `ids` of its records. May ask the person. */
  readonly read: (
    context: Context,
    given: {
      readonly options: Readonly<Record<string, unknown>>;
      readonly parents: readonly string[];
      readonly ids?: readonly string[];
      /** May be changed. */
      readonly body: Record<string, unknown>;
    },
  ) => Promise<Record<string, unknown>>;
}

/** Flags of a list that stand for filters of other names. */
export interface MoreFilters {
  readonly add: (command: Command) => void;
  readonly read: (context: Context, options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The field in whose order a stretch with two ends is shown, such as a day; all of it, unless a page is asked for. */
  readonly sortedBy?: (options: Readonly<Record<string, unknown>>) => string | undefined;
}

/** A list in columns that depend on its records: the view made for them, and the records as its fields have them. */
export type Arrange = (
  context: Context,
  list: { readonly parents: readonly string[]; readonly records: readonly Row[] },
) => Promise<{ readonly view: View; readonly records: readonly Row[] }>;

/** Tells a person more of a record that was shown. */
export type NoteBeside = (context: Context, record: Row) => Promise<void>;

/** What the commands of one resource share. */
export interface Plain {
  readonly name: ResourceName;
  readonly resource: Resource;
  readonly view: View;
  readonly operation: Operation;
  readonly more?: MoreFlags;
  readonly filters?: MoreFilters;
  readonly arrange?: Arrange;
  readonly deleting?: Deleting;
  readonly beside?: NoteBeside;
}

export function addCrudCommands(command: Command, plain: CrudCommands): void {
  const { resource: name, view, verbs, more, filters, arrange, deleting, beside, examples: lines = {} } = plain;
  const resource: Resource = contract[name];
  for (const operation of operationsOf(resource)) {
    const { verb } = operation;
    if (verb === 'content' || (verbs && !verbs.includes(verb))) continue;
    const about = describeForHelp(plain.about?.[verb] ?? operation.about, flagFields(operation.query ?? {}));
    const made = command
      .command(verb)
      .description(`${about}.`)
      .summary(about.split('. ', 1)[0] as string)
      .implementsOperation(operation.id);
    made.deferSetup(() => {
      for (const parent of parentsOf(resource))
        made.addArgument(suggestRecords(new Argument(`<${parent.name}>`, parent.about), parent.resource));
      made.declareOutput(printedBy(verb, plain));
      add[verb](made, { name, resource, view, operation, more, filters, arrange, deleting, beside });
      if (lines[verb]) made.examples(lines[verb]);
    });
  }
}

/** What can be known of the result before there is one. */
function printedBy(verb: CrudVerb, { view, arrange }: CrudCommands): View {
  if (verb === 'delete') return deletedView(view);
  return verb === 'list' && arrange ? { ...view, varies: true } : view;
}

export interface Group extends CrudCommands {
  /** The word: `spots`. */
  readonly noun: string;
  readonly alias: string;
  readonly summary: string;
}

/** A noun below another, with its plain commands. */
export function addGroup(command: Command, { noun, alias, summary, ...plain }: Group): Command {
  const group = command.command(noun).alias(alias).summary(summary).description(`${summary}.`);
  addCrudCommands(group, plain);
  group.examples(Object.values(plain.examples ?? {}).flatMap((lines) => lines.slice(0, 1)));
  return group;
}

const add: Record<CrudVerb, (command: Command, plain: Plain) => void> = {
  list: addList,
  get: addGet,
  create: addCreate,
  update: addUpdate,
  delete: addDelete,
};
