/**
 * From a request to its response, in the order of the checks. Key and scope of the route are already checked; then come the
 * records in the path (404), query and body (422), the scope that the body needs (403), the records that the body refers to (404),
 * and the rules (422).
 */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { check } from '../contract/check.ts';
import { memoize } from '../contract/memoize.ts';
import type { Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { isRepeatable, storedFields } from '../contract/schemas.ts';
import { missingScope } from '../contract/scopes.ts';
import type { Caller, Context, IngestContext, ReadContext } from './context.ts';
import { createRecord, deleteRecord, requirePath, requireReferences, rulesOf, updateRecord } from './crud.ts';
import { reauthenticate } from './keys.ts';
import { type FilterRule, isSearched, type ListContext, type ListQuery, list, type Page } from './lists.ts';
import { ApiProblem, invalid } from './problem.ts';
import type { AnyRecord, Row } from './records.ts';
import type { Bytes, Ingested } from './rules/rule.ts';
import type { Stores } from './stores.ts';
import { inTransaction } from './transaction.ts';

export interface Services extends Stores {
  readonly fetchSource: IngestContext['fetchSource'];
}

interface Incoming {
  readonly operation: Operation;
  readonly caller: Caller;
  /** The ids in the path, outermost first. */
  readonly ids: readonly string[];
  readonly query: unknown;
  readonly body: Uint8Array;
  /** As sent: part of the fingerprint of an idempotent request. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export type Outgoing =
  | { readonly status: number; readonly json: string; readonly replayed?: boolean; readonly keysFirst?: boolean }
  | { readonly bytes: Bytes };

export async function dispatch(services: Services, incoming: Incoming): Promise<Outgoing> {
  const { operation, caller } = incoming;
  const { resource } = operation;
  const reading: ReadContext = { db: services.database.ofTeam(caller.team.id).read, team: caller.team };
  // The first check was before the body arrived.
  if (operation.method !== 'GET') await requireAuthorized(reading, incoming);
  const path = resource.singleton ? {} : await requirePath(reading, operation, incoming.ids);
  const query = validate(operation.queryText(), requireSingleParameters(operation, incoming.query));

  switch (operation.verb) {
    case 'list':
      return {
        ...text(await listRecords(services, caller, resource, query as ListQuery, path.parent?.id)),
        keysFirst: isSearched(resource, query as ListQuery),
      };
    case 'get':
      return data(resource.singleton ? rulesOf<{ get: (caller: Caller) => Row }>(resource).get(caller) : (path.record as AnyRecord));
    case 'content': {
      const { content } = rulesOf<{ content: (context: ReadContext & Pick<Stores, 'files'>, record: AnyRecord) => Promise<Bytes> }>(
        resource,
      );
      return { bytes: await content({ ...reading, files: services.files }, path.record as AnyRecord) };
    }
    case 'create':
      return create(services, incoming, reading, path.parent);
    case 'update': {
      const body = checkBody(incoming);
      return authorizedWrite(services, incoming, body, async (context) => {
        const { record } = await requirePath(context, operation, incoming.ids);
        await requireReferences(context, operation, body);
        return data(await updateRecord(context, resource, record as AnyRecord, body));
      });
    }
    case 'delete':
      return authorizedWrite(services, incoming, {}, async (context) => {
        const { record } = await requirePath(context, operation, incoming.ids);
        await deleteRecord(context, resource, record as AnyRecord, query);
        return data({ id: (record as AnyRecord).id, deleted: true });
      });
  }
}

interface ListRules {
  filters?: Record<string, FilterRule>;
  list?: (context: ListContext, query: ListQuery) => Promise<Page>;
}

async function listRecords(
  { database }: Services,
  { team }: Caller,
  resource: Resource,
  query: ListQuery,
  parentId: string | undefined,
): Promise<string> {
  const { asText, search } = database;
  const context: ListContext = { ...database.ofTeam(team.id), team, asText, search };
  const rules = rulesOf<ListRules>(resource);
  return rules.list ? JSON.stringify(await rules.list(context, query)) : list(context, resource, query, parentId, rules.filters);
}

async function create(services: Services, incoming: Incoming, reading: ReadContext, outer: AnyRecord | undefined): Promise<Outgoing> {
  const { operation, caller } = incoming;
  const body = checkBody(incoming);
  const preconditions = checkPreconditions(incoming);
  const key = idempotencyKeyOf(incoming.headers['idempotency-key'], incoming.url, incoming.body);
  const earlier = await replay(reading, caller, key);
  if (earlier) return earlier;
  const ingested = await ingestFiles(services, incoming, reading, { body, parent: outer });
  return authorizedWrite(services, incoming, body, async (context) => {
    const meanwhile = await replay(context, caller, key);
    if (meanwhile) return meanwhile;
    const { parent } = await requirePath(context, operation, incoming.ids);
    await requireReferences(context, operation, body);
    const { record, existing } = await createRecord(context, operation.resource, { body, parent, ingested, preconditions });
    const outgoing = data(record, existing ? 200 : operation.success);
    if (key) await saveIdempotencyRecord(context, caller, key, { status: outgoing.status, body: outgoing.json }, context.now);
    return outgoing;
  });
}

async function replay(context: ReadContext, caller: Caller, key: IdempotencyKey | undefined) {
  const known = key && (await findReplay(context, caller, key, Date.now()));
  return known && { status: known.status, json: known.body, replayed: true };
}

/**
 * Downloads and stores files outside the write lock. References are checked first, so that nothing is downloaded for a request
 * that will be refused.
 */
async function ingestFiles(
  { files, fetchSource }: Services,
  incoming: Incoming,
  reading: ReadContext,
  input: { body: Row; parent: AnyRecord | undefined },
): Promise<Ingested<Row> | undefined> {
  const { operation } = incoming;
  const { ingest } = rulesOf<{ ingest?: (context: IngestContext, given: typeof input) => Promise<Ingested<Row>> }>(operation.resource);
  if (!ingest) return undefined;
  await requireReferences(reading, operation, input.body);
  const fetchAuthorized: IngestContext['fetchSource'] = async (url, limit) => {
    try {
      return await fetchSource(url, limit);
    } finally {
      // The download can take ten seconds, and the bytes are stored next.
      await requireAuthorized(reading, incoming, input.body);
    }
  };
  return ingest({ ...reading, files, fetchSource: fetchAuthorized }, input);
}

/** Checks the key again once the transaction has the write lock. */
function authorizedWrite<T>(services: Services, incoming: Incoming, body: Row, task: (context: Context) => Promise<T>): Promise<T> {
  return inTransaction(services, incoming.caller.team, async (context) => {
    await requireAuthorized(context, incoming, body);
    return task({ ...context, keyName: incoming.caller.keyName });
  });
}

async function requireAuthorized(context: ReadContext, { operation, caller }: Incoming, body: Row = {}): Promise<void> {
  const key = await reauthenticate(context, caller, new Date());
  requireScope(key, operation.scope);
  requireBodyScope(key, operation, body);
}

function checkBody({ operation, body, caller }: Incoming): Row {
  if (!operation.body) throw new Error(`${operation.id} takes no body`);
  const value = validate(operation.body(), parseJson(body), readOnlyOf(operation));
  requireBodyScope(caller, operation, value);
  return value;
}

/** The preconditions in the headers. The rule of the resource requires them inside the transaction. */
function checkPreconditions({ operation, headers }: Incoming): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const [name, { header, schema }] of Object.entries(operation.preconditions ?? {})) {
    const value = headers[header.toLowerCase()];
    if (value === undefined) continue;
    const checked = check(schema, value);
    if ('issues' in checked) throw invalid(checked.issues.map((issue) => ({ ...issue, path: header })));
    given[name] = checked.value;
  }
  return given;
}

