/** Reads the report of `cs today`, in a few requests for any number of appointments. */
import { ApiError, type CallOptions, type Client } from '../../../client/client.ts';
import { byId, IdMap, idKey, isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, identityOf } from '../../../facility/car-names.ts';
import {
  byStart,
  dropoffsWithoutPhotos,
  lateForDays,
  sectionsOf,
  timeOf,
} from '../../../facility/day.ts';
import { isMissing, missingPathText } from '../../errors/missing-path.ts';
import type { Day } from '../../input/day.ts';
import { labelRules } from '../../resources/labels.ts';
import { gather, type IdsQuery, readByIds } from '../../resources/methods.ts';
import { type Place, placeResult } from '../counter/place.ts';
import type {
  CarWithoutPhotos,
  DayReport,
  LateVisit,
  SectionName,
  Sections,
  Visit,
} from './shape.ts';

type Appointment = RecordFor<'appointments'>;

export interface DayQuery {
  readonly day: Day;
  readonly now: Date;
  readonly location?: RecordFor<'locations'>;
  /** Receives the locations of all appointments. */
  readonly onLocations?: (locations: readonly RecordFor<'locations'>[]) => void;
  /** Receives the cars of all appointments, and those without photos. */
  readonly onCars?: (cars: readonly Car[]) => void;
  readonly call?: CallOptions;
}

/** Throws if the key's scopes cover no section; sections without a scope are in `notRead`. */
export async function readDay(client: Client, query: DayQuery): Promise<DayReport> {
  const { day, location, call } = query;
  const types = byId(await gather(client.eventTypes.all({}, call)));
  const notRead: DayReport['notRead'] = [];
  const failures: unknown[] = [];
  const readSections = async <N extends SectionName>(
    sections: readonly N[],
    read: () => Promise<Pick<Sections, N>>,
  ): Promise<Pick<Sections, N>> => {
    try {
      return await read();
    } catch (error) {
      const isForbidden = error instanceof ApiError && error.status === 403;
      if (!isForbidden && !isMissing(error)) throw error;
      failures.push(error);
      notRead.push({
        sections: [...sections],
        code: error.code,
        message: isForbidden ? error.message : missingPathText(error.path),
      });
      return Object.fromEntries(sections.map((name) => [name, null])) as unknown as Pick<
        Sections,
        N
      >;
    }
  };
  const [visits, withoutPhotos] = await Promise.all([
    readSections(visitSections, () => readVisits(client, query, types)),
    readSections(['withoutPhotos'], async () => ({
      withoutPhotos: await readCarsWithoutPhotos(client, query, types),
    })),
  ]);
  if (failures.length === 2) throw failures[0];
  const { date, from, to } = day;
  const { arrivals, departures, other, late, waitingForApproval } = visits;
  const where = location ? { id: location.id, name: location.name ?? null } : null;
  return {
    date,
    from,
    to,
    location: where,
    arrivals,
    departures,
    other,
    late,
    ...withoutPhotos,
    waitingForApproval,
    notRead,
  };
}

/** Sections of appointments. */
const visitSections = ['arrivals', 'departures', 'other', 'late', 'waitingForApproval'] as const;

type Types = ReadonlyMap<string, RecordFor<'eventTypes'>>;

async function readVisits(
  client: Client,
  { day, now, location, onLocations, onCars, call }: DayQuery,
  types: Types,
): Promise<Pick<Sections, (typeof visitSections)[number]>> {
  const where = { locationId: location?.id };
  const since = new Date(day.from);
  since.setDate(since.getDate() - lateForDays);
  const [recent, requests] = await Promise.all([
    gather(
      client.appointments.all({ ...where, startFrom: since.toISOString(), startTo: day.to }, call),
    ),
    gather(client.appointments.all({ ...where, status: 'pending_approval' }, call)),
  ]);
  const { arrivals, departures, other, late } = sectionsOf(recent, { day, now, types });
  const visitOf = await visitFactory(
    client,
    [
      ...arrivals,
      ...departures,
      ...other,
      ...late.map(({ appointment }) => appointment),
      ...requests,
    ],
    { types, onLocations, onCars, call },
  );
  return {
    arrivals: arrivals.map(visitOf),
    departures: departures.map(visitOf),
    other: other.map(visitOf),
    late: late.map(
      ({ appointment, ...lateness }): LateVisit => ({ ...visitOf(appointment), ...lateness }),
    ),
    waitingForApproval: requests.sort(byStart).map(visitOf),
  };
}

