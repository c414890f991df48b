import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, computed, createRecordTable, maybe } from '../columns.ts';

/** Teams and keys, cars with events, sessions and photos, customers, locations, parking. */
export const firstFamilies: Migration = {
  async up(db: Kysely<unknown>) {
    await createTeams(db);
    await createCustomersAndLocations(db);
    await createParking(db);
    await createCars(db);
    await createReceipts(db);
  },
};

async function createTeams(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('teams')
    .addColumn('id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('name', 'text', (name) => name.notNull())
    .addColumn('slug', 'text', (slug) => slug.notNull().unique())
    .addColumn('timezone', 'text', (timezone) => timezone.notNull())
    .addColumn('apiEnabled', column.boolean, (enabled) => enabled.notNull())
    .addColumn('lastStamp', column.timestamp, (stamp) => stamp.notNull())
    .addColumn('createdAt', column.timestamp, (at) => at.notNull())
    .addColumn('updatedAt', column.timestamp, (at) => at.notNull())
    .execute();
  await createRecordTable(db, {
    name: 'apiKeys',
    columns: {
      name: column.text,
      prefix: column.text,
      secretHash: column.text,
      scopes: column.json,
      expiresAt: maybe(column.timestamp),
      revokedAt: maybe(column.timestamp),
      lastUsedAt: maybe(column.timestamp),
      createdBy: column.text,
    },
  });
  await db.schema.createIndex('apiKeys_prefix').unique().on('apiKeys').column('prefix').execute();
  await db.schema
    .createTable('auditLog')
    .addColumn('id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('teamId', 'text', (team) => team.notNull().references('teams.id'))
    .addColumn('at', column.timestamp, (at) => at.notNull())
    .addColumn('actor', 'text', (actor) => actor.notNull())
    .addColumn('action', 'text', (action) => action.notNull())
    .addColumn('subject', 'text')
    .addColumn('details', column.json)
    .execute();
  await createRecordTable(db, {
    name: 'eventTypes',
    columns: {
      value: column.text,
      scope: column.text,
      config: column.json,
      name: column.text,
      description: maybe(column.text),
      durationMinutes: maybe(column.integer),
      isActive: column.boolean,
      options: column.json,
    },
  });
  await db.schema.createIndex('eventTypes_value').unique().on('eventTypes').columns(['teamId', 'value']).execute();
}

async function createCustomersAndLocations(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'customers',
    columns: {
      firstName: maybe(column.text),
      lastName: maybe(column.text),
      companyName: maybe(column.text),
      email: maybe(column.text),
      phone: maybe(column.text),
      address: maybe(column.json),
      status: column.text,
      emailOptOut: column.boolean,
      smsOptOut: column.boolean,
      tags: column.json,
      externalId: maybe(column.text),
      notes: maybe(column.text),
    },
  });
  await db.schema.createIndex('customers_externalId').unique().on('customers').columns(['teamId', 'externalId']).execute();
  await createRecordTable(db, {
    name: 'locations',
    columns: {
      isActive: column.boolean,
      name: column.text,
      timezone: column.text,
      address: maybe(column.json),
      phone: maybe(column.text),
      email: maybe(column.text),
      notes: maybe(column.text),
    },
  });
  // Names are one whatever their case, which no index says alike of every script in every database: what holds that is
  // the question inside the write lock (unique.ts). Behind it this is a wall for the very same name only.
  await db.schema.createIndex('locations_name').unique().on('locations').columns(['teamId', 'name']).execute();
}

async function createParking(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'parkingZones',
    columns: {
      locationId: column.id,
      name: column.text,
      capacity: maybe(column.integer),
      isActive: column.boolean,
      notes: maybe(column.text),
      occupied: column.integer,
      available: computed(column.integer, sql`case when "occupied" > "capacity" then 0 else "capacity" - "occupied" end`),
    },
    references: { locationId: 'locations' },
    checks: { occupied_counts: sql`"occupied" >= 0` },
  });
  await db.schema.createIndex('parkingZones_name').unique().on('parkingZones').columns(['teamId', 'locationId', 'name']).execute();
  await createRecordTable(db, {
    name: 'parkingSpots',
    columns: {
      locationId: column.id,
      zoneId: maybe(column.id),
      name: column.text,
      kind: column.text,
      isActive: column.boolean,
      notes: maybe(column.text),
      occupiedByCarId: maybe(column.id),
    },
    references: { locationId: 'locations', zoneId: 'parkingZones', occupiedByCarId: 'cars' },
  });
  await db.schema.createIndex('parkingSpots_name').unique().on('parkingSpots').columns(['teamId', 'locationId', 'name']).execute();
  await db.schema.createIndex('parkingSpots_zone').on('parkingSpots').columns(['teamId', 'zoneId']).execute();
  await createRecordTable(db, {
    name: 'parkingAssignments',
    columns: {
      carId: column.id,
      parkingSpotId: maybe(column.id),
      parkingZoneId: maybe(column.id),
      startedAt: column.timestamp,
      endedAt: maybe(column.timestamp),
      startedByEventId: maybe(column.id),
      endedByEventId: maybe(column.id),
      notes: maybe(column.text),
    },
    references: {
      carId: 'cars',
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      startedByEventId: 'carEvents',
      endedByEventId: 'carEvents',
    },
    checks: {
      one_target: sql`("parkingSpotId" is null) <> ("parkingZoneId" is null)`,
      ends_after_start: sql`"endedAt" is null or "endedAt" >= "startedAt"`,
    },
  });
  // The last word on two cars for one spot, whatever the rules above it say.
  await sql`create unique index "parkingAssignments_open_spot" on "parkingAssignments" ("teamId", "parkingSpotId") where "endedAt" is null and "parkingSpotId" is not null`.execute(
    db,
  );
  await sql`create unique index "parkingAssignments_open_car" on "parkingAssignments" ("teamId", "carId") where "endedAt" is null`.execute(
    db,
  );
  for (const target of ['carId', 'parkingSpotId', 'parkingZoneId']) {
    await db.schema
      .createIndex(`parkingAssignments_${target}`)
      .on('parkingAssignments')
      .columns(['teamId', target, 'updatedAt desc', 'id desc'])
      .execute();
  }
}

