/** `--upsert-by FIELD`: a row updates the record with the same value, or creates one. */
import type { Client, SyncName } from '../../../client/client.ts';
import { written } from '../../../client/values.ts';
import { operationsOf } from '../../../contract/operations.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Resource } from '../../../contract/resource.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { isFieldMissing } from '../../errors/missing-path.ts';
import { fold, normalizeName } from '../../input/matching.ts';
import type { Row } from '../../output/view.ts';
import { gather, methodsOf } from '../../resources/methods.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import { folded } from './columns.ts';
import { createRowParser, type Made, type Resolve, type RowRequest } from './requests.ts';

export interface UpsertKey {
  /** The parameter of the list. */
  readonly filter: string;
  readonly field: string;
}

/** Exit 2 for a field that the list can't be asked for. */
export function parseUpsertKey(resource: Resource, text: string): UpsertKey {
  const verbs = new Set(operationsOf(resource).map(({ verb }) => verb));
  const keys = verbs.has('create') && verbs.has('update') ? keysOf(resource) : [];
  const found = keys.find(({ filter }) => folded(filter) === folded(text));
  if (found) return found;
  throw usage(
    `--upsert-by: ${resource.plural} can't be looked up by "${text}".`,
    keys.length > 0
      ? `choose ${joinList(
          keys.map(({ filter }) => filter),
          'or',
        )}`
      : 'leave it out; --update takes rows with an id',
  );
}

/** Fields that name a record, alone in the team or as people do, and that the list can be asked for. */
function keysOf({ filters = {}, unique = [] }: Resource): UpsertKey[] {
  const rules = Object.entries(filters);
  const names = new Set([
    ...unique.map(({ field }) => field),
    ...rules.flatMap(([, rule]) => (rule.by === 'search' ? rule.keys.flat() : [])),
  ]);
  return rules.flatMap(([filter, rule]) => {
    const field = rule.by === 'equals' ? rule.field : filter;
    return names.has(field) ? [{ filter, field }] : [];
  });
}

/** A row must be valid as a create or as an update: which one it is, only the server knows. */
export function createUpsertParser(
  resource: Resource,
  { key, skipReadOnly }: { key: UpsertKey; skipReadOnly: boolean },
): (row: Row) => Made {
  const create = createRowParser(resource, { as: 'create', skipReadOnly });
  const update = createRowParser(resource, { as: 'update', skipReadOnly });
  const missing = { path: key.field, rule: 'required', message: 'is required for --upsert-by' };
  return (given) => {
    const row = skipReadOnly ? { ...given, id: undefined } : given;
    const value: unknown = row[key.field];
    if (typeof value !== 'string' || value.trim() === '') return { issues: [missing] };
    const [creating, changing] = [create(row), update(row)];
    const valid = 'issues' in creating && !('issues' in changing) ? changing : creating;
    return 'issues' in valid ? valid : { ...valid, choice: { value, creating, changing } };
  };
}

/** The same value in another spelling, such as a plate with and without spaces, names the same record. */
export const spelling = (value: string): string =>
  value.includes('@') ? fold(value) : normalizeName(value);

/** The request for the server's record, if it has one, which comes with it. */
interface Chosen {
  readonly request: RowRequest;
  readonly record: Row | undefined;
}

/**
 * Asks the server for the record. Exit 14 where several match, or only one in another spelling: `HH-UP 7` and `HHU-P 7` are two plates.
 * Exit 9 where the server doesn't tell which ones do.
 */
export async function chooseRequest(
  client: Client,
  { name, key, resolve }: { name: SyncName; key: UpsertKey; resolve: Resolve },
  { choice, ...valid }: RowRequest,
): Promise<Chosen> {
  if (!choice) return { request: valid, record: undefined };
  const { value, creating, changing } = choice;
  const { ids: parents } = await resolve({ ...valid, body: {} });
  const resource: Resource = resourceOf(name);
  const { singular, plural, filters = {} } = resource;
  const list = (query: object, how = {}) =>
    gather(methodsOf(client, name).all(...parents, query, how));
  const found = await list({ [key.filter]: value }).catch((error: unknown) => {
    if (!isFieldMissing(error)) throw error;
    throw new CliError({
      code: 'filter_ignored',
      message: `This server doesn't tell which of the ${plural} has this ${key.filter}, so nothing was sent: ${error.message}.`,
      hint: 'import them without --upsert-by, which creates each of them, or by another field',
      cause: error,
    });
  });
  // The filter compares plates to the letter; the search finds every spelling.
  const rule = filters[key.filter];
  if (found.length === 0 && rule && 'lettersOnly' in rule && rule.lettersOnly)
    for (const row of await list({ q: normalizeName(value) }, { words: 'caller' }))
      if (spelling(String(row[key.field] ?? '')) === spelling(value)) found.push(row);
  const schema = resource.fields[key.field]?.schema;
  // As the interface writes it: plates in capitals.
  const stored = (text: unknown) => written(schema?.safeParse(text).data ?? text);
  const same = found.filter((row) => stored(row[key.field]) === stored(value));
  const [record, another] = same;
  if (another || (!record && found.length > 0))
    throw new CliError({
      code: 'ambiguous_name',
      message: another
        ? `${pluralize(same.length, singular, plural)} have this ${key.filter}.`
        : `No ${singular} has exactly this ${key.filter}.`,
      hint: 'write the value as the server has it, or give the id in the row, with --update',
      details: { candidates: found.map((row) => ({ id: row.id, name: row[key.field] })) },
    });
  const request = record ? changing : creating;
  if ('issues' in request) {
    const { path, message } = request.issues[0] as Issue;
    throw new CliError({
      code: 'validation_failed',
      message: record
        ? `The ${singular} ${record.id} exists, and ${path} ${message}.`
        : `No ${singular} has this ${key.filter}, and for a new one ${path} ${message}.`,
      details: { issues: request.issues },
    });
  }
  return { request: record ? { ...request, ids: [...request.ids, record.id] } : request, record };
}
