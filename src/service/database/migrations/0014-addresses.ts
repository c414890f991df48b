import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** E-mail addresses are found, and are one, whatever their case. They are ASCII, which `lower` folds alike everywhere. */
export const addresses: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('contacts_email').execute();
    await sql`create index "contacts_email" on "contacts" ("teamId", lower("email"), "updatedAt" desc, "id" desc)`.execute(db);
    await sql`create index "customers_email" on "customers" ("teamId", lower("email"), "updatedAt" desc, "id" desc)`.execute(db);
    await db.schema.dropIndex('invites_email').execute();
    await sql`create unique index "invites_email" on "invites" ("teamId", "socialEventId", lower("email")) where "status" <> 'cancelled'`.execute(
      db,
    );
    await db.schema.dropIndex('rsvps_email').execute();
    await sql`create unique index "rsvps_email" on "rsvps" ("teamId", "socialEventId", lower("email"))`.execute(db);
    // Asked before each send is made.
    await sql`create index "campaignSends_recipient" on "campaignSends" ("teamId", "campaignId", lower("recipient"))`.execute(db);
  },
};
