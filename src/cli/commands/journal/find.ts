/** What a request stored whose answer is lost, asked from the server: by what was sent, since the answer took the id with it. */

import { compareSent } from '../../../client/check-answer.ts';
import type { Client } from '../../../client/client.ts';
import { ProtocolError } from '../../../client/errors.ts';
import { isSameId } from '../../../client/ids.ts';
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import { allOf, type Known } from '../../input/three-valued.ts';
import { clockPrecisionMs } from '../connection/server-clock.ts';
import type { SentContent, TimeSpan } from './entry.ts';
import { type Found, findMatch, hasValues, isSameText, isSameTime } from './find-match.ts';
import type { FindOptions } from './steps.ts';

/** The time that was sent; where the server dated the record, the time of the request. */
const isTime = (
  stored: string | null | undefined,
  sent: string | undefined,
  during: TimeSpan,
): Known => (sent === undefined ? isDuring(stored, during) : isSameTime(stored, sent));

/** The car's event of that type at that time. One that the server dated must hold the place and the notes that were sent, too: another counter may log the same. */
export async function findStoredEvent(
  client: Client,
  carId: string,
  body: CreateFor<'carEvents'>,
  { during, ...options }: FindOptions,
): Promise<Found<RecordFor<'carEvents'>>> {
  const { activityType, occurredAt, notes, appointmentId, parkingSpotId, parkingZoneId } = body;
  const found = await findMatch(
    () => client.carEvents.all(carId, {}, options),
    (event) =>
      allOf([
        event.activityType === undefined ? undefined : event.activityType === activityType,
        isTime(event.occurredAt, occurredAt, during),
        // Another counter may give the same time.
        (notes || !event.notes) && (appointmentId || !event.appointmentId) ? true : undefined,
        occurredAt !== undefined ||
          allOf([
            event.notes === undefined || isSameText(event.notes ?? '', notes ?? ''),
            event.parkingSpotId === undefined || isPlace(event.parkingSpotId, parkingSpotId),
            event.parkingZoneId === undefined || isPlace(event.parkingZoneId, parkingZoneId),
          ]),
      ]),
  );
  if (typeof found === 'object')
    requireAsSent(found.record, { path: `/cars/${carId}/events`, body });
  return found;
}

/** A server may have stored the event at another place: then it is neither done nor to be sent again. */
function requireAsSent(
  event: RecordFor<'carEvents'>,
  { path, body }: { path: string; body: CreateFor<'carEvents'> },
): void {
  const write = { method: 'POST', status: 201, sent: { ...body } };
  const compared = compareSent(contract.carEvents, { ...write, record: { ...event } });
  if (!('wrong' in compared)) return;
  const message = `the server answered POST ${path} with 201 and ${compared.wrong}`;
  const how = { method: 'POST', path, status: 201, unknownOutcome: true, contradicts: true };
  throw new ProtocolError(message, how);
}

/** The car's assignment to that place from that time on. */
export function findStoredAssignment(
  client: Client,
  { carId, parkingSpotId, parkingZoneId, startedAt }: CreateFor<'parkingAssignments'>,
  { during, ...options }: FindOptions,
): Promise<Found<RecordFor<'parkingAssignments'>>> {
  return findMatch(
    () => client.parkingAssignments.all({ carId }, { ...options, fresh: true }),
    (one) =>
      allOf([
        isPlace(one.parkingSpotId, parkingSpotId) && isPlace(one.parkingZoneId, parkingZoneId),
        isTime(one.startedAt, startedAt, during),
      ]),
  );
}

const isPlace = (stored: string | null | undefined, sent: string | null | undefined): boolean =>
  stored && sent ? isSameId(stored, sent) : !stored === !sent;

/** A car with all the values that were sent, stored since then. */
export function findStoredCar(
  client: Client,
  values: CreateFor<'cars'>,
  how: FindOptions,
): Promise<Found<RecordFor<'cars'>>> {
  const { vin, licensePlate, nickname, model } = values;
  const names = vin || licensePlate || nickname ? [vin, licensePlate, nickname] : [model];
  return findStored(
    (q, options) => client.cars.all({ q }, { ...options, words: 'caller' }),
    { names, values },
    how,
  );
}

/** A customer with all the values that were sent, stored since then. */
export function findStoredCustomer(
  client: Client,
  values: CreateFor<'customers'>,
  how: FindOptions,
): Promise<Found<RecordFor<'customers'>>> {
  const { email, phone, lastName, firstName } = values;
  const names = email || phone || lastName ? [email, phone, lastName] : [firstName];
  return findStored(
    (q, options) => client.customers.all({ q }, { ...options, words: 'caller' }),
    { names, values },
    how,
  );
}

interface Sent {
  /** The values to search for. */
  readonly names: readonly (string | null | undefined)[];
  readonly values: object;
}

/** Searched as they were sent, then by the longest run of letters or digits: a server may spell a plate or a phone number in its own way. */
async function findStored<T extends { readonly createdAt?: string | null | undefined }>(
  search: (q: string, options: Omit<FindOptions, 'during'>) => AsyncIterable<T>,
  { names, values }: Sent,
  { during, ...options }: FindOptions,
): Promise<Found<T>> {
  const searched = names.flatMap((name) => (name ? [name, longestRun(name)] : []));
  for (const q of new Set(searched)) {
    const found = await findMatch(
      () => search(q, options),
      (record) => allOf([hasValues(record, values), isDuring(record.createdAt, during)]),
    );
    if (found !== 'nothing') return found;
  }
  return 'nothing';
}

const longestRun = (text: string): string =>
  (text.match(/\p{L}+|\p{N}+/gu) ?? []).reduce(
    (one, other) => (other.length > one.length ? other : one),
    text.slice(0, 1),
  );

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
  during: TimeSpan,
): Promise<Found<StoredPhoto>> {
  const { sessionId, content, hasOwnName } = sent;
  return findMatch(photosOfCar, (stored) => {
    const isOurs =
      sessionId && stored.sessionId !== undefined
        ? isSameId(stored.sessionId, sessionId)
        : isDuring(stored.createdAt, during);
    if (isOurs === false) return false;
    if (stored.sha256 === content.sha256) return isOurs;
    if (stored.filename !== undefined && stored.filename !== content.filename) return false;
    const isShownAsItIs = stored.sha256 === undefined && stored.filename !== undefined;
    return isShownAsItIs && hasOwnName ? isOurs : undefined;
  });
}

function isDuring(
  stored: string | null | undefined,
  { from, until }: TimeSpan,
): boolean | undefined {
  if (!stored) return undefined;
  const at = Date.parse(stored);
  return at >= Date.parse(from) - clockPrecisionMs && at <= Date.parse(until) + clockPrecisionMs;
}
