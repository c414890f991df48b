/** The days of a month that cars were stored: each begun day counts, in the time zone of the place. */
import { idKey } from '../client/ids.ts';

export interface Stay {
  readonly carId: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Null while the car is there. */
  readonly until: number | null;
  /** IANA time zone of the location. */
  readonly timeZone: string;
}

/**
 * The stay of each day of a month (`2026-11`). A car has a day once, with the stay that started first. A stay that ends at midnight
 * has no part of the next day, one without any length has its day, and nothing after `now` counts.
 */
export function stayDays<S extends Stay>(
  stays: readonly S[],
  { month, now }: { readonly month: string; readonly now: number },
): { readonly date: string; readonly stay: S }[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const dates = Array.from({ length }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
  const counted = new Set<string>();
  const byStart = stays.filter(({ from }) => from <= now).toSorted((a, b) => a.from - b.from);
  return byStart.flatMap((stay) => {
    const { from, until, timeZone, carId } = stay;
    const first = dateIn(timeZone, from);
    const last = dateIn(timeZone, Math.max(from, Math.min(until ?? now, now) - 1));
    const own = dates
      .filter((date) => date >= first && date <= last)
      .map((date) => ({ date, stay, key: `${idKey(carId)} ${date}` }))
      .filter(({ key }) => !counted.has(key));
    for (const { key } of own) counted.add(key);
    return own;
  });
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateIn(timeZone: string, time: number): string {
  // Swedish dates are written as in ISO 8601.
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone });
  formats.set(timeZone, format);
  return format.format(time);
}
