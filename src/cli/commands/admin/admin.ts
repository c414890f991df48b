/** What the owner of the service's data does: also while the service runs, and in force at its next request. */

import { eventScopes } from '../../../contract/event-types.ts';
import { scopes } from '../../../contract/scopes.ts';
import type { Admin } from '../../../service/admin.ts';
import type { ApiKeyRow, TeamRow } from '../../../service/database/tables.ts';
import { usage } from '../../errors/exit.ts';
import { type Command, type CommandBuilder, type Input, Option } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { collect, wholeNumber } from '../../framework/flags.ts';
import { recordWrite } from '../../framework/ledger.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { parseExpiry } from '../../input/when.ts';
import type { View } from '../../output/view.ts';
import { dataPlace, type onData, onNewData } from '../data/data-folder.ts';
import { eventTypeView } from '../event-types.ts';
import { withData } from './admin-task.ts';
import { addKeeping } from './backup.ts';
import { addOutbox } from './outbox.ts';
import { addSenders } from './senders.ts';

type Service = typeof import('../../../service/admin.ts');
type Task = (context: Context, admin: Admin, service: Service, input: Input) => Promise<void>;

export const admin: CommandBuilder = (command) => {
  command.description(
    "Teams, keys and event types in the service's data, on the machine where it lies.\nWorks while the service runs; changes hold from its next request on.",
  );
  const team = command.command('team').alias('teams').description('Facilities that share the service.');
  teams(team);
  addSenders(team.command('sender').alias('senders'));
  keys(command.command('key').alias('keys').description('Keys that let programs in.'));
  integration(command.command('integration').description("A team's switch: while it is off, all its keys are refused."));
  eventTypes(command.command('event-type').alias('event-types').description('Kinds of event that a team performs.'));
  addKeeping(command);
  addOutbox(command.command('outbox'));
  command.examples([
    'cs admin team create "Garage Nord" --timezone Europe/Berlin',
    'cs admin key create --team garage-nord --name counter --scope read:cars --scope write:cars',
    'cs admin integration off --team garage-nord',
    'cs admin backup garage.tar',
  ]);
};

type Run = (command: Command, task: Task, openData?: typeof onData) => Command;

/** Opens the data, loads the service's code, and runs the task. */
const run: Run = (command, task, openData) =>
  withData(command, async (context, admin, input) => task(context, admin, await import('../../../service/admin.ts'), input), openData);

function teams(team: Command): void {
  team.examples(['cs admin team create "Garage Nord" --timezone Europe/Berlin', 'cs admin team list']);
  const create = team
    .command('create')
    .description('Make a team, with the standard event types.')
    .argument('<name>', 'what people call the facility')
    .option('--timezone <zone>', 'IANA time zone of the facility', Intl.DateTimeFormat().resolvedOptions().timeZone);
  const task: Task = async ({ io, output, note }, admin, service, { args: [name], options }) => {
    const made = publicTeam(await service.createTeam(admin, { name, timezone: options.timezone }));
    recordWrite(io, { did: `team ${made.slug} created` });
    await output.value(made, `team ${made.slug} created`);
    if (output.format === 'table') note(`Next: cs admin key create --team ${made.slug} --name counter --all-scopes`);
  };
  run(create, task, onNewData);
  create.examples(['cs admin team create "Garage Nord" --timezone Europe/Berlin', 'cs admin team create Try-out --data ./try-out']);

  const list = team.command('list').description('Every team.');
  run(list, async ({ output }, admin, service) => {
    await output.list({ view: teamView, records: (await service.listTeams(admin)).map(publicTeam) });
  });
  list.examples(['cs admin team list', 'cs admin team list -o json']);
}

