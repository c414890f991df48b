/**
 * Every environment variable of `cs`, with the flag and the setting that it sets: the one table
 * that help, completion, the resolved settings and the checks of their values follow.
 *
 * Commander's `.env()` and `.choices()` don't fit: they read `process.env`, take `CS_DRY_RUN=0` for
 * yes, and name no variable.
 */
import { defaultRetries, defaultTimeoutMs } from '../../client/options.ts';
import { type CliError, usage } from '../errors/exit.ts';
import { parseWhen } from '../input/when.ts';
import { columnFormats, formatNames } from '../output/formats.ts';
import { joinList, nearest } from '../terminal/text.ts';

/**
 * A value and its origin: `flag --base-url`, `environment CS_BASE_URL`, `profile main`, `default`.
 */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/**
 * The settings as commander parses their flags. All optional, because a wrong command line must be
 * reported too.
 */
export interface GlobalOptions {
  output?: string;
  /** The fields; `true` or an empty string for all. */
  json?: string | boolean;
  jq?: string;
  columns?: string;
  csvRaw?: boolean;
  yes?: boolean;
  noInput?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  profile?: string;
  baseUrl?: string;
  timeout?: string;
  retries?: string;
  caFile?: string;
  color?: string;
  allowInsecureHttp?: boolean;
  photoField?: string;
}

/** Both follow the value in a message: `isn't a valid time`, `use …`. */
export interface ValueProblem {
  readonly message: string;
  readonly hint: string;
}

type Check = (value: string, now: Date) => ValueProblem | undefined;

export interface Variable {
  readonly variable: string;
  readonly about: string;
  /** A variable with `_FILE` at its end names a file with the value. */
  readonly orFile?: true;
}

export interface FlagVariable extends Variable {
  readonly flag: string;
  readonly short?: string;
  /** The placeholder of its value: `<seconds>`; none for a switch. */
  readonly value?: string;
  /** (default: that of a switch, yes or no) */
  readonly check?: Check;
  /** Flags of commands, by attribute: when one of them was typed, the variable is ignored. */
  readonly overriddenBy?: readonly string[];
}

export interface SettingInfo extends Omit<FlagVariable, 'flag'> {
  /** Its name in `cs config`. */
  readonly name: string;
  /** Help lists the global flags in the order of the table. */
  readonly flag?: string;
  /** The flag isn't global: the commands that need it declare it. */
  readonly ofSomeCommands?: true;
  /** The default: a value, or a description of it. */
  readonly defaultText: string;
  /** A profile can store it. */
  readonly stored?: true;
  /** Valid values, for completion. */
  readonly values?: readonly string[];
  /** The value is a path; relative ones are stored as absolute. */
  readonly path?: true;
}

/** As commander names the option: `noInput`. */
export const attributeOf = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const colorChoices = ['auto', 'always', 'never'] as const;

/** Stands for `photos.drop_off` and that of any other event type. */
export const photosOfType = 'photos.TYPE';
/** The variables of `photos.TYPE`. */
export const photosVariables = /^CS_PHOTOS_[A-Z0-9_]+$/;

