/** Every setting: its names, valid values, and whether a profile can store it. */
import { defaultRetries, defaultTimeoutMs } from '../../client/options.ts';
import { usage } from '../errors/exit.ts';
import { columnFormats, formatNames } from '../output/formats.ts';
import { joinList, nearest } from '../terminal/text.ts';

export const colorChoices = ['auto', 'always', 'never'] as const;

/** A value and its origin: `flag --base-url`, `environment CS_BASE_URL`, `profile main`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/** The global flags as commander parses them. All optional, because a wrong command line must be reported too. */
export interface GlobalOptions {
  output?: string;
  /** The fields; `true` or an empty string for all. */
  json?: string | boolean;
  jq?: string;
  columns?: string;
  csvRaw?: boolean;
  noPager?: boolean;
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
  /** Only of commands that send photos. */
  photoField?: string;
}

export interface ValueProblem {
  /** Follows the value in a message: `isn't a valid time`. */
  readonly message: string;
  readonly hint: string;
}

export interface SettingInfo {
  /** Its name in `cs config`. */
  readonly name: string;
  /** Its flag, if any. Help lists the global flags in the order of this list. */
  readonly flag?: string;
  /** The flag isn't global: the commands that need it declare it. */
  readonly ofSomeCommands?: true;
  readonly short?: string;
  /** The placeholder of its value: `<seconds>`; none for a switch. */
  readonly value?: string;
  readonly variable: string;
  readonly about: string;
  /** The default: a value, or a description of it. */
  readonly defaultText: string;
  /** Set for settings that a profile can store. Returns the problem with a value, if any. */
  readonly check?: (value: string) => ValueProblem | undefined;
  /** Suggestions for completion. */
  readonly values?: readonly string[];
  /** The value is a path; relative ones are stored as absolute. */
  readonly path?: true;
}

const yesNo: Pick<SettingInfo, 'values' | 'check'> = { values: ['yes', 'no'], check: checkYesNo };

export const settingList: readonly SettingInfo[] = [
  {
    name: 'output',
    flag: '--output',
    short: '-o',
    value: '<format>',
    variable: 'CS_OUTPUT',
    about: 'output format',
    defaultText: 'table on a terminal, otherwise json',
    ...choice(formatNames),
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
    ...yesNo,
  },
  {
    name: 'pager',
    variable: 'CS_PAGER',
    about: 'program that shows long results (`cat` for none)',
    defaultText: 'PAGER, or less',
    check: () => undefined,
  },
  {
    name: 'no-pager',
    flag: '--no-pager',
    variable: 'CS_NO_PAGER',
    about: "don't use a pager",
    defaultText: 'no',
    ...yesNo,
  },
  // Not stored in profiles: these two would turn off every confirmation.
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
    check: checkFieldName,
  },
  {
    name: 'quiet',
    flag: '--quiet',
    short: '-q',
    variable: 'CS_QUIET',
    about: 'only errors and warnings on stderr',
    defaultText: 'no',
    ...yesNo,
  },
  {
    name: 'verbose',
    flag: '--verbose',
    short: '-v',
    variable: 'CS_VERBOSE',
    about: 'show requests on stderr, without secrets',
    defaultText: 'no',
    ...yesNo,
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
  },
  { name: 'key', variable: 'CS_API_KEY', about: 'API key', defaultText: 'none' },
  {
    name: 'timeout',
    flag: '--timeout',
    value: '<seconds>',
    variable: 'CS_TIMEOUT',
    about: 'timeout of a request in seconds',
    defaultText: String(defaultTimeoutMs / 1000),
    check: (value) => (parseDuration(value) === undefined ? timeProblem : undefined),
  },
  {
    name: 'retries',
    flag: '--retries',
    value: '<count>',
    variable: 'CS_RETRIES',
    about: 'number of retries',
    defaultText: String(defaultRetries),
    check: (value) => (parseRetries(value) === undefined ? retriesProblem : undefined),
  },
  {
    name: 'key-command-timeout',
    variable: 'CS_KEY_COMMAND_TIMEOUT',
    about: 'timeout of the key command in seconds',
    defaultText: '60',
    check: (value) => (parseDuration(value) === undefined ? timeProblem : undefined),
  },
  {
    name: 'ca-file',
    flag: '--ca-file',
    value: '<file>',
    variable: 'CS_CA_FILE',
    about: 'PEM file with additional trusted certificates',
    defaultText: 'none',
    check: (value) =>
      value === '' ? { message: "isn't a path", hint: 'use the path of a PEM file' } : undefined,
    path: true,
  },
  {
    name: 'mirror',
    variable: 'CS_MIRROR',
    about: 'mirror of `cs sync` with the names for work offline',
    defaultText: 'none',
    check: (value) =>
      value === ''
        ? { message: "isn't a path", hint: 'use the folder or the database of `cs sync --to`' }
        : undefined,
    path: true,
  },
  {
    name: 'allow-insecure-http',
    flag: '--allow-insecure-http',
    variable: 'CS_ALLOW_INSECURE_HTTP',
    about: 'allow sending the key over plain http',
    defaultText: 'no',
    ...yesNo,
  },
  {
    name: 'color',
    flag: '--color',
    value: '<when>',
    variable: 'CS_COLOR',
    about: 'when to use colour',
    defaultText: 'auto',
    ...choice(colorChoices),
  },
];

export const timeProblem: ValueProblem = {
  message: "isn't a valid duration",
  hint: 'use seconds such as 30, or a unit such as 500ms or 2m (at most 24 hours)',
};
export const retriesProblem: ValueProblem = {
  message: "isn't a valid number of retries",
  hint: 'use 0 to 99',
};

/** Parses `30`, `30s`, `500ms` and `2m` to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const factor = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] as number;
  const total = Math.round(Number(match?.[1]) * factor);
  return !match || total < 1 || total > 86_400_000 ? undefined : total;
}

export const parseRetries = (text: string): number | undefined =>
  /^\d{1,2}$/.test(text) ? Number(text) : undefined;

export const truthy = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());

export function checkFieldName(value: string): ValueProblem | undefined {
  const isName = /^[A-Za-z_][\w-]{0,99}$/.test(value);
  return isName
    ? undefined
    : { message: "isn't a name of a field", hint: 'use a name such as base64 or imageData' };
}

export function checkYesNo(value: string): ValueProblem | undefined {
  const known = ['yes', 'no', 'true', 'false', '1', '0'].includes(value.toLowerCase());
  return known ? undefined : { message: "isn't yes or no", hint: 'use yes or no' };
}

function choice(values: readonly string[]): Pick<SettingInfo, 'values' | 'check'> {
  return { values, check: oneOf(values) };
}

/** The closest choice, or all of them. */
export function choiceHint(value: string, allowed: readonly string[]): string {
  const [close] = nearest(value, allowed);
  return close ? `did you mean ${close}?` : `use one of ${allowed.join(', ')}`;
}

function oneOf(allowed: readonly string[]): (value: string) => ValueProblem | undefined {
  return (value) =>
    allowed.includes(value)
      ? undefined
      : { message: `isn't one of ${allowed.join(', ')}`, hint: choiceHint(value, allowed) };
}

/** Exit 2 for an invalid value of `name`, a flag or a variable. An empty value counts as not set. */
export function checkChoice(
  allowed: readonly string[],
  value: string | undefined,
  name: string,
): void {
  if (value === undefined || value === '' || allowed.includes(value)) return;
  throw usage(`Invalid value "${value}" for ${name}.`, choiceHint(value, allowed));
}
