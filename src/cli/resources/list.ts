/** The `list` of a resource, derived from the contract. */

import type { Filter, Resource } from '../../contract/resource.ts';
import { listParameters } from '../../contract/schemas.ts';
import { byName } from '../../facility/natural.ts';
import { usage } from '../errors/exit.ts';
import type { Command } from '../framework/command.ts';
import { addListFlags } from '../framework/flags.ts';
import { hasColumns } from '../output/formats.ts';
import type { List } from '../output/output.ts';
import type { Row } from '../output/view.ts';
import { missingInput } from '../prompts/prompts.ts';
import { askRequired } from './ask.ts';
import { idsGiven } from './batch.ts';
import type { CrudResource } from './definition.ts';
import {
  addFieldFlags,
  checkValues,
  type FlagField,
  flagFields,
  readValues,
  typedFor,
} from './fields.ts';
import { labelRuleOf } from './labels.ts';
import { gather, idsAtOnce, methodsOf, readByIds } from './methods.ts';
import { idsOf } from './operation.ts';

export function addList(
  command: Command,
  { name, resource, view, filters: more, arrange }: CrudResource,
): void {
  const filters = filterFields(resource);
  addFieldFlags(command, filters, { marks: true });
  more?.add(command);
  addListFlags(command);
  command.handle(async (context, { args, options }) => {
    const empty = filters.find((field) => typedFor(field, options) === '');
    if (empty) throw usage(`${empty.flag} is empty.`, 'leave it out, or give a value');
    const needed = filters.filter(
      (field) => resource.filters?.[field.name]?.required && typedFor(field, options) === undefined,
    );
    // Refused before the first request.
    if (!context.interactive && needed.length > 0)
      throw missingInput(needed.map(({ flag }) => flag));
    const parents = await idsOf(
      context,
      name,
      args.filter((arg) => arg !== undefined),
    );
    const { ids: _, ...others } = listParameters;
    const paging = flagFields(others);
    const query = {
      ...(await readValues(context, [...filters, ...paging], options, { parents })),
      ...more?.read(context, options),
    };
    await askRequired(context, {
      needed: needed.map((field) => field.name),
      fields: filters,
      into: query,
      parents,
    });
    checkValues([...filters, ...paging], query);
    const ids =
      options.ids === undefined
        ? undefined
        : await idsGiven(context, { resource: name, within: parents, names: [], ids: options.ids });
    const paged = !options.all && (options.limit !== undefined || options.page !== undefined);
    const sortedBy = more?.sortedBy?.(options);
    const filtered = filters.some(
      (field) =>
        query[field.name] !== undefined && resource.filters?.[field.name]?.required !== true,
    );
    const isByName = labelRuleOf(name)?.byName === true && context.output.forPeople;
    const show = async (found: Omit<List, 'view'>) => {
      const list =
        sortedBy === undefined
          ? isByName
            ? { ...found, records: (await inMemory(found.records)).toSorted(byName) }
            : found
          : pageOf(inOrderOf(sortedBy, await inMemory(found.records)), query, paged);
      if (!arrange || !hasColumns(context.output.format))
        return context.output.list({ view, filtered, ...list });
      return context.output.list({
        ...list,
        ...(await arrange(context, { parents, records: await inMemory(list.records) })),
      });
    };
    if (ids?.length === 0) return show({ records: [] });

    const methods = methodsOf(await context.client(), name);
    const manyIds = ids && ids.length > idsAtOnce ? ids : undefined;
    if (ids && !manyIds) query.ids = ids;
    const keep = await more?.keep?.(context, options);
    if (manyIds || keep) {
      const every = (some = {}) => methods.all(...parents, { ...withoutPaging(query), ...some });
      const records = manyIds ? readByIds(manyIds, every) : every();
      if (!keep) return show({ records });
      const kept = keptOf(records, keep);
      return show({
        ...(paged ? pageOf(await gather(kept), query, paged) : { records: kept }),
        filtered: true,
      });
    }
    if (sortedBy !== undefined)
      return show({ records: methods.all(...parents, withoutPaging(query)) });
    // A list by ids means all of them, and a jq program must not count or pick from one page.
    const whole = ids !== undefined || context.settings.jq !== undefined;
    if (options.all || (whole && !paged)) return show({ records: methods.all(...parents, query) });
    const page = await methods.list(...parents, query);
    return show({
      records: page.data,
      total: page.total,
      pastEnd: page.page > 1,
    });
  });
}

/** The filters of a list as flags. */
export const filterFields = (resource: Resource): FlagField[] =>
  flagFields(
    Object.fromEntries(
      Object.entries(resource.filters ?? {}).map(([filter, about]) => [
        filter,
        // Where the specification names a filter, its values may still be those of a field that it
        // leaves open.
        {
          ...about,
          source: fieldOf(resource, filter, about)?.source ?? about.source,
          references: fieldOf(resource, filter, about)?.references,
        },
      ]),
    ),
  );

async function* keptOf(
  records: AsyncIterable<Row>,
  keep: (row: Row) => boolean,
): AsyncGenerator<Row, void> {
  for await (const row of records) if (keep(row)) yield row;
}

const withoutPaging = ({ limit: _limit, page: _page, ...wanted }: Row): Row => wanted;

async function inMemory(records: List['records']): Promise<readonly Row[]> {
  if ('pages' in records) return (await gather(records.pages())).flat();
  return Symbol.asyncIterator in records ? gather(records) : records;
}

/** A page of records in memory, since their order isn't the server's. */
function pageOf(all: readonly Row[], { limit, page }: Row, paged: boolean): Omit<List, 'view'> {
  if (!paged) return { records: all };
  const size = limit ?? listParameters.limit.initial;
  const from = ((page ?? 1) - 1) * size;
  return { records: all.slice(from, from + size), total: all.length, pastEnd: from >= all.length };
}

const inOrderOf = (field: string, records: readonly Row[]): Row[] =>
  records.toSorted((a, b) =>
    a[field] === b[field] ? 0 : String(a[field]) < String(b[field]) ? -1 : 1,
  );

/** The field of a filter. A filter by rule has the field's name, or its singular. */
const fieldOf = ({ fields }: Resource, name: string, filter: Filter) =>
  'field' in filter ? fields[filter.field] : (fields[name] ?? fields[`${name}s`]);
