import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** Social events with their RSVP options, invites and RSVPs. */
export const socialEvents: Migration = {
  async up(db: Kysely<unknown>) {
    await createEvents(db);
    await createInvites(db);
    await createRsvps(db);
  },
};

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'socialEvents',
    columns: {
      title: column.text,
      startAt: column.timestamp,
      endAt: maybe(column.timestamp),
      timezone: column.text,
      description: maybe(column.text),
      locationId: maybe(column.id),
      venue: maybe(column.text),
      capacity: maybe(column.integer),
      rsvpDeadline: maybe(column.timestamp),
      visibility: column.text,
      coverAssetId: maybe(column.id),
      status: column.text,
      counts: column.json,
    },
    references: { locationId: 'locations', coverAssetId: 'assets' },
    checks: {
      ends_after_start: sql`"endAt" is null or "endAt" > "startAt"`,
      deadline_before_start: sql`"rsvpDeadline" is null or "rsvpDeadline" <= "startAt"`,
    },
  });
  await db.schema.createIndex('socialEvents_startAt').on('socialEvents').columns(['teamId', 'startAt']).execute();
  await db.schema.createIndex('socialEvents_cover').on('socialEvents').columns(['teamId', 'coverAssetId']).execute();
  await db.schema.createIndex('socialEvents_location').on('socialEvents').columns(['teamId', 'locationId']).execute();
  await createRecordTable(db, {
    name: 'rsvpOptions',
    columns: {
      socialEventId: column.id,
      label: column.text,
      kind: column.text,
      capacity: maybe(column.integer),
      position: column.integer,
    },
    references: { socialEventId: 'socialEvents' },
  });
  await db.schema.createIndex('rsvpOptions_order').on('rsvpOptions').columns(['teamId', 'socialEventId', 'position', 'id']).execute();
}

async function createInvites(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'invites',
    columns: {
      socialEventId: column.id,
      customerId: maybe(column.id),
      contactId: maybe(column.id),
      email: maybe(column.text),
      phone: maybe(column.text),
      status: column.text,
    },
    references: { socialEventId: 'socialEvents', customerId: 'customers', contactId: 'contacts' },
  });
  await db.schema.createIndex('invites_event').on('invites').columns(['teamId', 'socialEventId', 'updatedAt desc', 'id desc']).execute();
  // The last word on the same person twice, whatever the rules above it say.
  for (const person of ['customerId', 'contactId', 'email', 'phone']) {
    await sql`create unique index ${sql.ref(`invites_${person}`)} on "invites" ("teamId", "socialEventId", ${sql.ref(person)}) where "status" <> 'cancelled'`.execute(
      db,
    );
  }
}

async function createRsvps(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'rsvps',
    columns: {
      socialEventId: column.id,
      rsvpOptionId: column.id,
      inviteId: maybe(column.id),
      customerId: maybe(column.id),
      contactId: maybe(column.id),
      guestName: maybe(column.text),
      email: maybe(column.text),
      partySize: column.integer,
      notes: maybe(column.text),
    },
    references: {
      socialEventId: 'socialEvents',
      rsvpOptionId: 'rsvpOptions',
      inviteId: 'invites',
      customerId: 'customers',
      contactId: 'contacts',
    },
    checks: { party: sql`"partySize" between 1 and 20` },
  });
  await db.schema.createIndex('rsvps_event').on('rsvps').columns(['teamId', 'socialEventId', 'updatedAt desc', 'id desc']).execute();
  await db.schema.createIndex('rsvps_option').on('rsvps').columns(['teamId', 'rsvpOptionId', 'updatedAt desc', 'id desc']).execute();
  await db.schema.createIndex('rsvps_inviteId').unique().on('rsvps').columns(['teamId', 'inviteId']).execute();
  for (const person of ['customerId', 'contactId', 'email']) {
    await db.schema.createIndex(`rsvps_${person}`).unique().on('rsvps').columns(['teamId', 'socialEventId', person]).execute();
  }
}
