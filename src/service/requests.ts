/**
 * From a request to its response, in the order of the checks. Key and scope of the route are already checked; then come the
 * records in the path (404), query and body (422), the scope that the body needs (403), the records that the body refers to (404),
 * and the rules (422). The same for the public interface and that of the dashboard: they differ in their work.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { check } from '../contract/check.ts';
import type { Operation } from '../contract/operations.ts';
import { missingScope } from '../contract/scopes.ts';
import type { Caller, Context, ReadContext } from './context.ts';
import type { PathRecords, Work } from './crud.ts';
import {
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  saveIdempotencyRecord,
} from './idempotency.ts';
import { checkBody, checkQuery } from './input.ts';
import { reauthenticate } from './keys.ts';
import type { ListQuery } from './lists.ts';
import { ApiProblem, invalid } from './problem.ts';
import type { Row } from './records.ts';
import type { Bytes } from './rules/rule.ts';
import type { Services } from './stores.ts';
import { inTransaction } from './transaction.ts';

export interface Incoming {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly work: Work;
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
  const { operation, work } = incoming;
  const path = await work.find(reading);
  const query = checkQuery(operation, incoming.query);
  switch (operation.verb) {
    case 'list':
      return text(await work.list(query as ListQuery, path));
    case 'get':
      return data(await work.get(reading, query, path));
    case 'content':
      return { bytes: await work.content(reading, path) };
    case 'create':
      return create(services, incoming, reading, path);
    case 'update': {
      const body = readBody(incoming);
      return authorizedWrite(services, incoming, body, async (context) =>
        data(await work.update(context, body)),
      );
    }
    case 'delete':
      return authorizedWrite(services, incoming, {}, async (context) =>
        data({ id: await work.delete(context, query), deleted: true }),
      );
  }
}

async function create(
  services: Services,
  incoming: Incoming,
  reading: ReadContext,
  path: PathRecords,
): Promise<Outgoing> {
  const { operation, caller, work } = incoming;
  const body = readBody(incoming);
  const preconditions = checkPreconditions(incoming);
  const key = idempotencyKeyOf(incoming.headers['idempotency-key'], incoming.url, incoming.body);
  // Of a person: known also after another sign-in.
  const sender = { team: caller.team, keyId: caller.person?.id ?? caller.keyId };
  const authorize = () => requireAuthorized(reading, incoming, body);
  if (work.ingest) {
    // Nothing is downloaded again for a repeated request.
    await authorize();
    const earlier = await replay(reading, sender, key);
    if (earlier) return earlier;
  }
  const ingested = await work.ingest?.(reading, { body, path, authorize });
  const stored = authorizedWrite(services, incoming, body, async (context) => {
    const meanwhile = await replay(context, sender, key);
    if (meanwhile) return meanwhile;
    const { record, existing, shownOnce } = await work.create(context, {
      body,
      ingested,
      preconditions,
    });
    const status = existing ? 200 : operation.success;
    // What is shown once is never stored.
    if (key)
      await saveIdempotencyRecord(
        context,
        sender,
        key,
        { status, body: data(record).json },
        context.now,
      );
    return data({ ...record, ...shownOnce }, status);
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
