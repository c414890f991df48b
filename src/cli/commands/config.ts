import { resolve } from 'node:path';
import { type Config, configFile, configFolder, readConfig } from '../config/config.ts';
import { changeSettings, findProfile } from '../config/connection.ts';
import { describeKey } from '../config/describe-key.ts';
import {
  invalidValue,
  photosOfType,
  problemOf,
  type SettingInfo,
  settingList,
  settingNamed,
  truthy,
  valuesOf,
} from '../config/setting-list.ts';
import type { Context } from '../context.ts';
import { CliError, usage } from '../errors/exit.ts';
import { Argument, type CommandBuilder, type Input, suggestValues } from '../framework/command.ts';
import { refuseAddress } from '../framework/line-values.ts';
import { resultView, type View } from '../output/view.ts';
import { nearest } from '../terminal/text.ts';

interface Row {
  readonly name: string;
  readonly value: string;
  readonly origin: string;
  readonly flag: string | null;
  readonly variable: string;
}

/** With the usual event types, for completion. */
const namesOf = (infos: readonly SettingInfo[]): string[] =>
  infos.flatMap(({ name }) =>
    name === photosOfType ? ['photos.drop_off', 'photos.pick_up'] : name,
  );
const storable = namesOf(settingList.filter(({ stored }) => stored));

const changedView = resultView('setting', ['profile', 'name', 'value']);

const valuesByName = Object.fromEntries(
  settingList.flatMap((info) => {
    const values = info.stored && (info.path ? ('files' as const) : valuesOf(info));
    return values ? [[info.name, values]] : [];
  }),
);

export const config: CommandBuilder = (command) => {
  command.description(
    'Show and change settings. Flags win over the environment, the environment over the profile, the profile over the defaults.',
  );
  const listCommand = command
    .command('list')
    .summary('List all settings with their values')
    .description('List all settings with their values. Of the key, only the prefix is shown.')
    .option('--origin', 'show the origin of each value')
    .handle(list);
  listCommand.examples([
    'cs config list',
    'cs config list --origin',
    'cs config list --profile work --json',
  ]);
  const getCommand = command
    .command('get')
    .summary('Show one setting')
    .description('Print the value of one setting.')
    .addArgument(nameArgument(namesOf(settingList)))
    .handle(get);
  getCommand.examples(['cs config get output', 'cs config get base-url --profile work']);
  const setCommand = command
    .command('set')
    .summary('Store a setting in a profile')
    .description('Store a setting in the current profile, or in the one named with --profile.')
    .addArgument(nameArgument(storable))
    .addArgument(suggestValues(new Argument('<value>', 'its value'), [], valuesByName))
    .handle(set);
  setCommand.declareOutput(changedView);
  setCommand.examples([
    'cs config set output json',
    'cs config set timeout 10 --profile work',
    'cs config set ca-file ./office.pem',
    'cs config set photos.drop_off front,rear,left,right,odometer,damage',
  ]);
  const unsetCommand = command
    .command('unset')
    .summary('Take a setting out of a profile')
    .description('Remove a setting from a profile, so that the default applies again.')
    .addArgument(nameArgument(storable))
    .handle(unset);
  unsetCommand.declareOutput(changedView);
  unsetCommand.examples(['cs config unset output', 'cs config unset timeout --profile work']);
  const pathCommand = command
    .command('path')
    .summary('Show the path of the configuration file')
    .description(
      'Show the path of the configuration file. Set CS_CONFIG_DIR to use another folder.',
    )
    .handle(path);
  pathCommand.tolerateEnvironment();
  pathCommand.examples(['cs config path', 'CS_CONFIG_DIR=/srv/cs cs config path']);
  command.examples(['cs config list --origin', 'cs config set output json']);
};

/** The choices are for completion only: our own error suggests the closest name. */
function nameArgument(names: readonly string[]): Argument {
  const argument = new Argument('<name>', 'name of the setting');
  argument.argChoices = [...names];
  return argument;
}

async function list(context: Context, { options }: Input): Promise<void> {
  const records = [
    ...settingList.map((info) => rowOf(context, info)),
    ...storedPhotos(context).map((name) => rowOf(context, infoOf(name))),
  ];
  const origin = { header: 'origin', cell: (row: Record<string, unknown>) => row.origin };
  const view: View = {
    one: 'setting',
    many: 'settings',
    columns: [
      { header: 'name', cell: (row) => row.name },
      { header: 'value', cell: (row) => row.value },
      ...(options.origin ? [origin] : []),
      { header: 'variable', cell: (row) => row.variable, droppable: true },
    ],
    title: (row) => row.name,
  };
  await context.output.list({ view, records });
}

