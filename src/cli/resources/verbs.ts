/**
 * Verbs beyond list, get, create, update and delete: they change records that are given by name, as
 * arguments or --ids.
 */

import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors/exit.ts';
import type { Command, Input } from '../framework/command.ts';
import { addIdsFlag, addWriteFlags } from '../framework/flags.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import type { Row, View } from '../output/view.ts';
import { echoInput } from '../terminal/run.ts';
import { stateWords } from '../terminal/text.ts';
import { recordsGiven, showRequests, writeRecords } from './batch.ts';
import { addRecordsArgument } from './get.ts';
import { labelRuleOf } from './labels.ts';
import { type LookupRequest, shortestUniqueRef } from './lookup.ts';
import { methodsOf } from './methods.ts';
import { operationFor, planned } from './operation.ts';

/** A verb such as `pause`. */
export interface RecordsVerb {
  readonly resource: ResourceName;
  readonly view: View;
  readonly name: string;
  readonly summary: string;
  /** More help text. */
  readonly more?: string;
  readonly examples: readonly string[];
  readonly flags?: (command: Command) => void;
  /** `checked in` */
  readonly pastTense: string;
  readonly prefer?: (now: Date) => LookupRequest['prefer'];
  /** Throws for a record that a name can't mean. */
  readonly require?: (context: Context) => LookupRequest['onFound'];
  /** The plan of the change; a dry run prints it and sends nothing. */
  readonly plan: (context: Context, given: Given) => Promise<Plan>;
}

interface Given {
  readonly ids: readonly string[];
  readonly single: string | undefined;
  readonly options: Input['options'];
}

interface Plan {
  readonly body: Row;
  /** Asks the person to confirm; throws without a yes. */
  readonly agree?: () => Promise<void>;
  readonly act: (id: string) => Promise<Row>;
  /** The words of the command that takes it back, of the changed record. */
  readonly undo?: (record: Row) => Promise<readonly string[]>;
}

export function addRecordsVerb(command: Command, verb: RecordsVerb): void {
  const { resource, view, summary, more, pastTense } = verb;
  const made = command
    .command(verb.name)
    .implementsOperation(`${resource}.update`)
    .declareOutput(view)
    .summary(summary)
    .description([`${summary}.`, more].filter(Boolean).join(' '));
  addIdsFlag(addRecordsArgument(made, { name: resource, resource: contract[resource] }));
  verb.flags?.(made);
  addWriteFlags(made);
  made.examples(verb.examples);

  made.handle(async (context, { args: [names], options, command: typed }) => {
    const { ids, single } = await recordsGiven(context, typed, {
      resource,
      within: [],
      names,
      ids: options.ids,
      prefer: verb.prefer?.(context.io.now()),
      onFound: verb.require?.(context),
    });
    const { body, agree, act, undo } = await verb.plan(context, { ids, single, options });
    if (options.dryRun) {
      const operation = operationFor(resource, 'update');
      return showRequests(
        context,
        ids.map((id) => planned(operation, [id], body)),
        single !== undefined,
      );
    }
    await agree?.();
    let changed: Row | undefined;
    await writeRecords(context, {
      view,
      ids,
      single,
      pastTense,
      async act(id) {
        changed = await act(id);
        return changed;
      },
    });
    if (undo && changed && single !== undefined && context.output.forPeople)
      context.note(`Undo: \`${nextCommand(await undo(changed), connectionFlags(context))}\``);
  });
}

/** A verb that takes records from one status to another, such as `approve`. */
export interface StatusVerb {
  readonly name: string;
  readonly to: string;
  /** The status that it starts from, where the interface allows more than the verb means. */
  readonly from?: string;
  /** The status that takes it back, for a verb that people use by mistake. */
  readonly back?: string;
  /** `checked in` */
  readonly pastTense: string;
  readonly about: string;
  readonly examples: readonly string[];
}

interface VerbTarget {
  readonly resource: ResourceName;
  readonly view: View;
  /** Preferred records among several with the same name, as in `LookupRequest.prefer`. */
  readonly prefer?: (verb: StatusVerb, now: Date) => readonly ((row: Row) => boolean)[];
}

export function addStatusVerb(
  command: Command,
  verb: StatusVerb,
  { resource, view, prefer }: VerbTarget,
): void {
  const { name, to, from, back, pastTense, about, examples } = verb;
  const body = { status: to };
  const update = [...command.path.split(' ').slice(1), 'update'];
  addRecordsVerb(command, {
    resource,
    view,
    name,
    pastTense,
    examples,
    summary: about,
    prefer: prefer && ((now) => prefer(verb, now)),
    require: (context) => (row) =>
      requireOpen(context, row, { ...verb, resource, one: view.one, update }),
    plan: async (context) => ({
      body,
      // A name may mean several records that are over.
      ...(back !== undefined && {
        async undo(record: Row) {
          const typed = echoInput(context.io, record.id);
          const ref =
            typed === record.id
              ? typed
              : await shortestUniqueRef(context, resource, record, { typed });
          return [...update, ref, '--status', back];
        },
      }),
      async act(id) {
        const methods = methodsOf(await context.client(), resource);
        if (from)
          requireState(context, await methods.get(id), { ...verb, from, one: view.one, update });
        return methods.update(id, body);
      },
    }),
  });
}

/**
 * A name means no record that is over, unless its status can change to the verb's: another server
 * may let every change pass.
 */
function requireOpen(
  context: Context,
  row: Row,
  { resource, ...requirement }: Omit<Requirement, 'from'> & { resource: ResourceName },
): void {
  const { transitions }: Resource = contract[resource];
  const { to } = requirement;
  const next = transitions?.to[row.status];
  if (
    next === undefined ||
    next.includes(to) ||
    row.status === to ||
    !labelRuleOf(resource)?.past?.(row)
  )
    return;
  throw notPossible(context, row, { ...requirement, why: '' });
}

interface Requirement extends Pick<StatusVerb, 'to' | 'pastTense'> {
  readonly from: string;
  /** Singular noun: `appointment`. */
  readonly one: string;
  /** The words of the update command. */
  readonly update: readonly string[];
}

/** Approving must not restore a cancelled record, though both end in the same status. */
function requireState(
  context: Context,
  { id, status }: Row,
  { to, from, pastTense, one, update }: Requirement,
): void {
  if (status === from || status === to) return;
  throw notPossible(
    context,
    { id, status },
    { to, pastTense, one, update, why: `, not ${stateWords(from)}` },
  );
}

function notPossible(
  context: Context,
  { id, status }: Row,
  { to, pastTense, one, update, why }: Omit<Requirement, 'from'> & { why: string },
): CliError {
  const ref = echoInput(context.io, id);
  const next = nextCommand([...update, ref, '--status', to], connectionFlags(context));
  return new CliError({
    code: 'invalid_transition',
    message: `The ${one} ${ref} is ${stateWords(status)}${why}, so it can't be ${pastTense}.`,
    hint: `\`${next}\` changes it anyway, where the server allows it`,
    details: { from: status },
  });
}
