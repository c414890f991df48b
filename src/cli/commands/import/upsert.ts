/** `--upsert-by FIELD`: a row updates the record with the same value, or creates one. */
import type { Client, SyncName } from '../../../client/client.ts';
import { operationsOf } from '../../../contract/operations.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Resource } from '../../../contract/resource.ts';
import { choicesOf, kindOf } from '../../../contract/schemas.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { isUntold } from '../../errors/missing-path.ts';
import { fold, normalizeName } from '../../input/matching.ts';
import type { Row } from '../../output/view.ts';
import { gather, methodsOf } from '../../resources/methods.ts';
import { joinList, kebab, pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import { createRowParser, type RowRequest } from './row-request.ts';

export interface UpsertKey {
  /** The parameter of the list. */
  readonly filter: string;
  readonly field: string;
}

/** What a row becomes, which is decided when it is sent. */
export interface UpsertRow {
  readonly key: UpsertKey;
  readonly value: string;
  readonly creating: RowRequest | { readonly issues: readonly Issue[] };
  /** Its ids lack the record's own. */
  readonly changing: RowRequest | { readonly issues: readonly Issue[] };
}

/** Exit 2 for a field that the list can't be asked for. */
export function parseUpsertKey(resource: Resource, text: string): UpsertKey {
  const verbs = new Set([...operationsOf(resource)].map(({ verb }) => verb));
  const keys = verbs.has('create') && verbs.has('update') ? keysOf(resource) : [];
  const found = keys.find(({ filter }) => filter === text || kebab(filter) === text);
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

/** Fields of free text whose whole value a filter compares. */
function keysOf({ filters = {}, fields }: Resource): UpsertKey[] {
  return Object.entries(filters).flatMap(([filter, rule]) => {
    const name = rule.by === 'equals' ? rule.field : rule.by === 'rule' ? filter : undefined;
    const field = name === undefined ? undefined : fields[name];
    const isKey =
      field &&
      !field.references &&
      kindOf(field.schema) === 'text' &&
      choicesOf(field.schema) === undefined;
    return isKey && name !== undefined ? [{ filter, field: name }] : [];
  });
}

/** A row must be valid as a create or as an update: which one it is, only the server knows. */
export function createUpsertParser(
  resource: Resource,
  { key, skipReadOnly }: { key: UpsertKey; skipReadOnly: boolean },
): (row: Row) => UpsertRow | { issues: readonly Issue[] } {
  const create = createRowParser(resource, { as: 'create', skipReadOnly });
  const update = createRowParser(resource, { as: 'update', skipReadOnly });
  return (row) => {
    const value: unknown = row[key.field];
    if (typeof value !== 'string' || value.trim() === '')
      return {
        issues: [
          {
            path: key.field,
            rule: 'required',
            message: 'is required, to look the record up (--upsert-by)',
          },
        ],
      };
    const [creating, changing] = [create(row), update(row)];
    if ('issues' in creating && 'issues' in changing) return { issues: creating.issues };
    return { key, value, creating, changing };
  };
}

/** The same value in another spelling, such as a plate with and without spaces, names the same record. */
export function spelling(value: string): string {
  return value.includes('@') ? fold(value) : normalizeName(value);
}

/**
 * Asks the server for the record. Exit 14 where several match, or others in another spelling, which a server may take for the same; 9
 * where the server doesn't tell which ones do.
 */
export async function chooseRequest(
  client: Client,
  name: SyncName,
  { key, value, creating, changing }: UpsertRow,
  resolve: (request: RowRequest) => Promise<RowRequest>,
): Promise<RowRequest> {
  const valid = 'issues' in creating ? (changing as RowRequest) : creating;
  const { ids: parents } = await resolve({ ...valid, body: {} });
  const { singular, plural } = resourceOf(name);
  const { same, similar } = await recordsWith(client, name, {
    parents,
    key,
    value,
  }).catch((error: unknown) => {
    if (!isUntold(error)) throw error;
    throw new CliError({
      code: 'filter_ignored',
      message: `Nothing tells whether one of the ${plural} has this ${key.filter}, so the row isn't sent: ${error.message}.`,
      hint: withoutKey,
      cause: error,
    });
  });
  const data = same.length > 0 ? same : similar;
  if (data.length === 0) await requireKept(client, name, { parents, key });
  const [found, another, third] = data;
  if (same.length === 0 && found)
    throw new CliError({
      code: 'ambiguous_name',
      message: `No ${singular} has exactly this ${key.filter}.`,
      hint: 'write the value as the server has it, or give the id in the row, with --update',
      details: { candidates: similar.map((row) => ({ id: row.id, name: row[key.field] })) },
    });
  if (another)
    throw new CliError({
      code: 'ambiguous_name',
      message: `${pluralize(data.length, singular, plural)} have this ${key.filter}: ${found?.id}, ${another.id}${third ? ', …' : ''}.`,
      hint: 'give the id in the row, with --update',
    });
  const chosen = found ? changing : creating;
  if ('issues' in chosen) {
    const [{ path, message }] = chosen.issues as readonly [Issue];
    throw new CliError({
      code: 'validation_failed',
      message: found
        ? `The ${singular} ${found.id} exists, and ${path} ${message}.`
        : `No ${singular} has this ${key.filter}, and for a new one ${path} ${message}.`,
      details: { issues: chosen.issues },
    });
  }
  return found ? { ...chosen, ids: [...chosen.ids, found.id] } : chosen;
}

/** A server that doesn't keep the field, and shows null in every record, looks like one without such a record. */
async function requireKept(
  client: Client,
  name: SyncName,
  { parents, key }: Pick<UpsertRow, 'key'> & { parents: readonly string[] },
): Promise<void> {
  if (client.transport.promisesLists() === true) return;
  let isEmpty = true;
  for await (const row of methodsOf(client, name).all(...parents)) {
    if (row[key.field] !== null && row[key.field] !== undefined) return;
    isEmpty = false;
  }
  if (isEmpty) return;
  const { plural } = resourceOf(name);
  throw new CliError({
    code: 'filter_ignored',
    message: `Nothing tells whether one of the ${plural} has this ${key.filter}, so the row isn't sent: no record has a ${key.field}.`,
    hint: withoutKey,
  });
}

export const withoutKey =
  'import them without --upsert-by, which creates each of them, or by another field';

/** Those with the value itself, as the interface writes it (plates in capitals), and those that a server may take for the same. */
async function recordsWith(
  client: Client,
  name: SyncName,
  { parents, key, value }: Pick<UpsertRow, 'key' | 'value'> & { parents: readonly string[] },
) {
  const schema = (resourceOf(name) as Resource).fields[key.field]?.schema;
  const written = (text: unknown) =>
    String(schema?.safeParse(text).data ?? text)
      .normalize('NFC')
      .trim();
  const rows = await gather(methodsOf(client, name).all(...parents, { [key.filter]: value }));
  const isSame = (row: Row) => written(row[key.field]) === written(value);
  const similar =
    rows.length === 0 ? await spelledOtherwise(client, name, { parents, key, value }) : rows;
  return { same: rows.filter(isSame), similar: similar.filter((row) => !isSame(row)) };
}

/** A filter may compare plates to the letter, and `HHUP7` would become a second `HH-UP 7`: the search finds both. */
async function spelledOtherwise(
  client: Client,
  name: SyncName,
  { parents, key, value }: Pick<UpsertRow, 'key' | 'value'> & { parents: readonly string[] },
): Promise<Row[]> {
  const { filters = {} } = resourceOf(name) as Resource;
  const rule = filters[key.filter];
  if (!('q' in filters) || !(rule && 'lettersOnly' in rule && rule.lettersOnly)) return [];
  const found = await gather(
    methodsOf(client, name).all(...parents, { q: normalizeName(value) }, { words: 'caller' }),
  );
  return found.filter(
    (row) => typeof row[key.field] === 'string' && spelling(row[key.field]) === spelling(value),
  );
}
