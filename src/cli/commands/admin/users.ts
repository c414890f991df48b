/** `cs admin user` and `cs admin screen`: who may open the team dashboard. */

import type { Account } from '../../../service/team/accounts-list.ts';
import type { NewLink } from '../../../service/team/links.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { localTime } from '../../input/when.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';
import { type DashboardAddress, dashboardAddress } from '../data/dashboard-address.ts';
import { readDataSource } from '../data/data-folder.ts';
import { handleTeamTask } from './admin-task.ts';

const service = () => import('../../../service/team/owner.ts');

/** As it is stored. */
const isAccountOf = (given: string) => {
  const address = given.trim().toLowerCase();
  return ({ email }: Account): boolean => email === address;
};

const addPublicUrl = (command: Command): Command =>
  command.option(
    '--public-url <url>',
    'where people reach the service, such as https://garage.example (CS_PUBLIC_URL)',
  );

export function addUsers(user: Command): void {
  user.examples([
    'cs admin user add anna@garage.example --team garage-nord',
    'cs admin user list --team garage-nord',
  ]);

  const add = user
    .command('add')
    .description(
      'Add a team admin. The link that it prints sets the password, once, within 72 hours.',
    )
    .argument('<email>', 'e-mail address, which signs in')
    .option('--name <name>', 'name of the person (default: the e-mail address)');
  handleTeamTask(addPublicUrl(add), async (context, admin, { args: [email], options }) => {
    const { createUser } = await service();
    const place = await placeOf(context, options);
    const { account, link } = await createUser(admin, options.team, { email, name: options.name });
    recordWrite(context.io, { did: `admin ${account.email} added` });
    await printLink(context, { record: account, link, place, for: account.email });
  });
  add.examples([
    'cs admin user add anna@garage.example --team garage-nord',
    'cs admin user add anna@garage.example --name "Anna Berg" --public-url https://garage.example',
  ]);

  const link = user
    .command('link')
    .description(
      'Make a new link for an admin: for a forgotten password, or when the first link has ended. Older links are void.',
    )
    .argument('<email>', 'e-mail address of the admin');
  handleTeamTask(addPublicUrl(link), async (context, admin, { args: [email], options }) => {
    const { linkUser } = await service();
    const place = await placeOf(context, options);
    const made = await linkUser(admin, options.team, email);
    recordWrite(context.io, { did: `link for ${made.account.email} made` });
    await printLink(context, {
      record: made.account,
      link: made.link,
      place,
      for: made.account.email,
    });
  });
  link.examples([
    'cs admin user link anna@garage.example',
    'cs admin user link anna@garage.example --team garage-nord',
  ]);

  const list = user.command('list').description('List the admins of a team.');
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const { listUsers } = await service();
    await output.list({
      view: userView,
      records: (await listUsers(admin, options.team)) as (Account & Record<string, unknown>)[],
    });
  });
  list.examples(['cs admin user list --team garage-nord', 'cs admin user list -o json']);

  const remove = user
    .command('remove')
    .description(
      'Remove an admin. Open sessions end at once; keys and the log stay. Asks before the last one who can sign in.',
    )
    .argument('<email>', 'e-mail address of the admin');
  handleTeamTask(remove, async (context, admin, { args: [email], options }) => {
    const { io, output } = context;
    const [{ listUsers, removeUser }, { isLastToSignIn }] = await Promise.all([
      service(),
      import('../../../service/team/accounts-list.ts'),
    ]);
    const accounts = await listUsers(admin, options.team);
    const own = accounts.find(isAccountOf(email));
    if (own && isLastToSignIn(accounts, own.id)) {
      const follows =
        'Nobody else of the team can sign in to the dashboard, which stays closed until another admin is added.';
      await confirm(context, `${follows} Remove ${own.email}?`, { local: true });
    }
    const removed = await removeUser(admin, options.team, email);
    recordWrite(io, { did: `admin ${removed.email} removed` });
    await output.value(removed, `admin ${removed.email} removed`);
  });
  remove.examples([
    'cs admin user remove anna@garage.example --team garage-nord',
    'cs admin user remove anna@garage.example --yes',
  ]);

  const sessions = user
    .command('sessions')
    .description('End the sessions of an admin on every browser.')
    .argument('<email>', 'e-mail address of the admin')
    .option('--end', 'end them');
  handleTeamTask(sessions, async ({ io, output }, admin, { args: [email], options }) => {
    const { endUserSessions, listUsers } = await service();
    if (!options.end) {
      const found = (await listUsers(admin, options.team)).find(isAccountOf(email));
      if (!found) throw usage(`No admin ${email}.`, 'list them with `cs admin user list`');
      const { sessions: open } = found;
      await output.value(
        { email: found.email, sessions: open },
        `${found.email}: ${pluralize(open, 'open session', 'open sessions')}`,
      );
      return;
    }
    const ended = await endUserSessions(admin, options.team, email);
    recordWrite(io, { did: `${pluralize(ended, 'session', 'sessions')} of ${email} ended` });
    await output.value(
      { email, ended },
      `${pluralize(ended, 'session', 'sessions')} of ${email} ended`,
    );
  });
  sessions.examples([
    'cs admin user sessions anna@garage.example',
    'cs admin user sessions anna@garage.example --end',
  ]);
}

