/** `--upsert-by FIELD`: a row updates the record with the same value, or creates one. */
import type { Client, SyncName } from '../../../client/client.ts';
import { operationsOf } from '../../../contract/operations.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Resource } from '../../../contract/resource.ts';
import { choicesOf, kindOf } from '../../../contract/schemas.ts';
import { gather, methodsOf } from '../../crud/methods.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
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
    const isKey = field && !field.references && kindOf(field.schema) === 'text' && choicesOf(field.schema) === undefined;
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
      return { issues: [{ path: key.field, rule: 'required', message: 'is required, to look the record up (--upsert-by)' }] };
    const [creating, changing] = [create(row), update(row)];
    if ('issues' in creating && 'issues' in changing) return { issues: creating.issues };
    return { key, value, creating, changing };
  };
}

/** The same value in another spelling, such as a plate with and without spaces, names the same record. */
export function spelling(value: string): string {
  const folded = value.normalize('NFC').trim().toLowerCase();
  return folded.includes('@') ? folded : folded.replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Asks the server for the record. Exit 14 where several match, 9 where the server doesn't tell which ones do. */
export async function chooseRequest(client: Client, name: SyncName, { key, value, creating, changing }: UpsertRow): Promise<RowRequest> {
  const data = await gather(methodsOf(client, name).all({ [key.filter]: value }, { strict: true }));
  const [found, another, third] = data;
  const { singular, plural } = resourceOf(name);
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
