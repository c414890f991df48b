/** `cs admin user` and `cs admin screen`: who may open the team dashboard. */
import { accountRoles } from '../../../contract/dashboard/roles.ts';
import type { Admin } from '../../../service/admin.ts';
import type { Account, Screen } from '../../../service/team/accounts-list.ts';
import type { NewLink } from '../../../service/team/links.ts';
import type { Context } from '../../context.ts';
import { type Command, type Input, Option } from '../../framework/command.ts';
import { localTime } from '../../input/when.ts';
import { type Row, timeColumn, type View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';
import { dashboardAddress } from '../data/dashboard-address.ts';
import { readDataSource } from '../data/data-folder.ts';
import { ageOf, handleTeamTask, report, runByName } from './admin-task.ts';

const service = () => import('../../../service/team/owner.ts');

/** As it is stored. */
const isAccountOf = (given: string) => {
  const address = given.trim().toLowerCase();
  return ({ email }: Account): boolean => email === address;
};

export function addUsers(user: Command): void {
  user.examples([
    'cs admin user add anna@garage.example --team garage-nord',
    'cs admin user list --team garage-nord',
  ]);
  const email = ['<email>', 'e-mail address of the account'] as const;
  const add = user
    .command('add')
    .description(
      'Add an account for the dashboard: of an admin, or of the staff, who work with the cars. The link that it prints sets the password, once, within 72 hours.',
    )
    .argument('<email>', 'e-mail address, which signs in')
    .option('--name <name>', 'name of the person (default: the e-mail address)')
    .addOption(
      new Option(
        '--role <role>',
        'staff: no keys, accounts and usage; signed out after 12 hours (default: admin)',
      ).choices(accountRoles),
    );
  addLinkTask(add, async (admin, { args: [address], options }) => {
    const made = await (await service()).createUser(admin, options.team, {
      email: address,
      name: options.name,
      role: options.role,
    });
    return { ...made, record: made.account, for: made.account.email, did: 'added' };
  });
  add.examples([
    'cs admin user add anna@garage.example --team garage-nord',
    'cs admin user add anna@garage.example --name "Anna Berg" --public-url https://garage.example',
    'cs admin user add ben@garage.example --role staff',
  ]);

  const link = user
    .command('link')
    .description(
      'Make a new link for an account: for a forgotten password, or when the first link has ended. Older links are void.',
    )
    .argument(...email);
  addLinkTask(link, async (admin, { args: [address], options }) => {
    const made = await (await service()).linkUser(admin, options.team, address);
    return { ...made, record: made.account, for: made.account.email, did: 'has a new link' };
  });
  link.examples([
    'cs admin user link anna@garage.example',
    'cs admin user link anna@garage.example --team garage-nord',
  ]);

  const list = user.command('list').description('List the accounts of a team.');
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const records = await (await service()).listUsers(admin, options.team);
    await output.list({ view: userView, records: records as (Account & Row)[] });
  });
  list.examples(['cs admin user list --team garage-nord', 'cs admin user list -o json']);

  const remove = user
    .command('remove')
    .description(
      'Remove an account. Open sessions end at once; keys and the log stay. Asks before the last admin who can sign in.',
    )
    .argument(...email);
  handleTeamTask(remove, async (context, admin, { args: [address], options }) => {
    const [{ listUsers, removeUser }, { isLastToSignIn }] = await Promise.all([
      service(),
      import('../../../service/team/accounts-list.ts'),
    ]);
    const accounts = await listUsers(admin, options.team);
    const own = accounts.find(isAccountOf(address));
    if (own && isLastToSignIn(accounts, own.id)) {
      const follows =
        'Nobody else can manage the team in the dashboard until another admin is added.';
      await confirm(context, `${follows} Remove ${own.email}?`, { local: true });
    }
    const removed = await removeUser(admin, options.team, address);
    await report(context, `${removed.role} ${removed.email} removed`, removed);
  });
  remove.examples([
    'cs admin user remove anna@garage.example --team garage-nord',
    'cs admin user remove anna@garage.example --yes',
  ]);

  const sessions = user
    .command('sessions')
    .description('Count the sessions of an account on all browsers, or end them.')
    .argument(...email)
    .option('--end', 'end them');
  handleTeamTask(sessions, async (context, admin, { args: [address], options }) => {
    const { endUserSessions, readUser } = await service();
    if (options.end) {
      const ended = await endUserSessions(admin, options.team, address);
      const did = `${pluralize(ended, 'session', 'sessions')} of ${address} ended`;
      return report(context, did, { email: address, ended });
    }
    const found = await readUser(admin, options.team, address);
    const open = pluralize(found.sessions, 'open session', 'open sessions');
    const value = { email: found.email, sessions: found.sessions };
    await context.output.value(value, `${found.email}: ${open}`);
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
  const screenName = ['<screen>', 'name or id of the screen'] as const;
  const add = screen
    .command('add')
    .description(
      'Add a screen for a wall: it shows the board and today, and nothing else. The link works once, within 24 hours.',
    )
    .argument('<name>', 'where it hangs');
  addLinkTask(add, async (admin, { args: [name], options }) => {
    const made = await (await service()).createScreen(admin, options.team, name);
    return { ...made, record: made.screen, for: `the screen ${made.screen.name}`, did: 'added' };
  });
  add.examples([
    'cs admin screen add "Hall A"',
    'cs admin screen add "Hall A" --public-url https://garage.example',
  ]);

  const list = screen.command('list').description('List the screens of a team.');
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const records = await (await service()).listScreens(admin, options.team);
    await output.list({ view: screenView, records: records as unknown as Row[] });
  });
  list.examples(['cs admin screen list', 'cs admin screen list -o json']);

  const link = screen
    .command('link')
    .description(
      'Make a new link for a screen: for another display, or when the first link has ended. Older links are void.',
    )
    .argument(...screenName);
  addLinkTask(link, async (admin, { args: [name], options }, context) => {
    const { linkScreen } = await service();
    const made = await runByName(context, name, {
      ...screensByName,
      run: (one) => linkScreen(admin, options.team, one),
    });
    const whom = `the screen ${made.screen.name}`;
    return { ...made, record: made.screen, for: whom, did: 'has a new link' };
  });
  link.examples([
    'cs admin screen link "Hall A"',
    'cs admin screen link "Hall A" --team garage-nord',
  ]);

  const remove = screen
    .command('remove')
    .description('End a screen at once.')
    .argument(...screenName);
  handleTeamTask(remove, async (context, admin, { args: [name], options }) => {
    const { removeScreen } = await service();
    const removed = await runByName(context, name, {
      ...screensByName,
      run: (one) => removeScreen(admin, options.team, one),
    });
    await report(context, `screen ${removed.name} removed`, removed);
  });
  remove.examples([
    'cs admin screen remove "Hall A"',
    'cs admin screen remove "Hall A" --team garage-nord',
  ]);
}

