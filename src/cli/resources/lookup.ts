/**
 * Finds records by what people call them instead of ids: a car by its plate, a customer by name.
 */

import type { Query } from '../../client/address.ts';
import { IdMap, isSameId, isUuid } from '../../client/ids.ts';
import type { ResourceName } from '../../contract/contract.ts';
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors/exit.ts';
import { isUnreadable } from '../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import { fold, isSameReading, normalizeName } from '../input/matching.ts';
import { localTime } from '../input/when.ts';
import type { Row } from '../output/view.ts';
import { askOption } from '../prompts/prompts.ts';
import { echoInput, rememberInput } from '../terminal/run.ts';
import { joinList, sanitize } from '../terminal/text.ts';
import { locationLabels } from './find-labels.ts';
import { type LabelRule, labelRuleOf } from './labels.ts';
import { gather, methodsOf } from './methods.ts';

export interface LookupRequest {
  readonly resource: ResourceName;
  /** An id or a name; `id:9` is the id 9, never a name. */
  readonly text: string;
  /** The text isn't an id. */
  readonly nameOnly?: boolean;
  /** Ids of the parents, outermost first. */
  readonly within?: readonly string[];
  /** Narrows the search, such as to one location. */
  readonly query?: Query;
  /**
   * Preferences among several matches, the strongest first. A preference that no match meets is
   * ignored.
   */
  readonly prefer?: readonly ((row: Row) => boolean)[];
  /** Called with the record that the name means; throws where it can't mean that one. */
  readonly onFound?: ((row: Row) => void) | undefined;
  /** The unused flag that would tell matches at different locations apart: `--location`. */
  readonly narrowingFlag?: string;
  /** The record is shown before anything is stored, so a part of a name is enough. */
  readonly isShown?: boolean;
}

/**
 * Resolves an id or a name to an id; an id isn't looked up. No match: exit 6; several: a prompt, or
 * exit 14.
 */
export async function resolveId(context: Context, wanted: LookupRequest): Promise<string> {
  return idIn(wanted.text) ?? ((await findNamed(context, wanted)).id as string);
}

/** Resolves an id or a name to the record, read from the server. */
export async function resolveRecord(context: Context, wanted: LookupRequest): Promise<Row> {
  const id = idIn(wanted.text);
  return id === undefined ? findNamed(context, wanted) : readRecord(context, wanted, id);
}

/**
 * The specification lists event types, and has no path for one of them: a server without that path
 * lists the record too.
 */
async function readRecord(
  context: Context,
  { resource, within = [] }: LookupRequest,
  id: string,
): Promise<Row> {
  const methods = methodsOf(await context.client(), resource);
  return methods.get(...within, id).catch(async (error: unknown) => {
    const { get, list } = (contract[resource] as Resource).operations;
    if (get?.source !== 'decision' || list?.source !== 'specification' || !isUnreadable(error))
      throw error;
    const found = await gather(methods.all(...within, { ids: [id] }));
    const named = found.find((row) => isSameId(row.id, id));
    if (!named) throw error;
    return named;
  });
}

/** The id of a text that can't be a name: a UUID, or the 9 in `id:9`. */
export function idIn(text: string): string | undefined {
  const [, marked] = /^id:(\S+)$/.exec(text) ?? [];
  return marked ?? (isUuid(text) ? text.toLowerCase() : undefined);
}

async function findNamed(context: Context, wanted: LookupRequest): Promise<Row> {
  const found = await chooseNamed(context, wanted);
  wanted.onFound?.(found);
  return found;
}

async function chooseNamed(context: Context, wanted: LookupRequest): Promise<Row> {
  const { resource, text, within = [], query, narrowingFlag, prefer } = wanted;
  const rule = labelRuleOf(resource);
  if (!rule) throw notFound((contract[resource] as Resource).singular, text, undefined);
  const { named, near, isUnknown } = await findByName(context, rule, wanted);
  // No preference decides between an id and a name.
  const withId = (rows: readonly Row[]) => [
    ...new Set([...rows, ...named.filter(({ id }) => isSameId(id, text))]),
  ];
  const found = withId(likeliest(rule, named, prefer));
  const [only, second] = found;
  if (!only) {
    if (near.length > 0)
      return chooseNear(context, { rule, wanted, rows: likeliest(rule, near, prefer) });
    if (isUnknown) throw namesNotShown(wanted, rule);
    const list = [
      ...rule.list.split(' ').slice(1),
      ...within.map((id) => echoInput(context.io, id)),
    ];
    throw notFound(rule.one, text, nextCommand(list, connectionFlags(context)));
  }
  if (!second) {
    // The suggested next command has no query and no preferences.
    const [byItself, other] = withId(likeliest(rule, named));
    if (!query && !other && byItself === only) rememberInput(context.io, only.id, text);
    return only;
  }

  const describe = await describing(context, rule, found);
  if (context.interactive)
    return askWhich(context, `Which ${rule.one} "${text}"?`, found, describe);
  throw new CliError({
    code: 'ambiguous_name',
    message: `"${text}" matches ${found.length} ${rule.one}s.`,
    hint:
      narrowingFlag && new Set(found.map(({ locationId }) => locationId)).size > 1
        ? `give ${narrowingFlag}, or use the id`
        : `use the id of one of them${isUuid(String(only.id)) ? '' : `, such as id:${only.id}`}`,
    details: { candidates: found.map((row) => ({ id: row.id, name: describe(row) })) },
  });
}

