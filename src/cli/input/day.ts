/** Days and times of day, in the time zone of this machine. */
import { usage } from '../errors/exit.ts';

export interface Day {
  /** `2026-03-01`. */
  readonly date: string;
  /** Its first and its last millisecond, as ISO 8601 in UTC. */
  readonly from: string;
  readonly to: string;
}

/** The day of a time, or the day with this offset from it. */
export function dayOf(time: Date, shift = 0): Day {
  const start = new Date(time.getFullYear(), time.getMonth(), time.getDate() + shift);
  // The length of a day differs where clocks change, so its end is looked up.
  const next = new Date(time.getFullYear(), time.getMonth(), time.getDate() + shift + 1);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    date: `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`,
    from: start.toISOString(),
    to: new Date(next.getTime() - 1).toISOString(),
  };
}

const shifts: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** `today`, `tomorrow`, `yesterday` or `2026-03-01`. Fails with exit 2. */
export function parseDay(text: string, now: Date, flag: string): Day {
  const shift = shifts[text.trim().toLowerCase()];
  if (shift !== undefined) return dayOf(now, shift);
  const [year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? [])
    .slice(1)
    .map(Number);
  const day = year !== undefined && dayOf(new Date(year, (month ?? 0) - 1, date));
  // Without this, 31 February would quietly be 3 March.
  if (day && day.date === text.trim()) return day;
  throw usage(`${flag}: "${text}" isn't a day.`, 'write it like tomorrow, yesterday or 2026-03-01');
}

/** `09:05` in local time; empty for an invalid time. */
export function clockTime(iso: string | null | undefined): string {
  const time = new Date(iso ?? Number.NaN);
  if (Number.isNaN(time.getTime())) return '';
  return [time.getHours(), time.getMinutes()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** `24 Nov 10:00`, with the year where it isn't that of the day; empty for an invalid time. */
export function shortTime(iso: string | null, { from }: Day): string {
  const time = new Date(iso ?? Number.NaN);
  if (Number.isNaN(time.getTime())) return '';
  const other =
    time.getFullYear() === new Date(from).getFullYear() ? {} : ({ year: 'numeric' } as const);
  return `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...other })} ${clockTime(iso)}`;
}

/** `2026-11-20` as `Friday, 20 November 2026`. */
export const dayName = ({ from }: Day): string =>
  new Date(from)
    .toLocaleDateString('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
    .replace(/^(\w+) /, '$1, ');
