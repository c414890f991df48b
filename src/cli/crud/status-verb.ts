/** A verb that takes records from one state to another, such as `approve`. */

import type { ResourceName } from '../../contract/contract.ts';
import { CliError } from '../errors/exit.ts';
import type { Command } from '../framework/command.ts';
import type { Context } from '../framework/context.ts';
import { globalFlagsOf, nextCommand } from '../framework/next-command.ts';
import { echoInput } from '../lookup/typed.ts';
import type { Row, View } from '../output/view.ts';
import { stateWords } from '../terminal/text.ts';
import { methodsOf } from './methods.ts';
import { addRecordsVerb } from './records-verb.ts';

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

export function addStatusVerb(command: Command, verb: StatusVerb, { resource, view, prefer }: Of): void {
  const { name, to, from, did, about, examples } = verb;
  const body = { status: to };
  const update = [...command.path.split(' ').slice(1), 'update'];
  addRecordsVerb(command, {
    ...{ resource, view, name, did, examples, summary: about },
    prefer: prefer && ((now) => prefer(verb, now)),
    plan: async (context) => ({
      body,
      async act(id) {
        const methods = methodsOf(await context.client(), resource);
        if (from) requireState(context, await methods.get(id), { ...verb, from, one: view.one, update });
        return methods.update(id, body);
      },
    }),
  });
}

interface Requirement extends Pick<StatusVerb, 'to' | 'did'> {
  readonly from: string;
  /** What such a record is called, such as `appointment`. */
  readonly one: string;
  /** The words of the command that changes any field. */
  readonly update: readonly string[];
}

/** To approve is not to bring back what was cancelled, though both end in the same state. */
function requireState(context: Context, { id, status }: Row, { to, from, did, one, update }: Requirement): void {
  if (status === from || status === to) return;
  const called = echoInput(context.io, id);
  const next = nextCommand([...update, called, '--status', to], globalFlagsOf(context));
  throw new CliError({
    code: 'invalid_transition',
    message: `The ${one} ${called} is ${stateWords(status)}: only one that is ${stateWords(from)} can be ${did}.`,
    hint: `\`${next}\` changes it all the same, where that is allowed`,
    details: { from: status },
    exitCode: 7,
  });
}
