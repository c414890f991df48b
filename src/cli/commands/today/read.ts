/** Reads what `cs today` tells, in a handful of requests however many appointments there are. */
import { ApiError, type Client } from '../../../client/client.ts';
import type { AppointmentStatus } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import type { Day } from '../../input/day.ts';
import { identityOf } from '../../lookup/car.ts';
import { labelRules } from '../../lookup/labels.ts';
import type { DayReport, LateVisit, SectionName, Sections, Visit } from './model.ts';
import { readCarsWithoutPhotos } from './photoless.ts';
import { readNamed } from './records.ts';

type Appointment = RecordFor<'appointments'>;

/** Appointments that were never closed stay late for as long as this, and then are history. */
const lateForDays = 7;

const waiting: ReadonlySet<AppointmentStatus> = new Set(['scheduled', 'accepted']);
const going: ReadonlySet<AppointmentStatus> = new Set(['checked_in', 'in_progress']);
/** What will not happen, or was not agreed on yet, is no part of the day. */
const off: ReadonlySet<AppointmentStatus> = new Set(['pending_approval', 'declined', 'cancelled', 'no_show']);

export interface Asked {
  readonly day: Day;
  readonly now: Date;
  readonly location?: RecordFor<'locations'>;
  /** Told of the locations of all appointments. */
  readonly locationsSeen?: (locations: readonly RecordFor<'locations'>[]) => void;
}

/** Fails when nothing at all may be read; what only a part of it may not be is in `notRead`. */
export async function readDay(client: Client, { day, now, location, locationsSeen }: Asked): Promise<DayReport> {
  const known = new Map((await gather(client.eventTypes.all())).map((type) => [type.id, type]));
  const notRead: DayReport['notRead'] = [];
  const refused: ApiError[] = [];
  const part = async <N extends SectionName>(
    sections: readonly N[],
    read: () => Promise<Pick<Sections, N>>,
  ): Promise<Pick<Sections, N>> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      refused.push(error);
      notRead.push({ sections, code: error.code, message: error.message });
      return Object.fromEntries(sections.map((name) => [name, null])) as unknown as Pick<Sections, N>;
    }
  };
  const [visits, photoless] = await Promise.all([
    part(visitSections, () => readVisits(client, { day, now, location, locationsSeen }, known)),
    part(['withoutPhotos'], async () => ({
      withoutPhotos: await readCarsWithoutPhotos(client, { day, locationId: location?.id, types: known }),
    })),
  ]);
  if (refused[0] && refused[1]) throw refused[0];
  const { date, from, to } = day;
  const { arrivals, departures, other, late, waitingForApproval } = visits;
  const where = location ? { id: location.id, name: location.name } : null;
  return { date, from, to, location: where, arrivals, departures, other, late, ...photoless, waitingForApproval, notRead };
}

/** What comes from appointments. */
const visitSections = ['arrivals', 'departures', 'other', 'late', 'waitingForApproval'] as const;

type Types = ReadonlyMap<string, RecordFor<'eventTypes'>>;

async function readVisits(
  client: Client,
  { day, now, location, locationsSeen }: Asked,
  types: Types,
): Promise<Pick<Sections, (typeof visitSections)[number]>> {
  const where = { locationId: location?.id };
  const since = new Date(day.from);
  since.setDate(since.getDate() - lateForDays);
  const [recent, requests] = await Promise.all([
    gather(client.appointments.all({ ...where, startFrom: since.toISOString(), startTo: day.to })),
    gather(client.appointments.all({ ...where, status: 'pending_approval' })),
  ]);
  const ofDay = recent.filter(({ startAt, status }) => startAt !== null && startAt >= day.from && !off.has(status)).sort(byStart);
  const late = recent.filter((one) => latenessOf(one, now)).sort(byStart);
  const visitOf = await visitMaker(client, [...ofDay, ...late, ...requests], { types, locationsSeen });
  const kind = ({ appointmentTypeId }: Appointment) => {
    const config = types.get(appointmentTypeId ?? '')?.config;
    return config?.requiresParkingSpot ? 'arrival' : config?.releasesParkingSpot ? 'departure' : 'other';
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

const byStart = (a: Appointment, b: Appointment) => String(a.startAt).localeCompare(String(b.startAt)) || a.id.localeCompare(b.id);

type Lateness = Pick<LateVisit, 'reason' | 'lateMinutes'>;

function latenessOf({ status, startAt, endAt }: Appointment, now: Date): Lateness | undefined {
  const minutesSince = (time: string | null) => (time === null ? -1 : Math.floor((now.getTime() - Date.parse(time)) / 60_000));
  const [sinceStart, sinceEnd] = [minutesSince(startAt), minutesSince(endAt)];
  if (waiting.has(status) && sinceStart >= 1) return { reason: 'not_checked_in', lateMinutes: sinceStart };
  if (going.has(status) && sinceEnd >= 1) return { reason: 'not_completed', lateMinutes: sinceEnd };
  return undefined;
}

/** Names for the ids that the appointments hold. */
async function visitMaker(
  client: Client,
  all: readonly Appointment[],
  { types, locationsSeen }: Pick<Asked, 'locationsSeen'> & { readonly types: Types },
): Promise<(appointment: Appointment) => Visit> {
  const [cars, customers, locations] = await Promise.all([
    readNamed(
      (query) => client.cars.list(query),
      all.map(({ carId }) => carId),
    ),
    readNamed(
      (query) => client.customers.list(query),
      all.map(({ customerId }) => customerId),
    ),
    readNamed(
      (query) => client.locations.list(query),
      all.map(({ locationId }) => locationId),
    ),
  ]);
  locationsSeen?.([...locations.values()]);
  return (appointment) => {
    const { appointmentTypeId, carId, customerId, locationId } = appointment;
    const [type, car] = [types.get(appointmentTypeId ?? ''), cars.get(carId ?? '')];
    const [customer, location] = [customers.get(customerId ?? ''), locations.get(locationId ?? '')];
    return {
      appointment,
      eventType: type ? { id: type.id, name: type.name ?? type.value } : null,
      car: car ? identityOf(car) : null,
      customer: customer ? { id: customer.id, name: String(labelRules.customers?.label(customer) ?? customer.id) } : null,
      location: location ? { id: location.id, name: location.name } : null,
    };
  };
}
