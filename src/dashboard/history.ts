/** What happened with a car, and its visits with their photos. */
import type * as records from '../contract/records.ts';
import { timeOf } from '../facility/day.ts';
import { type Places, readPlaces, readTypes } from './facility-reader.ts';
import { readAll } from './read.ts';
import { dateText } from './times.ts';
import { placeIdOf } from './work.ts';

export interface Happened {
  readonly id: string;
  readonly car: records.Car;
  readonly at: string | null;
  readonly what: string;
  readonly notes: string | null;
  readonly place: string | undefined;
  /** Whose key or account it was. */
  readonly who: string | null;
  /** The sheet of an event, to print. */
  readonly sheet?: string;
  /** Of the place that the latest move left. */
  readonly back?: string | undefined;
}

interface History {
  /** Newest first. */
  readonly happened: readonly Happened[];
  readonly assignments: readonly records.ParkingAssignment[];
  readonly places: Places;
}

/** Events and moves. A move is a parking that no event started. */
export async function readHistory(car: records.Car): Promise<History> {
  const [events, assignments, types, places] = await Promise.all([
    readAll(`cars/${car.id}/events`, {}),
    readAll('parking/assignments', { carId: car.id }),
    readTypes(),
    readPlaces(),
  ]);
  const byId = new Map(assignments.map((one) => [one.id, one]));
  const parks = ({ parkingSpotId, parkingZoneId }: records.CarEvent) =>
    parkingSpotId !== null || parkingZoneId !== null;
  const started = new Set(
    events.filter(parks).map(({ parkingAssignmentId }) => parkingAssignmentId),
  );
  const logged = events.map((event): Happened => {
    const parking = byId.get(event.parkingAssignmentId ?? '');
    const type = types.get(event.eventTypeId);
    return {
      id: event.id,
      car,
      at: event.occurredAt,
      what: type?.name ?? event.activityType,
      notes: event.notes,
      place: parking && places.textOf(parking),
      sheet: `/dashboard/sheets/${car.id}?event=${event.id}`,
      who: (parks(event) ? parking?.startedByKey : parking?.endedByKey) ?? null,
    };
  });
  const moves = assignments
    .filter(({ id }) => !started.has(id))
    .map((parking): Happened => {
      const before = assignments.find(({ endedAt }) => endedAt === parking.startedAt);
      const isLatest = parking.endedAt === null && placeIdOf(parking) === placeIdOf(car);
      return {
        id: parking.id,
        car,
        at: parking.startedAt,
        what: before ? `Moved from ${places.textOf(before) ?? 'another place'}` : 'Parked',
        notes: parking.notes,
        place: places.textOf(parking),
        who: parking.startedByKey,
        back: isLatest && before ? placeIdOf(before) : undefined,
      };
    });
  return { happened: newestFirst([...logged, ...moves]), assignments, places };
}

export const newestFirst = (happened: readonly Happened[]): Happened[] =>
  happened.toSorted((a, b) => timeOf(b.at) - timeOf(a.at));

/** Photos that were taken on one visit. */
export interface CarVisit {
  /** Of its session; `none` for photos without one. */
  readonly id: string;
  readonly title: string;
  readonly at: string | null;
  /** In the order in which they were taken in. */
  readonly photos: readonly records.Photo[];
}

/** Newest first, and the newest session, to which photos go. */
export async function readCarVisits(
  carId: string,
): Promise<{ visits: CarVisit[]; session: records.EventSession | undefined }> {
  const [photos, sessions, types] = await Promise.all([
    readAll(`cars/${carId}/photos`, {}),
    readAll('event-sessions', { carId }),
    readTypes(),
  ]);
  const visits = [...Map.groupBy(photos, ({ sessionId }) => sessionId)].map(
    ([sessionId, some]): CarVisit => {
      const session = sessions.find((one) => one.id === sessionId);
      const type = session && types.get(session.eventTypeId);
      return {
        id: sessionId ?? 'none',
        title: [session?.startedAt && dateText(session.startedAt), type?.name ?? 'Photos']
          .filter(Boolean)
          .join(' '),
        at: session?.startedAt ?? null,
        photos: some.toReversed(),
      };
    },
  );
  return {
    visits: visits.sort((a, b) => timeOf(b.at) - timeOf(a.at)),
    session: sessions
      .filter(({ status }) => status === 'open')
      .toSorted((a, b) => timeOf(b.startedAt) - timeOf(a.startedAt))[0],
  };
}