async function get(context: Context, { args: [name] }: Input): Promise<void> {
  const row = rowOf(context, infoOf(name));
  await context.output.value(row, row.value);
}

async function set(context: Context, { args: [name, given] }: Input): Promise<void> {
  const info = infoOf(name);
  if (!info.stored) throw notStorable(info);
  if (info.path) refuseAddress(`${name} <path>`, given);
  const value = info.path && given !== '' ? resolve(context.io.cwd, given) : given;
  const wrong = problemOf(info, value, context.io.now());
  if (wrong) throw invalidValue(name, given, wrong);
  const stored = info.defaultText === 'no' ? (truthy(value) ? 'yes' : 'no') : value;
  const profile = await change(context, (settings) => ({ ...settings, [name]: stored }));
  await context.output.value(
    { profile, name, value: stored },
    `${name} is now ${stored} in the profile ${profile}`,
  );
  const override = context.settings.find(name);
  if (override && !override.origin.startsWith('profile'))
    context.warn(`The ${override.origin} still overrides it: ${override.value}.`);
}

async function unset(context: Context, { args: [name] }: Input): Promise<void> {
  const profile = await change(context, ({ [name]: removed, ...settings }) => {
    // Settings of another version can be removed, although this one doesn't know them.
    if (removed === undefined && !infoOf(name).stored) throw notStorable(infoOf(name));
    return settings;
  });
  await context.output.value(
    { profile, name, value: null },
    `${name} removed from the profile ${profile}`,
  );
}

async function path({ io, output }: Context): Promise<void> {
  const file = configFile(io);
  await output.value({ file, folder: configFolder(io) }, file);
}

/** Of the profile in use: `photos.drop_off`. */
function storedPhotos({ io, settings }: Context): string[] {
  const { value } = settings.connection().profile;
  const profile = value === undefined ? undefined : findProfile(readConfig(io), value);
  return Object.keys(profile?.settings ?? {}).filter(
    (name) => settingNamed(name)?.name.startsWith('photos.') === true,
  );
}

function rowOf(context: Context, info: SettingInfo): Row {
  const { value, origin } = settingOf(context, info);
  return { name: info.name, value, origin, flag: info.flag ?? null, variable: info.variable };
}

function settingOf(
  { settings }: Context,
  { name, defaultText }: SettingInfo,
): { value: string; origin: string } {
  const connection = settings.connection();
  if (name === 'base-url') return connection.baseUrl;
  if (name === 'profile')
    return { value: connection.profile.value ?? defaultText, origin: connection.profile.origin };
  if (name === 'key')
    return {
      value: connection.key.value ? describeKey(connection.key.value) : defaultText,
      origin: connection.key.origin,
    };
  return settings.find(name) ?? { value: defaultText, origin: 'default' };
}

function infoOf(name: string): SettingInfo {
  const info = settingNamed(name);
  if (info) return info;
  const [close] = nearest(
    name,
    settingList.map((one) => one.name),
  );
  throw usage(
    `Unknown setting "${name}".`,
    close ? `did you mean ${close}?` : 'list them with `cs config list`',
  );
}

function notStorable({ name, flag, variable }: SettingInfo): CliError {
  const other =
    name === 'profile'
      ? '`cs profiles use`'
      : name === 'key' || name === 'base-url'
        ? '`cs auth login`'
        : `${flag} or ${variable}`;
  return usage(`${name} can't be stored as a setting of a profile.`, `use ${other}`);
}

/** Changes the settings of the current profile, or the one named with --profile, and returns its name. */
async function change(
  { io, settings }: Context,
  changed: (settings: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Promise<string> {
  const config: Config = readConfig(io);
  const name = settings.profileName?.value ?? config.currentProfile;
  if (name === undefined || (settings.profileName === undefined && !findProfile(config, name)))
    throw new CliError({
      code: 'not_signed_in',
      message: 'No profile to store it in.',
      hint: 'sign in with `cs auth login`, or name a profile with --profile',
    });
  await changeSettings(io, name, changed);
  return name;
}
