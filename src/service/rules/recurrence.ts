/** The dates of a series. Days are counted in a time zone's calendar, so that local times stay the same when its clocks change. */
import type { Temporal } from 'temporal-polyfill';
import { type RecurrenceFrequency, recurrenceLimit } from '../../contract/appointments.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
import { toUtc } from '../values.ts';

export interface Occurrence {
  /** ISO 8601, UTC. */
  readonly startAt: string;
  readonly endAt: string;
}

/** A recurrence as given in a body; omitted or null values have their defaults. */
export interface Recurrence {
  readonly recurrenceFrequency: RecurrenceFrequency;
  readonly recurrenceInterval?: number | null;
  readonly recurrenceDaysOfWeek?: readonly number[] | null;
  readonly recurrenceDayOfMonth?: number | null;
  readonly recurrenceEndDate?: string | null;
  readonly recurrenceCount?: number | null;
}

type PlainDate = Temporal.PlainDate;

/** Later years would break the order of times as texts. */
const lastYear = 9998;

/**
 * All occurrences of a series: `first` unchanged (decision), then those by the rule. Without an end or a count: those of twelve
 * months. More than 366, or beyond the year 9998: `recurrence_too_long`.
 */
export async function occurrencesOf(
  first: Occurrence,
  recurrence: Recurrence,
  timezone: string,
): Promise<Occurrence[]> {
  // Loaded by the first series, since it costs start-up time. Uses Node's own Temporal if there is one.
  const { Temporal } = await import('temporal-polyfill');
  const local = (time: string) => Temporal.Instant.from(toUtc(time)).toZonedDateTimeISO(timezone);
  const [start, end] = [local(first.startAt), local(first.endAt)];
  const firstDate = start.toPlainDate();
  const lastDate = lastDateOf(recurrence, firstDate, (time) => local(time).toPlainDate());
  const nights = firstDate.until(end.toPlainDate()).days;

  const occurrences = [first];
  for (const date of datesAfter(firstDate, recurrence)) {
    if (occurrences.length === recurrence.recurrenceCount) break;
    if (lastDate && Temporal.PlainDate.compare(date, lastDate) > 0) break;
    if (occurrences.length === recurrenceLimit || date.year > lastYear) throw tooLong();
    // A local time that the clocks skip moves on by the gap; of two equal ones the earlier counts.
    const startAt = date.toZonedDateTime({
      timeZone: timezone,
      plainTime: start,
    }).epochMilliseconds;
    const endAt = date
      .add({ days: nights })
      .toZonedDateTime({ timeZone: timezone, plainTime: end }).epochMilliseconds;
    const lasts = end.epochMilliseconds - start.epochMilliseconds;
    occurrences.push({
      startAt: isoOf(startAt),
      endAt: isoOf(endAt > startAt ? endAt : startAt + lasts),
    });
  }
  return occurrences;
}

/** The last possible start date, inclusive; undefined if only the count ends the series. */
function lastDateOf(
  { recurrenceEndDate, recurrenceCount }: Recurrence,
  first: PlainDate,
  dateOf: (time: string) => PlainDate,
): PlainDate | undefined {
  if (!recurrenceEndDate)
    return recurrenceCount ? undefined : first.add({ months: 12 }).subtract({ days: 1 });
  const last = dateOf(recurrenceEndDate);
  if (last.since(first).sign < 0)
    throw invalidValue('recurrenceEndDate', 'after_start', 'must not be before the day of startAt');
  return last;
}

/** The dates of the rule after the first one, endless. */
function* datesAfter(first: PlainDate, recurrence: Recurrence): Generator<PlainDate> {
  const period = periodOf(first, recurrence);
  for (let step = 0; ; step++)
    for (const date of period(step)) if (date.since(first).sign > 0) yield date;
}

/** The dates in each day, week or month of the rule, counted from that of the first date. */
function periodOf(first: PlainDate, recurrence: Recurrence): (step: number) => PlainDate[] {
  const { recurrenceFrequency: frequency, recurrenceDaysOfWeek, recurrenceDayOfMonth } = recurrence;
  const interval = recurrence.recurrenceInterval ?? 1;
  if (frequency === 'daily') {
    const every = Math.min(interval, daysForever);
    return (step) => [first.add({ days: step * every })];
  }
  if (frequency === 'weekly' || frequency === 'biweekly') {
    // Temporal counts Monday to Sunday as 1 to 7. Days of the week are 0 to 6, so a week starts on Sunday (decision).
    const day = first.dayOfWeek % 7;
    const sunday = first.subtract({ days: day });
    const days = recurrenceDaysOfWeek?.length ? [...new Set(recurrenceDaysOfWeek)].sort() : [day];
    const every = Math.min(interval * (frequency === 'weekly' ? 7 : 14), daysForever);
    return (step) => days.map((each) => sunday.add({ days: step * every + each }));
  }
  const day = recurrenceDayOfMonth ?? first.day;
  const every = Math.min(
    interval * { monthly: 1, quarterly: 3, yearly: 12 }[frequency],
    monthsForever,
  );
  const month = first.with({ day: 1 });
  // `with` clamps to the last day of the month.
  return (step) => [month.add({ months: step * every }).with({ day })];
}

/** More than there are until the last year, so that no interval overflows the calendar in its first step. */
const daysForever = 4_000_000;
const monthsForever = 120_000;

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

const tooLong = () =>
  new ApiProblem(
    'recurrence_too_long',
    `The series would have more than ${recurrenceLimit} appointments or go beyond the year ${lastYear}`,
    {
      limit: recurrenceLimit,
    },
  );
