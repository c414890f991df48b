/** In which time zone an appointment takes place: days of a series are counted there, while times are typed as they are on this machine. */

import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { localTime } from '../../input/when.ts';
import { differsInZone, localTimeZone, timeInZone } from '../counter/time-zones.ts';

/** That of the location, or of the team; undefined where the server or the key tells neither. */
export async function zoneOf(client: Client, locationId: unknown): Promise<string | undefined> {
  try {
    if (typeof locationId === 'string') return (await client.locations.get(locationId)).timezone;
    return (await client.me.get()).team.timezone;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const dateIn = (wallTime: string): string => wallTime.slice(0, 10);
const dayOfMonthIn = (wallTime: string): number => Number(wallTime.slice(8, 10));
const weekdayIn = (wallTime: string): number => new Date(`${dateIn(wallTime)}T00:00Z`).getUTCDay();
const named = (wallTime: string): string => `${days[weekdayIn(wallTime)]}, ${wallTime}`;

interface Series {
  readonly recurrenceFrequency?: unknown;
  readonly recurrenceSeriesId?: unknown;
  readonly recurrenceDaysOfWeek?: unknown;
  readonly recurrenceDayOfMonth?: unknown;
  readonly startAt?: unknown;
  readonly locationId?: unknown;
}

/**
 * Refuses a series whose first appointment is on another day where the days are counted than on this machine, unless what was typed says
 * that the day there is meant: the first one would be on the day that was meant, and all others on another. Exit 2.
 * `typed` is the time as a person wrote it; nothing where the record was given as JSON, whose times have their zone.
 */
export async function requireSameDay(context: Context, body: Series, typed: string | undefined): Promise<void> {
  const { startAt, recurrenceFrequency: frequency, recurrenceDaysOfWeek: on } = body;
  if (typed === undefined || typeof startAt !== 'string' || typeof frequency !== 'string' || body.recurrenceSeriesId) return;
  const byWeek = frequency === 'weekly' || frequency === 'biweekly';
  // Every so many days or weeks after the first time is the same in every zone.
  if (frequency === 'daily' || (byWeek && !Array.isArray(on))) return;
  const timeZone = await zoneOf(await context.client(), body.locationId);
  if (timeZone === undefined) return;
  const [here, there] = [localTime(startAt), timeInZone(timeZone, startAt)];
  if (there === undefined || dateIn(there) === dateIn(here) || meansThere(body, { here, there, zoned: namesZone(typed), byWeek })) return;

  const shift = dateIn(there) > dateIn(here) ? 1 : 6;
  const shifted = byWeek ? (on as number[]).map((day) => (days[(day + shift) % 7] as string).slice(0, 3).toLowerCase()) : [];
  const flag = byWeek ? `--on ${shifted.join(',')}` : `--day-of-month ${dayOfMonthIn(there)}`;
  const counted = typeof body.locationId === 'string' ? 'at its location' : 'for the team';
  throw usage(
    `--at: the first appointment is on ${named(here)} on this machine (${localTimeZone()}), but on ${named(there)} in ${timeZone}, where days of a series are counted ${counted}. Nothing was sent.`,
    `give the day there, ${flag}, or the time with its zone, such as --at ${here.replace(' ', 'T')}:00${await offsetOf(timeZone, here)}`,
  );
}

interface Days {
  readonly here: string;
  readonly there: string;
  readonly zoned: boolean;
  readonly byWeek: boolean;
}

/** A day that is there and not here is meant as one there. One that is both says so only beside a time that names its zone. */
function meansThere({ recurrenceDaysOfWeek: on, recurrenceDayOfMonth: dayOfMonth }: Series, { here, there, zoned, byWeek }: Days): boolean {
  if (!byWeek) return typeof dayOfMonth === 'number' ? dayOfMonth === dayOfMonthIn(there) : zoned;
  const has = (wallTime: string) => (on as readonly unknown[]).includes(weekdayIn(wallTime));
  return has(there) && (zoned || !has(here));
}

/** Whether a time says of which zone it is. */
const namesZone = (text: string): boolean => /\d\s*(z|[+-]\d\d:?\d\d)$/i.test(text.trim());

/** `+01:00`, when the clock there shows this. */
async function offsetOf(timeZone: string, wallTime: string): Promise<string> {
  const { Temporal } = await import('temporal-polyfill');
  return Temporal.PlainDateTime.from(wallTime.replace(' ', 'T')).toZonedDateTime(timeZone).offset;
}

/** Says for a person of which zone the times of an appointment are, where the clock at its location shows another one. */
export async function tellZoneOf(context: Context, { locationId, startAt }: Partial<RecordFor<'appointments'>>): Promise<void> {
  if (context.output.format !== 'table' || context.settings.quiet || !locationId || !startAt) return;
  const client = await context.client();
  // Beside what was done or shown already, nothing that fails here is worth a word.
  const location = await client.locations.get(locationId, { retries: 0 }).catch(() => undefined);
  if (!location || !differsInZone(location.timezone, startAt)) return;
  const { name, timezone } = location;
  context.note(`Times are of this machine (${localTimeZone()}); at ${name} (${timezone}) it begins at ${timeInZone(timezone, startAt)}.`);
}
