/** From a request to the dashboard's own interface to its response. Its records are made by rules (rules/), for admins alone. */
import type { IncomingHttpHeaders } from 'node:http';
import type { DashboardName } from '../../contract/dashboard/dashboard.ts';
import type { Operation } from '../../contract/operations.ts';
import { defaultLimit } from '../../contract/schemas.ts';
import type { Context, ReadContext } from '../context.ts';
import {
  findReplay,
  type IdempotencyKey,
  idempotencyKeyOf,
  saveIdempotencyRecord,
} from '../idempotency.ts';
import { checkBody, checkQuery } from '../input.ts';
import type { ListQuery, Page } from '../lists.ts';
import { ApiProblem } from '../problem.ts';
import { type AnyRecord, isId, type Row } from '../records.ts';
import type { Services } from '../requests.ts';
import { actorOf, type BrowserSession, requireLive } from '../team/sessions.ts';
import { inTransaction } from '../transaction.ts';
import { toUtc } from '../values.ts';
import type { Made, Reading, Writing } from './rules/rule.ts';
import { rules } from './rules/rules.ts';

export interface DashboardRequest {
  readonly operation: Operation;
  readonly session: BrowserSession;
  readonly ids: readonly string[];
  readonly query: unknown;
  readonly body: Uint8Array;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly linkTo: Writing['linkTo'];
}

export interface DashboardAnswer {
  readonly status: number;
  readonly json: string;
  readonly replayed?: true;
}

/** The rules of a resource known only at run time. The one cast of this file. */
interface AnyRules {
  list: (reading: Reading, query: ListQuery) => Promise<readonly AnyRecord[] | Page>;
  get: (reading: Reading, query: Row) => Promise<Row>;
  create: (writing: Writing, body: Row, parentId: string) => Promise<Made<Row>>;
  update: (writing: Writing, body: Row, id: string) => Promise<Row>;
  delete: (writing: Writing, id: string) => Promise<void>;
}
const rulesOf = ({ resource }: Operation): AnyRules =>
  rules[resource.name as DashboardName] as unknown as AnyRules;

export async function dispatchDashboard(
  services: Services,
  request: DashboardRequest,
): Promise<DashboardAnswer> {
  const { operation, session } = request;
  const query = checkQuery(operation, request.query);
  const access = services.database.ofTeam(session.team.id);
  const reading: Reading = {
    ...access,
    db: access.read,
    team: session.team,
    session,
    teamQuota: services.teamQuota,
    now: new Date(),
  };
  // A malformed id matches nothing; PostgreSQL would refuse the query.
  const [id = ''] = request.ids.map((given) => given.toLowerCase());
  if (request.ids.length > 0 && !isId(id))
    throw new ApiProblem('not_found', `No such ${operation.resource.singular}`);
  const rule = rulesOf(operation);
  switch (operation.verb) {
    case 'list':
      return answer(pageOf(await rule.list(reading, query as ListQuery), query as ListQuery));
    case 'get':
      return answer({ data: await rule.get(reading, query) });
    case 'create':
      return create(services, request, reading, id);
    case 'update': {
      const body = checkBody(operation, request.body);
      return write(services, request, async (writing) =>
        answer({ data: await rule.update(writing, body, id) }),
      );
    }
    case 'delete':
      return write(services, request, async (writing) => {
        await rule.delete(writing, id);
        return answer({ data: { id, deleted: true } });
      });
    default:
      throw new Error(`The dashboard has no operation ${operation.id}`);
  }
}

async function create(
  services: Services,
  request: DashboardRequest,
  reading: ReadContext,
  parentId: string,
): Promise<DashboardAnswer> {
  const { operation, session } = request;
  const body = checkBody(operation, request.body);
  // Known also after another sign-in.
  const sender = { team: session.team, keyId: session.adminId ?? session.id };
  const key = idempotencyKeyOf(request.headers['idempotency-key'], request.url, request.body);
  const replay = async (
    context: ReadContext,
    given: IdempotencyKey | undefined,
  ): Promise<DashboardAnswer | undefined> => {
    const known = given && (await findReplay(context, sender, given, Date.now()));
    return known && { status: known.status, json: known.body, replayed: true };
  };
  const earlier = await replay(reading, key);
  if (earlier) return earlier;
  return write(services, request, async (writing) => {
    const meanwhile = await replay(writing, key);
    if (meanwhile) return meanwhile;
    const { record, shownOnce } = await rulesOf(operation).create(writing, body, parentId);
    // What is shown once is never stored.
    if (key)
      await saveIdempotencyRecord(
        writing,
        sender,
        key,
        { status: 201, body: JSON.stringify({ data: record }) },
        writing.now,
      );
    return answer({ data: { ...record, ...shownOnce } }, 201);
  });
}

/** Checks the session again once the transaction has the write lock. */
function write<T>(
  services: Services,
  { session, linkTo }: DashboardRequest,
  task: (writing: Writing) => Promise<T>,
): Promise<T> {
  return inTransaction(services, session.team, async (context: Context) => {
    await requireLive(context, session, new Date());
    return task({ ...context, session, actor: actorOf(session), linkTo });
  });
}

/** A page of records that are few: a team has some keys, admins and screens. */
function pageOf(
  found: readonly AnyRecord[] | Page,
  { page = 1, limit = defaultLimit, updatedAfter, ids }: ListQuery,
): Page {
  if (!('length' in found)) return found;
  const since = updatedAfter && toUtc(updatedAfter);
  const matching = found.filter(
    ({ id, updatedAt }) => (!ids || ids.includes(id)) && (!since || (updatedAt ?? since) >= since),
  );
  return {
    data: matching.slice((page - 1) * limit, page * limit),
    page,
    limit,
    total: matching.length,
  };
}

const answer = (body: unknown, status = 200): DashboardAnswer => ({
  status,
  json: JSON.stringify(body),
});