export const settingList: readonly SettingInfo[] = [
  {
    name: 'output',
    flag: '--output',
    short: '-o',
    value: '<format>',
    variable: 'CS_OUTPUT',
    about: 'output format',
    defaultText: 'table on a terminal, otherwise json',
    values: formatNames,
    stored: true,
  },
  {
    name: 'json',
    flag: '--json',
    value: '[fields]',
    variable: 'CS_JSON',
    about: 'JSON with these fields',
    defaultText: 'all',
  },
  {
    name: 'jq',
    flag: '--jq',
    value: '<program>',
    variable: 'CS_JQ',
    about: 'filter the JSON with a jq program; reads every page of a list',
    defaultText: 'none',
  },
  {
    name: 'columns',
    flag: '--columns',
    value: '<names>',
    variable: 'CS_COLUMNS',
    about: `columns of ${joinList(columnFormats)}, in order`,
    defaultText: 'the most useful ones',
  },
  {
    name: 'csv-raw',
    flag: '--csv-raw',
    variable: 'CS_CSV_RAW',
    about: 'leave formulas in csv as they are',
    defaultText: 'no',
    stored: true,
  },
  {
    name: 'pager',
    variable: 'CS_PAGER',
    about: 'program that shows long results (`cat` for none)',
    defaultText: 'PAGER, or less',
    stored: true,
  },
  // No profile stores these two: they would turn off every confirmation.
  {
    name: 'yes',
    flag: '--yes',
    short: '-y',
    variable: 'CS_YES',
    about: 'answer yes to all prompts',
    defaultText: 'no',
  },
  {
    name: 'no-input',
    flag: '--no-input',
    variable: 'CS_NO_INPUT',
    about: 'never prompt; missing values are errors',
    defaultText: 'no',
  },
  {
    name: 'photo-field',
    flag: '--photo-field',
    ofSomeCommands: true,
    value: '<name>',
    variable: 'CS_PHOTO_FIELD',
    about: 'field of the request with the bytes of a photo',
    defaultText: 'base64',
    check: matching(
      /^[A-Za-z_][\w-]{0,99}$/,
      "isn't a name of a field",
      'use a name such as base64 or imageData',
    ),
    stored: true,
  },
  {
    name: 'quiet',
    flag: '--quiet',
    short: '-q',
    variable: 'CS_QUIET',
    about: 'only errors and warnings on stderr',
    defaultText: 'no',
    stored: true,
  },
  {
    name: 'verbose',
    flag: '--verbose',
    short: '-v',
    variable: 'CS_VERBOSE',
    about: 'show requests on stderr, without secrets',
    defaultText: 'no',
    stored: true,
  },
  {
    name: 'profile',
    flag: '--profile',
    value: '<name>',
    variable: 'CS_PROFILE',
    about: 'profile with the server and key to use',
    defaultText: 'none',
  },
  {
    name: 'base-url',
    flag: '--base-url',
    value: '<url>',
    variable: 'CS_BASE_URL',
    about: 'server address',
    defaultText: '',
    check: checkAddress,
  },
  { name: 'key', variable: 'CS_API_KEY', about: 'API key', defaultText: 'none' },
  {
    name: 'timeout',
    flag: '--timeout',
    value: '<seconds>',
    variable: 'CS_TIMEOUT',
    about: 'timeout of a request in seconds',
    defaultText: String(defaultTimeoutMs / 1000),
    check: checkDuration,
    stored: true,
  },
  {
    name: 'retries',
    flag: '--retries',
    value: '<count>',
    variable: 'CS_RETRIES',
    about: 'number of retries',
    defaultText: String(defaultRetries),
    check: matching(/^\d{1,2}$/, "isn't a valid number of retries", 'use 0 to 99'),
    stored: true,
  },
  {
    name: 'key-command-timeout',
    variable: 'CS_KEY_COMMAND_TIMEOUT',
    about: 'timeout of the key command in seconds',
    defaultText: '60',
    check: checkDuration,
    stored: true,
  },
  {
    name: 'ca-file',
    flag: '--ca-file',
    value: '<file>',
    variable: 'CS_CA_FILE',
    about: 'PEM file with additional trusted certificates',
    defaultText: 'none',
    check: matching(/./, "isn't a path", 'use the path of a PEM file'),
    stored: true,
    path: true,
  },
  {
    name: 'mirror',
    variable: 'CS_MIRROR',
    about: 'SQLite file of `cs sync` with the names for work offline',
    defaultText: 'none',
    check: matching(/./, "isn't a path", 'use the SQLite file of `cs sync --to`'),
    stored: true,
    path: true,
  },
  {
    name: 'location',
    variable: 'CS_LOCATION',
    about: 'location of this counter: its free places come first',
    defaultText: 'none',
    check: matching(/./, "isn't a location", 'use the name of one: `cs locations list`'),
    stored: true,
  },
  {
    name: photosOfType,
    variable: 'CS_PHOTOS_TYPE',
    about:
      'photos that an event of a type should have, by the names of their files: CS_PHOTOS_DROP_OFF=front,rear',
    defaultText: 'none',
    check: matching(
      /^\s*[\p{L}\p{N}_-]{1,40}(?:\s*,\s*[\p{L}\p{N}_-]{1,40}){0,29}\s*$/u,
      "isn't a list of names",
      'use names of files without their ending, such as front,rear,odometer',
    ),
    stored: true,
  },
  {
    name: 'allow-insecure-http',
    flag: '--allow-insecure-http',
    variable: 'CS_ALLOW_INSECURE_HTTP',
    about: 'allow sending the key over plain http',
    defaultText: 'no',
    stored: true,
  },
  {
    name: 'update-url',
    variable: 'CS_UPDATE_URL',
    about: 'address of the newest version number, for a note once a day on a terminal',
    defaultText: 'none',
    check: matching(
      /^https?:\/\/\S+$/,
      "isn't an address",
      'write it like https://cars.example.com/latest',
    ),
    stored: true,
  },
  {
    name: 'color',
    flag: '--color',
    value: '<when>',
    variable: 'CS_COLOR',
    about: 'when to use colour',
    defaultText: 'auto',
    values: colorChoices,
    stored: true,
  },
];