/**
 * Another spelling of a name can be the name of another record. A person gets the only one, and is
 * asked before a write; a script names it exactly.
 */
async function chooseNear(
  context: Context,
  { rule, wanted, rows }: { rule: LabelRule; wanted: LookupRequest; rows: readonly Row[] },
): Promise<Row> {
  const { text, isShown } = wanted;
  if (rows.length > mostNear)
    throw new CliError({
      code: 'ambiguous_name',
      message: `No ${rule.one} is called "${sanitize(text)}", and more than ${mostNear} match it in part.`,
      hint: 'give more of the name, or the id',
    });
  const describe = await describing(context, rule, rows);
  const [only, second] = rows;
  if (context.interactive && only && !second && (isShown || !context.writes.expected)) {
    context.note(`No ${rule.one} is called "${text}": this is ${describe(only)}.`);
    return only;
  }
  if (context.interactive)
    return askWhich(
      context,
      `No ${rule.one} is called "${text}". Which one is it?`,
      rows,
      describe,
    );
  throw new CliError({
    code: 'not_found',
    message: `No ${rule.one} found for "${sanitize(text)}".`,
    hint: `similar: ${joinList(rows.slice(0, 3).map((row) => sanitize(describe(row))))}${rows.length > 3 ? ' …' : ''}. Give the name exactly, or the id`,
    details: { candidates: rows.map((row) => ({ id: row.id, name: describe(row) })) },
  });
}

const askWhich = (
  context: Context,
  label: string,
  rows: readonly Row[],
  describe: (row: Row) => string,
) =>
  askOption(context, {
    label,
    options: rows.map((row) => ({ name: sanitize(describe(row)), value: row })),
  });

/** What tells some records apart. */
async function describing(
  context: Context,
  rule: LabelRule,
  rows: readonly Row[],
): Promise<(row: Row) => string> {
  const places = await locationLabels(context, rows);
  const words = (row: Row) =>
    [rule.label(row), rule.detail?.(row), places(row)].filter(Boolean).join(' · ');
  const seen = Map.groupBy(rows, words);
  // Equal descriptions get the creation time.
  return (row) =>
    (seen.get(words(row))?.length ?? 0) > 1
      ? `${words(row)} · since ${localTime(row.createdAt)}`
      : words(row);
}

/** Applies the preferences; records of the past come last. */
function likeliest(
  { past }: LabelRule,
  matches: readonly Row[],
  prefer: LookupRequest['prefer'] = [],
): readonly Row[] {
  let found = matches;
  for (const likelier of [...prefer, (row: Row) => !past?.(row)]) {
    const some = found.filter(likelier);
    if (some.length > 0) found = some;
  }
  return found;
}

/**
 * The first name that finds this record alone, or its id; for the next command to type. `typed` is
 * tried before the others.
 */
export async function shortestUniqueRef(
  context: Context,
  resource: ResourceName,
  record: Row,
  { prefer, typed }: Pick<LookupRequest, 'prefer'> & { readonly typed?: string } = {},
): Promise<string> {
  // No more requests after an interruption.
  if (context.io.signal.aborted) return record.id;
  const rule = labelRuleOf(resource) as LabelRule;
  const label = rule.label(record);
  try {
    // No server is asked for a whole list to suggest a name.
    if (!(await context.client()).transport.promisesLists()) return typed ?? record.id;
    const names = [...(await namesThrough(context, rule, record)), ...textsIn(rule.names(record))];
    const first = [...textsIn([typed]), ...(names.includes(label) ? [label] : [])];
    for (const text of new Set([...first, ...names])) {
      const [only, second] = likeliest(
        rule,
        (await findByName(context, rule, { resource, text })).named,
        prefer,
      );
      if (only && isSameId(only.id, record.id) && !second) return text;
    }
  } catch {
    context.io.signal.throwIfAborted();
    // Best effort: the id works too.
  }
  return record.id;
}

/** The names of the record that this one is found through: the car of an appointment. */
async function namesThrough(
  context: Context,
  { through }: LabelRule,
  record: Row,
): Promise<string[]> {
  const id = through && record[through.filter];
  if (!through || typeof id !== 'string') return [];
  const other = await methodsOf(await context.client(), through.resource).get(id);
  return textsIn((labelRuleOf(through.resource) as LabelRule).names(other));
}

