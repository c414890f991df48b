import { type Context, examples, type Fill, type Input } from '../command.ts';
import { readConfig, writeConfig } from '../config.ts';
import { confirm } from '../question.ts';
import type { View } from '../render/view.ts';
import { keyPrefix, namedProfile } from '../settings.ts';

const profileView: View = {
  one: 'profile',
  many: 'profiles',
  columns: [
    { header: 'name', cell: (row) => row.name },
    { header: 'current', cell: (row) => (row.current ? 'yes' : '') },
    { header: 'server', cell: (row) => row.baseUrl },
    { header: 'key', cell: (row) => row.key, spare: true },
  ],
  title: (row) => row.baseUrl ?? '',
  emptyHint: 'Sign in with `cs auth login`.',
};

export const profiles: Fill = (command, on) => {
  command
    .command('list')
    .summary('Show the profiles')
    .description('Show the profiles. Keys are shown by their prefix only.')
    .action(on(list));
  command
    .command('use')
    .summary('Choose the profile that is used')
    .description('Choose the profile that is used when no other is named.')
    .argument('<name>', 'name of the profile')
    .action(on(use));
  command
    .command('remove')
    .summary('Forget a profile with its key')
    .description('Forget a profile with its key. The key itself stays good until it is revoked.')
    .argument('<name>', 'name of the profile')
    .action(on(remove));
  examples(command, ['cs profiles list', 'cs profiles use work', 'cs auth login --profile work --base-url https://cars.example.com']);
};

async function list({ io, output }: Context): Promise<void> {
  const config = readConfig(io);
  const records = Object.entries(config.profiles).map(([name, { baseUrl, key }]) => ({
    name,
    current: name === config.currentProfile,
    baseUrl,
    key: keyPrefix(key),
  }));
  await output.list({ view: profileView, records });
}

async function use({ io, output }: Context, { args: [name] }: Input): Promise<void> {
  const config = readConfig(io);
  const { baseUrl } = namedProfile(config, name);
  await writeConfig(io, { ...config, currentProfile: name });
  await output.value({ name, current: true, baseUrl }, `profile ${name} is used now (${baseUrl})`);
}

async function remove(context: Context, { args: [name] }: Input): Promise<void> {
  const { io, output } = context;
  const config = readConfig(io);
  const { baseUrl } = namedProfile(config, name);
  await confirm(context, `Forget the profile ${name} (${baseUrl}) with its key?`);
  const { [name]: _, ...rest } = config.profiles;
  await writeConfig(io, { currentProfile: config.currentProfile === name ? undefined : config.currentProfile, profiles: rest });
  await output.value({ name, baseUrl, removed: true }, `profile ${name} removed`);
}