function requireBodyScope(caller: Pick<Caller, 'scopes'>, { bodyScope }: Operation, body: Row): void {
  if (bodyScope?.fields.some((field) => body[field] !== undefined && body[field] !== null))
    requireScope(caller, { all: [bodyScope.scope] });
}

/** Existing fields that the body can't set. */
const readOnlyOf = memoize((operation: Operation): ReadonlySet<string> => {
  const fields = [...Object.keys(storedFields), ...Object.keys(operation.resource.fields)];
  const shape = operation.body?.().shape ?? {};
  return new Set(fields.filter((name) => !(name in shape)));
});

export function requireScope(caller: Pick<Caller, 'scopes'>, rule: Operation['scope']): void {
  const missing = missingScope(rule, caller.scopes);
  if (missing) throw new ApiProblem('missing_scope', `Missing scope: ${missing}`, { scope: missing });
}

/** A repeated parameter is ambiguous, unless it takes several values. */
function requireSingleParameters({ parameters }: Operation, query: unknown): unknown {
  const mayRepeat = (name: string) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return parameter !== undefined && isRepeatable(parameter.schema);
  };
  const twice = Object.entries(query ?? {}).filter(([name, value]) => Array.isArray(value) && !mayRepeat(name));
  if (twice.length > 0) throw invalid(twice.map(([path]) => ({ path, rule: 'repeated', message: 'is given more than once' })));
  return query ?? {};
}

