/** The `update` and `delete` of a resource, derived from the contract. */

import { check } from '../../contract/check.ts';
import type { Resource } from '../../contract/resource.ts';
import { usage } from '../errors/exit.ts';
import type { Command, Input } from '../framework/command.ts';
import type { Context } from '../framework/context.ts';
import { addIdsFlag, addWriteFlags } from '../framework/flags.ts';
import { snapshotLabels } from '../lookup/find-labels.ts';
import { siteOf } from '../lookup/scope.ts';
import type { Row } from '../output/view.ts';
import { confirm, confirmByTyping } from '../prompts/confirm.ts';
import { joinList, pluralize } from '../terminal/text.ts';
import { recordsGiven, showRequests, writeRecords } from './batch.ts';
import { bodyOf, readOnlyFields } from './create.ts';
import type { CrudResource, Deleting } from './definition.ts';
import { addFieldFlags, checkBody, fieldNamed, flagFields, readValues, typedFor } from './fields.ts';
import { addRecordsArgument } from './get.ts';
import { methodsOf } from './methods.ts';
import { idsOf, parentsOf, planned } from './operation.ts';

export function addUpdate(command: Command, crud: CrudResource): void {
  const { name, resource, view, operation, more } = crud;
  const fields = flagFields(Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.update)));
  addFieldFlags(addIdsFlag(addRecordsArgument(command, crud)), fields, { marks: false });
  more?.add(command);
  command.option('--clear <fields>', 'fields to empty, separated by commas');
  addWriteFlags(command.option('--input <file|-|json>', 'changes as JSON; flags win over it'));
  command.handle(async (context, input) => {
    if (input.options.ids === '-' && input.options.input === '-')
      throw usage("--ids - and --input - can't be used together: both read stdin.", 'pass one of them in another way');
    const empty = fields.find((field) => typedFor(field, input.options) === '' && 'issues' in check(field.schema, ''));
    if (empty) throw usage(`${empty.flag} is empty.`, `to empty the field, write --clear ${empty.flag.slice(2)}`);
    const { parents, ids, single } = await targets(context, crud, input);
    const body = await bodyOf(context, fields, input, parents, () => siteOf(context, name, ids));
    for (const typed of String(input.options.clear ?? '')
      .split(',')
      .filter(Boolean)) {
      const field = fieldNamed(fields, typed.trim());
      if (body[field] !== undefined && body[field] !== null)
        throw usage(`--clear ${typed.trim()} and a value for it can't be used together.`, 'leave one of them out');
      body[field] = null;
    }
    Object.assign(body, await more?.read(context, { options: input.options, parents, ids, body }));
    if (Object.keys(body).length === 0) throw usage('No change given.', `give a field, such as ${fields[0]?.flag ?? '--input'}`);
    checkBody(operation, body, readOnlyFields(resource, 'update'));
    const requests = ids.map((id) => planned(operation, [...parents, id], body));
    await context.checkWrites(requests);
    if (input.options.dryRun) return showRequests(context, requests, single !== undefined);
    const methods = methodsOf(await context.client(), name);
    const unshown = new Set<string>();
    const act = async (id: string) => {
      const record = await methods.update(...parents, id, body);
      for (const field of fieldsLeftOut(body, record, resource)) unshown.add(field);
      return record;
    };
    await writeRecords(context, { view, ids, single, pastTense: 'updated', act });
    if (unshown.size > 0)
      context.warn(
        `The server's answer doesn't show ${joinList([...unshown])}. Nothing tells whether ${unshown.size === 1 ? 'it was' : 'they were'} stored.`,
      );
  });
}

/** The values that the answer to an update leaves empty: a server may drop a field that it doesn't know. */
const fieldsLeftOut = (body: Row, record: Row, { fields }: Resource): string[] =>
  Object.keys(body).filter((name) => fields[name]?.read && (body[name] ?? '') !== '' && (record[name] ?? undefined) === undefined);

const permanently: Deleting = () => ({ question: (what) => `Delete ${what}`, pastTense: 'deleted' });

export function addDelete(command: Command, crud: CrudResource): void {
  const { name, view, operation, deleting = permanently } = crud;
  const fields = flagFields(operation.query ?? {});
  addFieldFlags(addIdsFlag(addRecordsArgument(command, crud)), fields, { marks: false });
  addWriteFlags(command.option('--confirm <count>', 'number of records, confirmed without a prompt'));
  command.handle(async (context, input) => {
    const { parents, ids, single } = await targets(context, crud, input);
    const query = await readValues(context, fields, input.options, { parents });
    if (input.options.dryRun) {
      const search = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]));
      const requests = ids.map((id) => planned(operation, [...parents, id], undefined, search.size > 0 ? `?${search}` : ''));
      return showRequests(context, requests, single !== undefined);
    }
    const { question, pastTense } = deleting(query);
    const methods = methodsOf(await context.client(), name);
    const act = (id: string) => methods.delete(...parents, id, ...(fields.length > 0 ? [query] : []));
    const names = await snapshotLabels(context, { resource: name, within: parents, ids });
    if (single !== undefined) {
      const title = names.get(single) || (input.args.at(-1)?.[0] ?? single);
      if (input.options.confirm === undefined) await confirm(context, `${question(`${view.one} ${title}`)}?`);
      else await confirmByTyping(context, { message: question(view.one), expected: '1', given: input.options.confirm });
    } else if (ids.length > 0)
      await confirmByTyping(context, {
        message: question(pluralize(ids.length, view.one, view.many)),
        expected: String(ids.length),
        given: input.options.confirm,
      });
    const titled = { ...view, title: ({ id }: Row) => names.get(id) ?? '' };
    await writeRecords(context, { view: titled, ids, single, pastTense, act });
  });
}

async function targets(context: Context, { name, resource }: CrudResource, { args, options, command }: Input) {
  const parents = await idsOf(context, name, args.slice(0, parentsOf(resource).length));
  const given = { resource: name, within: parents, names: args.at(-1) ?? [], ids: options.ids };
  return { parents, ...(await recordsGiven(context, command, given)) };
}
