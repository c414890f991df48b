/** Reads the report of `cs today`, in a few requests for any number of appointments. */
import { ApiError, type CallOptions, type Client } from '../../../client/client.ts';
import type { AppointmentStatus } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather, type IdsQuery, readByIds } from '../../crud/methods.ts';
import { isMissing, missingPathText } from '../../errors/missing-path.ts';
import { type Day, isWithin, timeOf } from '../../input/day.ts';
import { type Car, identityOf } from '../../lookup/car.ts';
import { labelRules } from '../../lookup/labels.ts';
import { freesPlace, requiresPlace } from '../counter/event-type.ts';
import { type Place, placeResult } from '../counter/place.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Sections, Visit } from './shape.ts';

type Appointment = RecordFor<'appointments'>;

/** Days for which an appointment that was never completed stays late. */
const lateForDays = 7;

const waiting: ReadonlySet<AppointmentStatus> = new Set(['scheduled', 'accepted']);
const going: ReadonlySet<AppointmentStatus> = new Set(['checked_in', 'in_progress']);
/** Excluded from the day. */
const excluded: ReadonlySet<AppointmentStatus> = new Set(['pending_approval', 'declined', 'cancelled', 'no_show']);

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
  const types = new Map((await gather(client.eventTypes.all({}, call))).map((type) => [type.id, type]));
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
      notRead.push({ sections: [...sections], code: error.code, message: isForbidden ? error.message : missingPathText(error.path) });
      return Object.fromEntries(sections.map((name) => [name, null])) as unknown as Pick<Sections, N>;
    }
  };
  const [visits, withoutPhotos] = await Promise.all([
    readSections(visitSections, () => readVisits(client, query, types)),
    readSections(['withoutPhotos'], async () => ({ withoutPhotos: await readCarsWithoutPhotos(client, query, types) })),
  ]);
  if (failures.length === 2) throw failures[0];
  const { date, from, to } = day;
  const { arrivals, departures, other, late, waitingForApproval } = visits;
  const where = location ? { id: location.id, name: location.name ?? null } : null;
  return { date, from, to, location: where, arrivals, departures, other, late, ...withoutPhotos, waitingForApproval, notRead };
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
    gather(client.appointments.all({ ...where, startFrom: since.toISOString(), startTo: day.to }, call)),
    gather(client.appointments.all({ ...where, status: 'pending_approval' }, call)),
  ]);
  const ofDay = recent.filter(({ startAt, status }) => isWithin(day, startAt) && !excluded.has(status)).sort(byStart);
  const late = recent.filter((one) => latenessOf(one, now)).sort(byStart);
  const visitOf = await visitFactory(client, [...ofDay, ...late, ...requests], { types, onLocations, onCars, call });
  const kind = ({ appointmentTypeId }: Appointment) => {
    const type = types.get(appointmentTypeId ?? '') ?? {};
    return requiresPlace(type) ? 'arrival' : freesPlace(type) ? 'departure' : 'other';
  };
  const ofKind = (wanted: string) => ofDay.filter((one) => kind(one) === wanted).map(visitOf);
  return {
    arrivals: ofKind('arrival'),
    departures: ofKind('departure'),
    other: ofKind('other'),
    late: late.map((one): LateVisit => ({ ...visitOf(one), ...(latenessOf(one, now) as Lateness) })),
    waitingForApproval: requests.sort(byStart).map(visitOf),
  };
}

const byStart = (a: Appointment, b: Appointment) => timeOf(a.startAt) - timeOf(b.startAt) || a.id.localeCompare(b.id);

type Lateness = Pick<LateVisit, 'reason' | 'lateMinutes'>;

function latenessOf({ status, startAt, endAt }: Appointment, now: Date): Lateness | undefined {
  const minutesSince = (time: string | null) => (time === null ? -1 : Math.floor((now.getTime() - Date.parse(time)) / 60_000));
  const [sinceStart, sinceEnd] = [minutesSince(startAt), minutesSince(endAt)];
  if (waiting.has(status) && sinceStart >= 1) return { reason: 'not_checked_in', lateMinutes: sinceStart };
  if (going.has(status) && sinceEnd >= 1) return { reason: 'not_completed', lateMinutes: sinceEnd };
  return undefined;
}

/** Adds names to the ids in appointments. */
async function visitFactory(
  client: Client,
  all: readonly Appointment[],
  { types, onLocations, onCars, call }: Pick<DayQuery, 'onLocations' | 'onCars' | 'call'> & { readonly types: Types },
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
      customer: customer ? { id: customer.id, name: String(labelRules.customers?.label(customer) ?? customer.id) } : null,
      location: location ? { id: location.id, name: location.name ?? null } : null,
    };
  };
}

/**
 * Cars dropped off on a day, still here, without a photo in any session of that day.
 * A photo without a session has no day and doesn't count.
 */
async function readCarsWithoutPhotos(client: Client, { day, location, onCars, call }: DayQuery, types: Types): Promise<CarWithoutPhotos[]> {
  const locationId = location?.id;
  // An event changes its session, so sessions of the day have changed since its start.
  const changed = await gather(client.eventSessions.all({ status: 'open', updatedAfter: day.from }, call));
  const ofDay = changed.filter(({ carId, startedAt }) => carId !== null && isWithin(day, startedAt));
  const photographed = new Set(ofDay.filter(({ photoCount }) => photoCount > 0).map(({ carId }) => carId));
  const dropoffs = ofDay
    .filter(({ carId, eventTypeId }) => requiresPlace(types.get(eventTypeId) ?? {}) && !photographed.has(carId))
    .sort((a, b) => timeOf(a.startedAt) - timeOf(b.startedAt));
  // The latest of each car: photos can still be taken for it.
  const latest = new Map(dropoffs.map((session) => [session.carId, session]));
  const cars = await readRecords((query) => client.cars.all(query, call), latest.keys());
  const here = [...cars.values()].filter(({ status }) => status === 'stored');
  onCars?.(here);
  const placeOf = await placeLookup(client, here, { locationId, call });
  return here
    .flatMap((car) => {
      const session = latest.get(car.id);
      const place = placeOf(car);
      if (!session || (locationId !== undefined && place?.record.locationId !== locationId)) return [];
      const { id: sessionId, carEventId: eventId } = session;
      return [{ car: identityOf(car), ...placeResult(place), droppedOffAt: String(session.startedAt), sessionId, eventId }];
    })
    .sort((a, b) => timeOf(a.droppedOffAt) - timeOf(b.droppedOffAt));
}

/** Places are required with --location, otherwise best effort. */
async function placeLookup(
  client: Client,
  cars: readonly Car[],
  { locationId, call }: { readonly locationId: string | undefined; readonly call: CallOptions | undefined },
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
async function readIfAllowed<T extends { id: string }>(read: Read<T>, ids: Iterable<string | null>): Promise<ReadonlyMap<string, T>> {
  try {
    return await readRecords(read, ids);
  } catch (error) {
    if (isMissing(error) || (error instanceof ApiError && error.status === 403)) return new Map();
    throw error;
  }
}

/** The existing records, by id. */
async function readRecords<T extends { id: string }>(read: Read<T>, references: Iterable<string | null>): Promise<ReadonlyMap<string, T>> {
  const ids = [...new Set(references)].filter((id) => id !== null);
  const records = new Map<string, T>();
  for await (const record of readByIds(ids, read)) records.set(record.id, record);
  return records;
}
