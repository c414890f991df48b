/** Reads what the board and the day show: the first time whole, then of places and parked cars only what has changed. */
import { ApiError, type CallOptions, type Client } from '../../../client/client.ts';
import { byId, IdMap, idKey } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { BoardRecords } from '../../../facility/board.ts';
import type { Car } from '../../../facility/car-names.ts';
import {
  carIdsIn,
  customerIdsIn,
  type Day,
  type DayLists,
  type DayRange,
  nameDay,
  recentTo,
  sectionsOf,
  sessionsToName,
  timeOf,
} from '../../../facility/day.ts';
import { placesOf } from '../../../facility/places.ts';
import { isFieldMissing, isMissing, missingFieldError } from '../../errors/missing-path.ts';
import { gather, type IdsQuery, readByIds } from '../../resources/methods.ts';
import { mapParallel } from '../files/parallel.ts';

/** The records of a list by id, followed by their time of change. */
function follow<T extends { readonly id: string; readonly updatedAt: string | null }>(
  read: (query: { updatedAfter?: string }, call: CallOptions) => AsyncIterable<T>,
): (call: CallOptions) => Promise<ReadonlyMap<string, T>> {
  const records = new IdMap<T>();
  let newest: string | undefined;
  return async (call) => {
    for (const record of await gather(read({ updatedAfter: newest }, call))) {
      records.set(record.id, record);
      // Time stamps of a team only grow, so records that aren't in this response are newer than it.
      if (timeOf(record.updatedAt) > timeOf(newest)) newest = record.updatedAt ?? undefined;
    }
    return records;
  };
}

/** The key lacks a scope, or the server lacks the list. */
const isClosed = (error: unknown): error is ApiError =>
  isMissing(error) || (error instanceof ApiError && error.status === 403);

/** Undefined where the key or the server doesn't show the records, which only add to the others. */
export async function ifOpen<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isClosed(error) || isFieldMissing(error)) return undefined;
    throw error;
  }
}

type Session = RecordFor<'eventSessions'>;

/** What can't be read, and makes sections of the day incomplete. */
export interface Gap {
  readonly of: 'appointments' | 'cars';
  readonly error: ApiError;
}

interface DayAsked {
  readonly day: DayRange;
  readonly now: Date;
  /** The photos that an event of a type should have. */
  readonly checklistOf: NonNullable<DayLists['checklistOf']>;
  /** Only of this location. */
  readonly locationId: string | undefined;
}

export interface FacilityReader {
  /** Without the scopes for them, names of locations and plates of cars are left out. Spots and zones are required. */
  readonly board: (call: CallOptions) => Promise<BoardRecords>;
  /** Throws where neither the appointments nor the cars that came can be read. */
  readonly day: (asked: DayAsked, call: CallOptions) => Promise<{ day: Day; gaps: readonly Gap[] }>;
}

