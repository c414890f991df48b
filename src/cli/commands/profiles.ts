import { type Profile, readConfig, writeConfig } from '../config/config.ts';
import { profileKeySource, requireProfile } from '../config/connection.ts';
import { describeKey } from '../config/describe-key.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors/exit.ts';
import { Argument, type CommandBuilder, type Input, suggestRecords } from '../framework/command.ts';
import { resultView, type View } from '../output/view.ts';
import {
  addProtectionFlags,
  applyProtectionFlags,
  describeProtection,
  removeProfile,
} from './connection/profile.ts';

const profileView: View = {
  one: 'profile',
  many: 'profiles',
  columns: [
    { header: 'name', cell: (row) => row.name },
    { header: 'current', cell: (row) => (row.current ? 'yes' : '') },
    { header: 'server', cell: (row) => row.baseUrl },
    { header: 'writes', cell: (row) => describeProtection(row) },
    { header: 'key', cell: (row) => row.key, droppable: true },
  ],
  title: (row) => row.baseUrl ?? '',
  fields: ['name', 'current', 'baseUrl', 'key', 'production', 'readOnly', 'settings'],
  emptyHint: 'Sign in with `cs auth login`.',
};

export const profiles: CommandBuilder = (command) => {
  const listCommand = command
    .command('list')
    .summary('List the profiles')
    .description(
      'List the profiles. Of each key, only the prefix, a fingerprint where it has none, or the key command is shown.',
    )
    .handle(list);
  listCommand.declareOutput(profileView);
  listCommand.examples(['cs profiles list', 'cs profiles list --json']);
  const useCommand = command
    .command('use')
    .summary('Select the current profile')
    .description('Select the current profile, which commands use without --profile.')
    .addArgument(nameArgument())
    .handle(use);
  useCommand.declareOutput(profileView);
  useCommand.examples([
    'cs profiles use work',
    '# for one command only',
    'cs cars list --profile work',
  ]);
  const setCommand = command
    .command('set')
    .summary('Set the write protection of a profile')
    .description(
      'Set the write protection of a profile. With --production, every command asks once before it writes, unless --yes is given. With --read-only, every write is refused before anything is sent.',
    )
    .addArgument(nameArgument());
  addProtectionFlags(setCommand).handle(set);
  setCommand.declareOutput(profileView);
  setCommand.examples([
    'cs profiles set work --production',
    'cs profiles set reports --read-only',
    'cs profiles set work --no-production',
  ]);
  const removeCommand = command
    .command('remove')
    .summary('Remove a profile and its key')
    .description('Remove a profile and its key. The key stays valid until it is revoked.')
    .addArgument(nameArgument())
    .handle(remove);
  removeCommand.declareOutput(resultView('profile', ['name', 'baseUrl', 'removed']));
  removeCommand.examples(['cs profiles remove work', 'cs profiles remove work --yes']);
  command.examples([
    'cs profiles list',
    'cs profiles use work',
    'cs auth login --profile work --base-url https://cars.example.com',
  ]);
};

const nameArgument = () =>
  suggestRecords(new Argument('<name>', 'name of the profile'), 'profiles');

const asRecord = (name: string, profile: Profile, currentProfile: string | undefined) => ({
  name,
  current: name === currentProfile,
  baseUrl: profile.baseUrl,
  key: describeKey(profileKeySource(profile)),
  production: profile.production === true,
  readOnly: profile.readOnly === true,
  settings: profile.settings ?? {},
});

async function list({ io, output }: Context): Promise<void> {
  const config = readConfig(io);
  const records = Object.entries(config.profiles).map(([name, profile]) =>
    asRecord(name, profile, config.currentProfile),
  );
  await output.list({ view: profileView, records });
}

async function use({ io, output }: Context, { args: [name] }: Input): Promise<void> {
  const config = readConfig(io);
  const profile = requireProfile(config, name);
  await writeConfig(io, { ...config, currentProfile: name });
  const protection = describeProtection(profile);
  await output.value(
    asRecord(name, profile, name),
    `the current profile is now ${name} (${profile.baseUrl}${protection ? `, ${protection}` : ''})`,
  );
}

async function set({ io, output }: Context, { args: [name], options }: Input): Promise<void> {
  if (options.production === undefined && options.readOnly === undefined)
    throw usage(
      'Nothing to set.',
      'give --production, --read-only, --no-production or --no-read-only',
    );
  const config = readConfig(io);
  const { production: _production, readOnly: _readOnly, ...profile } = requireProfile(config, name);
  const updated: Profile = { ...profile, ...applyProtectionFlags(options, config.profiles[name]) };
  await writeConfig(io, { ...config, profiles: { ...config.profiles, [name]: updated } });
  const now = updated.readOnly
    ? 'refuses writes'
    : updated.production
      ? 'asks before it writes'
      : 'writes without asking';
  await output.value(
    asRecord(name, updated, config.currentProfile),
    `profile ${name} now ${now} (${profile.baseUrl})`,
  );
}

async function remove(context: Context, { args: [name] }: Input): Promise<void> {
  const { baseUrl } = await removeProfile(context, name);
  await context.output.value({ name, baseUrl, removed: true }, `profile ${name} removed`);
}
