import { sql } from 'kysely';
import { calendarDaysLimit, type calendarTypes } from '../../contract/calendar.ts';
import { defaultLimit } from '../../contract/schemas.ts';
import type { ReadContext } from '../context.ts';
import type { ListQuery } from '../lists.ts';
import { invalidValue } from '../problem.ts';
import { toUtc } from '../values.ts';
import type { RulesOf } from './rule.ts';

type EntryType = (typeof calendarTypes)[number];
/** The requested range, in UTC. */
interface Span {
  readonly from: string;
  readonly to: string;
  readonly type?: EntryType;
}

/** Longest title; of a post only that much is read (decision). */
const titleLength = 100;

export const calendar: RulesOf<'calendar'> = {
  async list(context, query) {
    const { page = 1, limit = defaultLimit, updatedAfter, ids } = query;
    const { from, to, type } = spanOf(query);
    const { snapshot } = await context.heavy('campaigns', 'socialPosts', 'socialEvents');
    return snapshot(async (db) => {
      const reading = { db, team: context.team };
      const all = campaigns(reading, from, to)
        .unionAll(posts(reading, from, to))
        .unionAll(events(reading, from, to));
      const matching = db
        .selectFrom(all.as('entry'))
        .where((where) =>
          where.and([
            ...(type ? [where('type', '=', type)] : []),
            ...(updatedAfter ? [where('updatedAt', '>=', toUtc(updatedAfter))] : []),
            ...(ids ? [where('id', 'in', ids)] : []),
          ]),
        );
      const { total } = await matching
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const entries = await matching
        .selectAll()
        .orderBy('startAt')
        .orderBy('id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const data = entries.map((entry) => ({ ...entry, title: firstLine(entry.title) }));
      return { data, page, limit, total: Number(total) };
    });
  },
};

/** Checks order and length of the range. Presence is already checked. */
function spanOf(query: ListQuery): Span {
  const { from, to, type } = query as unknown as Span;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days < 0) throw invalidValue('to', 'too_small', 'must not be before from');
  if (days > calendarDaysLimit)
    throw invalidValue('to', 'too_big', `must be at most ${calendarDaysLimit} days after from`);
  return { from: toUtc(from), to: toUtc(to), type };
}

function campaigns({ db, team }: ReadContext, from: string, to: string) {
  const at = sql<string>`coalesce("startedAt", "scheduledAt")`;
  return db
    .selectFrom('campaigns')
    .select([
      'id',
      entryType('campaign'),
      'name as title',
      status,
      at.as('startAt'),
      'completedAt as endAt',
      'updatedAt',
    ])
    .where('teamId', '=', team.id)
    .where(at, '>=', from)
    .where(at, '<=', to);
}

function posts({ db, team }: ReadContext, from: string, to: string) {
  const at = sql<string>`coalesce("publishedAt", "scheduledAt")`;
  const start = sql<string>`substr("body", 1, ${sql.lit(titleLength)})`;
  const never = sql<string | null>`cast(null as text)`;
  return db
    .selectFrom('socialPosts')
    .select([
      'id',
      entryType('social_post'),
      start.as('title'),
      status,
      at.as('startAt'),
      never.as('endAt'),
      'updatedAt',
    ])
    .where('teamId', '=', team.id)
    .where(at, '>=', from)
    .where(at, '<=', to);
}

function events({ db, team }: ReadContext, from: string, to: string) {
  return db
    .selectFrom('socialEvents')
    .select(['id', entryType('social_event'), 'title', status, 'startAt', 'endAt', 'updatedAt'])
    .where('teamId', '=', team.id)
    .where('startAt', '>=', from)
    .where('startAt', '<=', to);
}

const status = sql.ref<string>('status').as('status');
const entryType = (type: EntryType) => sql<EntryType>`cast(${sql.lit(type)} as text)`.as('type');

const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0] ?? '';
