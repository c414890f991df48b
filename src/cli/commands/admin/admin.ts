/** Administration of the service's data on this machine. Works while the service runs; its next request sees the changes. */

import { eventScopes } from '../../../contract/event-types.ts';
import { formatBytes } from '../../../contract/limits.ts';
import { namesIn } from '../../../facility/photo-checklist.ts';
import type { Admin } from '../../../service/admin.ts';
import type { TeamRow } from '../../../service/database/tables.ts';
import { invalidValue, problemOf, settingNamed } from '../../config/setting-list.ts';
import { usage } from '../../errors/exit.ts';
import { type Command, type CommandBuilder, Option } from '../../framework/command.ts';
import { collect, readSize, wholeNumber } from '../../framework/flags.ts';
import type { View } from '../../output/view.ts';
import { joinList } from '../../terminal/text.ts';
import { withNewData } from '../data/data-folder.ts';
import { eventTypeView } from '../event-types.ts';
import { type AdminTask, handleAdminTask, handleTeamTask, report } from './admin-task.ts';
import { addBackupCommands } from './backup.ts';
import { addFiles } from './files.ts';
import { addKeys } from './keys.ts';
import { addOutbox } from './outbox.ts';
import { addSenders } from './senders.ts';
import { addScreens, addUsers } from './users.ts';

type Service = typeof import('../../../service/admin.ts');
const loadService = (): Promise<Service> => import('../../../service/admin.ts');

export const admin: CommandBuilder = (command) => {
  command.description(
    "Manage teams, keys and event types in the service's data, on the machine that stores it.\nWorks while the service runs; changes apply from its next request on.",
  );
  const team = command
    .command('team')
    .alias('teams')
    .description('Facilities that share the service.');
  teams(team);
  addSenders(team.command('sender').alias('senders'));
  const group = (noun: string, about: string) =>
    command.command(noun).alias(`${noun}s`).description(about);
  addKeys(group('key', 'API keys.'));
  addUsers(group('user', 'Team admins, who sign in to the dashboard in a browser.'));
  addScreens(group('screen', 'Screens on a wall, which show the board and today.'));
  const access = "Switch a team's API access on or off: while it is off, all its keys are refused.";
  apiAccess(command.command('integration').description(access));
  eventTypes(group('event-type', 'Event types that a team can log.'));
  addBackupCommands(command);
  addFiles(command.command('files'));
  addOutbox(command.command('outbox'));
  command.examples([
    'cs admin team create "Garage Nord" --timezone Europe/Berlin',
    'cs admin key create --team garage-nord --name counter --scope read:cars --scope write:cars',
    'cs admin user add anna@garage.example --team garage-nord',
    'cs admin integration off --team garage-nord',
    'cs admin backup /backups/garage',
  ]);
};

