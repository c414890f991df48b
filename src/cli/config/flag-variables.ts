/**
 * Variables of the environment for flags that only some commands have; those of every command are settings. They are given to a command
 * before it runs, in one place, so that it need not know where a value came from.
 */

import { usage } from '../errors/exit.ts';
import type { Command, Option } from '../framework/command.ts';
import { parseWhen } from '../input/when.ts';
import type { Io } from '../terminal/io.ts';
import { truthy, type Wrong, yesOrNo } from './setting-list.ts';

export interface FlagVariable {
  readonly flag: string;
  readonly variable: string;
  readonly about: string;
  /** A flag without a value: the variable says yes or no. */
  readonly yesNo?: true;
  /** Answers what is wrong with a value, or nothing. */
  readonly check?: (value: string, now: Date) => Wrong | undefined;
  /** What the variable gives way to where it was typed, by attribute: the two contradict each other, and nobody typed both. */
  readonly yieldsTo?: readonly string[];
}

export const flagVariables = [
  { flag: '--dry-run', variable: 'CS_DRY_RUN', about: 'show requests that write, and send none', yesNo: true, check: yesOrNo },
  { flag: '--all', variable: 'CS_ALL', about: 'every record of a list', yesNo: true, check: yesOrNo, yieldsTo: ['page'] },
  { flag: '--limit', variable: 'CS_LIMIT', about: 'records per page of a list', check: wholeFrom(1, 200) },
  { flag: '--page', variable: 'CS_PAGE', about: 'page of a list', check: wholeFrom(1), yieldsTo: ['all'] },
  { flag: '--updated-after', variable: 'CS_UPDATED_AFTER', about: 'only what of a list changed at or after this time', check: time },
  { flag: '--ids', variable: 'CS_IDS', about: 'the records, where none is named', yieldsTo: ['folder', 'all', 'session'] },
  { flag: '--idempotency-key', variable: 'CS_IDEMPOTENCY_KEY', about: 'a repeat with the same key does not create twice' },
] as const satisfies readonly FlagVariable[];

export type FlagWithVariable = (typeof flagVariables)[number]['flag'];

/** The environment variable of this flag gives it too. A flag of the same name with another meaning has none. */
export function withVariable(option: Option, flag: FlagWithVariable): Option {
  option.variable = flagVariables.find((one) => one.flag === flag)?.variable;
  return option;
}

/** Whether a value came from a variable: what contradicts the rest of the line is then left out, and no mistake. */
export const isFromVariable = (command: Command, attribute: string): boolean => command.getOptionValueSource(attribute) === 'env';

/**
 * Gives a command what variables say of flags that were not typed, and answers which those are. Exit 2, naming the variable, for a value
 * that the flag does not take, and for two variables that contradict each other.
 */
export function applyVariables(command: Command, words: readonly unknown[], { env, now }: Pick<Io, 'env' | 'now'>): string[] {
  const given = command.options.flatMap((option) => {
    const known: FlagVariable | undefined = flagVariables.find(({ variable }) => variable === option.variable);
    const value = known && env[known.variable];
    const attribute = option.attributeName();
    return known && value && command.getOptionValue(attribute) === undefined ? [{ ...known, value, attribute }] : [];
  });
  // As it was typed: what is given below is not part of it.
  const typed = { ...command.opts() };
  const used: FlagVariable[] = [];
  for (const { value, attribute, ...known } of given) {
    const wrong = known.check?.(value, now());
    if (wrong) throw usage(`"${value}" (environment ${known.variable}) ${wrong.what}.`, wrong.hint);
    if (known.yesNo && !truthy(value)) continue;
    if (known.yieldsTo?.some((other) => typed[other] !== undefined)) continue;
    if (known.flag === '--ids' && (suggestRecords(command, words) || (value === '-' && Object.values(typed).includes('-')))) continue;
    const other = used.find(({ flag }) => known.yieldsTo?.includes(flag.slice(2)));
    if (other) throw usage(`${other.variable} and ${known.variable} exclude each other.`, 'unset one of them');
    used.push(known);
    command.setOptionValueWithSource(attribute, known.yesNo ? true : value, 'env');
  }
  return used.map(({ variable }) => variable);
}

/** Whether records are named one by one: several are always the last argument. */
function suggestRecords(command: Command, words: readonly unknown[]): boolean {
  const last = command.registeredArguments.length - 1;
  return command.registeredArguments[last]?.variadic === true && Array.isArray(words[last]) && words[last].length > 0;
}

function wholeFrom(least: number, most = 999_999_999): (value: string) => Wrong | undefined {
  const range = most < 1_000 ? `${least} to ${most}` : `${least} or more`;
  return (value) => {
    const fits = /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return fits ? undefined : { what: `is not a number, ${range}`, hint: `write ${range}` };
  };
}

function time(value: string, now: Date): Wrong | undefined {
  try {
    parseWhen(value, now, 'CS_UPDATED_AFTER');
    return undefined;
  } catch (error) {
    return { what: 'is not a time', hint: (error as { hint?: string }).hint ?? 'write it like "1 hour ago"' };
  }
}
