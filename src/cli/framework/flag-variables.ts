/**
 * Environment variables for flags that only some commands have. Those of global flags are in the list of settings. They are applied in
 * one place before a command runs.
 */

import { isIP } from 'node:net';
import { checkYesNo, truthy, type ValueProblem } from '../config/setting-list.ts';
import { usage } from '../errors/exit.ts';
import { parseWhen } from '../input/when.ts';
import type { Io } from '../terminal/io.ts';
import type { Command } from './command.ts';

export interface FlagVariable {
  readonly flag: string;
  readonly short?: string;
  /** The placeholder of its value: `<count>`. */
  readonly value?: string;
  readonly variable: string;
  readonly about: string;
  /** A flag without a value. */
  readonly yesNo?: true;
  /** Returns the problem with a value, if any. */
  readonly check?: (value: string, now: Date) => ValueProblem | undefined;
  /** Conflicting flags, by attribute: when one of them was typed, the variable is ignored. */
  readonly overriddenBy?: readonly string[];
}

export const flagVariables = [
  {
    flag: '--dry-run',
    short: '-n',
    variable: 'CS_DRY_RUN',
    about: 'show the request, send nothing',
    yesNo: true,
    check: checkYesNo,
  },
  {
    flag: '--all',
    variable: 'CS_ALL',
    about: 'all records, not one page',
    yesNo: true,
    check: checkYesNo,
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
    check: (value: string) =>
      isIP(value)
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
    check: (value: string) =>
      /^[!-~]{1,255}$/.test(value)
        ? undefined
        : {
            message: "isn't 1 to 255 visible ASCII characters",
            hint: 'use a key without spaces, such as import-2026-1',
          },
  },
] as const satisfies readonly FlagVariable[];

export type FlagWithVariable = (typeof flagVariables)[number]['flag'];

/** Whether a value came from a variable. A conflict with the command line is then ignored instead of refused. */
export const isFromVariable = (command: Command, attribute: string): boolean =>
  command.getOptionValueSource(attribute) === 'env';

/**
 * Sets flags that weren't typed from the environment and returns the names of the variables used. Exit 2 for an invalid value, typed
 * or not, and for two variables that conflict.
 */
export function applyVariables(
  command: Command,
  words: readonly unknown[],
  { env, now }: Pick<Io, 'env' | 'now'>,
): string[] {
  const given = command.options.flatMap((option) => {
    const known: FlagVariable | undefined = flagVariables.find(
      ({ variable }) => variable === option.variable,
    );
    const value = known && env[known.variable];
    const attribute = option.attributeName();
    return known && value && command.getOptionValue(attribute) === undefined
      ? [{ ...known, value, attribute }]
      : [];
  });
  for (const option of command.options) {
    const known: FlagVariable | undefined = flagVariables.find(
      ({ variable }) => variable === option.variable,
    );
    const value = command.getOptionValue(option.attributeName());
    const problem = typeof value === 'string' ? known?.check?.(value, now()) : undefined;
    if (problem) throw usage(`${option.long}: "${value}" ${problem.message}.`, problem.hint);
  }
  // A copy of the typed flags, because the loop adds to the options.
  const typed = { ...command.opts() };
  const used: FlagVariable[] = [];
  for (const { value, attribute, ...known } of given) {
    const problem = known.check?.(value, now());
    if (problem)
      throw usage(`"${value}" (environment ${known.variable}) ${problem.message}.`, problem.hint);
    if (known.yesNo && !truthy(value)) continue;
    if (known.overriddenBy?.some((other) => typed[other] !== undefined)) continue;
    if (
      known.flag === '--ids' &&
      (namesRecords(command, words) || (value === '-' && Object.values(typed).includes('-')))
    )
      continue;
    const other = used.find(({ flag }) => known.overriddenBy?.includes(flag.slice(2)));
    if (other)
      throw usage(
        `${other.variable} and ${known.variable} can't be used together.`,
        'unset one of them',
      );
    used.push(known);
    command.setOptionValueWithSource(attribute, known.yesNo ? true : value, 'env');
  }
  return used.map(({ variable }) => variable);
}

/** Whether records are given as arguments: the variadic argument is always the last one. */
function namesRecords(command: Command, words: readonly unknown[]): boolean {
  const last = command.registeredArguments.length - 1;
  return (
    command.registeredArguments[last]?.variadic === true &&
    Array.isArray(words[last]) &&
    words[last].length > 0
  );
}

function integerInRange(
  least: number,
  most = 999_999_999,
): (value: string) => ValueProblem | undefined {
  const range = most < 100_000 ? `from ${least} to ${most}` : `of ${least} or more`;
  return (value) => {
    const fits = /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return fits
      ? undefined
      : { message: `isn't a whole number ${range}`, hint: `use a whole number ${range}` };
  };
}

function checkTime(value: string, now: Date): ValueProblem | undefined {
  try {
    parseWhen(value, now, 'CS_UPDATED_AFTER');
    return undefined;
  } catch (error) {
    return {
      message: "isn't a valid time",
      hint: (error as { hint?: string }).hint ?? 'write it like "1 hour ago"',
    };
  }
}