function teams(team: Command): void {
  team.examples([
    'cs admin team create "Garage Nord" --timezone Europe/Berlin',
    'cs admin team list',
    'cs admin team quota garage-nord 50GB',
  ]);
  const create = team
    .command('create')
    .description('Create a team with the standard event types.')
    .argument('<name>', 'name of the facility')
    .option(
      '--timezone <zone>',
      'IANA time zone of the facility',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  const task: AdminTask = async (context, admin, { args: [name], options }) => {
    const { createTeam } = await loadService();
    const created = publicTeam(await createTeam(admin, { name, timezone: options.timezone }));
    await report(context, `team ${created.slug} created`, created);
    if (context.output.forPeople)
      context.note(`Next: cs admin key create --team ${created.slug} --name counter --all-scopes`);
  };
  handleAdminTask(create, task, withNewData);
  create.examples([
    'cs admin team create "Garage Nord" --timezone Europe/Berlin',
    'cs admin team create Try-out --data ./try-out',
  ]);

  const list = team.command('list').description('List the teams.');
  handleAdminTask(list, async ({ output }, admin) => {
    const { listTeams } = await loadService();
    const records = [];
    for (const team of await listTeams(admin)) records.push(await withUse(admin, team));
    await output.list({ view: teamView, records });
  });
  list.examples(['cs admin team list', 'cs admin team list -o json']);

  const quota = team
    .command('quota')
    .description(
      'Limit what the photos and assets of a team may take together. What is stored stays.',
    )
    .argument('<team>', 'slug or name of the team')
    .argument('<size>', 'such as 500MB or 50GB, or "default" for the limit of the service');
  handleAdminTask(quota, async (context, admin, { args: [name = '', size = ''] }) => {
    const { setQuota } = await loadService();
    const bytes = size === 'default' ? null : readSize(size, 'SIZE');
    const changed = await withUse(admin, await setQuota(admin, name, bytes));
    const { slug, quotaBytes, usedBytes } = changed;
    const did = `quota of ${slug} is ${quotaText(quotaBytes)}; ${formatBytes(usedBytes)} used`;
    await report(context, did, changed);
  });
  quota.examples([
    'cs admin team quota garage-nord 50GB',
    'cs admin team quota "Garage Nord" default',
  ]);
}

function apiAccess(command: Command): void {
  command.examples([
    'cs admin integration on --team garage-nord',
    'cs admin integration off --team garage-nord',
  ]);
  for (const word of ['on', 'off'] as const) {
    const verb = command
      .command(word)
      .description(
        word === 'on'
          ? "Accept the team's keys again."
          : 'Refuse all keys of the team; they stay stored.',
      );
    handleTeamTask(verb, async (context, admin, { options }) => {
      const { setIntegration } = await loadService();
      const team = publicTeam(await setIntegration(admin, options.team, word === 'on'));
      await report(context, `integration of ${team.slug} is ${word}`, team);
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
    .requiredOption('--value <value>', 'machine-readable name, such as tyre_change')
    .requiredOption('--name <name>', 'display name')
    .addOption(
      new Option('--scope <scope>', 'what the event is about')
        .choices(eventScopes)
        .default('vehicle'),
    )
    .option('--description <text>', 'description')
    .option('--duration <minutes>', 'usual duration', wholeNumber)
    .addOption(
      new Option('--requires-parking-spot', 'the event parks the car').conflicts(
        'releasesParkingSpot',
      ),
    )
    .option('--releases-parking-spot', "the event frees the car's parking place")
    .option('--option <name[:minutes]>', 'a variant and its duration; repeatable', collect);
  handleTeamTask(create, async (context, admin, { options }) => {
    const { createEventType } = await loadService();
    const { team, duration, option = [], ...type } = options;
    const created = await createEventType(admin, team, {
      ...(type as Parameters<Service['createEventType']>[2]),
      durationMinutes: duration,
      options: option.map(parseTypeOption),
    });
    await report(context, `event type ${created.value} created`, created);
  });
  create.examples([
    'cs admin event-type create --team garage-nord --value tyre_change --name "Tyre change" --duration 60',
    'cs admin event-type create --team garage-nord --value winter_storage --name "Winter storage" --requires-parking-spot',
    'cs admin event-type create --team garage-nord --value detailing --name Detailing --option Wash:45 --option "Full detail:180"',
  ]);

  const photos = command
    .command('photos')
    .description(
      'Name the photos that an event of a type should have, for `cs dropoff`, `cs pickup` and the dashboard. They win over those of a profile (`cs config set photos.TYPE`).',
    )
    .argument('<type>', 'value of the event type, such as drop_off')
    .argument('<names>', 'names of files without their ending: front,rear; or none');
  handleTeamTask(photos, async (context, admin, { args: [value = '', text = ''], options }) => {
    const { setEventTypePhotos } = await loadService();
    const info = settingNamed(`photos.${value}`) ?? {};
    const wrong = text !== 'none' && problemOf(info, text, context.io.now());
    if (wrong) throw invalidValue('NAMES', text, wrong);
    const names = text === 'none' ? [] : namesIn(text);
    const changed = await setEventTypePhotos(admin, options.team, { value, photos: names });
    const shown = joinList(changed.photos) || 'any';
    await report(context, `photos of ${changed.value} are now: ${shown}`, changed);
  });
  photos.examples([
    'cs admin event-type photos drop_off front,rear,left,right,odometer --team garage-nord',
    'cs admin event-type photos pick_up none --team garage-nord',
  ]);

  const list = command.command('list').description('List the event types of a team.');
  list.declareOutput(eventTypeView);
  handleTeamTask(list, async ({ output }, admin, { options }) => {
    const { listEventTypes } = await loadService();
    await output.list({ view: eventTypeView, records: await listEventTypes(admin, options.team) });
  });
  list.examples([
    'cs admin event-type list --team garage-nord',
    'cs admin event-type list --team garage-nord -o json',
  ]);
}

/** `Full detail:180` is a variant of three hours. Without minutes it has the duration of its type. */
function parseTypeOption(text: string): { name: string; durationMinutes: number | null } {
  const [, name = '', minutes] = /^(.*?)(?::([1-9]\d{0,6}))?$/s.exec(text.trim()) ?? [];
  if (name.trim() === '')
    throw usage(
      `"${text}" (--option) has no name.`,
      'write it like --option Wash:45, or --option Wash for the duration of the type',
    );
  return { name: name.trim(), durationMinutes: minutes ? Number(minutes) : null };
}

const publicTeam = ({ id, name, slug, timezone, apiEnabled, quotaBytes, createdAt }: TeamRow) => ({
  id,
  name,
  slug,
  timezone,
  apiEnabled,
  quotaBytes,
  createdAt,
});

async function withUse(admin: Admin, team: TeamRow) {
  const { usedBytesOf } = await import('../../../service/rules/stored-bytes.ts');
  return { ...publicTeam(team), usedBytes: await usedBytesOf(admin.database.read, team.id) };
}

const quotaText = (bytes: TeamRow['quotaBytes']): string =>
  bytes === null ? 'default' : formatBytes(bytes);

const teamView: View = {
  one: 'team',
  many: 'teams',
  columns: [
    { header: 'team', cell: (team) => team.slug },
    { header: 'name', cell: (team) => team.name },
    { header: 'time zone', cell: (team) => team.timezone, droppable: true },
    { header: 'used', cell: (team) => formatBytes(team.usedBytes) },
    { header: 'quota', cell: (team) => quotaText(team.quotaBytes) },
    { header: 'integration', cell: (team) => (team.apiEnabled ? 'on' : 'off') },
  ],
  title: (team) => team.name,
  emptyHint: 'Create one with `cs admin team create "My garage"`.',
};
