import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addReferences, column, createRecordTable, maybe } from '../columns.ts';

/** Appointments, and the way from them to their sessions and events. */
export const appointments: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'appointments',
      columns: {
        locationId: maybe(column.id),
        appointmentTypeId: maybe(column.id),
        optionId: maybe(column.id),
        status: column.text,
        carId: maybe(column.id),
        secondaryCarId: maybe(column.id),
        customerId: maybe(column.id),
        startAt: column.timestamp,
        endAt: column.timestamp,
        title: maybe(column.text),
        notes: maybe(column.text),
        recurrenceFrequency: maybe(column.text),
        recurrenceInterval: maybe(column.integer),
        recurrenceDaysOfWeek: maybe(column.json),
        recurrenceDayOfMonth: maybe(column.integer),
        recurrenceEndDate: maybe(column.timestamp),
        recurrenceCount: maybe(column.integer),
        recurrenceSeriesId: maybe(column.id),
      },
      references: {
        locationId: 'locations',
        appointmentTypeId: 'eventTypes',
        carId: 'cars',
        secondaryCarId: 'cars',
        customerId: 'customers',
      },
      checks: { ends_after_start: sql`"endAt" > "startAt"` },
    });
    for (const filter of ['status', 'carId', 'customerId', 'locationId', 'appointmentTypeId', 'recurrenceSeriesId']) {
      await db.schema
        .createIndex(`appointments_${filter}`)
        .on('appointments')
        .columns(['teamId', filter, 'updatedAt desc', 'id desc'])
        .execute();
    }
    await db.schema.createIndex('appointments_start').on('appointments').columns(['teamId', 'startAt']).execute();
    await addReferences(db, 'eventSessions', { appointmentId: 'appointments' });
    await addReferences(db, 'carEvents', { appointmentId: 'appointments' });
    // One session an appointment, whatever the rules above it say.
    await db.schema.createIndex('eventSessions_appointment').unique().on('eventSessions').columns(['teamId', 'appointmentId']).execute();
    await db.schema.createIndex('carEvents_appointment').on('carEvents').columns(['teamId', 'appointmentId']).execute();
  },
};