/** `where`: only places of a location, for its board. */
export function facilityReader(
  client: Client,
  where: { readonly locationId?: string | undefined } = {},
): FacilityReader {
  const types = follow((query, call) => client.eventTypes.all(query, call));
  const locations = follow((query, call) => client.locations.all(query, call));
  const zones = follow((query, call) => client.parkingZones.all({ ...where, ...query }, call));
  const spots = follow((query, call) => client.parkingSpots.all({ ...where, ...query }, call));
  const parked = follow<Car>((query, call) => {
    // A later read includes cars that have left, which replace what was known of them.
    if (query.updatedAfter !== undefined) return client.cars.all(query, call);
    // Elsewhere than on our service a state may have any name, so all cars are read: their place tells.
    return client.cars.all(client.transport.promisesLists() ? { status: 'stored' } : {}, call);
  });

  /** Names of photos, by the state of their session. */
  const named = new Map<string, readonly string[]>();
  const stateOf = ({ id, photoCount, updatedAt }: Session) => `${id} ${photoCount} ${updatedAt}`;

  return {
    async board(call) {
      const [sites, halls, places] = await Promise.all([
        ifOpen(locations(call)),
        zones(call),
        spots(call),
      ]);
      // Last: the other lists tell whether the server promises to apply a filter.
      return { locations: sites, zones: halls, spots: places, cars: await ifOpen(parked(call)) };
    },

    async day({ day, now, locationId, checklistOf }, call) {
      const gaps: Gap[] = [];
      const orGap = async <T>(of: Gap['of'], read: Promise<T>): Promise<T | undefined> => {
        try {
          return await read;
        } catch (error) {
          if (!isClosed(error)) throw error;
          if (!gaps.some((gap) => gap.of === of)) gaps.push({ of, error });
          return undefined;
        }
      };
      const visits = (filter: object) =>
        orGap('appointments', gather(client.appointments.all({ locationId, ...filter }, call)));
      // Whether a car came to a location is told by its place.
      const place = <T>(read: Promise<T>) =>
        locationId === undefined ? ifOpen(read) : orGap('cars', read);
      const { from, to } = recentTo(day);
      const [known, sites, halls, places] = await Promise.all([
        types(call),
        ifOpen(locations(call)),
        place(zones(call)),
        place(spots(call)),
      ]);
      // After them: an unfiltered list tells whether the server promises to apply a filter.
      const [recent, requests, sessions] = await Promise.all([
        visits({ startFrom: from, startTo: to }),
        visits({ status: 'pending_approval' }),
        // An event changes its session, so sessions of the day have changed since its start.
        orGap(
          'cars',
          gather(client.eventSessions.all({ status: 'open', updatedAfter: day.from }, call)),
        ),
      ]);
      const appointments = [...byId([...(recent ?? []), ...(requests ?? [])]).values()];
      const lists = { types: known, appointments, sessions: sessions ?? [], checklistOf };
      const unnamed = sessionsToName(lists, day).filter((one) => !named.has(stateOf(one)));
      await mapParallel(unnamed, 4, async (session) => {
        const { id: sessionId, carId } = session;
        const read = gather(client.carPhotos.all(carId, { sessionId }, call));
        const photos = await orGap('cars', read);
        if (photos)
          named.set(
            stateOf(session),
            photos.map(({ filename }) => filename),
          );
      });
      const photosIn = (session: Session) => named.get(stateOf(session)) ?? [];
      const sections = sectionsOf({ ...lists, photosIn }, { day, now });
      const readCars = recordsOf(carIdsIn(sections), (query) => client.cars.all(query, call));
      const hasCome = sections.walkIns.length + sections.withoutPhotos.length > 0;
      const cars = (await (hasCome ? orGap('cars', readCars) : ifOpen(readCars))) ?? none;
      if (gaps.length === 2) throw gaps[0]?.error;
      const readCustomers = recordsOf(customerIdsIn(sections, cars), (query) =>
        client.customers.all(query, call),
      );
      const customers = (await ifOpen(readCustomers)) ?? none;
      const placeOf = placesOf({ locations: sites, zones: halls ?? none, spots: places ?? none });
      const names = { types: known, cars, customers, locations: sites ?? none, placeOf };
      return { day: nameDay(sections, names, locationId), gaps };
    },
  };
}

const none: ReadonlyMap<string, never> = new IdMap<never>();

export async function recordsOf<T extends { readonly id: string }>(
  references: readonly (string | null | undefined)[],
  read: (query: IdsQuery) => AsyncIterable<T>,
): Promise<ReadonlyMap<string, T>> {
  const ids = new Set(references.filter((id) => typeof id === 'string').map(idKey));
  return byId(await gather(readByIds(ids, read)));
}

/** Every location, zone and spot. `isExtra`: without those that the key or the server doesn't show, which `unread` names. */
export async function readPlaces(client: Client, { isExtra = false } = {}) {
  const unread: string[] = [];
  const read = async <T extends { readonly id: string }>(what: string, list: AsyncIterable<T>) => {
    const all = isExtra ? await ifOpen(gather(list)) : await gather(list);
    if (!all) unread.push(what);
    return byId(all ?? []);
  };
  const [locations, zones, spots] = await Promise.all([
    read('locations', client.locations.all()),
    read('zones', client.parkingZones.all()),
    read('spots', client.parkingSpots.all()),
  ]);
  return { locations, zones, spots, unread: unread.sort() };
}

/** All cars with their places. Exit 9 where no record shows one; `consequence` says what can't be done then. */
export async function placedCars(client: Client, consequence: string): Promise<Car[]> {
  const cars = await gather(client.cars.all());
  if (cars.length > 0 && cars.every(({ parkingSpotId }) => parkingSpotId === undefined))
    throw missingFieldError('which cars are parked', consequence);
  return cars;
}

export const parkedCars = async (client: Client, consequence: string): Promise<Car[]> =>
  (await placedCars(client, consequence)).filter(
    ({ parkingSpotId, parkingZoneId }) => parkingSpotId || parkingZoneId,
  );
