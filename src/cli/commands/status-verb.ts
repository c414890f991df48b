/** A verb that takes records from one state to another, such as `approve`. */
import type { Command } from 'commander';
import { contract, type ResourceName } from '../../contract/contract.ts';
import { examples, type On, performs } from '../command.ts';
import { CliError } from '../exit.ts';
import { addWriteFlags } from '../flags.ts';
import type { Row, View } from '../render/view.ts';
import { addRecordsArgument } from '../resources/get.ts';
import { methodsOf } from '../resources/methods.ts';
import { operationFor, planned } from '../resources/operation.ts';
import { addIdsFlag, forEachRecord, recordsGiven, showRequests } from '../resources/several.ts';

export interface StatusVerb {
  readonly name: string;
  readonly to: string;
  /** The one state that it is for, where the interface would allow more than the word says. */
  readonly from?: string;
  /** `checked in` */
  readonly did: string;
  readonly about: string;
  readonly examples: readonly string[];
}

interface Of {
  readonly resource: ResourceName;
  readonly view: View;
  /** Which of several of the same name are likelier meant, as `Wanted.prefer`. */
  readonly prefer?: (verb: StatusVerb, now: Date) => readonly ((row: Row) => boolean)[];
}

export function addStatusVerb(command: Command, on: On, verb: StatusVerb, { resource: name, view, prefer }: Of): void {
  const { to, from, did, about } = verb;
  const made = performs(command.command(verb.name), `${name}.update`).summary(about).description(`${about}.`);
  addRecordsArgument(made, { name, resource: contract[name] });
  addWriteFlags(addIdsFlag(made));
  examples(made, verb.examples);
  const body = { status: to };

  made.action(
    on(async (context, { args, options, command: typed }) => {
      const { ids, single } = await recordsGiven(context, typed, {
        resource: name,
        within: [],
        names: args[0],
        ids: options.ids,
        prefer: prefer?.(verb, context.io.now()),
      });
      const operation = operationFor(name, 'update');
      if (options.dryRun)
        return showRequests(
          context,
          ids.map((id) => planned(operation, [id], body)),
          single !== undefined,
        );
      const methods = methodsOf(await context.client(), name);
      const act = async (id: string) => {
        if (from) requireState(await methods.get(id), { ...verb, from }, view);
        return methods.update(id, body);
      };
      if (single !== undefined) return context.output.written(view, await act(single), did);
      await forEachRecord(context, { view, ids, did, act });
    }),
  );
}

/** To approve is not to bring back what was cancelled, though both end in the same state. */
function requireState({ id, status }: Row, { to, from, did }: StatusVerb & { from: string }, { one, many }: View): void {
  if (status === from || status === to) return;
  throw new CliError({
    code: 'invalid_transition',
    message: `The ${one} ${id} is ${words(status)}: only one that is ${words(from)} can be ${did}.`,
    hint: `\`cs ${many} update ${id} --status ${to}\` changes it all the same, where that is allowed`,
    details: { from: status },
    exitCode: 7,
  });
}

const words = (state: unknown): string => String(state).replaceAll('_', ' ');
