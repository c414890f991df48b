/** The writes of the second server: what the specification states of them (sections 2 to 4), and plain records for the rest. */
import type { OtherRecords, Row } from './other-records.ts';

/** An error in the shape of section 7. Its codes are this server's own. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface WriteContext {
  readonly method: string;
  /** With the id of the parent: `/cars/17/events`. */
  readonly collection: string;
  /** Undefined for the list. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Row;
  readonly records: OtherRecords;
  readonly photoField: string;
}

/** Carries a write out. The record is undefined for a delete. */
export function writeRecord(context: WriteContext): { readonly status: number; record?: Row } {
  const { method, collection, id, query, body, records } = context;
  if (method === 'POST' && id === undefined) return { status: 201, record: create(context) };
  const found = id === undefined ? undefined : records.get(collection, id);
  if (!found) throw notFound();
  if (method === 'PATCH') {
    if (collection === '/appointments') requireState(body.status);
    if (collection === '/parking/assignments' && body.endedAt) leave(records, found.carId);
    return { status: 200, record: records.change(collection, id, body) };
  }
  if (method !== 'DELETE') throw notFound();
  if (collection === '/locations' && query.get('hard') !== 'true')
    records.change(collection, id, { isActive: false });
  else records.delete(collection, id);
  return { status: 200 };
}

export const notFound = () => new Refusal(404, 'Resource not found');
const invalid = (field: string) => new Refusal(422, `Request validation failed: ${field}`);

function create(context: WriteContext): Row {
  const { collection, records, body } = context;
  const [, root, carId, below] = collection.split('/');
  if (root === 'cars' && carId !== undefined) {
    if (!records.get('/cars', carId)) throw notFound();
    return below === 'events' ? logEvent(context, carId) : addPhoto(context);
  }
  if (collection === '/appointments') return schedule(context);
  if (collection === '/parking/assignments') return park(records, body.carId, body);
  return records.add(collection, { ...defaults[collection], ...body });
}

/** What this server adds to a new record. */
const defaults: Readonly<Record<string, Row>> = {
  '/cars': { status: 'expected', parkingSpotId: null, parkingZoneId: null, notes: null },
  '/locations': { isActive: true, notes: null },
  '/parking/zones': { isActive: true },
  '/marketing/templates': { lastUsedAt: null },
  '/marketing/campaigns': { status: 'draft', scheduledAt: null },
  '/marketing/asset-folders': { parentId: null },
};

const states =
  'scheduled pending_approval accepted declined checked_in in_progress completed cancelled no_show'.split(
    ' ',
  );

function requireState(status: unknown): void {
  if (status !== undefined && !states.includes(String(status))) throw invalid('status');
}

const nullable =
  `locationId appointmentTypeId optionId carId secondaryCarId customerId title notes recurrenceFrequency
  recurrenceInterval recurrenceDaysOfWeek recurrenceDayOfMonth recurrenceEndDate recurrenceCount recurrenceSeriesId`.split(
    /\s+/,
  );
const references = {
  carId: '/cars',
  secondaryCarId: '/cars',
  customerId: '/customers',
  locationId: '/locations',
};

/** `POST /appointments`. */
function schedule({ records, body }: WriteContext): Row {
  const { eventTypeId, eventType, ...fields } = body;
  for (const field of ['startAt', 'endAt'])
    if (Number.isNaN(Date.parse(String(fields[field])))) throw invalid(field);
  requireState(fields.status);
  if ((eventTypeId ?? eventType) !== undefined && fields.appointmentTypeId)
    throw new Refusal(422, 'appointmentTypeId is not combined with eventTypeId or eventType');
  const wanted = eventTypeId ?? fields.appointmentTypeId;
  const type = records
    .list('/event-types')
    .find(({ id, value }) => (eventType === undefined ? id === wanted : value === eventType));
  if ((wanted ?? eventType) && !type) throw new Refusal(404, 'Event type not found');
  for (const [field, collection] of Object.entries(references))
    if (fields[field] && !records.get(collection, fields[field]))
      throw new Refusal(404, `${field} not found`);
  return records.add('/appointments', {
    ...Object.fromEntries(nullable.map((name) => [name, null])),
    status: 'scheduled',
    ...fields,
    appointmentTypeId: type?.id ?? null,
  });
}

/** `POST /cars/{id}/events`: of its answer the specification states the session alone. */
function logEvent({ collection, records, body }: WriteContext, carId: string): Row {
  const type = records.list('/event-types').find(({ value }) => value === body.activityType);
  if (!type) throw invalid('activityType');
  const { parkingSpotId, parkingZoneId, notes = null, occurredAt = records.now() } = body;
  const config = type.config as Row;
  if (config.requiresParkingSpot) {
    if ((parkingSpotId === undefined) === (parkingZoneId === undefined))
      throw new Refusal(422, 'Send exactly one of parkingSpotId or parkingZoneId');
    park(records, carId, { parkingSpotId, parkingZoneId, startedAt: occurredAt });
  } else if (type.value === 'pick_up') leave(records, carId);
  return records.add(collection, {
    activityType: body.activityType,
    notes,
    occurredAt,
    sessionId: records.newId(),
  });
}

/** Ends the car's assignment and begins another one. */
function park(records: OtherRecords, carId: unknown, given: Row): Row {
  const { parkingSpotId = null, parkingZoneId = null, startedAt = records.now() } = given;
  const spot = records.get('/parking/spots', parkingSpotId);
  if (!records.get('/cars', carId) || !(spot ?? records.get('/parking/zones', parkingZoneId)))
    throw notFound();
  if (
    records.list('/cars').some((car) => spot && car.parkingSpotId === spot.id && car.id !== carId)
  )
    throw new Refusal(422, 'This spot is taken');
  leave(records, carId);
  records.change('/cars', carId, { parkingSpotId, parkingZoneId, status: 'stored' });
  return records.add('/parking/assignments', {
    carId,
    parkingSpotId,
    parkingZoneId,
    startedAt,
    endedAt: null,
    notes: null,
  });
}

function leave(records: OtherRecords, carId: unknown): void {
  for (const { id, endedAt, ...open } of records.list('/parking/assignments')) {
    if (open.carId !== carId || endedAt !== null) continue;
    records.change('/parking/assignments', id, { endedAt: records.now() });
    records.change('/cars', carId, {
      status: 'checked_out',
      parkingSpotId: null,
      parkingZoneId: null,
    });
  }
}

/** `POST /cars/{id}/photos`. */
function addPhoto({ collection, records, body, photoField }: WriteContext): Row {
  const { sessionId = null, filename = 'photo', contentType = 'image/jpeg', sourceUrl } = body;
  if ((body[photoField] === undefined) === (sourceUrl === undefined))
    throw new Refusal(422, `Send either ${photoField} or sourceUrl`);
  return records.add(collection, { sessionId, filename, contentType });
}
