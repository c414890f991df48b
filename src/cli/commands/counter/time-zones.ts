/** What the clock shows elsewhere. Times that are typed without a zone, and those that a person is shown, are of this machine. */
import type { Context } from '../../framework/context.ts';
import { localTime } from '../../input/when.ts';
import { joinList } from '../../terminal/text.ts';

export const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `2026-03-01 14:30` in that zone; nothing for a zone that this machine does not know, and for what is no time. */
export function timeInZone(timeZone: string, iso: string): string | undefined {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric' },
      ...{ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    });
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the clock shows something else there at that time. Zones of other names may well show the same. */
export function differsInZone(timeZone: string, iso: string): boolean {
  const there = timeInZone(timeZone, iso);
  return there !== undefined && there !== localTime(iso);
}

interface Site {
  readonly name: string;
  readonly timezone: string;
}

/** Says of which zone times on the screen are, where the clock at one of the places shows another. */
export function noteTimeZone(context: Context, sites: readonly Site[], iso: string): void {
  const zones = new Map(sites.filter(({ timezone }) => differsInZone(timezone, iso)).map(({ name, timezone }) => [name, timezone]));
  if (zones.size === 0) return;
  const places = [...zones].map(([name, timezone]) => `${name} (${timezone})`);
  const some = places.length > 3 ? [...places.slice(0, 2), `${places.length - 2} other locations`] : places;
  context.note(`Times are of this machine (${localTimeZone()}), not of ${joinList(some, 'or')}.`);
}
