import type { DashboardRecord } from '../../../contract/dashboard/dashboard.ts';
import { defaultLimit } from '../../../contract/schemas.ts';
import { audit as noteInAudit } from '../../audit.ts';
import type { ReadContext } from '../../context.ts';
import { ApiProblem, notFound } from '../../problem.ts';
import {
  addAdmin,
  addLink,
  addScreen,
  addScreenLink,
  endScreen,
  removeAdmin,
  requireAdmin,
  requireScreen,
} from '../../team/accounts.ts';
import {
  type Account,
  isLastToSignIn,
  readAccount,
  readAccounts,
  readScreen,
  readScreens,
  type Screen,
} from '../../team/accounts-list.ts';
import {
  endPhoneLink,
  findPhoneLink,
  keepPhoneLink,
  makeLink,
  type NewLink,
} from '../../team/links.ts';
import { endOf, endSessions, isLive } from '../../team/sessions.ts';
import type { DashboardRulesOf, Writing } from './rule.ts';

export const admins: DashboardRulesOf<'admins'> = {
  list: async (reading) => (await readAccounts(reading)).map(shownAdmin),
  async create(writing, { email, name, role }) {
    const { row, link } = await addAdmin(writing, writing.actor, {
      email,
      name: name ?? undefined,
      role: role ?? undefined,
    });
    return {
      record: shownAdmin(await readAccount(writing, row.id)),
      shownOnce: shownLink(writing, link),
    };
  },
  async delete(writing, id) {
    const row = await requireAdmin(writing, id);
    if (isLastToSignIn(await readAccounts(writing), id))
      throw new ApiProblem(
        'last_admin',
        'No other admin of the team has a password yet, so nobody could sign in',
      );
    await removeAdmin(writing, writing.actor, row);
  },
};

export const adminLinks: DashboardRulesOf<'adminLinks'> = {
  async create(writing, _body, adminId) {
    const link = await addLink(writing, writing.actor, await requireAdmin(writing, adminId));
    return { record: noLink, shownOnce: shownLink(writing, link) };
  },
};

export const phoneLinks: DashboardRulesOf<'phoneLinks'> = {
  async create(writing) {
    const adminId = await requireComputer(writing);
    const link = await makeLink(writing, 'phone', { adminId }, writing.actor);
    return { record: { id: link.id, ...noLink }, shownOnce: shownLink(writing, link) };
  },
  async get(reading, _query, id) {
    const { now } = reading;
    const adminId = await requireComputer(reading);
    const link = await findPhoneLink(reading, id);
    if (link?.adminId !== adminId || link.endsAt <= now.toISOString()) throw notFound('phone link');
    await keepPhoneLink(reading, id, now);
    return { id, ...noLink };
  },
  async delete(writing, id) {
    if ((await findPhoneLink(writing, id))?.adminId !== writing.session.adminId)
      throw notFound('phone link');
    await endPhoneLink(writing, id);
  },
};

/** A phone would sign itself in for ever. */
async function requireComputer(reading: ReadContext & Pick<Writing, 'session'>): Promise<string> {
  const { adminId, id } = reading.session;
  if (!adminId || (await findPhoneLink(reading, id)))
    throw new ApiProblem('role_needed', 'Make the link on the computer');
  return adminId;
}

export const screens: DashboardRulesOf<'screens'> = {
  list: async (reading) => (await readScreens(reading)).map(shownScreen),
  async create(writing, { name }) {
    const { row, link } = await addScreen(writing, writing.actor, name);
    return {
      record: shownScreen(await readScreen(writing, row.id)),
      shownOnce: shownLink(writing, link),
    };
  },
  async delete(writing, id) {
    await endScreen(writing, writing.actor, await requireScreen(writing, id));
  },
};

export const screenLinks: DashboardRulesOf<'screenLinks'> = {
  async create(writing, _body, screenId) {
    const link = await addScreenLink(
      writing,
      writing.actor,
      await requireScreen(writing, screenId),
    );
    return { record: noLink, shownOnce: shownLink(writing, link) };
  },
};

export const sessions: DashboardRulesOf<'sessions'> = {
  async list({ db, team, session, now }) {
    const rows = await sessionsOf({ db, team }).orderBy('s.lastSeenAt', 'desc').execute();
    return rows
      .filter((row) => isLive(row, now))
      .map((row) => ({
        id: row.id,
        role: row.role,
        name: holderOf(row),
        device: row.device,
        address: row.address,
        lastSeenAt: row.lastSeenAt,
        endsAt: endOf(row),
        createdAt: row.createdAt,
        isCurrent: row.id === session.id,
      }));
  },
  async delete(writing, id) {
    const row = await sessionsOf(writing).where('s.id', '=', id).executeTakeFirst();
    if (!row) throw notFound('session');
    await endSessions(writing, { id });
    await noteInAudit(writing, writing.actor, {
      action: 'session.end',
      subject: id,
      details: { name: holderOf(row), device: row.device },
    });
  },
};

export const audit: DashboardRulesOf<'audit'> = {
  async list({ db, team }, { page = 1, limit = defaultLimit, ...query }) {
    const { beforeId, action, subject } = query;
    // Several entries have the same time, so the id decides where a page ends.
    const last = db
      .selectFrom('auditLog as last')
      .select('last.at')
      .where('last.teamId', '=', team.id)
      .where('last.id', '=', beforeId as string);
    const matching = db
      .selectFrom('auditLog')
      .where('teamId', '=', team.id)
      .$if(beforeId !== undefined, (query) =>
        query.where((is) =>
          is.or([
            is('at', '<', last),
            is.and([is('at', '=', last), is('id', '<', beforeId as string)]),
          ]),
        ),
      )
      .$if(action !== undefined, (query) => query.where('action', '=', action as string))
      .$if(subject !== undefined, (query) => query.where('subject', '=', subject as string));
    const { total } = await matching
      .select((all) => all.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = matching.selectAll().orderBy('at', 'desc').orderBy('id', 'desc');
    const data = await rows
      .limit(limit)
      .offset((page - 1) * limit)
      .execute();
    const entries = data.map(({ id, at, actor, action, subject, details }) => ({
      id,
      at,
      actor,
      action,
      subject,
      details,
    }));
    return { data: entries, page, limit, total: Number(total) };
  },
};

/** Sessions with whom they belong to. */
const sessionsOf = ({ db, team }: ReadContext) =>
  db
    .selectFrom('browserSessions as s')
    .leftJoin('admins as a', (join) =>
      join.onRef('a.id', '=', 's.adminId').onRef('a.teamId', '=', 's.teamId'),
    )
    .leftJoin('screens as w', (join) =>
      join.onRef('w.id', '=', 's.screenId').onRef('w.teamId', '=', 's.teamId'),
    )
    .selectAll('s')
    .select(['a.email as email', 'w.name as screen'])
    .where('s.teamId', '=', team.id);

const holderOf = ({
  email,
  screen,
}: {
  readonly email: string | null;
  readonly screen: string | null;
}): string => email ?? screen ?? '';

const noLink = { link: null, linkEndsAt: null };
const shownLink = ({ linkTo }: Writing, { token, endsAt }: NewLink) => ({
  link: linkTo(token),
  linkEndsAt: endsAt,
});

const shownAdmin = ({ sessions: _, ...account }: Account): DashboardRecord<'admins'> => ({
  ...account,
  link: null,
});
const shownScreen = ({ sessions: _, ...screen }: Screen): DashboardRecord<'screens'> => ({
  ...screen,
  link: null,
});
