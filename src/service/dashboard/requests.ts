/** The work of the dashboard's own interface. Its records are made by rules (rules/), for admins alone. */
import type { DashboardName } from '../../contract/dashboard/dashboard.ts';
import type { Operation } from '../../contract/operations.ts';
import { defaultLimit } from '../../contract/schemas.ts';
import type { Context } from '../context.ts';
import type { Work } from '../crud.ts';
import type { ListQuery, Page } from '../lists.ts';
import { notFound } from '../problem.ts';
import { type AnyRecord, isId, type Row } from '../records.ts';
import type { Services } from '../stores.ts';
import { actorOf, type BrowserSession } from '../team/sessions.ts';
import { toUtc } from '../values.ts';
import type { Made, Reading, Writing } from './rules/rule.ts';
import { rules } from './rules/rules.ts';

/** The rules of a resource known only at run time. The one cast of this file. */
interface AnyRules {
  list: (reading: Reading, query: ListQuery) => Promise<readonly AnyRecord[] | Page>;
  get: (reading: Reading, query: Row, id: string) => Promise<Row>;
  create: (writing: Writing, body: Row, parentId: string) => Promise<Made<Row>>;
  update: (writing: Writing, body: Row, id: string) => Promise<Row>;
  delete: (writing: Writing, id: string) => Promise<void>;
}

interface Given extends Pick<Writing, 'linkTo'> {
  readonly operation: Operation;
  readonly session: BrowserSession;
  readonly ids: readonly string[];
}

export function dashboardWork(
  { database, teamQuota }: Services,
  { operation, session, ids, linkTo }: Given,
): Work {
  const { resource } = operation;
  const rule = rules[resource.name as DashboardName] as unknown as AnyRules;
  const { team } = session;
  const access = database.ofTeam(team.id);
  const reading: Reading = {
    ...access,
    db: access.read,
    team,
    session,
    teamQuota,
    now: new Date(),
  };
  const writing = (context: Context) => ({ ...context, session, actor: actorOf(session), linkTo });
  const [id = ''] = ids.map((given) => given.toLowerCase());
  return {
    async find() {
      // A malformed id matches nothing; PostgreSQL would refuse the query.
      if (ids.length > 0 && !isId(id)) throw notFound(resource.singular);
      return {};
    },
    list: async (query) => JSON.stringify(pageOf(await rule.list(reading, query), query)),
    get: (_context, query) => rule.get(reading, query, id),
    content() {
      throw new Error('The dashboard has no files of its own');
    },
    create: (context, { body }) => rule.create(writing(context), body, id),
    update: (context, body) => rule.update(writing(context), body, id),
    async delete(context) {
      await rule.delete(writing(context), id);
      return id;
    },
  };
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