export function settingNamed(name: string): SettingInfo | undefined {
  const type = /^photos\.([\w-]{1,64})$/.exec(name)?.[1];
  const info = settingList.find((one) => one.name === (type ? photosOfType : name));
  const variable = `CS_PHOTOS_${type?.toUpperCase().replaceAll('-', '_')}`;
  return info && type ? { ...info, name, variable } : info;
}

/** Flags of some commands that aren't settings. */
export const flagVariables: readonly FlagVariable[] = [
  {
    flag: '--dry-run',
    short: '-n',
    variable: 'CS_DRY_RUN',
    about: 'show the request, send nothing',
  },
  {
    flag: '--all',
    variable: 'CS_ALL',
    about: 'all records, not one page',
    overriddenBy: ['page'],
  },
  {
    flag: '--limit',
    value: '<count>',
    variable: 'CS_LIMIT',
    about: 'records per page, 1 to 200',
    check: integerInRange(1, 200),
  },
  {
    flag: '--page',
    value: '<number>',
    variable: 'CS_PAGE',
    about: 'page number, from 1',
    check: integerInRange(1),
    overriddenBy: ['all'],
  },
  {
    flag: '--updated-after',
    value: '<when>',
    variable: 'CS_UPDATED_AFTER',
    about: 'only records changed at or after this time',
    check: checkTime,
  },
  {
    flag: '--ids',
    value: '<a,b|->',
    variable: 'CS_IDS',
    about: 'these records; - reads ids from stdin',
    overriddenBy: ['folder', 'all', 'session'],
  },
  {
    flag: '--phone-address',
    value: '<address>',
    variable: 'CS_PHONE_ADDRESS',
    about: 'address of this machine that the phone reaches (default: that of the default route)',
    check: (value) =>
      isAddress(value)
        ? undefined
        : { message: "isn't an IP address", hint: 'use an address such as 192.168.178.23' },
  },
  {
    flag: '--phone-port',
    value: '<port>',
    variable: 'CS_PHONE_PORT',
    about: 'port for the phone (default: 8788, or a free one)',
    check: integerInRange(1, 65_535),
  },
  {
    flag: '--idempotency-key',
    value: '<key>',
    variable: 'CS_IDEMPOTENCY_KEY',
    about: 'key that makes a repeated create safe',
    check: matching(
      /^[!-~]{1,255}$/,
      "isn't 1 to 255 visible ASCII characters",
      'use a key without spaces, such as import-2026-1',
    ),
  },
];

/** Variables that aren't settings. */
export const keyAndFolderVariables: readonly Variable[] = [
  {
    variable: 'CS_MIRROR_URL_FILE',
    about: 'file with the postgres:// address of the mirror of cs sync (instead of --to)',
  },
  {
    variable: 'CS_KEY_FILE',
    about: 'file with the API key on its first line (instead of CS_API_KEY)',
  },
  {
    variable: 'CS_KEY_COMMAND',
    about: 'command that prints the API key, such as one of a password manager',
  },
  { variable: 'CS_NO_UPDATE_NOTICE', about: '1 for no note of a newer version' },
  {
    variable: 'CS_CONFIG_DIR',
    about: 'folder of the configuration file (default: car-storage in XDG_CONFIG_HOME)',
  },
  {
    variable: 'CS_CACHE_DIR',
    about: 'folder for compiled code (default: car-storage in XDG_CACHE_HOME)',
  },
  {
    variable: 'CS_STATE_DIR',
    about:
      'folder for unfinished commands, the rows of imports and what cs remembers (default: car-storage in XDG_STATE_HOME)',
  },
];