export function addScreens(screen: Command): void {
  screen.examples([
    'cs admin screen add "Hall A" --team garage-nord',
    'cs admin screen list --team garage-nord',
  ]);

  const add = screen
    .command('add')
    .description(
      'Add a screen for a wall: it shows the board and today, and nothing else. The link works once, within 24 hours.',
    )
    .argument('<name>', 'where it hangs');
  handleTeamTask(addPublicUrl(add), async (context, admin, { args: [name], options }) => {
    const { createScreen } = await service();
    const place = await placeOf(context, options);
    const made = await createScreen(admin, options.team, name);
    recordWrite(context.io, { did: `screen ${name} added` });
    await printLink(context, {
      record: made.screen,
      link: made.link,
      place,
      for: `the screen ${name}`,
    });
  });
  add.examples([
    'cs admin screen add "Hall A"',
    'cs admin screen add "Hall A" --public-url https://garage.example',
  ]);

  const list = screen.command('list').description('List the screens of a team.');
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const { listScreens } = await service();
    await output.list({
      view: screenView,
      records: (await listScreens(admin, options.team)) as unknown as Record<string, unknown>[],
    });
  });
  list.examples(['cs admin screen list', 'cs admin screen list -o json']);

  const link = screen
    .command('link')
    .description(
      'Make a new link for a screen: for another display, or when the first link has ended. Older links are void.',
    )
    .argument('<screen>', 'name or id of the screen');
  handleTeamTask(addPublicUrl(link), async (context, admin, { args: [name], options }) => {
    const { linkScreen } = await service();
    const place = await placeOf(context, options);
    const made = await linkScreen(admin, options.team, name);
    recordWrite(context.io, { did: `link for the screen ${made.screen.name} made` });
    await printLink(context, {
      record: made.screen,
      link: made.link,
      place,
      for: `the screen ${made.screen.name}`,
    });
  });
  link.examples([
    'cs admin screen link "Hall A"',
    'cs admin screen link "Hall A" --team garage-nord',
  ]);

  const remove = screen
    .command('remove')
    .description('End a screen at once.')
    .argument('<screen>', 'name or id of the screen');
  handleTeamTask(remove, async ({ io, output }, admin, { args: [name], options }) => {
    const { removeScreen } = await service();
    const removed = await removeScreen(admin, options.team, name);
    recordWrite(io, { did: `screen ${removed.name} removed` });
    await output.value(removed, `screen ${removed.name} removed`);
  });
  remove.examples([
    'cs admin screen remove "Hall A"',
    'cs admin screen remove "Hall A" --team garage-nord',
  ]);
}

interface Printed {
  readonly record: object;
  readonly link: NewLink;
  readonly place: DashboardAddress;
  /** Whom the link is for. */
  readonly for: string;
}

/** Where the link leads. Known before anything is stored: with a wrong address, nothing is. */
const placeOf = (
  { io }: Context,
  options: Parameters<typeof readDataSource>[1] & { readonly publicUrl?: string },
): Promise<DashboardAddress> =>
  dashboardAddress(io, readDataSource(io, options), options.publicUrl);

/** The link is the result: it is shown once, so a script must get it on stdout. */
async function printLink(
  context: Context,
  { record, link, place, for: whom }: Printed,
): Promise<void> {
  const { output, note, warn } = context;
  const address = `${place.url}/dashboard/link#${link.token}`;
  await output.value({ ...record, link: address, linkEndsAt: link.endsAt }, address);
  note(
    `Give this link to ${whom}: it works once, until ${localTime(link.endsAt)}, and won't be shown again.`,
  );
  if (!place.isRunning)
    warn(
      'No service runs on this data, so nothing answers at this address yet. Start it with `cs serve`.',
    );
}

const userView: View = {
  one: 'admin',
  many: 'admins',
  columns: [
    { header: 'e-mail', cell: (user) => user.email, neverCut: true },
    {
      header: 'name',
      cell: (user) => (user.name === user.email ? '' : user.name),
      droppable: true,
    },
    { header: 'state', cell: (user) => stateWords(user.state) },
    { header: 'sessions', cell: (user) => String(user.sessions) },
    {
      ...timeColumn('last seen', 'lastSeenAt'),
      cell: (user, { time }) => (user.lastSeenAt ? time(user.lastSeenAt) : 'never'),
    },
  ],
  title: (user) => user.email,
  emptyHint: 'Add one with `cs admin user add you@example.com --team TEAM`.',
};

const screenView: View = {
  one: 'screen',
  many: 'screens',
  columns: [
    { header: 'name', cell: (screen) => screen.name },
    { header: 'state', cell: (screen) => stateWords(screen.state) },
    {
      ...timeColumn('last seen', 'lastSeenAt'),
      cell: (screen, { time }) => (screen.lastSeenAt ? time(screen.lastSeenAt) : 'never'),
    },
  ],
  title: (screen) => screen.name,
  emptyHint: 'Add one with `cs admin screen add "Hall A" --team TEAM`.',
};
