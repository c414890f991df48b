/** Finds records by what people call them instead of ids: a car by its plate, a customer by name. */

import type { Query } from '../../client/address.ts';
import { ApiError, ProtocolError } from '../../client/errors.ts';
import type { ResourceName } from '../../contract/contract.ts';
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { gather, methodsOf } from '../crud/methods.ts';
import { CliError } from '../errors/exit.ts';
import { isMissing, isUnreadable } from '../errors/missing-path.ts';
import type { Context } from '../framework/context.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import { localTime } from '../input/when.ts';
import type { Row } from '../output/view.ts';
import { askOption } from '../prompts/prompts.ts';
import { sanitize } from '../terminal/text.ts';
import { locationLabels } from './find-labels.ts';
import { type LabelRule, labelRules } from './labels.ts';
import { fold, normalizeName } from './matching.ts';
import { echoInput, rememberInput } from './typed.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

export interface LookupRequest {
  readonly resource: ResourceName;
  /** An id or a name; `id:9` is the id 9, never a name. */
  readonly text: string;
  /** An id counts before a name: on a server whose ids are numbers, a name may look the same. */
  readonly idFirst?: boolean;
  /** The text isn't an id. */
  readonly nameOnly?: boolean;
  /** Ids of the parents, outermost first. */
  readonly within?: readonly string[];
  /** Narrows the search, such as to one location. */
  readonly query?: Query;
  /** Preferences among several matches, the strongest first. A preference that no match meets is ignored. */
  readonly prefer?: readonly ((row: Row) => boolean)[];
  /** The unused flag that would tell matches at different locations apart: `--location`. */
  readonly narrowingFlag?: string;
}

/** Resolves an id or a name to an id; an id isn't looked up. No match: exit 6; several: a prompt, or exit 14. */
export async function resolveId(context: Context, wanted: LookupRequest): Promise<string> {
  return idIn(wanted.text) ?? ((await findNamed(context, wanted)).id as string);
}

/** Resolves an id or a name to the record, read from the server. */
export async function resolveRecord(context: Context, wanted: LookupRequest): Promise<Row> {
  const id = idIn(wanted.text);
  return id === undefined ? findNamed(context, wanted) : readRecord(context, wanted, id);
}

/** The specification lists event types, and has no path for one of them: a server without that path lists the record too. */
async function readRecord(context: Context, { resource, within = [] }: LookupRequest, id: string): Promise<Row> {
  const methods = methodsOf(await context.client(), resource);
  return methods.get(...within, id).catch(async (error: unknown) => {
    const { get, list } = (contract[resource] as Resource).operations;
    if (get?.source !== 'decision' || list?.source !== 'specification' || !isUnreadable(error)) throw error;
    const [found] = await gather(methods.all(...within, { ids: [id] }));
    if (!found) throw error;
    return found;
  });
}

/** The id of a text that can't be a name: a UUID, or the 9 in `id:9`. */
export function idIn(text: string): string | undefined {
  const [, marked] = /^id:(\S+)$/.exec(text) ?? [];
  return marked ?? (isId(text) ? text.toLowerCase() : undefined);
}

async function findNamed(context: Context, wanted: LookupRequest): Promise<Row> {
  const { resource, text, within = [], query, narrowingFlag } = wanted;
  const rule = labelRules[resource];
  if (!rule) throw notFound((contract[resource] as Resource).singular, text, undefined);
  const named = await findByName(context, rule, wanted);
  const byId = wanted.nameOnly ? undefined : await findByOtherId(context, wanted, named);
  if (byId && wanted.idFirst) return byId;
  // No preference decides between an id and a name.
  const withId = (rows: readonly Row[]) => (byId && !rows.some(({ id }) => id === byId.id) ? [...rows, byId] : rows);
  const found = withId(likeliest(rule, named, wanted.prefer));
  const [only, second] = found;
  if (!only) {
    const list = [...rule.list.split(' ').slice(1), ...within.map((id) => echoInput(context.io, id))];
    throw notFound(rule.one, text, nextCommand(list, connectionFlags(context)));
  }
  if (!second) {
    // The suggested next command has no query and no preferences.
    const [byItself, other] = withId(likeliest(rule, named));
    if (!query && !other && byItself === only) rememberInput(context.io, only.id, text);
    return only;
  }

  const places = await locationLabels(context, found);
  const words = (row: Row) => [rule.label(row), rule.detail?.(row), places(row)].filter(Boolean).join(' · ');
  const seen = Map.groupBy(found, words);
  // Equal descriptions get the creation time.
  const describe = (row: Row) =>
    (seen.get(words(row))?.length ?? 0) > 1 ? `${words(row)} · since ${localTime(row.createdAt)}` : words(row);
  if (context.interactive)
    return askOption(context, {
      label: `Which ${rule.one} "${text}"?`,
      options: found.map((row) => ({ name: sanitize(describe(row)), value: row, about: row.id })),
    });
  throw new CliError({
    code: 'ambiguous_name',
    message: `"${text}" matches ${found.length} ${rule.one}s.`,
    hint:
      narrowingFlag && new Set(found.map(({ locationId }) => locationId)).size > 1
        ? `give ${narrowingFlag}, or use the id`
        : `use the id of one of them${isId(String(only.id)) ? '' : `, such as id:${only.id}`}`,
    details: { candidates: found.map((row) => ({ id: row.id, name: describe(row) })) },
  });
}

