/** Administration of the service's data on this machine. Works while the service runs; its next request sees the changes. */

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
import { readDataSource, type withExistingData, withNewData } from '../data/data-folder.ts';
import { eventTypeView } from '../event-types.ts';
import { handleAdminTask, teamFlag } from './admin-task.ts';
import { addBackupCommands } from './backup.ts';
import { addOutbox } from './outbox.ts';
import { addSenders } from './senders.ts';

type Service = typeof import('../../../service/admin.ts');
type Task = (context: Context, admin: Admin, service: Service, input: Input) => Promise<void>;

export const admin: CommandBuilder = (command) => {
  command.description(
    "Manage teams, keys and event types in the service's data, on the machine that stores it.\nWorks while the service runs; changes apply from its next request on.",
  );
  const team = command.command('team').alias('teams').description('Facilities that share the service.');
  teams(team);
  addSenders(team.command('sender').alias('senders'));
  keys(command.command('key').alias('keys').description('API keys.'));
  apiAccess(command.command('integration').description("Switch a team's API access on or off: while it is off, all its keys are refused."));
  eventTypes(command.command('event-type').alias('event-types').description('Event types that a team can log.'));
  addBackupCommands(command);
  addOutbox(command.command('outbox'));
  command.examples([
    'cs admin team create "Garage Nord" --timezone Europe/Berlin',
    'cs admin key create --team garage-nord --name counter --scope read:cars --scope write:cars',
    'cs admin integration off --team garage-nord',
    'cs admin backup garage.tar',
  ]);
};

type Run = (command: Command, task: Task, openData?: typeof withExistingData) => Command;

/** Runs the task with the data open and the service's code loaded. */
const run: Run = (command, task, openData) =>
  handleAdminTask(
    command,
    async (context, admin, input) => task(context, admin, await import('../../../service/admin.ts'), input),
    openData,
  );

function teams(team: Command): void {
  team.examples(['cs admin team create "Garage Nord" --timezone Europe/Berlin', 'cs admin team list']);
  const create = team
    .command('create')
    .description('Create a team with the standard event types.')
    .argument('<name>', 'name of the facility')
    .option('--timezone <zone>', 'IANA time zone of the facility', Intl.DateTimeFormat().resolvedOptions().timeZone);
  const task: Task = async ({ io, output, note }, admin, service, { args: [name], options }) => {
    const created = publicTeam(await service.createTeam(admin, { name, timezone: options.timezone }));
    recordWrite(io, { did: `team ${created.slug} created` });
    await output.value(created, `team ${created.slug} created`);
    if (output.forPeople) note(`Next: cs admin key create --team ${created.slug} --name counter --all-scopes`);
  };
  run(create, task, withNewData);
  create.examples(['cs admin team create "Garage Nord" --timezone Europe/Berlin', 'cs admin team create Try-out --data ./try-out']);

  const list = team.command('list').description('List the teams.');
  run(list, async ({ output }, admin, service) => {
    await output.list({ view: teamView, records: (await service.listTeams(admin)).map(publicTeam) });
  });
  list.examples(['cs admin team list', 'cs admin team list -o json']);
}

function keys(key: Command): void {
  key.examples(['cs admin key create --team garage-nord --name counter --all-scopes', 'cs admin key list --team garage-nord']);
  const create = key
    .command('create')
    .description('Create a key. It is shown once: only its hash is stored.')
    .requiredOption(...teamFlag)
    .requiredOption('--name <name>', 'purpose of the key')
    .addOption(new Option('--scope <scope>', 'a scope of the key; repeatable').choices(scopes).argParser(parseScope).conflicts('allScopes'))
    .option('--all-scopes', 'all scopes')
    .option('--expires <when>', 'expiry: 90d, 2027-01-31 or an ISO time (default: never)');
  run(create, async ({ io, output, note }, admin, service, { options }) => {
    if (!options.scope && !options.allScopes)
      throw usage('A key needs at least one --scope, or --all-scopes.', `choose from ${scopes.join(', ')}`);
    const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, io.now(), '--expires');
    const created = await service.createKey(admin, {
      team: options.team,
      name: options.name,
      scopes: options.allScopes ? scopes : options.scope,
      expiresAt,
    });
    const revokeCommand = nextCommand(['admin', 'key', 'revoke', publicKey(created.row).prefix]);
    const hint = `the key won't be shown again: revoke it with \`${revokeCommand}\`, then create another`;
    recordWrite(io, { did: `key ${publicKey(created.row).prefix} created`, hint });
    await output.value({ key: created.key, ...publicKey(created.row) }, created.key);
    note(`The key won't be shown again. Sign in with it: ${await loginCommand(readDataSource(io, options).data)}`);
  });
  create.examples([
    'cs admin key create --team garage-nord --name counter --all-scopes',
    'cs admin key create --team garage-nord --name nightly-sync --scope read:cars --scope read:parking --expires 90d',
  ]);

  const list = key
    .command('list')
    .description('List the keys of a team, without their secrets.')
    .requiredOption(...teamFlag);
  run(list, async ({ io, output }, admin, service, { options }) => {
    const now = io.now().toISOString();
    await output.list({ view: keyView(now), records: (await service.listKeys(admin, options.team)).map(publicKey) });
  });
  list.examples(['cs admin key list --team garage-nord', 'cs admin key list --team garage-nord -o json']);

  const revoke = key
    .command('revoke')
    .description('Revoke a key permanently.')
    .argument('<key>', 'prefix (csk_…), id or name of the key')
    .option('--team <team>', 'slug or name of the team that the key belongs to');
  run(revoke, async ({ io, output }, admin, service, { args: [name], options }) => {
    const revoked = publicKey(await service.revokeKey(admin, name, options.team));
    recordWrite(io, { did: `key ${revoked.prefix} revoked` });
    await output.value(revoked, `key ${revoked.prefix} (${revoked.name}) revoked`);
  });
  revoke.examples(['cs admin key revoke csk_abcdefgh2345', 'cs admin key revoke counter --team garage-nord']);
}

