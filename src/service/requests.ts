/**
 * From a request to its response, in the order of the checks. Key and scope of the route are already checked; then come the
 * records in the path (404), query and body (422), the scope that the body needs (403), the records that the body refers to (404),
 * and the rules (422).
 */

import type { IncomingHttpHeaders } from 'node:http';
import { check } from '../contract/check.ts';
import type { Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { missingScope } from '../contract/scopes.ts';
import type { Caller, Context, IngestContext, ReadContext } from './context.ts';
import {
  createRecord,
  deleteRecord,
  requirePath,
  requireReferences,
  rulesOf,
  updateRecord,
} from './crud.ts';
import {
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  saveIdempotencyRecord,
} from './idempotency.ts';
import { checkBody, checkQuery } from './input.ts';
import { reauthenticate } from './keys.ts';
import { type FilterRule, type ListContext, type ListQuery, list, type Page } from './lists.ts';
import { ApiProblem, invalid } from './problem.ts';
import type { AnyRecord, Row } from './records.ts';
import type { Bytes, Ingested } from './rules/rule.ts';
import type { Stores } from './stores.ts';
import { inTransaction } from './transaction.ts';

export interface Services extends Stores {
  readonly fetchSource: IngestContext['fetchSource'];
  readonly teamQuota: IngestContext['teamQuota'];
  readonly fileMoves: IngestContext['fileMoves'];
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
  | { readonly status: number; readonly json: string; readonly replayed?: boolean }
  | { readonly bytes: Bytes };

export async function dispatch(services: Services, incoming: Incoming): Promise<Outgoing> {
  const { operation, caller } = incoming;
  const reading: ReadContext = {
    db: services.database.ofTeam(caller.team.id).read,
    team: caller.team,
  };
  try {
    return await perform(services, incoming, reading);
  } catch (error) {
    // A body can take minutes to arrive, and a key that has ended meanwhile is told nothing else.
    if (operation.method !== 'GET' && error instanceof ApiProblem)
      await requireAuthorized(reading, incoming);
    throw error;
  }
}

async function perform(
  services: Services,
  incoming: Incoming,
  reading: ReadContext,
): Promise<Outgoing> {
  const { operation, caller } = incoming;
  const { resource } = operation;
  const path = resource.singleton ? {} : await requirePath(reading, operation, incoming.ids);
  const query = checkQuery(operation, incoming.query);

  switch (operation.verb) {
    case 'list':
      return text(
        await listRecords(services, caller, resource, query as ListQuery, path.parent?.id),
      );
    case 'get':
      return data(
        resource.singleton
          ? rulesOf<{ get: (caller: Caller) => Row }>(resource).get(caller)
          : (path.record as AnyRecord),
      );
    case 'content': {
      const { content } = rulesOf<{
        content: (
          context: ReadContext & Pick<Stores, 'files'>,
          record: AnyRecord,
        ) => Promise<Bytes>;
      }>(resource);
      return {
        bytes: await content({ ...reading, files: services.files }, path.record as AnyRecord),
      };
    }
    case 'create':
      return create(services, incoming, reading, path.parent);
    case 'update': {
      const body = readBody(incoming);
      return authorizedWrite(services, incoming, body, async (context) => {
        const { record } = await requirePath(context, operation, incoming.ids);
        await requireReferences(context, operation, body);
        const updated = await updateRecord(context, resource, record as AnyRecord, body);
        await caller.person?.note(context, operation, updated);
        return data(updated);
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

type Ingest = (
  context: IngestContext,
  given: { body: Row; parent: AnyRecord | undefined },
) => Promise<Ingested<Row>>;

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
  const { textOf, search } = database;
  const context: ListContext = { ...database.ofTeam(team.id), team, textOf, search };
  const rules = rulesOf<ListRules>(resource);
  return rules.list
    ? JSON.stringify(await rules.list(context, query))
    : list(context, resource, query, parentId, rules.filters);
}

async function create(
  services: Services,
  incoming: Incoming,
  reading: ReadContext,
  outer: AnyRecord | undefined,
): Promise<Outgoing> {
  const { operation, caller } = incoming;
  const body = readBody(incoming);
  const preconditions = checkPreconditions(incoming);
  const key = idempotencyKeyOf(incoming.headers['idempotency-key'], incoming.url, incoming.body);
  const sender = { team: caller.team, keyId: caller.person?.id ?? caller.keyId };
  const { ingest } = rulesOf<{ ingest?: Ingest }>(operation.resource);
  if (ingest) {
    // Nothing is downloaded again for a repeated request.
    await requireAuthorized(reading, incoming, body);
    const earlier = await replay(reading, sender, key);
    if (earlier) return earlier;
  }
  const ingested =
    ingest && (await ingestFiles(services, incoming, reading, { ingest, body, parent: outer }));
  const stored = authorizedWrite(services, incoming, body, async (context) => {
    const meanwhile = await replay(context, sender, key);
    if (meanwhile) return meanwhile;
    const { parent } = await requirePath(context, operation, incoming.ids);
    await requireReferences(context, operation, body);
    const { record, existing } = await createRecord(context, operation.resource, {
      body,
      parent,
      ingested,
      preconditions,
    });
    if (!existing) await caller.person?.note(context, operation, record);
    const outgoing = data(record, existing ? 200 : operation.success);
    if (key)
      await saveIdempotencyRecord(
        context,
        sender,
        key,
        { status: outgoing.status, body: outgoing.json },
        context.now,
      );
    return outgoing;
  });
  const outgoing = await stored.catch(async (error) => {
    // After another failure the record may exist.
    if (error instanceof ApiProblem) await ingested?.discard();
    throw error;
  });
  if ('replayed' in outgoing) await ingested?.discard();
  return outgoing;
}

async function replay(
  context: ReadContext,
  sender: Pick<Caller, 'team' | 'keyId'>,
  key: IdempotencyKey | undefined,
) {
  const known = key && (await findReplay(context, sender, key, Date.now()));
  return known && { status: known.status, json: known.body, replayed: true };
}

/**
 * Downloads and stores files outside the write lock. References are checked first, so that nothing is downloaded for a request
 * that will be refused.
 */
async function ingestFiles(
  { files, fileMoves, fetchSource, teamQuota }: Services,
  incoming: Incoming,
  reading: ReadContext,
  { ingest, ...input }: { ingest: Ingest; body: Row; parent: AnyRecord | undefined },
): Promise<Ingested<Row>> {
  await requireReferences(reading, incoming.operation, input.body);
  const fetchAuthorized: IngestContext['fetchSource'] = async (url, limit) => {
    try {
      return await fetchSource(url, limit);
    } finally {
      // The download can take ten seconds, and the bytes are stored next.
      await requireAuthorized(reading, incoming, input.body);
    }
  };
  return ingest({ ...reading, files, fileMoves, teamQuota, fetchSource: fetchAuthorized }, input);
}

/** Checks the key again once the transaction has the write lock. */
function authorizedWrite<T>(
  services: Services,
  incoming: Incoming,
  body: Row,
  task: (context: Context) => Promise<T>,
): Promise<T> {
  return inTransaction(services, incoming.caller.team, async (context) => {
    await requireAuthorized(context, incoming, body);
    return task({ ...context, keyName: incoming.caller.keyName });
  });
}

async function requireAuthorized(
  context: ReadContext,
  { operation, caller }: Incoming,
  body: Row = {},
): Promise<void> {
  if (caller.person) await caller.person.requireLive(context);
  const key = caller.person ? caller : await reauthenticate(context, caller, new Date());
  requireScope(key, operation.scope);
  requireBodyScope(key, operation, body);
}

function readBody({ operation, body, caller }: Incoming): Row {
  const value = checkBody(operation, body);
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
    if ('issues' in checked)
      throw invalid(checked.issues.map((issue) => ({ ...issue, path: header })));
    given[name] = checked.value;
  }
  return given;
}

function requireBodyScope(
  caller: Pick<Caller, 'scopes'>,
  { bodyScope }: Operation,
  body: Row,
): void {
  if (bodyScope?.fields.some((field) => body[field] !== undefined && body[field] !== null))
    requireScope(caller, { all: [bodyScope.scope] });
}

export function requireScope(caller: Pick<Caller, 'scopes'>, rule: Operation['scope']): void {
  const missing = missingScope(rule, caller.scopes);
  if (missing)
    throw new ApiProblem('missing_scope', `Missing scope: ${missing}`, { scope: missing });
}

const text = (json: string, status = 200) => ({ status, json });
const data = (record: Row, status = 200) => text(JSON.stringify({ data: record }), status);