/** Applies the preferences; records of the past come last. */
function likeliest({ past }: LabelRule, matches: readonly Row[], prefer: LookupRequest['prefer'] = []): readonly Row[] {
  let found = matches;
  for (const likelier of [...prefer, (row: Row) => !past?.(row)]) {
    const some = found.filter(likelier);
    if (some.length > 0) found = some;
  }
  return found;
}

/** The first name that finds this record alone, or its id; for the next command to type. */
export async function shortestUniqueRef(
  context: Context,
  resource: ResourceName,
  record: Row,
  { prefer }: Pick<LookupRequest, 'prefer'> = {},
): Promise<string> {
  // No more requests after an interruption.
  if (context.io.signal.aborted) return record.id;
  const rule = labelRules[resource] as LabelRule;
  const label = rule.label(record);
  try {
    const names = [...(await namesThrough(context, rule, record)), ...textsIn(rule.names(record))];
    for (const text of names.includes(label) ? [label, ...names.filter((name) => name !== label)] : names) {
      const [only, second] = likeliest(rule, await findByName(context, rule, { resource, text }), prefer);
      if (only?.id === record.id && !second) return text;
    }
  } catch {
    context.io.signal.throwIfAborted();
    // Best effort: the id works too.
  }
  return record.id;
}

/** The names of the record that this one is found through: the car of an appointment. */
async function namesThrough(context: Context, { through }: LabelRule, record: Row): Promise<string[]> {
  const id = through && record[through.filter];
  if (!through || typeof id !== 'string') return [];
  const other = await methodsOf(await context.client(), through.resource).get(id);
  return textsIn((labelRules[through.resource] as LabelRule).names(other));
}

/**
 * The record whose id the text is, on a server whose ids aren't UUIDs. A name may look like an id there, and the id of another record
 * like a name, so both count.
 */
async function findByOtherId(context: Context, wanted: LookupRequest, named: readonly Row[]): Promise<Row | undefined> {
  const { resource, text } = wanted;
  const looksLikeId = /^\d{1,15}$|^[a-z]+_(?=\w*\d)\w{1,40}$|^[\w-]{20,40}$/i.test(text);
  const methods = methodsOf(await context.client(), resource);
  if (!looksLikeId || methods.get === undefined || named.some(({ id }) => isId(id))) return undefined;
  return readRecord(context, wanted, text).catch((error: unknown) => {
    // Its ids have another form.
    const refused = error instanceof ApiError && [400, 422].includes(error.status);
    // A server may look for other things than ids.
    const isOtherRecord = error instanceof ProtocolError && error.code === 'unexpected_answer' && error.status < 300;
    if (!refused && !isOtherRecord && !isMissing(error)) throw error;
    return undefined;
  });
}

async function findByName(context: Context, rule: LabelRule, { resource, text, within = [], query }: LookupRequest): Promise<Row[]> {
  if (rule.through) return findThrough(context, rule, { resource, text, query });
  const methods = methodsOf(await context.client(), resource);
  const strict = { strict: true };
  if (!rule.searches) return pick(methods.all(...within, query ?? {}, strict), rule, text);
  for (const search of rule.searches(text)) {
    const wanted = { ...search, ...query };
    const { data, limit, total, keysFirst } = await methods.list(...within, { ...wanted, limit: firstPage }, strict);
    const last = data.at(-1);
    // The total of a full page may count only the page.
    const whole = (total !== undefined && data.length >= total && data.length < limit) || (keysFirst && last && !matchOf(rule, last, text));
    const named = await pick(whole ? data : methods.all(...within, wanted, strict), rule, text);
    if (named.length > 0) return named;
  }
  return [];
}

/** Page size of the first read: names rarely match more records. */
const firstPage = 20;

/** The records of the record with this name; without one, the records with this name themselves. */
async function findThrough(context: Context, rule: LabelRule, { resource, text, query }: LookupRequest): Promise<Row[]> {
  const { resource: other, filter, query: own } = rule.through as NonNullable<LabelRule['through']>;
  const methods = methodsOf(await context.client(), resource);
  try {
    // On a server that counts each list, the id of an appointment is that of some car too.
    const { id } = await findNamed(context, { resource: other, text, nameOnly: true });
    return await gather(methods.all({ ...own, ...query, [filter]: id }, { strict: true }));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_found') throw error;
    return pick(methods.all({ ...query }, { strict: true }), rule, text);
  }
}

/** Exact matches; without any, matches that ignore spaces and dashes. */
async function pick(rows: Iterable<Row> | AsyncIterable<Row>, rule: LabelRule, text: string): Promise<Row[]> {
  const exact: Row[] = [];
  const loose: Row[] = [];
  for await (const row of rows) {
    const how = matchOf(rule, row, text);
    if (how === 'exactly') exact.push(row);
    else if (how === 'loosely') loose.push(row);
  }
  return exact.length > 0 ? exact : loose;
}

/** How a name of the record matches the text. */
function matchOf(rule: LabelRule, row: Row, text: string): 'exactly' | 'loosely' | undefined {
  const names = textsIn(rule.names(row));
  if (names.some((name) => fold(name) === fold(text))) return 'exactly';
  return normalizeName(text) !== '' && names.some((name) => normalizeName(name) === normalizeName(text)) ? 'loosely' : undefined;
}

const textsIn = (names: readonly unknown[]) => names.filter((name): name is string => typeof name === 'string' && name !== '');

function notFound(one: string, text: string, list: string | undefined): CliError {
  return new CliError({
    code: 'not_found',
    message: `No ${one} found for "${sanitize(text)}".`,
    hint: list && `\`${list}\` shows them`,
  });
}
