/** What people call things, in place of ids: a plate for a car, a name for a customer. */

import { fillPath, type Query } from '../../client/address.ts';
import { ApiError } from '../../client/errors.ts';
import type { ResourceName } from '../../contract/contract.ts';
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { gather, type IdsQuery, methodsOf, readByIds } from '../crud/methods.ts';
import { CliError } from '../errors/exit.ts';
import type { Context } from '../framework/context.ts';
import { globalFlagsOf, nextCommand } from '../framework/next-command.ts';
import { localTime } from '../input/when.ts';
import type { FindLabels, Labels } from '../output/output.ts';
import type { Row } from '../output/view.ts';
import { askOption } from '../prompts/prompts.ts';
import { sanitize } from '../terminal/text.ts';
import { type LabelRule, labelRules } from './labels.ts';
import { fold, normalizeName } from './matching.ts';
import { echoInput, rememberInput } from './typed.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

export interface Wanted {
  readonly resource: ResourceName;
  /** An id, or what people call it. */
  readonly text: string;
  /** Ids of the parents, outermost first, for records that live below others. */
  readonly within?: readonly string[];
  /** Narrows the search further, such as to one location. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Which of several are likelier meant, the weightiest first. One that none of them meets decides nothing. */
  readonly prefer?: readonly ((row: Row) => boolean)[];
  /** What would tell records at different locations apart, such as `--location`, and was not given. */
  readonly narrower?: string;
}

/** The id of what is meant. An id is taken as it is; nothing of that name is exit 6, several are a choice or exit 14. */
export async function resolveId(context: Context, wanted: Wanted): Promise<string> {
  return isId(wanted.text) ? wanted.text.toLowerCase() : ((await findNamed(context, wanted)).id as string);
}

/** The record of what is meant, read from the server. */
export async function resolveRecord(context: Context, wanted: Wanted): Promise<Row> {
  if (!isId(wanted.text)) return findNamed(context, wanted);
  return methodsOf(await context.client(), wanted.resource).get(...(wanted.within ?? []), wanted.text.toLowerCase());
}

async function findNamed(context: Context, wanted: Wanted): Promise<Row> {
  const { resource, text, within = [], query, narrower } = wanted;
  const calling = labelRules[resource];
  if (!calling) throw notFound((contract[resource] as Resource).singular, text, undefined);
  const all = await findByName(context, calling, wanted);
  const found = likeliest(calling, all, wanted.prefer);
  const [only, second] = found;
  if (!only) {
    const list = [...calling.list.split(' ').slice(1), ...within.map((id) => echoInput(context.io, id))];
    throw notFound(calling.one, text, nextCommand(list, globalFlagsOf(context)));
  }
  if (!second) {
    // The next command may look elsewhere, and prefer others or none.
    const [byItself, other] = likeliest(calling, all);
    if (!query && !other && byItself === only) rememberInput(context.io, only.id, text);
    return only;
  }

  const places = await locationLabels(context, found);
  const words = (row: Row) => [calling.label(row), calling.detail?.(row), places(row)].filter(Boolean).join(' · ');
  const seen = Map.groupBy(found, words);
  // Two that would read the same are told apart by their age, as in a list of customers.
  const describe = (row: Row) =>
    (seen.get(words(row))?.length ?? 0) > 1 ? `${words(row)} · since ${localTime(row.createdAt)}` : words(row);
  if (context.interactive)
    return askOption(context, {
      label: `Which ${calling.one} "${text}"?`,
      options: found.map((row) => ({ name: sanitize(describe(row)), value: row, about: row.id })),
    });
  throw new CliError({
    code: 'ambiguous_name',
    message: `${found.length} ${calling.one}s are called "${text}".`,
    hint:
      narrower && new Set(found.map(({ locationId }) => locationId)).size > 1
        ? `say where with ${narrower}, or give the id of the one that is meant`
        : 'give the id of the one that is meant',
    details: { candidates: found.map((row) => ({ id: row.id, name: describe(row) })) },
    exitCode: 14,
  });
}

/** Of several that are called so the likelier ones. */
function likeliest({ past }: LabelRule, called: readonly Row[], prefer: Wanted['prefer'] = []): readonly Row[] {
  let found = called;
  for (const likelier of [...prefer, (row: Row) => !past?.(row)]) {
    const some = found.filter(likelier);
    if (some.length > 0) found = some;
  }
  return found;
}

/** What a record is called in a command to be typed next: the first of its names by which it alone is found, or its id. */
export async function shortestUniqueRef(
  context: Context,
  resource: ResourceName,
  record: Row,
  { prefer }: Pick<Wanted, 'prefer'> = {},
): Promise<string> {
  // Who was stopped asks for nothing more.
  if (context.io.signal.aborted) return record.id;
  const calling = labelRules[resource] as LabelRule;
  const label = calling.label(record);
  try {
    const names = [...(await namesThrough(context, calling, record)), ...textsIn(calling.names(record))];
    for (const text of names.includes(label) ? [label, ...names.filter((name) => name !== label)] : names) {
      const [only, second] = likeliest(calling, await findByName(context, calling, { resource, text }), prefer);
      if (only?.id === record.id && !second) return text;
    }
  } catch {
    context.io.signal.throwIfAborted();
    // A name is a comfort: the id is right, too.
  }
  return record.id;
}

