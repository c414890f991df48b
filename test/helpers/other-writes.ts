/** The writes of the other server: what the specification states of them (sections 2 to 4), and plain records for the rest. */
import type { Id, OtherRecords, Row } from './other-records.ts';
import type { Place, Ways } from './other-server.ts';

export interface Write {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body: Row | undefined;
}

/** An error in the shape of section 7. Its codes are this server's own. */
interface RefusalOptions {
  readonly code?: string;
  readonly page?: boolean;
  readonly location?: string;
  readonly details?: unknown;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Answered as a page for people. */
  readonly page: boolean;
  /** Where a redirect leads to. */
  readonly location: string | undefined;
  readonly details: unknown;

  constructor(
    status: number,
    message: string,
    { code = `E-${status}`, page = false, location, details = null }: RefusalOptions = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.page = page;
    this.location = location;
    this.details = details;
  }
}

interface Context {
  readonly write: Write;
  readonly place: Place;
  readonly query: URLSearchParams;
  readonly records: OtherRecords;
  readonly ways: Ways;
}

interface Done {
  readonly status: number;
  readonly record?: Row;
}

export function writeRecord(context: Context): Done {
  const { write, place, records, ways } = context;
  const { collection, id } = place;
  const body = write.body ?? {};
  if (write.method === 'POST' && id === undefined)
    return { status: ways.createStatus ?? 201, record: create(context, body) };
  const found = id === undefined ? undefined : records.get(collection, id);
  if (!found) throw new Refusal(404, 'Resource not found');
  if (write.method === 'DELETE') return remove(context, found);
  if (write.method !== 'PATCH') throw new Refusal(404, 'Resource not found');
  if (collection === '/appointments') requireState(body.status);
  const emptied = Object.keys(found).filter(
    (name) => !['id', 'teamId', 'createdAt', 'updatedAt'].includes(name),
  );
  const whole = { ...Object.fromEntries(emptied.map((name) => [name, null])), ...body };
  if (ways.changes !== 'ignored')
    change(records, {
      collection,
      found,
      body: ways.changes === 'replace the record' ? whole : body,
    });
  if (ways.changeStatus === 202) return { status: 202, record: { ...found, ...body } };
  return ways.changeStatus === 204
    ? { status: 204 }
    : { status: 200, record: records.get(collection, found.id) };
}

function change(
  records: OtherRecords,
  { collection, found, body }: { collection: string; found: Row; body: Row },
): void {
  if (collection === '/parking/assignments' && body.endedAt) leave(records, found.carId as Id);
  records.change(collection, found.id as Id, body);
}

function remove({ place: { collection }, query, records, ways }: Context, found: Row): Done {
  if (ways.deleteStatus === 404) throw new Refusal(404, 'Not Found');
  if (ways.deleteStatus === '202 for later')
    return { status: 202, record: { id: found.id, deleted: true } };
  if (collection === '/locations' && query.get('hard') !== 'true')
    records.change(collection, found.id as Id, { isActive: false });
  else records.delete(collection, found.id as Id);
  if (ways.deleteStatus === 204) return { status: 204 };
  if (ways.deleteStatus === '202 and done') return { status: 202 };
  if (ways.deleteStatus === '200 and nothing') return { status: 200 };
  return {
    status: 200,
    record: { id: found.id, deleted: ways.deleteStatus === '200 with text' ? 'true' : true },
  };
}

function create(context: Context, body: Row): Row {
  const { place, records, ways } = context;
  const [, root, carId, below] = place.collection.split('/');
  if (root === 'cars' && carId !== undefined) {
    if (!records.get('/cars', carId)) throw new Refusal(404, 'Resource not found');
    return below === 'events' ? logEvent(context, body) : addPhoto(context, body);
  }
  if (place.collection === '/appointments') return schedule(context, body);
  if (place.collection === '/parking/assignments' && ways.assignments === 'are stored')
    return records.add(place.collection, { startedAt: records.now(), endedAt: null, ...body });
  if (place.collection === '/parking/assignments') return park(records, body.carId as Id, body);
  return records.add(place.collection, body);
}

const states =
  'scheduled pending_approval accepted declined checked_in in_progress completed cancelled no_show'.split(
    ' ',
  );

function requireState(status: unknown): void {
  if (status !== undefined && !states.includes(String(status)))
    throw new Refusal(422, 'Request validation failed: status');
}

/** The fields of section 2, in its order. */
const appointmentFields = [
  ...[
    'locationId',
    'appointmentTypeId',
    'optionId',
    'status',
    'carId',
    'secondaryCarId',
    'customerId',
    'startAt',
    'endAt',
    'title',
  ],
  ...[
    'notes',
    'recurrenceFrequency',
    'recurrenceInterval',
    'recurrenceDaysOfWeek',
    'recurrenceDayOfMonth',
    'recurrenceEndDate',
  ],
  ...['recurrenceCount', 'recurrenceSeriesId'],
];

export const emptyAppointment: Row = Object.fromEntries(
  appointmentFields.map((field) => [field, null]),
);