interface Found {
  /** No record of the server shows its name. */
  readonly isUnknown: boolean;
  /** The text is their name, or their id. */
  readonly named: readonly Row[];
  /** The text has the letters and digits of their name, or is a part of it. */
  readonly near: readonly Row[];
}

/** The most records that are offered in place of a name. */
const mostNear = 20;

async function findByName(
  context: Context,
  rule: LabelRule,
  wanted: LookupRequest,
): Promise<Found> {
  const { resource, text, within = [], query } = wanted;
  if (rule.through) return findThrough(context, rule, wanted);
  const client = await context.client();
  const methods = methodsOf(client, resource);
  if (!rule.searches) return pick(methods.all(...within, query ?? {}), rule, wanted);
  const near = new IdMap<Row>();
  let isUnknown = false;
  for (const search of rule.searches(text)) {
    const rows = methods.all(...within, { ...search, ...query }, { words: 'caller' });
    const found = await pick(rows, rule, wanted);
    if (found.named.length > 0) return found;
    for (const row of found.near) near.set(row.id, row);
    isUnknown ||= found.isUnknown;
    // A server that doesn't promise its search gave every record at once.
    if (near.size > 0 || !client.transport.promisesLists()) break;
  }
  return { named: [], near: [...near.values()], isUnknown };
}

/** The records of the record with this name; without one, the records with this name themselves. */
async function findThrough(
  context: Context,
  rule: LabelRule,
  wanted: LookupRequest,
): Promise<Found> {
  const { resource, text, query } = wanted;
  const { resource: other, filter, query: own } = rule.through as NonNullable<LabelRule['through']>;
  const methods = methodsOf(await context.client(), resource);
  const findItself = () => pick(methods.all({ ...query }), rule, wanted);
  try {
    // On a server that counts each list, the id of an appointment is that of some car too.
    const { id } = await findNamed(context, { resource: other, text, nameOnly: true });
    const named = await gather(methods.all({ ...own, ...query, [filter]: id }));
    const ofId = named.every((row) => isUuid(row.id)) ? [] : (await findItself()).named;
    return {
      named: [...named, ...ofId.filter((row) => !named.some(({ id }) => isSameId(id, row.id)))],
      near: [],
      isUnknown: false,
    };
  } catch (error) {
    if (!(error instanceof CliError) || !['not_found', 'filter_ignored'].includes(error.code))
      throw error;
    const found = await findItself();
    // The candidates of the other resource.
    if (found.named.length === 0 && error.details) throw error;
    return { ...found, isUnknown: error.code === 'filter_ignored' };
  }
}

/** The best matches: whole names, then without separators, then those that are near. */
async function pick(
  rows: AsyncIterable<Row>,
  rule: LabelRule,
  { text, nameOnly }: LookupRequest,
): Promise<Found> {
  const found: Row[][] = [[], [], [], []];
  let [isEmpty, isShown] = [true, false];
  for await (const row of rows) {
    const grade = !nameOnly && isSameId(row.id, text) ? 0 : gradeOf(rule, row, text);
    found[grade]?.push(row);
    isEmpty = false;
    isShown ||= rule.names(row)[0] !== undefined;
  }
  const [exact = [], loose = [], spelled = [], inPart = []] = found;
  return {
    named: exact.length > 0 ? exact : loose,
    near: spelled.length > 0 ? spelled : inPart,
    isUnknown: !isEmpty && !isShown,
  };
}

/** How well a name of the record matches the text, from 0; -1 for no match. */
function gradeOf(rule: LabelRule, row: Row, text: string): number {
  const names = textsIn(rule.names(row));
  const wanted = normalizeName(text);
  const whole = rule.typedInPart?.(row);
  return [
    names.some((name) => fold(name) === fold(text)),
    names.some((name) => isSameReading(name, text)),
    wanted !== '' && names.some((name) => normalizeName(name) === wanted),
    wanted !== '' && typeof whole === 'string' && normalizeName(whole).includes(wanted),
  ].indexOf(true);
}

const textsIn = (names: readonly unknown[]) =>
  names.filter((name): name is string => typeof name === 'string' && name !== '');

function namesNotShown({ resource, text }: LookupRequest, rule: LabelRule): CliError {
  const { plural } = contract[resource] as Resource;
  return new CliError({
    code: 'filter_ignored',
    message: `The ${plural} of this server don't show their names, so nothing tells which one "${sanitize(text)}" is.`,
    hint: `use an id; \`${rule.list}\` shows them`,
  });
}

function notFound(one: string, text: string, list: string | undefined): CliError {
  return new CliError({
    code: 'not_found',
    message: `No ${one} found for "${sanitize(text)}".`,
    hint: list && `\`${list}\` shows them`,
  });
}
