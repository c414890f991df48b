/** The `update` and `delete` of a resource, derived from the contract. */

import { check } from '../../contract/check.ts';
import type { Field, Resource } from '../../contract/resource.ts';
import { choicesOf } from '../../contract/schemas.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors/exit.ts';
import type { Command, Input } from '../framework/command.ts';
import { addIdsFlag, addWriteFlags } from '../framework/flags.ts';
import { listIn } from '../input/list.ts';
import type { Row } from '../output/view.ts';
import { confirm, confirmByTyping } from '../prompts/confirm.ts';
import { echoInput } from '../terminal/run.ts';
import { pluralize } from '../terminal/text.ts';
import { recordsGiven, showRequests, writeRecords } from './batch.ts';
import { bodyOf, readOnlyFields } from './create.ts';
import type { CrudResource, Deleting } from './definition.ts';
import {
  addFieldFlags,
  checkBody,
  fieldNamed,
  flagFields,
  readValues,
  typedFields,
  typedFor,
} from './fields.ts';
import { snapshotLabels } from './find-labels.ts';
import { addRecordsArgument } from './get.ts';
import { methodsOf } from './methods.ts';
import { idsOf, parentsOf, planned } from './operation.ts';
import { requireParents } from './require-parents.ts';
import { siteOf } from './scope.ts';

export function addUpdate(command: Command, crud: CrudResource): void {
  const { name, resource, view, operation } = crud;
  const fields = flagFields(
    Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.update)),
  );
  addFieldFlags(addIdsFlag(addRecordsArgument(command, crud)), fields, { marks: false });
  command.option('--clear <fields>', 'fields to empty, separated by commas');
  addWriteFlags(command.option('--input <file|-|json>', 'changes as JSON; flags win over it'));
  command.handle(async (context, input) => {
    if (input.options.ids === '-' && input.options.input === '-')
      throw usage(
        "--ids - and --input - can't be used together: both read stdin.",
        'pass one of them in another way',
      );
    const empty = fields.find(
      (field) => typedFor(field, input.options) === '' && 'issues' in check(field.schema, ''),
    );
    if (empty)
      throw usage(
        `${empty.flag} is empty.`,
        `to empty the field, write --clear ${empty.flag.slice(2)}`,
      );
    const cleared = listIn(input.options.clear ?? '').map((typed) => ({
      typed,
      name: fieldNamed(fields, typed),
    }));
    for (const one of cleared) refuseToClear(one, resource);
    const refuseValue = (has: (name: string) => boolean) => {
      const both = cleared.find((one) => has(one.name));
      if (both)
        throw usage(
          `--clear ${both.typed} and a value for it can't be used together.`,
          'leave one of them out',
        );
    };
    // Flags contradict each other whatever the server has.
    refuseValue((cleared) =>
      fields.some(
        (field) => field.name === cleared && typedFor(field, input.options) !== undefined,
      ),
    );
    const { parents, ids, single } = await targets(context, crud, input);
    const body = await bodyOf(context, fields, input, parents, () => siteOf(context, name, ids));
    refuseValue((cleared) => body[cleared] !== undefined && body[cleared] !== null);
    for (const one of cleared) body[one.name] = null;
    if (Object.keys(body).length === 0)
      throw usage('No change given.', `give a field, such as ${fields[0]?.flag ?? '--input'}`);
    checkBody(operation, body, {
      readOnly: readOnlyFields(resource, 'update'),
      typed: typedFields(fields, input.options),
    });
    const requests = ids.map((id) => planned(operation, [...parents, id], body));
    await context.checkWrites(requests);
    if (input.options.dryRun) return showRequests(context, requests, single !== undefined);
    const methods = methodsOf(await context.client(), name);
    await requireParents(methods, resource, { parents, ids });
    const act = (id: string) => methods.update(...parents, id, body);
    await writeRecords(context, { view, ids, single, pastTense: 'updated', act });
  });
}

interface Cleared {
  readonly typed: string;
  readonly name: string;
}

/** Exit 2 for a field that no record has, or that has a value in every record. */
function refuseToClear({ typed, name }: Cleared, { fields }: Resource): void {
  // The server decides about words of its own.
  const accepts = ({ schema, source }: Field) =>
    !('issues' in check(schema, null)) || (source === 'decision' && choicesOf(schema));
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field?.update && accepts(field)) return;
  const known = Object.entries(fields).filter(
    ([, one]) => one.update && !('issues' in check(one.schema, null)),
  );
  const valid = known.map(([field]) => field).join(', ');
  throw usage(
    `"${typed}" (--clear) isn't a field that can be empty.`,
    valid ? `valid: ${valid}` : 'every field has a value',
  );
}

const permanently: Deleting = () => ({
  question: (what) => `Delete ${what}`,
  pastTense: 'deleted',
});

export function addDelete(command: Command, crud: CrudResource): void {
  const { name, resource, view, operation, deleting = permanently } = crud;
  const fields = flagFields(operation.query ?? {});
  addFieldFlags(addIdsFlag(addRecordsArgument(command, crud)), fields, { marks: false });
  addWriteFlags(
    command.option('--confirm <count>', 'number of records, confirmed without a prompt'),
  );
  command.handle(async (context, input) => {
    const { parents, ids, single } = await targets(context, crud, input);
    const query = await readValues(context, fields, input.options, { parents });
    if (input.options.dryRun) {
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const requests = ids.map((id) =>
        planned(operation, [...parents, id], undefined, search.size > 0 ? `?${search}` : ''),
      );
      return showRequests(context, requests, single !== undefined);
    }
    const { question, pastTense, warnAfter } = deleting(query);
    const methods = methodsOf(await context.client(), name);
    const act = async (id: string) => {
      const answer = await methods.delete(...parents, id, ...(fields.length > 0 ? [query] : []));
      if (warnAfter) context.warn(warnAfter(names.get(id) || echoInput(context.io, id)));
      return answer;
    };
    const names = await snapshotLabels(context, { resource: name, within: parents, ids });
    if (single !== undefined) {
      const title = names.get(single) || (input.args.at(-1)?.[0] ?? single);
      if (input.options.confirm === undefined)
        await confirm(context, `${question(`${view.one} ${title}`)}?`);
      else
        await confirmByTyping(context, {
          message: question(view.one),
          expected: '1',
          given: input.options.confirm,
        });
    } else if (ids.length > 0)
      await confirmByTyping(context, {
        message: question(pluralize(ids.length, view.one, view.many)),
        expected: String(ids.length),
        given: input.options.confirm,
      });
    await requireParents(methods, resource, { parents, ids });
    const titled = { ...view, title: ({ id }: Row) => names.get(id) ?? '' };
    await writeRecords(context, { view: titled, ids, single, pastTense, act });
  });
}

async function targets(
  context: Context,
  { name, resource }: CrudResource,
  { args, options, command }: Pick<Input, 'args' | 'options' | 'command'>,
) {
  const parents = await idsOf(context, name, args.slice(0, parentsOf(resource).length));
  const given = {
    resource: name,
    within: parents,
    names: args.at(-1) ?? [],
    ids: options.ids,
  };
  return { parents, ...(await recordsGiven(context, command, given)) };
}
