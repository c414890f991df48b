/** A verb that changes records it is given by name, as arguments or --ids, such as `approve` and `pause`. */

import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Command, Input } from '../framework/command.ts';
import type { Context } from '../framework/context.ts';
import { addIdsFlag, addWriteFlags } from '../framework/flags.ts';
import type { Wanted } from '../lookup/lookup.ts';
import type { Row, View } from '../output/view.ts';
import { addRecordsArgument } from './get.ts';
import { operationFor, planned } from './operation.ts';
import { recordsGiven, showRequests, writeRecords } from './several.ts';

export interface RecordsVerb {
  readonly resource: ResourceName;
  readonly view: View;
  readonly name: string;
  readonly summary: string;
  /** What more the help says. */
  readonly more?: string;
  readonly examples: readonly string[];
  readonly flags?: (command: Command) => void;
  /** `checked in` */
  readonly did: string;
  readonly prefer?: (now: Date) => Wanted['prefer'];
  /** What is to be done, before anything is: told for a dry run as well, which sends nothing. */
  readonly plan: (context: Context, given: Given) => Promise<Plan>;
}

interface Given {
  readonly ids: readonly string[];
  readonly single: string | undefined;
  readonly options: Input['options'];
}

interface Plan {
  readonly body: Row;
  /** Asks the person, where that is needed: what was asked and not agreed to throws. */
  readonly agree?: () => Promise<void>;
  readonly act: (id: string) => Promise<Row>;
}

export function addRecordsVerb(command: Command, verb: RecordsVerb): void {
  const { resource, view, summary, more, did } = verb;
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
    const prefer = verb.prefer?.(context.io.now());
    const { ids, single } = await recordsGiven(context, typed, { resource, within: [], names, ids: options.ids, prefer });
    const { body, agree, act } = await verb.plan(context, { ids, single, options });
    if (options.dryRun) {
      const operation = operationFor(resource, 'update');
      return showRequests(
        context,
        ids.map((id) => planned(operation, [id], body)),
        single !== undefined,
      );
    }
    await agree?.();
    await writeRecords(context, { view, ids, single, did, act });
  });
}
