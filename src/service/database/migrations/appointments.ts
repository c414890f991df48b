import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

export const appointmentTables: readonly TableSpec[] = [
  recordTable({
    name: 'appointments',
    columns: {
      locationId: maybe('id'),
      appointmentTypeId: maybe('id'),
      optionId: maybe('id'),
      status: 'choice',
      carId: maybe('id'),
      secondaryCarId: maybe('id'),
      customerId: maybe('id'),
      startAt: 'timestamp',
      endAt: 'timestamp',
      title: maybe('text'),
      notes: maybe('text'),
      recurrenceFrequency: maybe('text'),
      recurrenceInterval: maybe('integer'),
      recurrenceDaysOfWeek: maybe('json'),
      recurrenceDayOfMonth: maybe('integer'),
      recurrenceEndDate: maybe('timestamp'),
      recurrenceCount: maybe('integer'),
      recurrenceSeriesId: maybe('id'),
    },
    references: {
      locationId: 'locations',
      appointmentTypeId: 'eventTypes',
      carId: 'cars',
      secondaryCarId: 'cars',
      customerId: 'customers',
    },
    checks: { ends_after_start: `"endAt" > "startAt"` },
    orderAndFilters: ['updatedAt', 'status', 'locationId', 'appointmentTypeId', 'carId', 'customerId', 'recurrenceSeriesId'],
    indexes: { startAt: { columns: ['startAt'] } },
  }),
];