function keys(key: Command): void {
  key.examples(['cs admin key create --team garage-nord --name counter --all-scopes', 'cs admin key list --team garage-nord']);
  const create = key
    .command('create')
    .description('Make a key. It is shown once: only its hash is kept.')
    .requiredOption('--team <team>', 'team, by its slug or name')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--scope <scope>', 'what it may do; repeat for several').choices(scopes).argParser(parseScope).conflicts('allScopes'),
    )
    .option('--all-scopes', 'it may do everything')
    .option('--expires <when>', 'when it stops working: 90d, 2027-01-31 or an ISO time; never unless given');
  run(create, async ({ io, output, note }, admin, service, { options }) => {
    if (!options.scope && !options.allScopes)
      throw usage('A key needs --scope (one or several) or --all-scopes.', `scopes are ${scopes.join(', ')}`);
    const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, io.now(), '--expires');
    const made = await service.createKey(admin, {
      team: options.team,
      name: options.name,
      scopes: options.allScopes ? scopes : options.scope,
      expiresAt,
    });
    const revoking = nextCommand(['admin', 'key', 'revoke', publicKey(made.row).prefix]);
    const lost = `the key can't be shown again: revoke it with \`${revoking}\`, then create another`;
    recordWrite(io, { did: `key ${publicKey(made.row).prefix} created`, hint: lost });
    await output.value({ key: made.key, ...publicKey(made.row) }, made.key);
    note(`This is the only time that the key is shown. Sign in with it: ${await loginCommand(dataPlace(io, options).data)}`);
  });
  create.examples([
    'cs admin key create --team garage-nord --name counter --all-scopes',
    'cs admin key create --team garage-nord --name nightly-sync --scope read:cars --scope read:parking --expires 90d',
  ]);

  const list = key
    .command('list')
    .description('The keys of a team, without their secrets.')
    .requiredOption('--team <team>', 'team, by its slug or name');
  run(list, async ({ io, output }, admin, service, { options }) => {
    const now = io.now().toISOString();
    await output.list({ view: keyView(now), records: (await service.listKeys(admin, options.team)).map(publicKey) });
  });
  list.examples(['cs admin key list --team garage-nord', 'cs admin key list --team garage-nord -o json']);

  const revoke = key
    .command('revoke')
    .description('Take a key back, for good.')
    .argument('<key>', 'the key by its first part (csk_…), its id or its name')
    .option('--team <team>', 'look only in this team');
  run(revoke, async ({ io, output }, admin, service, { args: [name], options }) => {
    const revoked = publicKey(await service.revokeKey(admin, name, options.team));
    recordWrite(io, { did: `key ${revoked.prefix} revoked` });
    await output.value(revoked, `key ${revoked.prefix} (${revoked.name}) revoked`);
  });
  revoke.examples(['cs admin key revoke csk_abcdefgh2345', 'cs admin key revoke counter --team garage-nord']);
}

/** Where the service of the data is to be found, if one runs, is said too: a profile may name another. */
async function loginCommand(folder: string): Promise<string> {
  const { runningService } = await import('../../../service/data-folder/lock.ts');
  const url = runningService(folder)?.url;
  // One that listens on every address is reached at this machine's own, and a key goes unencrypted to no other.
  const local = url?.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  return nextCommand(['auth', 'login', ...(local ? ['--base-url', local] : [])]);
}

function integration(command: Command): void {
  command.examples(['cs admin integration on --team garage-nord', 'cs admin integration off --team garage-nord']);
  for (const word of ['on', 'off'] as const) {
    const verb = command
      .command(word)
      .description(word === 'on' ? "Let the team's keys in again." : "Refuse all the team's keys; they are kept.")
      .requiredOption('--team <team>', 'team, by its slug or name');
    run(verb, async ({ io, output }, admin, service, { options }) => {
      const team = publicTeam(await service.setIntegration(admin, options.team, word === 'on'));
      recordWrite(io, { did: `integration of ${team.slug} is ${word}` });
      await output.value(team, `integration of ${team.slug} is ${word}`);
    });
    verb.examples([
      `cs admin integration ${word} --team garage-nord`,
      `cs admin integration ${word} --team "Garage Nord" --data ./try-out`,
    ]);
  }
}

