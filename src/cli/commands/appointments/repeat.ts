/** How an appointment repeats, as flags. */

import { recurrenceFrequencies } from '../../../contract/appointments.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type Command, Option } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { collect, wholeNumber } from '../../framework/flags.ts';
import { parseDay } from '../../input/day.ts';
import { zoneOf } from './zone.ts';

export interface RepeatFlags {
  readonly repeat?: string;
  readonly every?: number;
  readonly on?: readonly string[];
  readonly dayOfMonth?: number;
  readonly count?: number;
  readonly lastDay?: string;
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export function addRepeatFlags(command: Command): void {
  const repeat = new Option('--repeat <how>', `make a series: ${recurrenceFrequencies.join(', ')}`);
  // For completion. Checked with everything else, so that all that is wrong is told at once.
  repeat.argChoices = [...recurrenceFrequencies];
  command
    .addOption(repeat)
    .option('--every <number>', 'every how many days, weeks, months or years', wholeNumber)
    .option('--on <days>', 'on these days of the week where it takes place, such as mon,thu', collect)
    .option('--day-of-month <number>', 'on this day of the month', wholeNumber)
    .option('--count <number>', 'how many appointments the series has', wholeNumber)
    .option('--last-day <date>', 'the last day of the series, that day included');
  command.nameFlags({
    recurrenceFrequency: '--repeat',
    recurrenceInterval: '--every',
    recurrenceDaysOfWeek: '--on',
    recurrenceDayOfMonth: '--day-of-month',
    recurrenceCount: '--count',
    recurrenceEndDate: '--last-day',
  });
}

/** The fields that the flags make. `locationId` is where the appointment takes place: its days are those of that time zone. */
export async function readRepeat(context: Context, flags: RepeatFlags, locationId: unknown): Promise<Record<string, unknown>> {
  const { repeat, every, on, dayOfMonth, count, lastDay } = flags;
  const alone = Object.entries({ every, on, 'day-of-month': dayOfMonth, count, 'last-day': lastDay }).find(
    ([, value]) => value !== undefined,
  );
  if (repeat === undefined && alone)
    throw usage(`--${alone[0]} says how a series goes on, and needs --repeat.`, 'give --repeat weekly, for one');
  const fields = {
    recurrenceFrequency: repeat,
    recurrenceInterval: every,
    recurrenceDaysOfWeek: on && readDays(on),
    recurrenceDayOfMonth: dayOfMonth,
    recurrenceCount: count,
    recurrenceEndDate:
      lastDay === undefined ? undefined : await endOf(context, parseDay(lastDay, context.io.now(), '--last-day').date, locationId),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** `mon,thu` as the interface counts them, from 0 for Sunday. */
function readDays(given: readonly string[]): number[] {
  return given
    .flatMap((text) => text.split(','))
    .map((text) => text.trim().toLowerCase())
    .filter(Boolean)
    .map((text) => {
      const [day, second] = days.flatMap((name, index) => (text.length > 1 && name.startsWith(text) ? [index] : []));
      if (day !== undefined && second === undefined) return day;
      throw new CliError({
        code: 'validation_failed',
        message: `--on: "${text}" is not a day of the week.`,
        hint: 'write it like mon,thu',
        details: { issues: [{ path: 'recurrenceDaysOfWeek', rule: 'day', message: 'is not a day of the week' }] },
      });
    });
}

/** The last moment of a day where the appointment takes place: a day is over there at another time than here. */
async function endOf(context: Context, date: string, locationId: unknown): Promise<string> {
  const { Temporal } = await import('temporal-polyfill');
  const timeZone = (await zoneOf(await context.client(), locationId)) ?? Temporal.Now.timeZoneId();
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: '23:59:59' }).toInstant().toString();
}