const ofService: readonly Variable[] = [
  {
    variable: 'CS_DATA',
    about: 'data folder of cs serve and cs admin (default: car-storage in XDG_DATA_HOME)',
  },
  { variable: 'CS_HOST', about: 'address that cs serve listens on (default: 127.0.0.1)' },
  { variable: 'CS_PORT', about: 'port that cs serve listens on (default: 8787)' },
  {
    variable: 'CS_DATABASE',
    about: 'URL of a PostgreSQL database for the records (default: SQLite in the data folder)',
    orFile: true,
  },
  {
    variable: 'CS_FILES',
    about: 'S3 store for photos and assets: s3://bucket/prefix (default: the data folder)',
    orFile: true,
  },
  {
    variable: 'CS_FILES_ENDPOINT',
    about: 'address of the S3 store (default: Amazon S3 in the region)',
    orFile: true,
  },
  {
    variable: 'CS_FILES_REGION',
    about: 'region of the S3 store (default: AWS_REGION, or us-east-1 with an endpoint)',
    orFile: true,
  },
  {
    variable: 'CS_DATABASE_POOLER',
    about: 'pooler in front of PostgreSQL: auto or transaction (default: auto)',
  },
  {
    variable: 'CS_TRUST_PROXY',
    about: 'reverse proxies in front of cs serve: addresses and ranges, separated by commas',
  },
  {
    variable: 'CS_TEAM_QUOTA',
    about: 'what the photos and assets of each team of cs serve may take, such as 50GB',
  },
  {
    variable: 'CS_PUBLIC_URL',
    about: 'where people reach the service, for the dashboard and its links',
  },
  { variable: 'CS_DASHBOARD', about: 'off serves no team dashboard' },
  {
    variable: 'CS_ALLOW_INSECURE_DASHBOARD',
    about: '1 serves the dashboard over http to other machines too',
  },
  { variable: 'CS_SMTP_URL', about: 'mail server for outgoing e-mail', orFile: true },
  { variable: 'CS_SMTP_FROM', about: 'sender of outgoing e-mail' },
];

export const serviceVariables: readonly Variable[] = ofService.flatMap(
  ({ variable, about, orFile }) => [
    { variable, about },
    ...(orFile
      ? [{ variable: `${variable}_FILE`, about: `file with the value of ${variable}` }]
      : []),
  ],
);

const isSwitch = ({ flag, value }: Partial<SettingInfo>): boolean =>
  flag !== undefined && value === undefined;

/** The valid values, where they are few. */
export const valuesOf = (info: Partial<SettingInfo>): readonly string[] | undefined =>
  isSwitch(info) ? ['yes', 'no'] : info.values;

/** The problem with a value of a flag or its variable, if any. */
export function problemOf(
  info: Partial<SettingInfo>,
  value: string,
  now: Date,
): ValueProblem | undefined {
  if (isSwitch(info))
    return /^(yes|no|true|false|1|0)$/i.test(value)
      ? undefined
      : { message: "isn't yes or no", hint: 'use yes or no' };
  const { values, check } = info;
  return values ? choiceProblem(values, value) : check?.(value, now);
}

/** Exit 2; `name` is the flag or the variable. */
export const invalidValue = (name: string, value: string, { message, hint }: ValueProblem) =>
  usage(`${name}: "${value}" ${message}.`, hint);

export function choiceProblem(values: readonly string[], value: string): ValueProblem | undefined {
  if (values.includes(value)) return undefined;
  const [close] = nearest(value, values);
  const list = values.join(', ');
  return {
    message: `isn't one of ${list}`,
    hint: close ? `did you mean ${close}?` : `use one of ${list}`,
  };
}

export const truthy = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());

/** Parses `30`, `30s`, `500ms` and `2m` to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const factor = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] as number;
  const total = Math.round(Number(match?.[1]) * factor);
  return !match || total < 1 || total > 86_400_000 ? undefined : total;
}

function matching(pattern: RegExp, message: string, hint: string): Check {
  return (value) => (pattern.test(value) ? undefined : { message, hint });
}

/** Without node:net, which takes a tenth of the start-up time to load. */
const isAddress = (text: string): boolean =>
  text.includes(':')
    ? /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)
    : /\d$/.test(text) && URL.parse(`http://${text}`)?.host === text;

function checkDuration(value: string): ValueProblem | undefined {
  if (parseDuration(value) !== undefined) return undefined;
  const hint = 'use seconds such as 30, or a unit such as 500ms or 2m, at most a day';
  return { message: "isn't a valid duration", hint };
}

export function checkAddress(value: string): ValueProblem | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return { message: "isn't a server address", hint: 'write it like https://cars.example.com' };
  const [extra] = [
    (url.username || url.password) && 'a user name or password',
    (url.search || url.hash) && 'a query or a fragment',
  ].filter(Boolean);
  return extra
    ? { message: `contains ${extra}, which isn't supported`, hint: 'leave them out' }
    : undefined;
}

function integerInRange(least: number, most = 999_999_999): Check {
  const range = most < 100_000 ? `from ${least} to ${most}` : `of ${least} or more`;
  return (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : { message: `isn't a whole number ${range}`, hint: `use a whole number ${range}` };
}

function checkTime(value: string, now: Date): ValueProblem | undefined {
  try {
    parseWhen(value, now, 'CS_UPDATED_AFTER');
    return undefined;
  } catch (error) {
    return { message: "isn't a valid time", hint: (error as CliError).hint as string };
  }
}