async function createCars(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'cars',
    columns: {
      year: column.integer,
      make: column.text,
      model: column.text,
      trim: maybe(column.text),
      color: maybe(column.text),
      vin: maybe(column.text),
      licensePlate: maybe(column.text),
      licensePlateRegion: maybe(column.text),
      nickname: maybe(column.text),
      mileage: maybe(column.integer),
      customerId: maybe(column.id),
      locationId: maybe(column.id),
      status: column.text,
      parkingSpotId: maybe(column.id),
      parkingZoneId: maybe(column.id),
      notes: maybe(column.text),
    },
    references: { customerId: 'customers', locationId: 'locations', parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    checks: { one_place: sql`"parkingSpotId" is null or "parkingZoneId" is null` },
  });
  await sql`create unique index "cars_vin" on "cars" ("teamId", "vin") where "status" <> 'archived'`.execute(db);
  for (const filter of ['customerId', 'locationId', 'licensePlate', 'status']) {
    await db.schema.createIndex(`cars_${filter}`).on('cars').columns(['teamId', filter, 'updatedAt desc', 'id desc']).execute();
  }
  await createRecordTable(db, {
    name: 'carEvents',
    columns: {
      activityType: column.text,
      parkingSpotId: maybe(column.id),
      parkingZoneId: maybe(column.id),
      notes: maybe(column.text),
      occurredAt: column.timestamp,
      appointmentId: maybe(column.id),
      carId: column.id,
      eventTypeId: column.id,
      sessionId: column.id,
      parkingAssignmentId: maybe(column.id),
    },
    references: {
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      carId: 'cars',
      eventTypeId: 'eventTypes',
      sessionId: 'eventSessions',
      parkingAssignmentId: 'parkingAssignments',
    },
  });
  await db.schema.createIndex('carEvents_car').on('carEvents').columns(['teamId', 'carId', 'updatedAt desc', 'id desc']).execute();
  await createRecordTable(db, {
    name: 'eventSessions',
    columns: {
      eventTypeId: column.id,
      carId: maybe(column.id),
      customerId: maybe(column.id),
      appointmentId: maybe(column.id),
      carEventId: maybe(column.id),
      status: column.text,
      startedAt: maybe(column.timestamp),
      photoCount: column.integer,
    },
    references: { eventTypeId: 'eventTypes', carId: 'cars', customerId: 'customers', carEventId: 'carEvents' },
  });
  await db.schema.createIndex('eventSessions_car').on('eventSessions').columns(['teamId', 'carId', 'updatedAt desc', 'id desc']).execute();
  await createRecordTable(db, {
    name: 'carPhotos',
    columns: {
      carId: column.id,
      sessionId: maybe(column.id),
      filename: column.text,
      contentType: column.text,
      sizeBytes: column.integer,
      sha256: column.text,
      width: maybe(column.integer),
      height: maybe(column.integer),
      url: computed(column.text, sql`'/api/v1/cars/' || "carId" || '/photos/' || "id" || '/content'`),
    },
    references: { carId: 'cars', sessionId: 'eventSessions' },
  });
  await db.schema.createIndex('carPhotos_car').on('carPhotos').columns(['teamId', 'carId', 'updatedAt desc', 'id desc']).execute();
  await db.schema.createIndex('carPhotos_content').on('carPhotos').columns(['teamId', 'sha256']).execute();
  // The same bytes are one photo within a session, and one among the photos without a session.
  await sql`create unique index "carPhotos_once" on "carPhotos" ("teamId", "sessionId", "sha256") where "sessionId" is not null`.execute(
    db,
  );
  await sql`create unique index "carPhotos_once_alone" on "carPhotos" ("teamId", "carId", "sha256") where "sessionId" is null`.execute(db);
}

async function createReceipts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('receipts')
    .addColumn('teamId', 'text', (team) => team.notNull().references('teams.id'))
    .addColumn('apiKeyId', 'text', (key) => key.notNull())
    .addColumn('key', 'text', (key) => key.notNull())
    .addColumn('fingerprint', 'text', (fingerprint) => fingerprint.notNull())
    .addColumn('status', 'integer', (status) => status.notNull())
    .addColumn('body', 'text', (body) => body.notNull())
    .addColumn('createdAt', column.timestamp, (at) => at.notNull())
    .addPrimaryKeyConstraint('receipts_key', ['teamId', 'apiKeyId', 'key'])
    .execute();
  await db.schema.createIndex('receipts_age').on('receipts').column('createdAt').execute();
}