function eventTypes(command: Command): void {
  command.examples([
    'cs admin event-type create --team garage-nord --value tyre_change --name "Tyre change"',
    'cs admin event-type list --team garage-nord',
  ]);
  const create = command
    .command('create')
    .description('Make an event type. Its value never changes.')
    .requiredOption('--team <team>', 'team, by its slug or name')
    .requiredOption('--value <value>', 'machine name, such as tyre_change')
    .requiredOption('--name <name>', 'what people call it')
    .addOption(new Option('--scope <scope>', 'what it needs').choices(eventScopes).default('vehicle'))
    .option('--description <text>', 'what it is for')
    .option('--duration <minutes>', 'how long it usually takes', wholeNumber)
    .addOption(new Option('--requires-parking-spot', 'it parks the car').conflicts('releasesParkingSpot'))
    .option('--releases-parking-spot', "it frees the car's place")
    .option('--option <name[:minutes]>', 'a variant of it, and how long that takes; repeat for several', collect);
  run(create, async ({ io, output }, admin, service, { options }) => {
    const { team, duration, option = [], ...type } = options;
    const made = await service.createEventType(admin, team, {
      ...(type as Parameters<Service['createEventType']>[2]),
      durationMinutes: duration,
      options: option.map(parseTypeOption),
    });
    recordWrite(io, { did: `event type ${made.value} created` });
    await output.value(made, `event type ${made.value} created`);
  });
  create.examples([
    'cs admin event-type create --team garage-nord --value tyre_change --name "Tyre change" --duration 60',
    'cs admin event-type create --team garage-nord --value winter_storage --name "Winter storage" --requires-parking-spot',
    'cs admin event-type create --team garage-nord --value detailing --name Detailing --option Wash:45 --option "Full detail:180"',
  ]);

  const list = command
    .command('list')
    .description('The event types of a team.')
    .requiredOption('--team <team>', 'team, by its slug or name');
  run(list, async ({ output }, admin, service, { options }) => {
    await output.list({ view: eventTypeView, records: await service.listEventTypes(admin, options.team) });
  });
  list.examples(['cs admin event-type list --team garage-nord', 'cs admin event-type list --team garage-nord -o json']);
}

/** `Full detail:180` is a variant of three hours; without minutes it takes as long as its type. */
function parseTypeOption(text: string): { name: string; durationMinutes: number | null } {
  const [, name = '', minutes] = /^(.*?)(?::([1-9]\d{0,6}))?$/s.exec(text.trim()) ?? [];
  if (!name.trim() || name.length > 255)
    throw usage(`--option ${text} has no name of 1 to 255 characters.`, 'write --option "Full detail:180"');
  return { name: name.trim(), durationMinutes: minutes ? Number(minutes) : null };
}

/** Choices are checked by hand because commander drops them once a flag collects its values. */
function parseScope(value: string, before: string[] | undefined): string[] {
  if (!(scopes as readonly string[]).includes(value)) throw usage(`--scope ${value} is not a scope.`, `scopes are ${scopes.join(', ')}`);
  return collect(value, before);
}

const publicTeam = ({ id, name, slug, timezone, apiEnabled, createdAt }: TeamRow) => ({ id, name, slug, timezone, apiEnabled, createdAt });
const publicKey = ({ secretHash, prefix, ...row }: ApiKeyRow) => ({ ...row, prefix: `csk_${prefix}` });

const teamView: View = {
  one: 'team',
  many: 'teams',
  columns: [
    { header: 'team', cell: (team) => team.slug },
    { header: 'name', cell: (team) => team.name },
    { header: 'time zone', cell: (team) => team.timezone, spare: true },
    { header: 'integration', cell: (team) => (team.apiEnabled ? 'on' : 'off') },
  ],
  title: (team) => team.name,
  emptyHint: 'Make one: cs admin team create "My garage"',
};

const keyView = (now: string): View => ({
  one: 'key',
  many: 'keys',
  columns: [
    { header: 'key', cell: (key) => key.prefix, whole: true },
    { header: 'name', cell: (key) => key.name },
    { header: 'state', cell: (key) => (key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'valid') },
    { header: 'scopes', cell: (key) => (key.scopes.length === scopes.length ? 'all' : key.scopes.join(' ')) },
    { header: 'expires', cell: (key, { time }) => (key.expiresAt ? time(key.expiresAt) : 'never'), spare: true },
    { header: 'last used', cell: (key, { time }) => (key.lastUsedAt ? time(key.lastUsedAt) : 'never'), spare: true },
  ],
  title: (key) => key.name,
  emptyHint: 'Make one: cs admin key create --team T --name N --all-scopes',
});