/** Adds names to the ids in appointments. */
async function visitFactory(
  client: Client,
  all: readonly Appointment[],
  {
    types,
    onLocations,
    onCars,
    call,
  }: Pick<DayQuery, 'onLocations' | 'onCars' | 'call'> & { readonly types: Types },
): Promise<(appointment: Appointment) => Visit> {
  const [cars, customers, locations] = await Promise.all([
    readIfAllowed(
      (query) => client.cars.all(query, call),
      all.map(({ carId }) => carId),
    ),
    readIfAllowed(
      (query) => client.customers.all(query, call),
      all.map(({ customerId }) => customerId),
    ),
    readIfAllowed(
      (query) => client.locations.all(query, call),
      all.map(({ locationId }) => locationId),
    ),
  ]);
  onLocations?.([...locations.values()]);
  onCars?.([...cars.values()]);
  return (appointment) => {
    const { appointmentTypeId, carId, customerId, locationId } = appointment;
    const [type, car] = [types.get(appointmentTypeId ?? ''), cars.get(carId ?? '')];
    const [customer, location] = [customers.get(customerId ?? ''), locations.get(locationId ?? '')];
    return {
      appointment,
      eventType: type ? { id: type.id, name: type.name ?? type.value ?? null } : null,
      car: car ? identityOf(car) : null,
      customer: customer
        ? { id: customer.id, name: String(labelRules.customers?.label(customer) ?? customer.id) }
        : null,
      location: location ? { id: location.id, name: location.name ?? null } : null,
    };
  };
}

/** Cars dropped off on a day, still here, without a photo in any session of that day. */
async function readCarsWithoutPhotos(
  client: Client,
  { day, location, onCars, call }: DayQuery,
  types: Types,
): Promise<CarWithoutPhotos[]> {
  const locationId = location?.id;
  // An event changes its session, so sessions of the day have changed since its start.
  const changed = await gather(
    client.eventSessions.all({ status: 'open', updatedAfter: day.from }, call),
  );
  const latest = dropoffsWithoutPhotos(changed, { day, types });
  const cars = await readRecords((query) => client.cars.all(query, call), latest.keys());
  const here = [...cars.values()].filter(({ status }) => status === 'stored');
  onCars?.(here);
  const placeOf = await placeLookup(client, here, { locationId, call });
  return here
    .flatMap((car) => {
      const session = latest.get(car.id);
      const place = placeOf(car);
      if (!session || (locationId !== undefined && !isSameId(place?.record.locationId, locationId)))
        return [];
      const { id: sessionId, carEventId: eventId } = session;
      return [
        {
          car: identityOf(car),
          ...placeResult(place),
          droppedOffAt: String(session.startedAt),
          sessionId,
          eventId,
        },
      ];
    })
    .sort((a, b) => timeOf(a.droppedOffAt) - timeOf(b.droppedOffAt));
}

/** Places are required with --location, otherwise best effort. */
async function placeLookup(
  client: Client,
  cars: readonly Car[],
  {
    locationId,
    call,
  }: { readonly locationId: string | undefined; readonly call: CallOptions | undefined },
): Promise<(car: Car) => Place | undefined> {
  const read = locationId === undefined ? readIfAllowed : readRecords;
  const [spots, zones] = await Promise.all([
    read(
      (query) => client.parkingSpots.all(query, call),
      cars.map(({ parkingSpotId }) => parkingSpotId),
    ),
    read(
      (query) => client.parkingZones.all(query, call),
      cars.map(({ parkingZoneId }) => parkingZoneId),
    ),
  ]);
  return ({ parkingSpotId, parkingZoneId }) => {
    const [spot, zone] = [spots.get(parkingSpotId ?? ''), zones.get(parkingZoneId ?? '')];
    if (spot) return { kind: 'spot', record: spot };
    return zone && { kind: 'zone', record: zone };
  };
}

type Read<T> = (query: IdsQuery) => AsyncIterable<T>;

/** Records by id; empty without the scope, and on a server without the list. Names are best effort, since the ids are known. */
async function readIfAllowed<T extends { id: string }>(
  read: Read<T>,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, T>> {
  try {
    return await readRecords(read, ids);
  } catch (error) {
    if (isMissing(error) || (error instanceof ApiError && error.status === 403)) return new Map();
    throw error;
  }
}

/** The existing records, by id. */
async function readRecords<T extends { id: string }>(
  read: Read<T>,
  references: Iterable<string | null>,
): Promise<ReadonlyMap<string, T>> {
  const ids = new Set([...references].filter((id) => id !== null).map(idKey));
  const records = new IdMap<T>();
  for await (const record of readByIds(ids, read)) records.set(record.id, record);
  return records;
}
