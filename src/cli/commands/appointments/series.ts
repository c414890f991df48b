/** A series of appointments: its flags, and the time zone in which its days are counted. */

import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { recurrenceFrequencies } from '../../../contract/appointments.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type Command, Option } from '../../framework/command.ts';
import { collect, wholeNumber } from '../../framework/flags.ts';
import { parseDay } from '../../input/day.ts';
import { listIn } from '../../input/list.ts';
import { localTime } from '../../input/when.ts';
import { localTimeZone, timeInZone } from '../counter/time-zones.ts';

export interface RepeatFlags {
  readonly repeat?: string;
  readonly every?: number;
  readonly on?: readonly string[];
  readonly dayOfMonth?: number;
  readonly count?: number;
  readonly lastDay?: string;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function addRepeatFlags(command: Command): void {
  const repeat = new Option('--repeat <how>', `make a series: ${recurrenceFrequencies.join(', ')}`);
  // For completion. The value is checked with the other fields, to report all errors at once.
  repeat.argChoices = [...recurrenceFrequencies];
  command
    .addOption(repeat)
    .option(
      '--every <number>',
      'interval in days, weeks, months or years (default: 1)',
      wholeNumber,
    )
    .option('--on <days>', 'days of the week at the location, such as mon,thu', collect)
    .option('--day-of-month <number>', 'day of the month', wholeNumber)
    .option('--count <number>', 'number of appointments', wholeNumber)
    .option('--last-day <date>', 'last day of the series, inclusive');
  command.nameFlags({
    recurrenceFrequency: '--repeat',
    recurrenceInterval: '--every',
    recurrenceDaysOfWeek: '--on',
    recurrenceDayOfMonth: '--day-of-month',
    recurrenceCount: '--count',
    recurrenceEndDate: '--last-day',
  });
}

/** The fields of the flags. Days are counted in the time zone of the location. */
export async function readRepeat(
  context: Context,
  flags: RepeatFlags,
  locationId: unknown,
): Promise<Record<string, unknown>> {
  const { repeat, every, on, dayOfMonth, count, lastDay } = flags;
  const dependent = Object.entries({
    every,
    on,
    'day-of-month': dayOfMonth,
    count,
    'last-day': lastDay,
  }).find(([, value]) => value !== undefined);
  if (repeat === undefined && dependent)
    throw usage(`--${dependent[0]} requires --repeat.`, 'add --repeat, such as --repeat weekly');
  const fields = {
    recurrenceFrequency: repeat,
    recurrenceInterval: every,
    recurrenceDaysOfWeek: on && readDays(on),
    recurrenceDayOfMonth: dayOfMonth,
    recurrenceCount: count,
    recurrenceEndDate:
      lastDay === undefined
        ? undefined
        : await endOfDay(
            context,
            parseDay(lastDay, context.io.now(), '--last-day').date,
            locationId,
          ),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** `mon,thu` as numbers, 0 for Sunday. */
function readDays(given: readonly string[]): number[] {
  return listIn(given.map((text) => text.toLowerCase())).map((text) => {
    const [day, second] = weekdays.flatMap((name, index) =>
      text.length > 1 && name.toLowerCase().startsWith(text) ? [index] : [],
    );
    if (day !== undefined && second === undefined) return day;
    throw new CliError({
      code: 'usage',
      message: `--on: "${text}" isn't a day of the week.`,
      hint: 'use a list such as mon,thu',
      details: {
        issues: [{ path: 'recurrenceDaysOfWeek', rule: 'day', message: "isn't a day of the week" }],
      },
    });
  });
}

/** The end of a day in the location's time zone. */
async function endOfDay(context: Context, date: string, locationId: unknown): Promise<string> {
  const { Temporal } = await import('temporal-polyfill');
  const timeZone =
    (await readTimeZone(await context.client(), locationId)) ?? Temporal.Now.timeZoneId();
  return Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone, plainTime: '23:59:59' })
    .toInstant()
    .toString();
}

/** The time zone of the location or the team; undefined if the server or the key's scopes provide neither. */
async function readTimeZone(client: Client, locationId: unknown): Promise<string | undefined> {
  try {
    if (typeof locationId === 'string') return (await client.locations.get(locationId)).timezone;
    return (await client.me.get()).team.timezone;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      return undefined;
    throw error;
  }
}

/**
 * Refuses a series that starts on another day at the location than on this machine: the first appointment would be on the intended day and
 * all others on another. A start with its zone is clear. `typed` is the start as text; undefined for JSON input, whose times have a zone.
 */
export async function requireSameDay(
  context: Context,
  {
    startAt,
    recurrenceFrequency: frequency,
    recurrenceDaysOfWeek: days,
    locationId,
  }: Readonly<Record<string, unknown>>,
  typed: string | undefined,
): Promise<void> {
  const isClear = typed === undefined || /\d\s*(z|[+-]\d\d:?\d\d)$/i.test(typed.trim());
  if (isClear || typeof startAt !== 'string' || !frequency) return;
  // An interval without days is the same in every zone.
  if (frequency === 'daily' || (String(frequency).endsWith('weekly') && !days)) return;
  const timeZone = await readTimeZone(await context.client(), locationId);
  const timeThere = timeZone && timeInZone(timeZone, startAt);
  const here = localTime(startAt);
  if (!timeThere || timeThere.slice(0, 10) === here.slice(0, 10)) return;
  throw usage(
    `--at: ${here} in this machine's zone (${localTimeZone()}) is ${timeThere} in ${timeZone}, where the days of a series are counted. Nothing was sent.`,
    `give the time with its zone, such as --at ${startAt}, and the days as they are there`,
  );
}
