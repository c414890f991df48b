/** The `update` and `delete` of a resource, derived from the contract. */
import type { Command } from 'commander';
import type { Context, On } from '../command.ts';
import { usage } from '../exit.ts';
import { addWriteFlags } from '../flags.ts';
import { confirm, confirmBy } from '../question.ts';
import { counted } from '../text.ts';
import { bodyOf, readOnlyFields } from './create.ts';
import { addFieldFlags, checkBody, fieldNamed, flagFields, readValues } from './fields.ts';
import { addRecordsArgument } from './get.ts';
import { methodsOf } from './methods.ts';
import { idsOf, parentsOf, planned } from './operation.ts';
import type { Plain } from './resource.ts';
import { addIdsFlag, forEachRecord, recordsGiven, showRequests } from './several.ts';

export function addUpdate(command: Command, on: On, plain: Plain): void {
  const { name, resource, view, operation, more } = plain;
  const fields = flagFields(Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.update)));
  addFieldFlags(addIdsFlag(addRecordsArgument(command, plain)), fields);
  more?.add(command);
  command.option('--clear <fields>', 'empty these fields, separated by commas');
  addWriteFlags(command.option('--input <json|@file|->', 'changes as JSON; flags win over it'));
  command.action(
    on(async (context, input) => {
      if (input.options.ids === '-' && input.options.input === '-')
        throw usage('--ids - and --input - both read stdin.', 'give one of them another way');
      const { parents, ids, single } = await targets(context, plain, input);
      const body = await bodyOf(context, fields, input, parents);
      const cleared = String(input.options.clear ?? '').split(',');
      for (const field of cleared.filter(Boolean)) body[fieldNamed(fields, field.trim())] = null;
      Object.assign(body, await more?.read(context, { options: input.options, parents, ids, body }));
      if (Object.keys(body).length === 0)
        throw usage('Nothing to change was given.', `give a field, such as ${fields[0]?.flag ?? '--input'}`);
      checkBody(operation, body, readOnlyFields(resource, 'update'));
      if (input.options.dryRun)
        return showRequests(
          context,
          ids.map((id) => planned(operation, [...parents, id], body)),
          single !== undefined,
        );
      const methods = methodsOf(await context.client(), name);
      const act = (id: string) => methods.update(...parents, id, body);
      if (single !== undefined) return context.output.written(view, await act(single), 'updated');
      await forEachRecord(context, { view, ids, did: 'updated', act });
    }),
  );
}

export function addDelete(command: Command, on: On, plain: Plain): void {
  const { name, view, operation } = plain;
  const fields = flagFields(operation.query ?? {});
  addFieldFlags(addIdsFlag(addRecordsArgument(command, plain)), fields);
  addWriteFlags(command.option('--confirm <count>', 'how many are to be deleted, instead of being asked'));
  command.action(
    on(async (context, input) => {
      const { parents, ids, single } = await targets(context, plain, input);
      const query = await readValues(context, fields, input.options, parents);
      if (input.options.dryRun) {
        const search = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]));
        const requests = ids.map((id) => planned(operation, [...parents, id], undefined, search.size > 0 ? `?${search}` : ''));
        return showRequests(context, requests, single !== undefined);
      }
      const methods = methodsOf(await context.client(), name);
      const act = (id: string) => methods.delete(...parents, id, ...(fields.length > 0 ? [query] : []));
      if (single !== undefined) {
        // The name that was typed says more than an id.
        if (input.options.confirm === undefined) await confirm(context, `Delete ${view.one} ${input.args.at(-1)?.[0] ?? single}?`);
        else await confirmBy(context, { message: `Delete ${view.one}`, expected: '1', given: input.options.confirm });
        return context.output.written(view, await act(single), 'deleted');
      }
      if (ids.length > 0)
        await confirmBy(context, {
          message: `Delete ${counted(ids.length, view.one, view.many)}`,
          expected: String(ids.length),
          given: input.options.confirm,
        });
      await forEachRecord(context, { view, ids, did: 'deleted', act });
    }),
  );
}

async function targets(context: Context, { name, resource }: Plain, { args, options, command }: Parameters<Parameters<On>[0]>[1]) {
  const parents = await idsOf(context, name, args.slice(0, parentsOf(resource).length));
  const given = { resource: name, within: parents, names: args.at(-1) ?? [], ids: options.ids };
  return { parents, ...(await recordsGiven(context, command, given)) };
}
