/** The `list` of a resource, derived from the contract. */
import type { Command } from 'commander';
import type { Filter, Resource } from '../../contract/resource.ts';
import { listParameters } from '../../contract/schemas.ts';
import type { On } from '../command.ts';
import { usage } from '../exit.ts';
import { addListFlags } from '../flags.ts';
import type { List } from '../render/output.ts';
import type { Row } from '../render/view.ts';
import { addFieldFlags, checkValues, type FlagField, flagFields, readValues } from './fields.ts';
import { gather, methodsOf } from './methods.ts';
import { idsOf } from './operation.ts';
import type { Plain } from './resource.ts';
import { idsGiven } from './several.ts';

/** Formats in which records stand in columns. */
const tabular: ReadonlySet<string> = new Set(['table', 'csv', 'tsv']);

export function addList(command: Command, on: On, { name, resource, view, filters: more, arrange }: Plain): void {
  const filters = filterFields(resource);
  addFieldFlags(command, filters);
  more?.add(command);
  addListFlags(command);
  command.action(
    on(async (context, { args, options }) => {
      const parents = await idsOf(
        context,
        name,
        args.filter((arg) => arg !== undefined),
      );
      if (options.all && options.page !== undefined) throw usage('--all and --page exclude each other.', 'leave one of them out');
      const { ids: _, ...paged } = listParameters;
      const paging = flagFields(paged);
      const query = { ...(await readValues(context, [...filters, ...paging], options, parents)), ...more?.read(context, options) };
      checkValues([...filters, ...paging], query);
      const ids =
        options.ids === undefined ? undefined : await idsGiven(context, { resource: name, within: parents, names: [], ids: options.ids });
      const show = async (list: Omit<List, 'view'>) => {
        if (!arrange || !tabular.has(context.output.format)) return context.output.list({ view, ...list });
        const records = Symbol.asyncIterator in list.records ? await gather(list.records) : list.records;
        return context.output.list({ ...list, ...(await arrange(context, { parents, records })) });
      };
      if (ids?.length === 0) return show({ records: [] });

      const methods = methodsOf(await context.client(), name);
      if (ids && ids.length > 200) return show({ records: inChunks(ids, (some) => methods.all(...parents, { ...query, ids: some })) });
      if (ids) query.ids = ids;
      // Who names records wants them all, not the first fifty of them.
      if (options.all || (ids && options.limit === undefined && options.page === undefined))
        return show({ records: methods.all(...parents, query) });
      const page = await methods.list(...parents, query);
      return show({ records: page.data, total: page.total, pastEnd: page.page > 1 });
    }),
  );
}

/** The filters of a list, as flags give them. */
export const filterFields = (resource: Resource): FlagField[] =>
  flagFields(
    Object.fromEntries(
      Object.entries(resource.filters ?? {}).map(([filter, about]) => [
        filter,
        { ...about, references: fieldOf(resource, filter, about)?.references },
      ]),
    ),
  );

async function* inChunks(ids: readonly string[], read: (ids: string[]) => AsyncIterable<Row>): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; start += 200) yield* read(ids.slice(start, start + 200));
}

/** The field that a filter is about; one by rule is named like it, or like one of several. */
const fieldOf = ({ fields }: Resource, name: string, filter: Filter) =>
  'field' in filter ? fields[filter.field] : (fields[name] ?? fields[`${name}s`]);
