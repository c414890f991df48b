/** The `list` of a resource, derived from the contract. */
import type { Command } from 'commander';
import type { ResourceName } from '../../contract/contract.ts';
import { listParameters } from '../../contract/schemas.ts';
import type { Context, On } from '../command.ts';
import { usage } from '../exit.ts';
import { addFieldFlags, checkValues, flagFields, readValues } from '../fields.ts';
import { addListFlags } from '../flags.ts';
import { readStdin } from '../io.ts';
import { methodsOf } from '../methods.ts';
import { resolveId } from '../names.ts';
import { idsOf } from '../operation.ts';
import type { Row } from '../render/view.ts';
import type { Plain } from './resource.ts';

export function addList(command: Command, on: On, { name, resource, view }: Plain): void {
  const filters = flagFields(
    Object.fromEntries(
      Object.entries(resource.filters ?? {}).map(([filter, about]) => [
        filter,
        { ...about, references: 'field' in about ? resource.fields[about.field]?.references : undefined },
      ]),
    ),
  );
  addFieldFlags(command, filters);
  addListFlags(command);
  command.action(
    on(async (context, { args, options }) => {
      const parents = await idsOf(
        context,
        name,
        args.filter((arg) => arg !== undefined),
      );
      if (options.all && options.page !== undefined) throw usage('--all and --page exclude each other.', 'leave one of them out');
      const paging = flagFields(listParameters);
      const query = await readValues(context, [...filters, ...paging], options);
      checkValues([...filters, ...paging], query);
      const ids = options.ids === undefined ? undefined : await idsGiven(context, name, parents, options.ids);
      if (ids?.length === 0) return context.output.list({ view, records: [] });

      const methods = methodsOf(await context.client(), name);
      if (ids && ids.length > 200)
        return context.output.list({ view, records: inChunks(ids, (some) => methods.all(...parents, { ...query, ids: some })) });
      if (ids) query.ids = ids;
      // Who names records wants them all, not the first fifty of them.
      if (options.all || (ids && options.limit === undefined && options.page === undefined))
        return context.output.list({ view, records: methods.all(...parents, query) });
      const page = await methods.list(...parents, query);
      return context.output.list({ view, records: page.data, total: page.total, pastEnd: page.page > 1 });
    }),
  );
}

async function idsGiven(context: Context, resource: ResourceName, within: string[], given: string): Promise<string[]> {
  const text = given === '-' ? await readStdin(context.io) : given;
  const names = text.split(given === '-' ? /[\s,]+/ : ',').map((name) => name.trim());
  const ids = await Promise.all(names.filter(Boolean).map((name) => resolveId(context, { resource, text: name, within })));
  // Nothing given must not become "everything"; an empty stdin is a list that happens to be empty.
  if (ids.length === 0 && given !== '-') throw usage('--ids is empty.', 'give ids separated by commas, or - to read them from stdin');
  return [...new Set(ids)];
}

async function* inChunks(ids: readonly string[], read: (ids: string[]) => AsyncIterable<Row>): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; start += 200) yield* read(ids.slice(start, start + 200));
}
