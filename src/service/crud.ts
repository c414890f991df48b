/** The generic operations on one record of any resource, under its rules: read, create, update, delete. */

import { contract, type ResourceName, type StoredName } from '../contract/contract.ts';
import type { Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { requireTransition, requireUnique } from './constraints.ts';
import type { Context, ReadContext } from './context.ts';
import { notFound } from './problem.ts';
import { type AnyRecord, change, find, findIds, insert, type Row, remove } from './records.ts';
import { AlreadyExists, type CreateInput, type Ingested } from './rules/rule.ts';
import { rules } from './rules/rules.ts';
import { initialColumns, toColumns } from './values.ts';

/** The records in a path: the parent and the record itself. */
export interface PathRecords {
  parent?: AnyRecord;
  record?: AnyRecord;
}

/** The rules of a resource known only at run time. The one cast of this file. */
interface AnyRules {
  create?: (
    context: Context,
    input: CreateInput<never>,
    proceed: (extra?: Row) => Promise<unknown>,
  ) => Promise<unknown>;
  update?: (
    context: Context,
    input: { record: AnyRecord; body: Row },
    proceed: (extra?: Row) => Promise<unknown>,
  ) => Promise<unknown>;
  delete?: (
    context: Context,
    input: { record: AnyRecord; query: Row },
    proceed: () => Promise<void>,
  ) => Promise<void>;
}
export const rulesOf = <T = AnyRules>(resource: Resource): T =>
  (rules[resource.name as ResourceName] ?? {}) as unknown as T;

const byName = (name: string): Resource => contract[name as ResourceName];
const stored = (resource: Resource): StoredName => resource.name as StoredName;
const findAny = async (context: ReadContext, resource: Resource, id: string) =>
  (await find(context, stored(resource), id)) as unknown as AnyRecord | undefined;

/** 404 unless all records in the path exist and the inner one belongs to the outer. */
export async function requirePath(
  context: ReadContext,
  operation: Operation,
  ids: readonly string[],
): Promise<PathRecords> {
  const { resource } = operation;
  // A uuid is the same in either case, as in a body.
  const own = ids.map((id) => id.toLowerCase());
  const found: PathRecords = {};
  if (resource.parent) {
    const parentResource = byName(resource.parent.resource);
    found.parent = await findAny(context, parentResource, own.shift() ?? '');
    if (!found.parent) throw notFound(parentResource.singular);
  }
  const [id] = own;
  if (id !== undefined) {
    found.record = await findAny(context, resource, id);
    if (
      !found.record ||
      (resource.parent && found.record[resource.parent.field] !== found.parent?.id)
    )
      throw notFound(resource.singular);
  }
  return found;
}

/** 404, with the field, unless all records that the body refers to exist. */
export async function requireReferences(
  context: ReadContext,
  operation: Operation,
  body: Row,
): Promise<void> {
  for (const { field, resource } of operation.references) {
    const given = idsIn(body, field);
    const known = await findIds(
      context,
      resource,
      given.map(({ id }) => id),
    );
    const missing = given.find(({ id }) => !known.has(id));
    if (missing) throw notFound(byName(resource).singular, missing.path);
  }
}

/** The ids in a field of the body, or in a list there, with the path of each. */
function idsIn(body: Row, field: string): { path: string; id: string }[] {
  const value = field
    .split('.')
    .reduce<unknown>((at, name) => (at as Row | null | undefined)?.[name], body);
  if (typeof value === 'string') return [{ path: field, id: value }];
  return Array.isArray(value) ? value.map((id, at) => ({ path: `${field}.${at}`, id })) : [];
}

interface AnyCreateInput {
  readonly body: Row;
  readonly parent: AnyRecord | undefined;
  readonly ingested: Ingested<Row> | undefined;
  readonly preconditions: Readonly<Record<string, string>>;
}

export async function createRecord(
  context: Context,
  resource: Resource,
  input: AnyCreateInput,
): Promise<{ record: AnyRecord; existing: boolean }> {
  const { body, parent } = input;
  const proceed = async (extra: Row = {}) => {
    requireTransition(resource, body);
    const parentId = resource.parent ? { [resource.parent.field]: parent?.id } : {};
    const values = {
      ...initialColumns(resource),
      ...toColumns(resource, body),
      ...parentId,
      ...extra,
    };
    await requireUnique(context, resource, values);
    return insert(context, stored(resource), values);
  };
  const rule = rulesOf(resource).create;
  const result = await (rule
    ? rule(context, input as unknown as CreateInput<never>, proceed)
    : proceed());
  return result instanceof AlreadyExists
    ? { record: result.record, existing: true }
    : { record: result as AnyRecord, existing: false };
}

export async function updateRecord(
  context: Context,
  resource: Resource,
  record: AnyRecord,
  body: Row,
): Promise<AnyRecord> {
  const proceed = async (extra: Row = {}) => {
    requireTransition(resource, body, record);
    const values = { ...toColumns(resource, body), ...extra };
    await requireUnique(context, resource, { ...record, ...values }, record.id);
    return change(context, stored(resource), record as never, values as never);
  };
  const rule = rulesOf(resource).update;
  return (await (rule ? rule(context, { record, body }, proceed) : proceed())) as AnyRecord;
}

export async function deleteRecord(
  context: Context,
  resource: Resource,
  record: AnyRecord,
  query: Row,
): Promise<void> {
  const proceed = () => remove(context, stored(resource), record.id);
  const rule = rulesOf(resource).delete;
  await (rule ? rule(context, { record, query }, proceed) : proceed());
}
