/** Places of the facility, what is parked there, and appointments with the names of their cars, customers and places. */
import type * as records from '../contract/records.ts';
import { type BoardZone, makeBoard } from '../facility/board.ts';
import { nameVisit, timeOf, type Visit } from '../facility/day.ts';
import { byName } from '../facility/natural.ts';
import { placesOf } from '../facility/places.ts';
import { follow, followAll } from './followed.ts';
import { type Query, readAll, readByIds } from './read.ts';

/** As people look for them in a list. */
const inOrder =
  <R extends { readonly name: string }>(read: () => Promise<ReadonlyMap<string, R>>) =>
  async (): Promise<ReadonlyMap<string, R>> =>
    new Map([...(await read())].sort(([, one], [, other]) => byName(one, other)));

export const readLocations = inOrder(followAll('locations'));
const readZones = inOrder(followAll('parking/zones'));
const readSpots = followAll('parking/spots');
export const readTypes = followAll('event-types');
/** Of each status. */
export const readCars = followAll('cars');
export const readCustomers = followAll('customers');

type Parked = Pick<records.Car, 'parkingSpotId' | 'parkingZoneId'>;

export interface Places {
  readonly locations: ReadonlyMap<string, records.Location>;
  readonly zones: ReadonlyMap<string, records.ParkingZone>;
  readonly spots: ReadonlyMap<string, records.ParkingSpot>;
  /** `A1, Harbour`. */
  readonly textOf: (car: Parked) => string | undefined;
}

export async function readPlaces(): Promise<Places> {
  const [locations, zones, spots] = await Promise.all([readLocations(), readZones(), readSpots()]);
  const textOf = ({ parkingSpotId, parkingZoneId }: Parked) => {
    const place = spots.get(parkingSpotId ?? '') ?? zones.get(parkingZoneId ?? '');
    return place && [place.name, locations.get(place.locationId)?.name].filter(Boolean).join(', ');
  };
  return { locations, zones, spots, textOf };
}

/** Customers aren't read: the board hangs on walls. */
export function boardReader(): () => Promise<BoardZone[]> {
  const readStored = follow(
    // What has changed includes cars that have left, to remove them.
    (updatedAfter) => readAll('cars', updatedAfter ? { updatedAfter } : { status: 'stored' }),
    ({ status }) => status === 'stored',
  );
  return async () => {
    const [places, cars] = await Promise.all([readPlaces(), readStored()]);
    return makeBoard({ ...places, cars });
  };
}

/** Of one or several searches, each appointment once. */
export async function readVisits(wanted: readonly Query[]): Promise<Visit[]> {
  const [found, types, places] = await Promise.all([
    Promise.all(wanted.map((query) => readAll('appointments', query))),
    readTypes(),
    readPlaces(),
  ]);
  const appointments = [...new Map(found.flat().map((one) => [one.id, one])).values()];
  const cars = await readByIds(
    'cars',
    appointments.map(({ carId }) => carId),
  );
  const customerOf = ({ carId, customerId }: records.Appointment) =>
    customerId ?? cars.get(carId ?? '')?.customerId;
  const customers = await readByIds('customers', appointments.map(customerOf));
  const { locations } = places;
  const names = { types, cars, customers, locations, placeOf: placesOf(places) };
  return appointments
    .map((appointment) => nameVisit({ appointment }, names))
    .sort((a, b) => timeOf(a.appointment.startAt) - timeOf(b.appointment.startAt));
}
