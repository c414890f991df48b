/** What an earlier run stored, asked from the server: by what was sent, since a lost answer took the id with it. */
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { CallOptions } from '../../../client/options.ts';
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import { isMissing } from '../../errors/missing-path.ts';
import type { SentContent } from './entry.ts';
import type { Found } from './steps.ts';

interface FindOptions extends CallOptions {
  /** The server's time when the command began. */
  readonly since: string | undefined;
}

/** A list that the server doesn't have, or doesn't show to this key, tells nothing. */
async function unlessUnreadable<T>(find: () => Promise<Found<T>>): Promise<Found<T>> {
  try {
    return await find();
  } catch (error) {
    if (isMissing(error) || (error instanceof ApiError && error.status === 403)) return 'unknown';
    throw error;
  }
}

/** Undefined where a record lacks the time. A server may keep whole seconds. */
function isSameTime(stored: string | null | undefined, sent: string): boolean | undefined {
  if (stored === null || stored === undefined) return undefined;
  const [one, other] = [Date.parse(stored), Date.parse(sent)];
  return one === other || (one % 1000 === 0 && Math.floor(other / 1000) * 1000 === one);
}

const isTime = (stored: string | null | undefined, sent: string | undefined, since: string | undefined): boolean | undefined =>
  sent === undefined ? isSince(stored, since) : isSameTime(stored, sent);

/** The record that matches; `unknown` where a record doesn't tell whether it does. */
function matching<T>(records: readonly T[], matches: (record: T) => boolean | undefined): Found<T> {
  const record = records.find((one) => matches(one) === true);
  if (record) return { record };
  return records.some((one) => matches(one) === undefined) ? 'unknown' : 'nothing';
}

/** The car's event of that type at that time; where the server dated it, since the command began. */
export function findStoredEvent(
  client: Client,
  carId: string,
  { activityType, occurredAt }: CreateFor<'carEvents'>,
  { since, ...options }: FindOptions,
): Promise<Found<RecordFor<'carEvents'>>> {
  return unlessUnreadable(async () => {
    const events = await gather(client.carEvents.all(carId, {}, options));
    return matching(events, (event) =>
      event.activityType === undefined || event.activityType === activityType ? isTime(event.occurredAt, occurredAt, since) : false,
    );
  });
}

/** The car's assignment to that place from that time on; where the server dated it, since the command began. */
export function findStoredAssignment(
  client: Client,
  { carId, parkingSpotId = null, parkingZoneId = null, startedAt }: CreateFor<'parkingAssignments'>,
  { since, ...options }: FindOptions,
): Promise<Found<RecordFor<'parkingAssignments'>>> {
  return unlessUnreadable(async () => {
    const assignments = await gather(client.parkingAssignments.all({ carId }, options));
    return matching(assignments, (one) => {
      const isPlace = (one.parkingSpotId ?? null) === parkingSpotId && (one.parkingZoneId ?? null) === parkingZoneId;
      return isPlace ? isTime(one.startedAt, startedAt, since) : false;
    });
  });
}

/** A car with all the values that were sent, stored since then. */
export function findStoredCar(
  client: Client,
  values: CreateFor<'cars'>,
  { since, ...options }: FindOptions,
): Promise<Found<RecordFor<'cars'>>> {
  return unlessUnreadable(async () => {
    const cars = await gather(client.cars.all({ q: values.vin ?? values.licensePlate ?? values.nickname ?? values.model }, options));
    return matching(cars, (car) => (hasValues(car, values) ? isSince(car.createdAt, since) : false));
  });
}

/** A customer with all the values that were sent, stored since then. */
export function findStoredCustomer(
  client: Client,
  values: CreateFor<'customers'>,
  { since, ...options }: FindOptions,
): Promise<Found<RecordFor<'customers'>>> {
  return unlessUnreadable(async () => {
    const q = values.email ?? values.phone ?? values.lastName ?? values.firstName ?? undefined;
    const customers = await gather(client.customers.all({ q }, options));
    return matching(customers, (customer) => (hasValues(customer, values) ? isSince(customer.createdAt, since) : false));
  });
}

/** Whether a record has the texts and numbers that were sent. */
const hasValues = (record: object, sent: object): boolean =>
  Object.entries(sent)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object')
    .every(([name, value]) => (record as Record<string, unknown>)[name] === value);

type StoredPhoto = RecordFor<'carPhotos'>;

interface SentPhoto {
  readonly sessionId: string | null | undefined;
  readonly content: SentContent;
  /** Whether the command sends no other photo of this name. */
  readonly hasOwnName: boolean;
}

/** The photo with these bytes; where the server doesn't show their hash, the one with its name in the session of the event. */
export function findStoredPhoto(
  photosOfCar: () => Promise<readonly StoredPhoto[]>,
  sent: SentPhoto,
  since: string | undefined,
): Promise<Found<StoredPhoto>> {
  const { sessionId, content, hasOwnName } = sent;
  return unlessUnreadable(async () => {
    return matching(await photosOfCar(), (stored) => {
      const isOurs = sessionId && stored.sessionId !== undefined ? stored.sessionId === sessionId : isSince(stored.createdAt, since);
      if (isOurs === false) return false;
      if (stored.sha256 === content.sha256) return isOurs;
      if (stored.filename !== undefined && stored.filename !== content.filename) return false;
      const isShownAsItIs = stored.sha256 === undefined && stored.filename !== undefined;
      return isShownAsItIs && hasOwnName ? isOurs : undefined;
    });
  });
}

function isSince(stored: string | null | undefined, since: string | undefined): boolean | undefined {
  if (!stored || since === undefined) return undefined;
  // The clock of an answer has whole seconds.
  return Date.parse(stored) >= Date.parse(since) - 2_000;
}
