/** Times in other time zones. Typed times without a zone, and displayed times, are in this machine's zone. */
import { localTime } from '../../input/when.ts';
import { joinList } from '../../terminal/text.ts';

export const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `2026-03-01 14:30` in that zone; undefined for an unknown zone or an invalid time. */
export function timeInZone(timeZone: string, iso: string): string | undefined {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    const part = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, value]),
    );
    return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether local time differs there at that time. Zones with different names can have the same time. */
export function differsInZone(timeZone: string, iso: string): boolean {
  const timeThere = timeInZone(timeZone, iso);
  return timeThere !== undefined && timeThere !== localTime(iso);
}

interface Site {
  readonly name: string;
  readonly timezone: string;
}

/** Names this machine's zone if the time at one of the locations differs. */
export function timeZoneNote(sites: readonly Site[], iso: string): string | undefined {
  const zones = new Map(
    sites
      .filter(({ timezone }) => differsInZone(timezone, iso))
      .map(({ name, timezone }) => [name, timezone]),
  );
  if (zones.size === 0) return undefined;
  const places = [...zones].map(([name, timezone]) => `${name} (${timezone})`);
  const shown =
    places.length > 3 ? [...places.slice(0, 2), `${places.length - 2} other locations`] : places;
  return `Times are in this machine's zone (${localTimeZone()}), not in that of ${joinList(shown, 'or')}.`;
}
