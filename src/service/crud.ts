/** The generic operations on the records of any resource, under its rules. */

import { contract, type ResourceName, type StoredName } from '../contract/contract.ts';
import type { Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { requireTransition, requireUnique } from './constraints.ts';
import type { Caller, Context, IngestContext, ReadContext } from './context.ts';
import { type FilterRule, type ListContext, type ListQuery, list, type Page } from './lists.ts';
import { notFound } from './problem.ts';
import { type AnyRecord, change, find, findIds, insert, type Row, remove } from './records.ts';
import { AlreadyExists, type Bytes, type CreateInput, type Ingested } from './rules/rule.ts';
import { rules } from './rules/rules.ts';
import type { Services } from './stores.ts';
import { initialColumns, toColumns } from './values.ts';

/** The records in a path: the parent and the record itself. */
export interface PathRecords {
  parent?: AnyRecord;
  record?: AnyRecord;
}

/** What an interface does with the records of one request. Writes are part of one transaction. */
export interface Work {
  /** Throws `not_found` unless all records in the path exist. */
  find(context: ReadContext): Promise<PathRecords>;
  list(query: ListQuery, path: PathRecords): Promise<string>;
  get(context: ReadContext, query: Row, path: PathRecords): Promise<Row>;
  content(context: ReadContext, path: PathRecords): Promise<Bytes>;
  /** Downloads and stores files before the transaction. `authorize` after what can take its time. */
  ingest?(
    context: ReadContext,
    given: { body: Row; path: PathRecords; authorize: () => Promise<void> },
  ): Promise<Ingested<Row>>;
  create(context: Context, input: CreateGiven): Promise<Created>;
  update(context: Context, body: Row): Promise<Row>;
  /** Resolves with the id. */
  delete(context: Context, query: Row): Promise<string>;
}

interface CreateGiven {
  readonly body: Row;
  readonly ingested: Ingested<Row> | undefined;
  readonly preconditions: Readonly<Record<string, string>>;
}

interface Created {
  readonly record: Row;
  /** It was there before. */
  readonly existing?: boolean;
  /** Fields that only this answer has: no replay of it, and no later read. */
  readonly shownOnce?: Row;
}

/** The rules of a resource known only at run time. The one cast of this file. */
interface AnyRules {
  get?: (caller: Caller) => Row;
  list?: (context: ListContext, query: ListQuery) => Promise<Page>;
  filters?: Record<string, FilterRule>;
  content?: (context: ReadContext & Pick<Services, 'files'>, record: AnyRecord) => Promise<Bytes>;
  ingest?: (
    context: IngestContext,
    given: { body: Row; parent: AnyRecord | undefined },
  ) => Promise<Ingested<Row>>;
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

/** The work of the public interface. `ids`: of the path, outermost first. */
export function recordsWork(
  { database, files, fileMoves, teamQuota, fetchSource }: Services,
  { operation, caller, ids }: { operation: Operation; caller: Caller; ids: readonly string[] },
): Work {
  const { resource } = operation;
  const { team } = caller;
  const rule = (rules[resource.name as ResourceName] ?? {}) as unknown as AnyRules;
  const recordIn = async (context: Context) =>
    (await requirePath(context, operation, ids)).record as AnyRecord;
  const { ingest, content } = rule;
  return {
    find: async (context) => (resource.singleton ? {} : requirePath(context, operation, ids)),
    async list(query, { parent }) {
      const { textOf, search } = database;
      const context: ListContext = { ...database.ofTeam(team.id), team, textOf, search };
      return rule.list
        ? JSON.stringify(await rule.list(context, query))
        : list(context, resource, query, parent?.id, rule.filters);
    },
    get: async (_context, _query, { record }) => rule.get?.(caller) ?? (record as AnyRecord),
    content(context, { record }) {
      if (!content) throw new Error(`${resource.name} has no content`);
      return content({ ...context, files }, record as AnyRecord);
    },
    ingest:
      ingest &&
      (async (context, { body, path, authorize }) => {
        // Nothing is downloaded for a request that will be refused, and nothing stored for a key that has ended meanwhile.
        await requireReferences(context, operation, body);
        const fetchAuthorized: IngestContext['fetchSource'] = (url, limit) =>
          fetchSource(url, limit).finally(authorize);
        return ingest(
          { ...context, files, fileMoves, teamQuota, fetchSource: fetchAuthorized },
          { body, parent: path.parent },
        );
      }),
    async create(context, given) {
      const { parent } = await requirePath(context, operation, ids);
      await requireReferences(context, operation, given.body);
      const created = await createRecord(context, resource, rule, { ...given, parent });
      if (!created.existing) await caller.person?.note(context, operation, created.record);
      return created;
    },
    async update(context, body) {
      const record = await recordIn(context);
      await requireReferences(context, operation, body);
      const proceed = async (extra: Row = {}) => {
        requireTransition(resource, body, record);
        const values = { ...toColumns(resource, body), ...extra };
        await requireUnique(context, resource, { ...record, ...values }, record.id);
        return change(context, stored(resource), record as never, values as never);
      };
      const updated = (await (rule.update?.(context, { record, body }, proceed) ??
        proceed())) as AnyRecord;
      await caller.person?.note(context, operation, updated);
      return updated;
    },
    async delete(context, query) {
      const record = await recordIn(context);
      const proceed = () => remove(context, stored(resource), record.id);
      await (rule.delete?.(context, { record, query }, proceed) ?? proceed());
      return record.id;
    },
  };
}

const byName = (name: string): Resource => contract[name as ResourceName];
const stored = (resource: Resource): StoredName => resource.name as StoredName;
const findAny = async (context: ReadContext, resource: Resource, id: string) =>
  (await find(context, stored(resource), id)) as unknown as AnyRecord | undefined;

/** 404 unless all records in the path exist and the inner one belongs to the outer. */
async function requirePath(
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
async function requireReferences(
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

async function createRecord(
  context: Context,
  resource: Resource,
  { create }: AnyRules,
  input: CreateGiven & { readonly parent: AnyRecord | undefined },
): Promise<Created> {
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
  const result = await (create?.(context, input as unknown as CreateInput<never>, proceed) ??
    proceed());
  return result instanceof AlreadyExists
    ? { record: result.record, existing: true }
    : { record: result as AnyRecord };
}
