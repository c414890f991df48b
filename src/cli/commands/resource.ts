/**
 * The plain commands of a resource (list, get, create, update, delete), derived from the contract.
 * Words and columns come from the resource's hand-written view; what behaves in its own way is a command written by hand.
 */
import type { Command } from 'commander';
import type { ResourceName } from '../../contract/contract.ts';
import { contract } from '../../contract/contract.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import type { Resource, Verb } from '../../contract/resource.ts';
import { type Context, examples, type Input, type On } from '../command.ts';
import { usage } from '../exit.ts';
import { addFieldFlags, checkBody, choicesOf, type FlagField, flagFields, readValue, readValues } from '../fields.ts';
import { addCreateFlags, addWriteFlags } from '../flags.ts';
import { readInput } from '../input.ts';
import { methodsOf } from '../methods.ts';
import { argumentOf, idsOf, parentsOf, planned, referencesIn } from '../operation.ts';
import { askChoice, askText, confirm, missing } from '../question.ts';
import type { View } from '../render/view.ts';
import { flagOf, words } from '../text.ts';
import { addList } from './resource-list.ts';

type PlainVerb = Exclude<Verb, 'content'>;

export interface PlainCommands {
  readonly resource: ResourceName;
  readonly view: View;
  /** Those to make of what the contract has; the others are written by hand, or not at all. */
  readonly verbs: readonly PlainVerb[];
  readonly examples?: { readonly [V in PlainVerb]?: string[] };
}

/** What the commands of one resource share. */
export interface Plain {
  readonly name: ResourceName;
  readonly resource: Resource;
  readonly view: View;
  readonly operation: Operation;
}

export function addPlainCommands(command: Command, on: On, { resource: name, view, verbs, examples: lines = {} }: PlainCommands): void {
  const resource: Resource = contract[name];
  for (const operation of operationsOf(resource)) {
    const verb = operation.verb as PlainVerb;
    if (!verbs.includes(verb)) continue;
    const made = command.command(verb).description(operation.about).summary(operation.about.replace(/\.$/, ''));
    for (const param of parentsOf(resource)) made.argument(`<${param.name}>`, param.about);
    add[verb](made, on, { name, resource, view, operation });
    if (lines[verb]) examples(made, lines[verb]);
  }
}

const add: Record<PlainVerb, (command: Command, on: On, plain: Plain) => void> = {
  list: addList,
  get: addGet,
  create: addCreate,
  update: addUpdate,
  delete: addDelete,
};

function addGet(command: Command, on: On, { name, resource }: Plain): void {
  const own = argumentOf(resource);
  command.argument(`<${own.name}>`, own.about);
  command.action(
    on(async (context, { args }) => {
      const ids = await idsOf(context, name, args);
      await context.output.record(await methodsOf(await context.client(), name).get(...ids), referencesIn(resource));
    }),
  );
}

function addCreate(command: Command, on: On, plain: Plain): void {
  const { name, resource, view, operation } = plain;
  const given = Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.create !== 'never'));
  const fields = flagFields(given);
  addFieldFlags(command, fields);
  addCreateFlags(command.option('--input <json|@file|->', 'the record as JSON; flags win over it'));
  command.action(
    on(async (context, input) => {
      const parents = await idsOf(context, name, input.args);
      const body = await bodyOf(context, fields, input);
      await askRequired(
        context,
        fields.filter((field) => given[field.name]?.create === 'required' && body[field.name] === undefined),
        body,
      );
      checkBody(operation, body, readOnlyFields(resource, 'create'));
      if (input.options.dryRun) return context.output.request(planned(operation, parents, body));
      const options = input.options.idempotencyKey === undefined ? {} : { idempotencyKey: input.options.idempotencyKey };
      await context.output.written(view, await methodsOf(await context.client(), name).create(...parents, body, options), 'created');
    }),
  );
}

function addUpdate(command: Command, on: On, { name, resource, view, operation }: Plain): void {
  const own = argumentOf(resource);
  command.argument(`<${own.name}>`, own.about);
  const fields = flagFields(Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.update)));
  addFieldFlags(command, fields);
  command.option('--clear <fields>', 'empty these fields, separated by commas');
  addWriteFlags(command.option('--input <json|@file|->', 'changes as JSON; flags win over it'));
  command.action(
    on(async (context, input) => {
      const ids = await idsOf(context, name, input.args);
      const body = await bodyOf(context, fields, input);
      for (const field of String(input.options.clear ?? '')
        .split(',')
        .filter(Boolean))
        body[camel(field.trim())] = null;
      if (Object.keys(body).length === 0)
        throw usage('Nothing to change was given.', `give a field, such as ${fields[0] ? flagOf(fields[0].name) : '--input'}`);
      checkBody(operation, body, readOnlyFields(resource, 'update'));
      if (input.options.dryRun) return context.output.request(planned(operation, ids, body));
      await context.output.written(view, await methodsOf(await context.client(), name).update(...ids, body), 'updated');
    }),
  );
}

function addDelete(command: Command, on: On, { name, resource, view, operation }: Plain): void {
  const own = argumentOf(resource);
  command.argument(`<${own.name}>`, own.about);
  const fields = flagFields(operation.query ?? {});
  addFieldFlags(command, fields);
  addWriteFlags(command);
  command.action(
    on(async (context, { args, options }) => {
      const ids = await idsOf(context, name, args);
      const query = await readValues(context, fields, options);
      if (options.dryRun) {
        const search = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]));
        return context.output.request(planned(operation, ids, undefined, search.size > 0 ? `?${search}` : ''));
      }
      await confirm(context, `Delete ${view.one} ${args.at(-1)}?`);
      const methods = methodsOf(await context.client(), name);
      await context.output.written(view, await (fields.length > 0 ? methods.delete(...ids, query) : methods.delete(...ids)), 'deleted');
    }),
  );
}

async function bodyOf(context: Context, fields: readonly FlagField[], { options }: Input): Promise<Record<string, unknown>> {
  const input = options.input === undefined || options.input === false ? {} : await readInput(context.io, options.input);
  return { ...input, ...(await readValues(context, fields, options)) };
}

/** Asks for what a create needs; without a terminal every missing flag is named. */
async function askRequired(context: Context, fields: readonly FlagField[], body: Record<string, unknown>): Promise<void> {
  if (fields.length > 0 && !context.interactive) throw missing(fields.map(({ name }) => flagOf(name)));
  for (const field of fields) {
    const message = words(field.name).replace(/ ID$/, '');
    const choices = choicesOf(field.schema);
    const typed = choices
      ? await askChoice(
          context,
          message,
          choices.map((value) => ({ name: value, value })),
        )
      : await askText(context, { flag: flagOf(field.name), message });
    body[field.name] = await readValue(context, field, typed);
  }
}

/** Fields that exist but cannot be given here, so that they are not called unknown. */
function readOnlyFields(resource: Resource, verb: 'create' | 'update'): ReadonlySet<string> {
  const own = Object.entries(resource.fields).filter(([, field]) => (verb === 'create' ? field.create === 'never' : !field.update));
  return new Set(['id', 'teamId', 'createdAt', 'updatedAt', ...own.map(([field]) => field)]);
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
