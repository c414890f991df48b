/** The `get` of a resource, derived from the contract. */
import { Argument, type Command, suggestRecords } from '../framework/command.ts';
import { addIdsFlag } from '../framework/flags.ts';
import type { Row } from '../output/view.ts';
import { forEachRecord, recordsGiven } from './batch.ts';
import type { CrudResource } from './definition.ts';
import { methodsOf } from './methods.ts';
import { argumentOf, idsOf, parentsOf, referencesIn } from './operation.ts';

export function addGet(command: Command, { name, resource, view, noteAfter }: CrudResource): void {
  addIdsFlag(addRecordsArgument(command, { name, resource }));
  command.handle(async (context, { args, options, command: typed }) => {
    const parents = await idsOf(context, name, args.slice(0, parentsOf(resource).length));
    let found: Row | undefined;
    const { ids, single } = await recordsGiven(context, typed, {
      resource: name,
      within: parents,
      names: args.at(-1),
      ids: options.ids,
      onFound: (row) => {
        found = row;
      },
    });
    const methods = methodsOf(await context.client(), name);
    if (single !== undefined) {
      // A list has whole records (specification, section 8).
      const record = found ?? (await methods.get(...parents, single));
      await context.output.record(record, referencesIn(resource));
      return noteAfter?.(context, record);
    }
    await forEachRecord(context, {
      view,
      ids,
      pastTense: 'read',
      act: (id) => methods.get(...parents, id),
      asList: true,
    });
  });
}

/** The records as last argument; optional, since --ids can give them. */
export function addRecordsArgument(
  command: Command,
  { name, resource }: Pick<CrudResource, 'name' | 'resource'>,
): Command {
  const own = argumentOf(resource);
  return command.addArgument(
    suggestRecords(new Argument(`[${own.name}...]`, own.about), name, {
      within: resource.parent !== undefined,
    }),
  );
}
