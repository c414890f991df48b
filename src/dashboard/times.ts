/** Times as people read them: in the team's zone, or in that of a location, with numbers and dates as the browser's language writes them. */
import { signal } from '@preact/signals';
import type { DayRange } from '../facility/day.ts';

/** Of the team that is signed in. */
export const zone = signal('UTC');
export const teamZone = (): string => zone.value;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: that costs a millisecond and more, and a page writes thousands of times. */
export function formatOf(
  options: Intl.DateTimeFormatOptions,
  language = navigator.language,
): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, known);
  return known;
}

const format = (iso: string | number | Date, options: Intl.DateTimeFormatOptions) =>
  formatOf({ timeZone: teamZone(), ...options }).format(new Date(iso));

/** `3 Nov 2026`. */
export const dateText = (iso: string | Date, timeZone = teamZone()): string =>
  format(iso, { timeZone, dateStyle: 'medium' });
/** `3 Nov 2026, 14:03`. */
export const timeText = (iso: string | Date, timeZone = teamZone()): string =>
  format(iso, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
/** `14:03`. */
export const clockText = (iso: string | Date): string => format(iso, { timeStyle: 'short' });
/** `14:03:22`. */
export const secondsText = (iso: string | Date): string => format(iso, { timeStyle: 'medium' });
/** `Sunday, 22 November`; of another year with the year. */
export function dayText(iso: string | Date): string {
  const isThisYear = dayKey(iso).slice(0, 4) === dayKey(new Date()).slice(0, 4);
  return format(iso, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
const numbers = new Intl.NumberFormat(navigator.language);
export const numberText = (value: number): string => numbers.format(value);

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const spans = new Intl.RelativeTimeFormat('en');
const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** `2 minutes ago`, `in 12 days`. A link of 24 hours ends in 24 hours, also a second after it was made. */
export function relativeText(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  for (const [unit, size] of units) {
    // Between one and two months, days are still counted.
    const least = unit === 'month' ? 2 * size : unit === 'year' ? 2 * size : size;
    if (Math.abs(ms) < least) continue;
    return spans.format(ms > 0 ? Math.round(ms / size) : Math.trunc(ms / size), unit);
  }
  return ms > 0 ? 'in a moment' : 'just now';
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** `checked_out` as `checked out`. */
export const spaced = (text: string): string => text.replaceAll('_', ' ');

/** `2026-11-22`: the day of a time in the zone. */
export const dayKey = (time: string | Date, timeZone = teamZone()): string =>
  formatOf({ timeZone }, 'sv').format(new Date(time));

/** Whether the calendar has this day: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text)
  );
}

/** The moment of a local time in the zone, such as `2026-11-22T14:03`. Its offset is looked up, since clocks change. */
export function momentOf(local: string, timeZone = teamZone()): Date {
  const utc = Date.parse(`${local}Z`);
  let moment = utc;
  // The second turn corrects an offset that changes between the two guesses.
  for (let turn = 0; turn < 2; turn += 1) moment = utc - offsetAt(moment, timeZone);
  return new Date(moment);
}

/** `2026-11-22T14:03` in the zone: what a field for a time takes. */
export const localTime = (time: Date, timeZone = teamZone()): string =>
  new Date(time.getTime() + offsetAt(time.getTime(), timeZone)).toISOString().slice(0, 16);

/** The first moment of a day in the zone. */
export const startOfDay = (day: string, timeZone = teamZone()): Date =>
  momentOf(`${day}T00:00`, timeZone);

/** Milliseconds that the zone's clocks are ahead of UTC. Swedes write times nearly as ISO 8601 does. */
function offsetAt(time: number, timeZone: string): number {
  const local = formatOf({ timeZone, dateStyle: 'short', timeStyle: 'medium' }, 'sv').format(time);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** `2026-11-22` with another number of days. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The last millisecond of a day. */
export const endOfDay = (day: string): Date => new Date(startOfDay(shiftDay(day, 1)).getTime() - 1);

/** From its first moment to its last millisecond. */
export const rangeOf = (day: string): DayRange => ({
  from: startOfDay(day).toISOString(),
  to: endOfDay(day).toISOString(),
});