const screensByName = {
  one: 'screen',
  identifier: 'id',
  describe: async (screens: readonly Screen[]) =>
    screens.map(
      ({ state, createdAt, lastSeenAt }) =>
        `${stateWords(state)} · ${ageOf(createdAt, lastSeenAt, 'seen')}`,
    ),
};

interface Made {
  readonly record: object;
  readonly link: NewLink;
  /** Whom the link is for. */
  readonly for: string;
  readonly did: string;
}

/** A command whose result is a link. It is shown once, so a script must get it on stdout. */
function addLinkTask(
  command: Command,
  make: (admin: Admin, input: Input, context: Context) => Promise<Made>,
): void {
  command.option(
    '--public-url <url>',
    'where people reach the service, such as https://garage.example (CS_PUBLIC_URL)',
  );
  handleTeamTask(command, async (context, admin, input) => {
    const { io, output, note, warn } = context;
    // First: with a wrong address, nothing is stored.
    const { options } = input;
    const place = await dashboardAddress(io, readDataSource(io, options), options.publicUrl);
    const { record, link, for: whom, did } = await make(admin, input, context);
    recordWrite(io, { did: `${whom} ${did}` });
    const address = `${place.url}/dashboard/link#${link.token}`;
    await output.value({ ...record, link: address, linkEndsAt: link.endsAt }, address);
    note(
      `Give this link to ${whom}: it works once, until ${localTime(link.endsAt)}, and won't be shown again.`,
    );
    if (!place.isRunning)
      warn(
        'No service runs on this data, so nothing answers at this address yet. Start it with `cs serve`.',
      );
  });
}

const userView: View = {
  one: 'account',
  many: 'accounts',
  columns: [
    { header: 'e-mail', cell: (user) => user.email, neverCut: true },
    {
      header: 'name',
      cell: (user) => (user.name === user.email ? '' : user.name),
      droppable: true,
    },
    { header: 'role', cell: (user) => user.role },
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