/** With the address of the running service of this data: a profile may name another server. */
async function loginCommand(folder: string): Promise<string> {
  const { runningService } = await import('../../../service/data-folder/lock.ts');
  const url = runningService(folder)?.url;
  // A wildcard address becomes loopback, the only place where a key may travel unencrypted.
  const local = url?.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  return nextCommand(['auth', 'login', ...(local ? ['--base-url', local] : [])]);
}

function apiAccess(command: Command): void {
  command.examples(['cs admin integration on --team garage-nord', 'cs admin integration off --team garage-nord']);
  for (const word of ['on', 'off'] as const) {
    const verb = command
      .command(word)
      .description(word === 'on' ? "Accept the team's keys again." : 'Refuse all keys of the team; they stay stored.')
      .requiredOption(...teamFlag);
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
    .description('Create an event type. Its value can never be changed.')
    .requiredOption(...teamFlag)
    .requiredOption('--value <value>', 'machine-readable name, such as tyre_change')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--scope <scope>', 'what the event is about').choices(eventScopes).default('vehicle'))
    .option('--description <text>', 'description')
    .option('--duration <minutes>', 'usual duration', wholeNumber)
    .addOption(new Option('--requires-parking-spot', 'the event parks the car').conflicts('releasesParkingSpot'))
    .option('--releases-parking-spot', "the event frees the car's parking place")
    .option('--option <name[:minutes]>', 'a variant and its duration; repeatable', collect);
  run(create, async ({ io, output }, admin, service, { options }) => {
    const { team, duration, option = [], ...type } = options;
    const created = await service.createEventType(admin, team, {
      ...(type as Parameters<Service['createEventType']>[2]),
      durationMinutes: duration,
      options: option.map(parseTypeOption),
    });
    recordWrite(io, { did: `event type ${created.value} created` });
    await output.value(created, `event type ${created.value} created`);
  });
  create.examples([
    'cs admin event-type create --team garage-nord --value tyre_change --name "Tyre change" --duration 60',
    'cs admin event-type create --team garage-nord --value winter_storage --name "Winter storage" --requires-parking-spot',
    'cs admin event-type create --team garage-nord --value detailing --name Detailing --option Wash:45 --option "Full detail:180"',
  ]);

  const list = command
    .command('list')
    .description('List the event types of a team.')
    .requiredOption(...teamFlag);
  run(list, async ({ output }, admin, service, { options }) => {
    await output.list({ view: eventTypeView, records: await service.listEventTypes(admin, options.team) });
  });
  list.examples(['cs admin event-type list --team garage-nord', 'cs admin event-type list --team garage-nord -o json']);
}

/** `Full detail:180` is a variant of three hours. Without minutes it has the duration of its type. */
function parseTypeOption(text: string): { name: string; durationMinutes: number | null } {
  const [, name = '', minutes] = /^(.*?)(?::([1-9]\d{0,6}))?$/s.exec(text.trim()) ?? [];
  if (!name.trim() || name.length > 255)
    throw usage(`The name in --option ${text} must have 1 to 255 characters.`, 'write it like --option "Full detail:180"');
  return { name: name.trim(), durationMinutes: minutes ? Number(minutes) : null };
}

/** Commander drops `choices` when a flag has its own parser. */
function parseScope(value: string, before: string[] | undefined): string[] {
  if (!(scopes as readonly string[]).includes(value))
    throw usage(`"${value}" (--scope) isn't a scope.`, `choose from ${scopes.join(', ')}`);
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
    { header: 'time zone', cell: (team) => team.timezone, droppable: true },
    { header: 'integration', cell: (team) => (team.apiEnabled ? 'on' : 'off') },
  ],
  title: (team) => team.name,
  emptyHint: 'Create one with `cs admin team create "My garage"`.',
};

const keyView = (now: string): View => ({
  one: 'key',
  many: 'keys',
  columns: [
    { header: 'key', cell: (key) => key.prefix, neverCut: true },
    { header: 'name', cell: (key) => key.name },
    { header: 'state', cell: (key) => (key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'valid') },
    { header: 'scopes', cell: (key) => (key.scopes.length === scopes.length ? 'all' : key.scopes.join(' ')) },
    { header: 'expires', cell: (key, { time }) => (key.expiresAt ? time(key.expiresAt) : 'never'), droppable: true },
    { header: 'last used', cell: (key, { time }) => (key.lastUsedAt ? time(key.lastUsedAt) : 'never'), droppable: true },
  ],
  title: (key) => key.name,
  emptyHint: 'Create one with `cs admin key create --team TEAM --name NAME --all-scopes`.',
});
