/** The hand-over sheet of a car as a page to print: that of `cs report`, with pictures from here. */
import { eventOf, inOrder, sheetHtml, sheetOf } from '../../facility/sheet.ts';
import type { Tables } from '../database/tables.ts';
import { notFound } from '../problem.ts';
import { find, listBy, type OfTeam } from '../records.ts';
import { undecoded } from './pictures.ts';

interface Wanted {
  readonly carId: string;
  /** (default: the last one) */
  readonly eventId: string | undefined;
  /** Beside the event before it that has photos. */
  readonly isCompared: boolean;
}

/** Throws `not_found`. */
export async function readSheet(
  context: OfTeam & { readonly team: { readonly timezone: string } },
  { carId, eventId, isCompared }: Wanted,
): Promise<string> {
  const car = await find(context, 'cars', carId);
  if (!car) throw notFound('car');
  const all = async <N extends 'locations' | 'parkingZones' | 'parkingSpots'>(name: N) => {
    const rows = await listBy(context, name, {}, 'id');
    return new Map(rows.map((row) => [row.id, row as Tables[N]]));
  };
  const events = await listBy(context, 'carEvents', { carId }, 'occurredAt');
  const { event, before: earlier } = eventOf(events, eventId);
  if (!event && eventId !== undefined) throw notFound('event');
  const photos = inOrder(await listBy(context, 'carPhotos', { carId }, 'createdAt'));
  const visitOf = (event: Tables['carEvents']) => ({
    event,
    photos: photos
      .filter(({ sessionId }) => sessionId === event.sessionId)
      .map(({ id, filename, contentType }) => ({
        name: filename,
        src: undecoded.some((type) => type === contentType)
          ? undefined
          : `/dashboard/photos/${id}?width=1280`,
      })),
  });
  const before = isCompared
    ? earlier.map(visitOf).find(({ photos }) => photos.length > 0)
    : undefined;
  return sheetHtml({
    ...sheetOf({
      car,
      owner: car.customerId ? await find(context, 'customers', car.customerId) : undefined,
      types: await listBy(context, 'eventTypes', {}, 'id'),
      locations: await all('locations'),
      zones: await all('parkingZones'),
      spots: await all('parkingSpots'),
      visits: event ? [...(before ? [before] : []), visitOf(event)] : [],
      now: new Date(),
      timeText: (iso, timeZone = context.team.timezone) => timeIn(timeZone, iso),
    }),
    pictures: "'self'",
    ...(event && {
      link: {
        text: isCompared ? 'This visit alone' : 'Beside the visit before',
        href: `/dashboard/sheets/${carId}?event=${event.id}${isCompared ? '' : '&compare=1'}`,
      },
    }),
  });
}

/** `2026-03-01 14:30` */
const timeIn = (timeZone: string, iso: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(iso),
  );
