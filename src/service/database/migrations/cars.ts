import { computed, maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Cars with their events, sessions and photos. */
export const carTables: readonly TableSpec[] = [
  recordTable({
    name: 'cars',
    columns: {
      year: 'integer',
      make: 'text',
      model: 'text',
      trim: maybe('text'),
      color: maybe('text'),
      vin: maybe('text'),
      licensePlate: maybe('text'),
      licensePlateRegion: maybe('text'),
      nickname: maybe('text'),
      mileage: maybe('integer'),
      customerId: maybe('id'),
      locationId: maybe('id'),
      status: 'choice',
      parkingSpotId: maybe('id'),
      parkingZoneId: maybe('id'),
      notes: maybe('text'),
    },
    references: {
      customerId: 'customers',
      locationId: 'locations',
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
    },
    checks: { one_place: `"parkingSpotId" is null or "parkingZoneId" is null` },
    orderAndFilters: ['updatedAt', 'status', 'locationId', 'customerId', 'licensePlate', 'vin'],
    // Archived cars keep their chassis numbers, which others may have again.
    indexes: {
      unarchived_vin: { columns: ['vin'], unique: true, where: `"status" <> 'archived'` },
    },
  }),
  recordTable({
    name: 'carEvents',
    columns: {
      activityType: 'text',
      parkingSpotId: maybe('id'),
      parkingZoneId: maybe('id'),
      notes: maybe('text'),
      occurredAt: 'timestamp',
      appointmentId: maybe('id'),
      carId: 'id',
      eventTypeId: 'id',
      sessionId: 'id',
      parkingAssignmentId: maybe('id'),
    },
    references: {
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      appointmentId: 'appointments',
      carId: 'cars',
      eventTypeId: 'eventTypes',
      sessionId: 'eventSessions',
      parkingAssignmentId: 'parkingAssignments',
    },
    orderAndFilters: ['carId', 'appointmentId'],
  }),
  recordTable({
    name: 'eventSessions',
    columns: {
      eventTypeId: 'id',
      carId: maybe('id'),
      customerId: maybe('id'),
      appointmentId: maybe('id'),
      carEventId: maybe('id'),
      status: 'choice',
      startedAt: maybe('timestamp'),
      photoCount: 'integer',
    },
    references: {
      eventTypeId: 'eventTypes',
      carId: 'cars',
      customerId: 'customers',
      appointmentId: 'appointments',
      carEventId: 'carEvents',
    },
    orderAndFilters: ['updatedAt', 'status', 'carId'],
    // An appointment has one session, whatever the rules above allow.
    indexes: {
      appointmentId: {
        columns: ['appointmentId'],
        unique: true,
        where: `"appointmentId" is not null`,
      },
    },
  }),
  recordTable({
    name: 'carPhotos',
    columns: {
      carId: 'id',
      sessionId: maybe('id'),
      filename: 'text',
      contentType: 'text',
      sizeBytes: 'integer',
      sha256: 'text',
      width: maybe('integer'),
      height: maybe('integer'),
      url: computed(
        'text',
        `'/api/v1/cars/' || cast("carId" as text) || '/photos/' || cast("id" as text) || '/content'`,
      ),
    },
    references: { carId: 'cars', sessionId: 'eventSessions' },
    orderAndFilters: ['carId'],
    indexes: {
      // Whether another photo has the same bytes, before they are deleted; and the size of all.
      content: { columns: ['sha256', 'sizeBytes'] },
      // The same bytes are one photo in a session, and one of a car's photos without a session.
      session_bytes: {
        columns: ['sessionId', 'sha256'],
        unique: true,
        where: `"sessionId" is not null`,
      },
      car_bytes: { columns: ['carId', 'sha256'], unique: true, where: `"sessionId" is null` },
    },
  }),
];
