/** The accounts of a team, as the owner of the data manages them on the machine (`cs admin user`, `cs admin screen`). */
import type { AccountRole } from '../../contract/dashboard/roles.ts';
import { type Admin, AmbiguousName, findTeam, inTeam } from '../admin.ts';
import { audit } from '../audit.ts';
import type { Context, ReadContext } from '../context.ts';
import type { AdminRow, ScreenRow } from '../database/tables.ts';
import { ApiProblem } from '../problem.ts';
import { findBy, listBy } from '../records.ts';
import {
  addAdmin,
  addLink,
  addScreen,
  addScreenLink,
  endScreen,
  normalizeEmail,
  removeAdmin,
} from './accounts.ts';
import {
  type Account,
  readAccount,
  readAccounts,
  readScreen,
  readScreens,
  type Screen,
} from './accounts-list.ts';
import type { NewLink } from './links.ts';
import { endSessions } from './sessions.ts';

export async function createUser(
  admin: Admin,
  team: string,
  account: { email: string; name?: string; role?: AccountRole },
): Promise<{ account: Account; link: NewLink }> {
  return inTeam(admin, team, async (context) => {
    const { row, link } = await addAdmin(context, admin.actor, account);
    return { account: await readAccount(context, row.id), link };
  });
}

/** A new link, for a forgotten password too. Older ones are void. */
export const linkUser = (
  admin: Admin,
  team: string,
  email: string,
): Promise<{ account: Account; link: NewLink }> =>
  inTeam(admin, team, async (context) => {
    const row = await findUser(context, email);
    const link = await addLink(context, admin.actor, row);
    return { account: await readAccount(context, row.id), link };
  });

export const listUsers = async (admin: Admin, team: string): Promise<Account[]> =>
  readAccounts({ db: admin.database.read, team: await findTeam(admin, team) });

export async function readUser(admin: Admin, team: string, email: string): Promise<Account> {
  const reader = { db: admin.database.read, team: await findTeam(admin, team) };
  return readAccount(reader, (await findUser(reader, email)).id);
}

/** Ends the account and its sessions at once. */
export const removeUser = (admin: Admin, team: string, email: string): Promise<Account> =>
  inTeam(admin, team, async (context) => {
    const row = await findUser(context, email);
    const account = await readAccount(context, row.id);
    await removeAdmin(context, admin.actor, row);
    return account;
  });

/** Ends every session of the account. Returns how many. */
export const endUserSessions = (admin: Admin, team: string, email: string): Promise<number> =>
  inTeam(admin, team, async (context) => {
    const { id } = await findUser(context, email);
    const ended = await endSessions(context, { adminId: id });
    if (ended > 0)
      await audit(context, admin.actor, {
        action: 'session.end',
        subject: id,
        details: { email, sessions: ended },
      });
    return ended;
  });

export const createScreen = (
  admin: Admin,
  team: string,
  name: string,
): Promise<{ screen: Screen; link: NewLink }> =>
  inTeam(admin, team, async (context) => {
    const { row, link } = await addScreen(context, admin.actor, name);
    return { screen: await readScreen(context, row.id), link };
  });

export const listScreens = async (admin: Admin, team: string): Promise<Screen[]> =>
  readScreens({ db: admin.database.read, team: await findTeam(admin, team) });

/** A new link for a screen, by its name or id. Older ones are void. */
export const linkScreen = (
  admin: Admin,
  team: string,
  name: string,
): Promise<{ screen: Screen; link: NewLink }> =>
  inTeam(admin, team, async (context) => {
    const row = await findScreen(context, name);
    const link = await addScreenLink(context, admin.actor, row);
    return { screen: await readScreen(context, row.id), link };
  });

/** By name or id. */
export const removeScreen = (admin: Admin, team: string, name: string): Promise<Screen> =>
  inTeam(admin, team, async (context) => {
    const row = await findScreen(context, name);
    const screen = await readScreen(context, row.id);
    await endScreen(context, admin.actor, row);
    return screen;
  });

/** Whether any team has an admin: nobody else can open the dashboard. */
export async function hasUsers({ database }: Pick<Admin, 'database'>): Promise<boolean> {
  return (
    (await database.read.selectFrom('admins').select('id').limit(1).executeTakeFirst()) !==
    undefined
  );
}

/** By name or id. Throws `AmbiguousName` with the screens, if several have the name. */
async function findScreen(context: Context, name: string): Promise<ScreenRow> {
  const rows = await listBy(context, 'screens', {}, 'id');
  const exact = rows.filter(({ id }) => id === name);
  const found = exact.length > 0 ? exact : rows.filter((row) => row.name === name);
  const [row, second] = found;
  if (!row) throw new ApiProblem('not_found', `No screen ${name}`, { field: 'screen' });
  if (second)
    throw new AmbiguousName(
      `${found.length} screens are named ${name}: ${found.map(({ id }) => id).join(', ')}`,
      await Promise.all(found.map(({ id }) => readScreen(context, id))),
    );
  return row;
}

async function findUser(
  context: Pick<ReadContext, 'db' | 'team'>,
  email: string,
): Promise<AdminRow> {
  const address = normalizeEmail(email);
  const row = await findBy(context, 'admins', { email: address });
  if (!row)
    throw new ApiProblem('not_found', `Team ${context.team.slug} has no account ${address}`, {
      field: 'email',
    });
  return row;
}
