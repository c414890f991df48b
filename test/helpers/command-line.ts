/** A command line for any command, found through its errors about missing arguments and flags. */
import type { FlagInfo } from '../../src/cli/framework/tree/manifest.ts';
import { contract } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { exampleOf } from '../../src/openapi/example.ts';
import { type CliOptions, type CliResult, cs } from './cli.ts';
import type { KnownCommand } from './every-command.ts';
import { unfinishedId } from './unfinished.ts';

export const anyId = '019aa0a3-4d00-7000-8000-0000000000aa';

export interface FoundLine {
  readonly line: readonly string[];
  /** The positions of the flags that the command reported as missing, with their values. */
  readonly lacked: readonly Part[];
  /** The result of the last run. */
  readonly result: CliResult;
}

/** Arguments that the errors don't name: one of two alternatives, or a file. */
const given: Readonly<Record<string, readonly string[]>> = {
  dropoff: ['--car', anyId, '--type', 'drop_off', '--spot', anyId],
  pickup: [anyId, '--type', 'pick_up'],
  move: [anyId, '--spot', anyId],
  'appointments create': [
    '--type',
    'drop_off',
    '--car',
    anyId,
    '--at',
    'tomorrow 9:00',
    '--for',
    '45m',
  ],
  audit: ['--from', 'spots.csv'],
  'campaigns schedule': [anyId, '--at', 'tomorrow 9:00'],
  'forms submissions create': [anyId, '--input', '{"data":{}}'],
  sync: ['cars', '--to', 'synced.db'],
  'sync status': ['mirror.db'],
  'sync verify': ['mirror.db'],
  export: ['cars', '--to', 'exported', '--overwrite'],
  import: ['cars', 'cars.ndjson'],
  report: [anyId, '--to', 'sheet.html', '--overwrite'],
  labels: ['spots', '--to', 'labels.html', '--overwrite'],
  'care apply': ['care.yaml'],
  'facility plan': ['facility.yaml'],
  'facility apply': ['facility.yaml'],
  watch: ['cars', '--once'],
  api: ['POST', '/cars', '-f', 'make=Audi'],
  'pending show': [unfinishedId],
  'pending discard': [unfinishedId],
  'cars photos add': [anyId, 'photo.png'],
  'cars photos verify': [anyId, 'photo.png'],
  'assets upload': ['photo.png'],
  'assets download': ['--all'],
  'templates prune': ['--name', '*', '--confirm', '1'],
  'profiles use': ['main'],
  'profiles set': ['main', '--production'],
  'profiles remove': ['main'],
  'config set': ['timeout', '30'],
  'config unset': ['timeout'],
};

export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Adds missing arguments and flags one after the other, until the command reports no more. */
export async function findLine(known: KnownCommand, options: CliOptions): Promise<FoundLine> {
  const required = known.info.arguments.filter((argument) => argument.required);
  const line = [
    ...known.words,
    ...(given[known.name] ?? required.map((argument) => argument.choices?.[0] ?? anyId)),
  ];
  const lacked: Part[] = [];
  for (let round = 0; ; round++) {
    const result = await cs([...line, '--yes'], options);
    const lacking = round < 8 ? lackingIn(result, known, line) : [];
    if (lacking.length === 0) return { line: [...line, '--yes'], lacked, result };
    for (const [at, word] of lacking.entries()) {
      const from = line.length + at;
      if (word.startsWith('--'))
        lacked.push({ from, to: from + (lacking[at + 1]?.startsWith('--') === false ? 2 : 1) });
    }
    line.push(...lacking);
  }
}

function lackingIn(
  { code, stderr }: CliResult,
  { info }: KnownCommand,
  line: readonly string[],
): string[] {
  if (code !== 2) return [];
  const { message, hint } = JSON.parse(stderr.trim().split('\n').at(-1) as string).error as {
    message: string;
    hint: string | null;
  };
  if (message.startsWith('Missing required argument')) return [anyId];
  const [, count] = /--confirm (\S+?)[\s.,]/.exec(`${hint} `) ?? [];
  if (count && !line.includes('--confirm')) return ['--confirm', count];
  const named = `${message} ${hint}`.match(/--[a-z][a-z-]*/g) ?? [];
  return [...new Set(named)]
    .map((long) => info.flags.find((flag) => flag.long === long && !flag.global))
    .filter(
      (flag): flag is FlagInfo =>
        flag !== undefined && !line.includes(flag.long) && flag.long !== '--dry-run',
    )
    .slice(0, message.startsWith('Missing required flags') ? undefined : 1)
    .flatMap((flag) => (flag.value ? [flag.long, valueFor(flag, info.operations)] : [flag.long]));
}

/** A valid value of a flag. */
function valueFor(flag: FlagInfo, operations: readonly string[]): string {
  if (flag.choices?.[0] !== undefined) return flag.choices[0];
  if (flag.names || flag.long === '--ids') return anyId;
  const field = flag.long
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (const operation of operations) {
    const resource: Resource | undefined =
      contract[operation.split('.')[0] as keyof typeof contract];
    const declared = resource?.fields[field] ?? resource?.filters?.[field];
    const example = declared && exampleOf(declared.schema, field);
    if (typeof example === 'string' || typeof example === 'number') return String(example);
  }
  switch (kindOfFlag(flag)) {
    case 'number':
      return '1';
    case 'time':
      return 'now';
    default:
      return /id/.test(placeholderOf(flag)) ? anyId : 'text';
  }
}

const placeholderOf = ({ form }: FlagInfo): string => /[<[](.+?)[>\]]$/.exec(form)?.[1] ?? '';

/** The kind of a flag's value, according to its placeholder. */
export function kindOfFlag(flag: FlagInfo): 'choice' | 'number' | 'time' | 'other' {
  if (flag.choices) return 'choice';
  const placeholder = placeholderOf(flag);
  return /^(number|count|seconds)$/.test(placeholder)
    ? 'number'
    : /^(when|time|day)$/.test(placeholder)
      ? 'time'
      : 'other';
}
