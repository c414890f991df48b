/**
 * The list, get, create, update and delete commands of a resource, derived from the contract.
 * Columns and examples come from the resource's hand-written view; a command with its own behaviour
 * is written by hand.
 */

import { contract } from '../../contract/contract.ts';
import { operationsOf } from '../../contract/operations.ts';
import type { Resource } from '../../contract/resource.ts';
import { Argument, type Command, suggestRecords } from '../framework/command.ts';
import type { View } from '../output/view.ts';
import { addDelete, addUpdate } from './change.ts';
import { addCreate } from './create.ts';
import type { CrudCommands, CrudResource, CrudVerb } from './definition.ts';
import { describeForHelp, flagFields } from './fields.ts';
import { addGet } from './get.ts';
import { addList } from './list.ts';
import { parentsOf } from './operation.ts';
import { deletedView } from './view.ts';

export function addCrudCommands(command: Command, crud: CrudCommands): void {
  const {
    resource: name,
    view,
    verbs,
    more,
    filters,
    arrange,
    deleting,
    noteAfter,
    askCreate,
    range,
    examples = {},
  } = crud;
  const resource: Resource = contract[name];
  for (const operation of operationsOf(resource)) {
    const { verb } = operation;
    if (verb === 'content' || (verbs && !verbs.includes(verb))) continue;
    const about = describeForHelp(
      crud.about?.[verb] ?? operation.about,
      flagFields(operation.query ?? {}),
    );
    const made = command
      .command(verb)
      .description(`${about}.`)
      .summary(about.split('. ', 1)[0] as string)
      .implementsOperation(operation.id);
    made.deferSetup(() => {
      for (const parent of parentsOf(resource))
        made.addArgument(
          suggestRecords(new Argument(`<${parent.name}>`, parent.about), parent.resource),
        );
      made.declareOutput(outputOf(verb, crud));
      add[verb](made, {
        name,
        resource,
        view,
        operation,
        more,
        filters,
        arrange,
        deleting,
        noteAfter,
        askCreate,
        range,
      });
      const [first, ...others] = examples[verb] ?? [];
      if (first)
        made.examples([first, ...(others.length > 0 ? others : [`${first} ${variants[verb]}`])]);
    });
  }
}

/** The second example, where a command gives one. */
const variants: Readonly<Record<CrudVerb, string>> = {
  list: '-o csv',
  get: '--json',
  create: '--dry-run',
  update: '--dry-run',
  delete: '--dry-run',
};

/** The declared output, before there is a result. */
function outputOf(verb: CrudVerb, { view, arrange }: CrudCommands): View {
  if (verb === 'delete') return deletedView(view);
  return verb === 'list' && arrange ? { ...view, varies: true } : view;
}

export interface Group extends CrudCommands {
  /** The word: `spots`. */
  readonly noun: string;
  readonly alias: string;
  readonly summary: string;
}

/** A noun below another, such as `parking spots`, with its derived commands. */
export function addGroup(command: Command, { noun, alias, summary, ...crud }: Group): Command {
  const group = command.command(noun).alias(alias).summary(summary).description(`${summary}.`);
  addCrudCommands(group, crud);
  return group.examples(Object.values(crud.examples ?? {}).flatMap((lines) => lines.slice(0, 1)));
}

const add: Record<CrudVerb, (command: Command, crud: CrudResource) => void> = {
  list: addList,
  get: addGet,
  create: addCreate,
  update: addUpdate,
  delete: addDelete,
};