function validate(schema: Parameters<typeof check>[0], value: unknown, readOnly?: ReadonlySet<string>): Row {
  const result = check(schema, value, readOnly);
  if ('issues' in result) throw invalid(result.issues);
  return result.value as Row;
}

/** Strict UTF-8: an invalid byte must not be stored as a replacement character. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) throw new ApiProblem('invalid_json', 'A JSON body is required');
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiProblem('invalid_json', "The body isn't valid JSON");
  }
}

const text = (json: string, status = 200) => ({ status, json });
const data = (record: Row, status = 200) => text(JSON.stringify({ data: record }), status);

interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

interface Replay {
  readonly status: number;
  readonly body: string;
}

/** How long responses are kept for replay: 24 hours (decision). */
const idempotencyWindowMs = 24 * 60 * 60_000;

/** Identifies the request: the same key with another path or body is an error. */
function idempotencyKeyOf(header: string | string[] | undefined, path: string, body: Uint8Array): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw invalid([{ path: 'Idempotency-Key', rule: 'invalid_format', message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  return { key: header, fingerprint: createHash('sha256').update(path).update('\0').update(body).digest('hex') };
}

async function findReplay({ db }: ReadContext, caller: Caller, key: IdempotencyKey, now: number): Promise<Replay | undefined> {
  const row = await db
    .selectFrom('idempotencyRecords')
    .select(['fingerprint', 'status', 'body', 'createdAt'])
    .where('teamId', '=', caller.team.id)
    .where('apiKeyId', '=', caller.keyId)
    .where('key', '=', key.key)
    .executeTakeFirst();
  if (!row || Date.parse(row.createdAt) < now - idempotencyWindowMs) return undefined;
  if (row.fingerprint !== key.fingerprint)
    throw new ApiProblem('idempotency_key_reused', 'This Idempotency-Key was used with another request', { key: key.key });
  return { status: row.status, body: row.body };
}

/** Written in the same transaction as the record. */
async function saveIdempotencyRecord(
  { db, team }: ReadContext,
  caller: Caller,
  key: IdempotencyKey,
  replay: Replay,
  now: string,
): Promise<void> {
  const expired = new Date(Date.parse(now) - idempotencyWindowMs).toISOString();
  await db.deleteFrom('idempotencyRecords').where('teamId', '=', team.id).where('createdAt', '<', expired).execute();
  await db
    .insertInto('idempotencyRecords')
    .values({
      teamId: team.id,
      apiKeyId: caller.keyId,
      key: key.key,
      fingerprint: key.fingerprint,
      ...replay,
      createdAt: now,
    })
    .execute();
}
