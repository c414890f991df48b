/** The `create` of a resource, derived from the contract. */

import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Command, Input } from '../framework/command.ts';
import { addCreateFlags } from '../framework/flags.ts';
import { readInput } from '../input/input.ts';
import type { Row } from '../output/view.ts';
import { flagOf } from '../terminal/text.ts';
import { askOneOf, askRequired } from './ask.ts';
import { forEachRecord, showRequests } from './batch.ts';
import type { CrudResource } from './definition.ts';
import {
  addFieldFlags,
  checkBody,
  checkValues,
  type FlagField,
  flagFields,
  readValues,
  typedFields,
} from './fields.ts';
import { methodsOf } from './methods.ts';
import { idsOf, planned } from './operation.ts';
import { namesInRange } from './range.ts';
import type { LookupScope } from './scope.ts';

export function addCreate(
  command: Command,
  { name, resource, view, operation, more, askCreate, range }: CrudResource,
): void {
  const given = Object.fromEntries(
    Object.entries(resource.fields).filter(([, field]) => field.create !== 'never'),
  );
  const fields = flagFields(given);
  addFieldFlags(command, fields, { marks: true });
  more?.add(command);
  addCreateFlags(command.option('--input <file|-|json>', 'the record as JSON; flags win over it'));
  command.handle(async (context, input) => {
    const parents = await idsOf(context, name, input.args);
    const body = await bodyOf(context, fields, input, parents);
    const options =
      input.options.idempotencyKey === undefined
        ? {}
        : { idempotencyKey: input.options.idempotencyKey };
    Object.assign(body, await more?.read(context, { options: input.options, parents, body }));
    const missing = () =>
      Object.keys(given).filter(
        (field) => given[field]?.create === 'required' && body[field] === undefined,
      );
    const isIncomplete =
      missing().length > 0 || resource.atLeastOne?.every((field) => body[field] === undefined);
    // With --yes the required values alone are asked for.
    const create = async (record: Record<string, unknown>, how: object = options) =>
      methodsOf(await context.client(), name).create(...parents, record, how);
    const rules = {
      readOnly: readOnlyFields(resource, 'create'),
      typed: typedFields(fields, input.options),
    };
    const check = (record: Record<string, unknown>) => checkBody(operation, record, rules);
    /** The names of a range. */
    const namesIn = (record: Record<string, unknown>) =>
      range && namesInRange(record[range], flagOf(range));
    namesIn(body);
    if (askCreate && isIncomplete && context.interactive && !context.settings.yes) {
      // Before the questions: they don't ask for what the flags give.
      checkValues(fields, body, rules.typed);
      let created: Row | undefined;
      const store = async (approved: Record<string, unknown>, idempotencyKey: string) => {
        // Those of a range are stored after the questions, each with its own result.
        if (namesIn(approved)) return;
        check(approved);
        created = await create(approved, { idempotencyKey, ...options });
      };
      const words = command.path.split(' ').slice(1);
      Object.assign(
        body,
        await (await askCreate())(context, body, {
          isDryRun: input.options.dryRun === true,
          words,
          store,
        }),
      );
      if (created) return context.output.written(view, created, 'created');
    }
    const needed = missing();
    await askRequired(context, { needed, fields, into: body, parents });
    await askOneOf(context, { needed: resource.atLeastOne ?? [], fields, into: body, parents });
    const names = namesIn(body);
    if (names && range) {
      const recordOf = (one: string) => ({ ...body, [range]: one });
      for (const one of names) check(recordOf(one));
      if (input.options.dryRun)
        return showRequests(
          context,
          names.map((one) => planned(operation, parents, recordOf(one))),
          false,
        );
      const { idempotencyKey: key } = input.options;
      return forEachRecord(context, {
        view,
        ids: names,
        pastTense: 'created',
        act: (one) =>
          create(recordOf(one), key === undefined ? {} : { idempotencyKey: `${key}-${one}` }),
        retryHint: () =>
          `fix what the errors name, then give the missing ones with ${flagOf(range)}`,
      });
    }
    check(body);
    if (input.options.dryRun) return context.output.request(planned(operation, parents, body));
    await context.output.written(view, await create(body), 'created');
  });
}

/** The body from --input and the flags; flags win. */
export async function bodyOf(
  context: Context,
  fields: readonly FlagField[],
  { options }: Pick<Input, 'options'>,
  parents: readonly string[],
  site?: LookupScope['site'],
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> =
    options.input === undefined ? {} : await readInput(context, options.input);
  const scope = { parents, locationId: input.locationId, site };
  return { ...input, ...(await readValues(context, fields, options, scope)) };
}

/** Fields that exist but can't be set here, so that the check doesn't call them unknown. */
export function readOnlyFields(resource: Resource, verb: 'create' | 'update'): ReadonlySet<string> {
  const own = Object.entries(resource.fields).filter(([, field]) =>
    verb === 'create' ? field.create === 'never' : !field.update,
  );
  return new Set(['id', 'teamId', 'createdAt', 'updatedAt', ...own.map(([field]) => field)]);
}