/** `POST /appointments`. */
function schedule({ records, ways }: Context, body: Row): Row {
  const { eventTypeId, eventType, ...fields } = body;
  const unknown = Object.keys(fields).find((field) => !appointmentFields.includes(field));
  if (unknown !== undefined && ways.unknownFields === 'refused')
    throw new Refusal(422, `Request validation failed: ${unknown}`);
  if (Number.isNaN(Date.parse(String(fields.startAt))))
    throw new Refusal(422, 'Request validation failed: startAt');
  if (Number.isNaN(Date.parse(String(fields.endAt))))
    throw new Refusal(422, 'Request validation failed: endAt');
  requireState(fields.status);
  const typed = eventTypeId !== undefined || eventType !== undefined;
  if (typed && fields.appointmentTypeId)
    throw new Refusal(422, 'appointmentTypeId is not combined with eventTypeId or eventType');
  const types = records.list('/event-types');
  const asked = types.find(({ id, value }) =>
    eventTypeId === undefined ? value === eventType : String(id) === String(eventTypeId),
  );
  const type =
    asked && ways.givesType ? types.find(({ value }) => value === ways.givesType) : asked;
  if (typed && !type) throw new Refusal(404, 'Event type not found');
  const own = ways.appointmentTypes === 'own';
  if (
    fields.appointmentTypeId &&
    (own || !types.some(({ id }) => String(id) === String(fields.appointmentTypeId)))
  )
    throw new Refusal(404, 'Appointment type not found');
  for (const [field, collection] of Object.entries(references))
    if (fields[field] && !records.get(collection, fields[field]))
      throw new Refusal(404, `${field} not found`);
  const appointmentTypeId = type
    ? own
      ? ownTypeOf(type)
      : type.id
    : (fields.appointmentTypeId ?? null);
  return records.add('/appointments', {
    ...emptyAppointment,
    status: 'scheduled',
    ...fields,
    appointmentTypeId,
  });
}

const references = {
  carId: '/cars',
  secondaryCarId: '/cars',
  customerId: '/customers',
  locationId: '/locations',
};

/** The appointment type of an event type, where these are two lists. */
export const ownTypeOf = ({ id }: Row): string =>
  `7f3c9a52-1111-4000-8000-${String(id).replace(/\W/g, '').slice(-12).padStart(12, '0')}`;

const specifiedFields = ['activityType', 'parkingSpotId', 'parkingZoneId', 'notes', 'occurredAt'];

/** `POST /cars/{id}/events`. */
function logEvent({ place, records, ways }: Context, body: Row): Row {
  const unknown = Object.keys(body).find((field) => !specifiedFields.includes(field));
  if (unknown !== undefined && ways.unknownFields === 'refused')
    throw new Refusal(422, `Request validation failed: ${unknown}`);
  const type = records.list('/event-types').find(({ value }) => value === body.activityType);
  if (!type) throw new Refusal(422, 'Request validation failed: activityType');
  const { parkingSpotId, parkingZoneId, notes = null, occurredAt = records.now() } = body;
  const config = type.config as Row;
  if (config.requiresParkingSpot && (parkingSpotId === undefined) === (parkingZoneId === undefined))
    throw new Refusal(422, 'Send exactly one of parkingSpotId or parkingZoneId');
  const carId = place.collection.split('/')[2] as string;
  if (config.requiresParkingSpot)
    park(records, carId, { parkingSpotId, parkingZoneId, startedAt: occurredAt });
  else if (config.releasesParkingSpot) leave(records, carId);
  const shown = {
    ...{ activityType: body.activityType, notes, occurredAt },
    ...(ways.events !== 'without its session' && { sessionId: records.newSessionId() }),
  };
  const parkedIn = { parkingSpotId: parkingSpotId ?? null, parkingZoneId: parkingZoneId ?? null };
  return records.add(
    place.collection,
    ways.events === 'with its place' ? { ...shown, ...parkedIn } : shown,
  );
}

/** Ends the car's assignment and begins another one. */
function park(
  records: OtherRecords,
  carId: Id,
  { parkingSpotId, parkingZoneId, startedAt }: Row,
): Row {
  const spot =
    parkingSpotId === undefined ? undefined : records.get('/parking/spots', parkingSpotId);
  const zone =
    parkingZoneId === undefined ? undefined : records.get('/parking/zones', parkingZoneId);
  const car = records.get('/cars', carId);
  if (!car || (!spot && !zone)) throw new Refusal(404, 'Resource not found');
  if (spot?.occupiedByCarId && String(spot.occupiedByCarId) !== String(carId))
    throw new Refusal(422, 'This spot is taken');
  leave(records, car.id as Id);
  if (spot) records.change('/parking/spots', spot.id as Id, { occupiedByCarId: car.id });
  const place = { parkingSpotId: spot?.id ?? null, parkingZoneId: zone?.id ?? null };
  records.change('/cars', car.id as Id, { ...place, status: 'stored' });
  return records.add('/parking/assignments', {
    carId: car.id,
    ...place,
    startedAt: startedAt ?? records.now(),
    endedAt: null,
    notes: null,
  });
}

function leave(records: OtherRecords, carId: Id): void {
  for (const { id, carId: parked, endedAt, parkingSpotId } of records.list(
    '/parking/assignments',
  )) {
    if (String(parked) !== String(carId) || endedAt !== null) continue;
    records.change('/parking/assignments', id as Id, { endedAt: records.now() });
    if (parkingSpotId !== null)
      records.change('/parking/spots', parkingSpotId as Id, { occupiedByCarId: null });
    records.change('/cars', carId, {
      status: 'checked_out',
      parkingSpotId: null,
      parkingZoneId: null,
    });
  }
}

/** `POST /cars/{id}/photos`. */
function addPhoto({ place, records, ways }: Context, body: Row): Row {
  const { sessionId = null, filename = 'photo', contentType = 'image/jpeg', sourceUrl } = body;
  const bytes = body[ways.photoField ?? 'base64'];
  if ((bytes === undefined) === (sourceUrl === undefined))
    throw new Refusal(422, `Send either ${ways.photoField ?? 'base64'} or sourceUrl`);
  return records.add(place.collection, { sessionId, filename, contentType, ...ways.photoShows });
}