/** What the record is called by which another one goes, such as the car of an appointment. */
async function namesThrough(context: Context, { through }: LabelRule, record: Row): Promise<string[]> {
  const id = through && record[through.filter];
  if (!through || typeof id !== 'string') return [];
  const other = await methodsOf(await context.client(), through.resource).get(id);
  return textsIn((labelRules[through.resource] as LabelRule).names(other));
}

async function findByName(context: Context, calling: LabelRule, { resource, text, within = [], query }: Wanted): Promise<Row[]> {
  if (calling.through) return findThrough(context, calling, { resource, text, query });
  const client = await context.client();
  const all = (more: Query) => methodsOf(client, resource).all(...within, { ...more, ...query });
  if (!calling.searches) return pick(all({}), calling, text);
  for (const search of calling.searches(text)) {
    const path = fillPath((contract[resource] as Resource).path, within);
    const { body, headers } = await client.transport.request({
      method: 'GET',
      path,
      query: { ...search, ...query, limit: firstPage },
      expect: 'list',
    });
    const { data, total } = body as { data: Row[]; total: number };
    // Where names come first, nothing is called so behind a record that is not. Other servers are read to the end.
    const last = data.at(-1);
    const whole = data.length >= total || (headers['search-order'] === 'keys-first' && last && !callsIt(calling, last, text));
    const named = await pick(whole ? data : all(search), calling, text);
    if (named.length > 0) return named;
  }
  return [];
}

/** Records of a name that are read at first: hardly ever are more called so. */
const firstPage = 20;

/** Those of the record that is called so, when there is one; otherwise those that are called so themselves. */
async function findThrough(context: Context, calling: LabelRule, { resource, text, query }: Wanted): Promise<Row[]> {
  const { resource: other, filter, query: own } = calling.through as NonNullable<LabelRule['through']>;
  const methods = methodsOf(await context.client(), resource);
  try {
    const id = await resolveId(context, { resource: other, text });
    return await gather(methods.all({ ...own, ...query, [filter]: id }));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_found') throw error;
    return pick(methods.all({ ...query }), calling, text);
  }
}

/** Those that are called so; when none is to the letter, those that are but for spaces and dashes. */
async function pick(rows: Iterable<Row> | AsyncIterable<Row>, calling: LabelRule, text: string): Promise<Row[]> {
  const exact: Row[] = [];
  const loose: Row[] = [];
  for await (const row of rows) {
    const how = callsIt(calling, row, text);
    if (how === 'exactly') exact.push(row);
    else if (how === 'loosely') loose.push(row);
  }
  return exact.length > 0 ? exact : loose;
}

/** Whether the text is a name of the record, and how closely. */
function callsIt(calling: LabelRule, row: Row, text: string): 'exactly' | 'loosely' | undefined {
  const names = textsIn(calling.names(row));
  if (names.some((name) => fold(name) === fold(text))) return 'exactly';
  return normalizeName(text) !== '' && names.some((name) => normalizeName(name) === normalizeName(text)) ? 'loosely' : undefined;
}

const textsIn = (names: readonly unknown[]) => names.filter((name): name is string => typeof name === 'string' && name !== '');

function notFound(one: string, text: string, list: string | undefined): CliError {
  return new CliError({
    code: 'not_found',
    message: `There is no ${one} called "${sanitize(text)}".`,
    hint: list && `\`${list}\` shows what there is`,
    exitCode: 6,
  });
}

/** Where spots and zones lie, such as `Hall A · Harbour`: those of the same name differ by it. Empty where that cannot be told. */
export async function locationLabels(context: Context, rows: readonly Row[]): Promise<(row: Row) => string> {
  const idsIn = (field: string) => new Set(rows.map((row) => row[field]).filter((id) => typeof id === 'string'));
  const wanted = new Map([
    ['parkingZones', idsIn('zoneId')],
    ['locations', idsIn('locationId')],
  ]);
  const labels = await findLabels(context, wanted);
  return ({ zoneId, locationId }) =>
    [labels.get('parkingZones')?.get(zoneId), labels.get('locations')?.get(locationId)].filter(Boolean).join(' · ');
}

/** What people call the records that ids name. What cannot be read (no scope, gone) stays an id. */
export async function findLabels(context: Context, ...[wanted, { comfort = false } = {}]: Parameters<FindLabels>): Promise<Labels> {
  const found = new Map<string, Map<string, string>>();
  await Promise.all(
    Array.from(wanted, async ([resource, ids]) => {
      const calling = labelRules[resource as ResourceName];
      // Below a parent nothing can be listed by ids alone.
      if (!calling || (contract[resource as ResourceName] as Resource).parent) return;
      const labels = new Map<string, string>();
      found.set(resource, labels);
      try {
        const methods = methodsOf(await context.client(), resource as ResourceName);
        const read = (query: IdsQuery) => methods.list(query, comfort ? { retries: 0 } : {});
        for await (const row of readByIds(ids, read)) labels.set(row.id, String(calling.label(row) ?? row.id));
      } catch (error) {
        context.io.signal.throwIfAborted();
        if (!comfort && !isUnreadable(error)) throw error;
      }
    }),
  );
  return found;
}

/** Whether the server will not tell it, today or tomorrow: this key may not know, or this version cannot say. */
const isUnreadable = (error: unknown): boolean => error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
