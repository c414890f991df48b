/** Every setting there is: its names, what it may hold, and whether a profile can keep it. */
import { usage } from '../errors/exit.ts';
import { nearest } from '../terminal/text.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'id'] as const;
export type Format = (typeof formats)[number];
export const colorChoices = ['auto', 'always', 'never'] as const;

/** A value with where it came from: `flag --base-url`, `environment CS_BASE_URL`, `profile main`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/** The global flags as commander gives them; everything optional, since a wrong command line must also be reported. */
export interface GlobalOptions {
  output?: string;
  /** The fields; `true` or an empty text for all of them. */
  json?: string | boolean;
  jq?: string;
  columns?: string;
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
}

export interface Wrong {
  /** As it follows the value: `is not a time`. */
  readonly what: string;
  readonly hint: string;
}

export interface SettingInfo {
  /** As `cs config` calls it. */
  readonly name: string;
  /** The global flag that gives it; some have none, so that they stand on no command line. */
  readonly flag?: string;
  readonly variable: string;
  readonly about: string;
  /** What holds when nothing says otherwise, in words where it is no value. */
  readonly fallback: string;
  /** A profile can keep it. Answers what is wrong with a value, or nothing. */
  readonly check?: (value: string) => Wrong | undefined;
  /** Worth offering, where they are few. */
  readonly values?: readonly string[];
  /** Names a file, so that a relative path is kept as an absolute one. */
  readonly path?: true;
}

const yesNo: Pick<SettingInfo, 'values' | 'check'> = { values: ['yes', 'no'], check: yesOrNo };

export const settingList: readonly SettingInfo[] = [
  { name: 'profile', flag: '--profile', variable: 'CS_PROFILE', about: 'the server and key that are used', fallback: 'none' },
  { name: 'base-url', flag: '--base-url', variable: 'CS_BASE_URL', about: 'address of the server', fallback: '' },
  { name: 'key', variable: 'CS_API_KEY', about: 'the API key', fallback: 'none' },
  {
    name: 'output',
    flag: '--output',
    variable: 'CS_OUTPUT',
    about: 'how results are written',
    fallback: 'table on a terminal, json otherwise',
    ...choice(formats),
  },
  { name: 'json', flag: '--json', variable: 'CS_JSON', about: 'JSON with these fields', fallback: 'every field' },
  { name: 'jq', flag: '--jq', variable: 'CS_JQ', about: 'what a jq program makes of the JSON', fallback: 'none' },
  { name: 'columns', flag: '--columns', variable: 'CS_COLUMNS', about: 'columns of table, csv and tsv', fallback: 'those that matter' },
  {
    name: 'pager',
    variable: 'CS_PAGER',
    about: 'the program that shows long results; `cat` for none',
    fallback: 'PAGER, or less',
    check: () => undefined,
  },
  { name: 'no-pager', flag: '--no-pager', variable: 'CS_NO_PAGER', about: 'write long results at once', fallback: 'no', ...yesNo },
  { name: 'color', flag: '--color', variable: 'CS_COLOR', about: 'when there is colour', fallback: 'auto', ...choice(colorChoices) },
  {
    name: 'timeout',
    flag: '--timeout',
    variable: 'CS_TIMEOUT',
    about: 'time for one request',
    fallback: '30',
    check: (value) => (readTime(value) === undefined ? notATime : undefined),
  },
  {
    name: 'retries',
    flag: '--retries',
    variable: 'CS_RETRIES',
    about: 'how often a request is tried again',
    fallback: '3',
    check: (value) => (readRetries(value) === undefined ? notRetries : undefined),
  },
  {
    name: 'ca-file',
    flag: '--ca-file',
    variable: 'CS_CA_FILE',
    about: 'certificates that are trusted too',
    fallback: 'none',
    check: (value) => (value === '' ? { what: 'is not a path', hint: 'give the path of a PEM file' } : undefined),
    path: true,
  },
  {
    name: 'allow-insecure-http',
    flag: '--allow-insecure-http',
    variable: 'CS_ALLOW_INSECURE_HTTP',
    about: 'send the key over plain http, too',
    fallback: 'no',
    ...yesNo,
  },
  { name: 'quiet', flag: '--quiet', variable: 'CS_QUIET', about: 'no notes on stderr', fallback: 'no', ...yesNo },
  { name: 'verbose', flag: '--verbose', variable: 'CS_VERBOSE', about: 'show requests on stderr', fallback: 'no', ...yesNo },
  {
    name: 'key-command-timeout',
    variable: 'CS_KEY_COMMAND_TIMEOUT',
    about: 'time for the command that gives the key',
    fallback: '60',
    check: (value) => (readTime(value) === undefined ? notATime : undefined),
  },
  // Not kept by a profile: they would silence every question that protects from a slip.
  { name: 'yes', flag: '--yes', variable: 'CS_YES', about: 'answer questions with yes', fallback: 'no' },
  { name: 'no-input', flag: '--no-input', variable: 'CS_NO_INPUT', about: 'never ask', fallback: 'no' },
];

export const notATime: Wrong = { what: 'is not a time', hint: 'write seconds, such as 30, or 500ms, up to a day' };
export const notRetries: Wrong = { what: 'is not a number of retries', hint: 'write 0 to 99' };

/** Milliseconds: `30` and `30s` are seconds, `500ms` is milliseconds, `2m` minutes; nothing when it is no time. */
export function readTime(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const factor = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] as number;
  const total = Math.round(Number(match?.[1]) * factor);
  return !match || total < 1 || total > 86_400_000 ? undefined : total;
}

export const readRetries = (text: string): number | undefined => (/^\d{1,2}$/.test(text) ? Number(text) : undefined);

export const truthy = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());

export function yesOrNo(value: string): Wrong | undefined {
  const known = ['yes', 'no', 'true', 'false', '1', '0'].includes(value.toLowerCase());
  return known ? undefined : { what: 'is neither yes nor no', hint: 'write yes or no' };
}

function choice(values: readonly string[]): Pick<SettingInfo, 'values' | 'check'> {
  return { values, check: oneOf(values) };
}

/** The word that is close, or all of them. */
export function choiceHint(value: string, allowed: readonly string[]): string {
  const [close] = nearest(value, allowed);
  return close ? `did you mean ${close}?` : `choose one of ${allowed.join(', ')}`;
}

function oneOf(allowed: readonly string[]): (value: string) => Wrong | undefined {
  return (value) =>
    allowed.includes(value) ? undefined : { what: `is not one of ${allowed.join(', ')}`, hint: choiceHint(value, allowed) };
}

/** Exit 2 for a value that is none of those that `name`, a flag or a variable, takes. An empty one is none. */
export function refuseUnlisted(allowed: readonly string[], value: string | undefined, name: string): void {
  if (value === undefined || value === '' || allowed.includes(value)) return;
  throw usage(`"${value}" is not a value of ${name}.`, choiceHint(value, allowed));
}
