import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createEventType } from '../../../src/service/admin.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  list,
  made,
  ok,
  type Row,
  refused,
  rowOf,
  testTable,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const [car, other, customer] = [await make.car(), await make.car(), await make.customer()];
const [berlin, newYork, closed] = [
  await make.location(),
  await make.location({ timezone: 'America/New_York' }),
  await make.location({ isActive: false }),
];
const detailing = await createEventType(service.admin, 'first', {
  value: 'detailing',
  scope: 'vehicle',
  name: 'Detailing',
  options: [{ name: 'Wash', durationMinutes: 45 }, { name: 'Full' }],
});
const retired = await createEventType(service.admin, 'first', {
  value: 'retired',
  scope: 'facility',
  name: 'Retired',
});
await service.admin.database.write
  .updateTable('eventTypes')
  .set({ isActive: false })
  .where('id', '=', retired.id)
  .execute();
const typeIds = Object.fromEntries(
  (await service.call('GET', '/event-types')).body.data.map(
    ({ value, id }: Record<string, string>) => [value, id],
  ),
) as Record<string, string>;
const [wash, full] = detailing.options.map(({ id }) => id) as [string, string];

const hour = { startAt: '2026-05-04T10:00:00+02:00', endAt: '2026-05-04T11:00:00+02:00' };
const create = (name: string, body: object, expect: Row['expect']): Row => ({
  name,
  method: 'POST',
  path: '/appointments',
  body: { ...hour, ...body },
  expect,
});
const change = rowOf('PATCH', (id) => `/appointments/${id}`);
const sessionsOf = async (appointmentId: string) =>
  (await service.call('GET', `/event-sessions?appointmentId=${appointmentId}`)).body.data;

describe('one', () => {
  testTable(service, [
    create(
      'nothing but its times',
      {},
      made({ startAt: '2026-05-04T08:00:00.000Z', endAt: '2026-05-04T09:00:00.000Z' }),
    ),
    create(
      'ends when it begins, with one car twice',
      { endAt: hour.startAt, carId: car.id, secondaryCarId: car.id },
      issues({ endAt: 'after_start', secondaryCarId: 'distinct' }),
    ),
    create(
      'ends before it begins, by the offset',
      { endAt: '2026-05-04T10:30:00+03:00' },
      issues({ endAt: 'after_start' }),
    ),
    create(
      'two cars',
      { carId: car.id, secondaryCarId: other.id },
      made({ carId: car.id, secondaryCarId: other.id }),
    ),
    create(
      'at an inactive location',
      { locationId: closed.id },
      refused('location_inactive', { locationId: closed.id }),
    ),
  ]);
});

describe('its type', () => {
  const dropOff = typeIds.drop_off as string;
  testTable(service, [
    create(
      'by eventTypeId',
      { eventTypeId: dropOff, carId: car.id },
      made({ appointmentTypeId: dropOff }),
    ),
    create(
      'by eventType',
      { eventType: 'drop_off', carId: car.id },
      made({ appointmentTypeId: dropOff }),
    ),
    create(
      'by appointmentTypeId',
      { appointmentTypeId: dropOff, carId: car.id },
      made({ appointmentTypeId: dropOff }),
    ),
    create(
      'by id and value of one type',
      { eventTypeId: dropOff, eventType: 'drop_off', carId: car.id },
      made({ appointmentTypeId: dropOff }),
    ),
    create(
      'by id and value of two types',
      { eventTypeId: dropOff, eventType: 'pick_up', carId: car.id },
      refused('conflicting_fields', { fields: ['eventTypeId', 'eventType'] }),
    ),
    create(
      'eventTypeId and appointmentTypeId, even of one type',
      { eventTypeId: dropOff, appointmentTypeId: dropOff, carId: car.id },
      refused('conflicting_fields', { fields: ['appointmentTypeId', 'eventTypeId'] }),
    ),
    create(
      'eventType and appointmentTypeId',
      { eventType: 'drop_off', appointmentTypeId: dropOff, carId: car.id },
      refused('conflicting_fields', { fields: ['appointmentTypeId', 'eventType'] }),
    ),
    create(
      'appointmentTypeId null is none',
      { eventType: 'drop_off', appointmentTypeId: null, carId: car.id },
      made({ appointmentTypeId: dropOff }),
    ),
    create(
      'an unknown value',
      { eventType: 'Polishing!' },
      refused('not_found', { field: 'eventType' }),
    ),
    create(
      'inactive',
      { eventType: 'retired' },
      refused('event_type_inactive', { field: 'eventType', eventTypeId: retired.id }),
    ),
    create(
      'for a car, without one',
      { eventType: 'drop_off', customerId: customer.id },
      refused('car_required', { field: 'carId' }),
    ),
    create(
      'for a customer, without one',
      { eventType: 'customer_visit', carId: car.id },
      refused('customer_required', { field: 'customerId' }),
    ),
    create(
      'an option of another',
      { eventType: 'inspection', carId: car.id, optionId: wash },
      refused('option_mismatch', {
        field: 'optionId',
        optionId: wash,
        eventTypeId: typeIds.inspection,
      }),
    ),
    create(
      'an option of none',
      { optionId: wash },
      refused('option_mismatch', { eventTypeId: null }),
    ),
  ]);
});

describe('changes of an appointment with inactive references', async () => {
  const hall = await make.location();
  const washing = await createEventType(service.admin, 'first', {
    value: 'washing',
    scope: 'vehicle',
    name: 'Washing',
    options: [{ name: 'Short' }, { name: 'Long' }],
  });
  const [short, long] = washing.options.map(({ id }) => id) as [string, string];
  const { id } = await make.appointment({
    eventType: 'washing',
    carId: car.id,
    optionId: short,
    locationId: hall.id,
  });
  const types = service.admin.database.write.updateTable('eventTypes');
  await types.set({ options: [], isActive: false }).where('id', '=', washing.id).execute();
  await make.change(`/locations/${hall.id}`, { isActive: false });
  testTable(service, [
    change(
      'what stays as it is need not be active',
      id,
      { title: 'Wash', status: 'accepted' },
      ok({ optionId: short, locationId: hall.id }),
    ),
    change(
      'to the same references',
      id,
      { locationId: hall.id, optionId: short, appointmentTypeId: washing.id },
      ok({ optionId: short }),
    ),
    change('to another option that is gone', id, { optionId: long }, refused('option_mismatch')),
  ]);
});

describe('changes', async () => {
  const plain = await make.appointment({ title: 'Talk', locationId: berlin.id });
  const optioned = await make.appointment({
    eventType: 'detailing',
    carId: car.id,
    optionId: full,
  });
  const visit = await make.appointment({ eventType: 'customer_visit', customerId: customer.id });
  testTable(service, [
    change(
      'to a beginning after the end',
      plain.id,
      { startAt: '2026-05-04T12:30:00Z' },
      issues({ endAt: 'after_start' }),
    ),
    change(
      'to an inactive location',
      plain.id,
      { locationId: closed.id },
      refused('location_inactive'),
    ),
    change(
      'to the second car',
      optioned.id,
      { secondaryCarId: car.id },
      issues({ secondaryCarId: 'distinct' }),
    ),
    change('without its car', optioned.id, { carId: null }, refused('car_required')),
    change('without its customer', visit.id, { customerId: null }, refused('customer_required')),
    change(
      'to a type for a car, without one',
      visit.id,
      { appointmentTypeId: detailing.id },
      refused('car_required'),
    ),
    change(
      'to an inactive type',
      visit.id,
      { appointmentTypeId: retired.id },
      refused('event_type_inactive', { field: 'appointmentTypeId' }),
    ),
    change(
      'to another type, keeping the option',
      optioned.id,
      { appointmentTypeId: typeIds.inspection },
      refused('option_mismatch'),
    ),
    change('to another option', optioned.id, { optionId: wash }, ok({ optionId: wash })),
    change(
      'to another type without the option',
      optioned.id,
      { appointmentTypeId: typeIds.inspection, optionId: null },
      ok({ appointmentTypeId: typeIds.inspection }),
    ),
  ]);
});

describe('its session', () => {
  test('without a type it has none', async () => {
    expect(await sessionsOf((await make.appointment()).id)).toEqual([]);
  });
  test('is ready at once with a type, and no parking changes', async () => {
    const appointment = await make.appointment({
      eventType: 'drop_off',
      carId: car.id,
      customerId: customer.id,
    });
    expect(await sessionsOf(appointment.id)).toMatchObject([
      {
        eventTypeId: typeIds.drop_off,
        carId: car.id,
        customerId: customer.id,
        carEventId: null,
        status: 'ready',
        startedAt: null,
        photoCount: 0,
        createdAt: appointment.createdAt,
      },
    ]);
    expect(await make.read(`/cars/${car.id}`)).toEqual(car);
  });
  test.each(['cancelled', 'declined', 'no_show'] as const)(
    'is cancelled with an appointment that is %s, and ready again after',
    async (status) => {
      const { id } = await make.appointment({
        eventType: 'inspection',
        carId: car.id,
        status: status === 'declined' ? 'pending_approval' : 'scheduled',
      });
      await make.change(`/appointments/${id}`, { status });
      expect(await sessionsOf(id)).toMatchObject([{ status: 'cancelled' }]);
      await make.change(`/appointments/${id}`, { status: 'scheduled' });
      expect(await sessionsOf(id)).toMatchObject([{ status: 'ready' }]);
      const calledOff = await make.appointment({ eventType: 'inspection', carId: car.id, status });
      expect(await sessionsOf(calledOff.id)).toMatchObject([{ status: 'cancelled' }]);
    },
  );
  test('accepts no photo while cancelled, and is open again afterwards if it had started', async () => {
    const { id } = await make.appointment({ eventType: 'inspection', carId: car.id });
    const [session] = await sessionsOf(id);
    await make.photo(car.id, { sessionId: session.id });
    expect(await sessionsOf(id)).toMatchObject([{ status: 'open', photoCount: 1 }]);
    await make.change(`/appointments/${id}`, { status: 'cancelled' });
    const refusal = await service.call('POST', `/cars/${car.id}/photos`, {
      sessionId: session.id,
      base64: 'AAAA',
    });
    expect(refusal.body.code).toBe('session_closed');
    await make.change(`/appointments/${id}`, { status: 'scheduled' });
    expect(await sessionsOf(id)).toMatchObject([{ id: session.id, status: 'open', photoCount: 1 }]);
  });
  test('follows the type, the car and the customer until the work begins', async () => {
    const { id } = await make.appointment();
    await make.change(`/appointments/${id}`, {
      appointmentTypeId: typeIds.inspection,
      carId: car.id,
    });
    const [session] = await sessionsOf(id);
    expect(session).toMatchObject({
      status: 'ready',
      eventTypeId: typeIds.inspection,
      carId: car.id,
      customerId: null,
    });
    await make.change(`/appointments/${id}`, {
      appointmentTypeId: typeIds.interior_cleaning,
      carId: other.id,
      customerId: customer.id,
    });
    expect(await sessionsOf(id)).toMatchObject([
      {
        id: session.id,
        status: 'ready',
        eventTypeId: typeIds.interior_cleaning,
        carId: other.id,
        customerId: customer.id,
      },
    ]);
    await make.change(`/appointments/${id}`, { appointmentTypeId: null });
    expect(await sessionsOf(id)).toMatchObject([{ id: session.id, status: 'cancelled' }]);
    await make.change(`/appointments/${id}`, { appointmentTypeId: typeIds.inspection });
    await make.photo(other.id, { sessionId: session.id });
    for (const body of [
      { carId: car.id },
      { appointmentTypeId: null },
      { appointmentTypeId: typeIds.drop_off },
    ]) {
      const answer = await service.call('PATCH', `/appointments/${id}`, body);
      expect(answer.body).toMatchObject({
        code: 'session_mismatch',
        details: { sessionId: session.id, carId: other.id },
      });
    }
    await make.change(`/appointments/${id}`, {
      customerId: null,
      notes: 'other things may change',
    });
    expect(await sessionsOf(id)).toMatchObject([{ status: 'open', customerId: null }]);
  });
  test('does not change with other fields', async () => {
    const { id } = await make.appointment({ eventType: 'inspection', carId: car.id });
    const before = await sessionsOf(id);
    await make.change(`/appointments/${id}`, { status: 'completed', notes: 'done' });
    expect(await sessionsOf(id)).toEqual(before);
  });
});

describe('a series', () => {
  const seriesOf = async (id: string) =>
    (await service.call('GET', `/appointments?recurrenceSeriesId=${id}&limit=200`)).body.data.sort(
      (a: Series, b: Series) => a.startAt.localeCompare(b.startAt),
    );
  type Series = { id: string; startAt: string };

  test('is made at once: every one with its session, answering the first', async () => {
    const first = await make.appointment({
      ...hour,
      eventType: 'interior_cleaning',
      carId: car.id,
      title: 'Wash',
      recurrenceFrequency: 'weekly',
      recurrenceDaysOfWeek: [1, 4],
      recurrenceCount: 4,
    });
    const series = await seriesOf(first.recurrenceSeriesId as string);
    expect(series.map(({ startAt }: Series) => startAt.slice(0, 10))).toEqual([
      '2026-05-04',
      '2026-05-07',
      '2026-05-11',
      '2026-05-14',
    ]);
    expect(series[0]).toEqual(first);
    const { id, startAt, endAt, ...shared } = first;
    for (const one of series) expect(one).toMatchObject(shared);
    const sessions = await Promise.all(series.map((one: Series) => sessionsOf(one.id)));
    expect(sessions).toMatchObject(
      series.map((one: Series) => [{ appointmentId: one.id, status: 'ready' }]),
    );
  });
  test('one of it changes alone', async () => {
    const first = await make.appointment({ recurrenceFrequency: 'daily', recurrenceCount: 2 });
    await make.change(`/appointments/${first.id}`, { status: 'cancelled', title: 'Not today' });
    const [, second] = await seriesOf(first.recurrenceSeriesId as string);
    expect(second).toMatchObject({ status: 'scheduled', title: null, updatedAt: first.updatedAt });
  });
  test.each([
    [
      'of its location',
      { locationId: newYork.id },
      ['2026-03-07T14:00:00.000Z', '2026-03-08T13:00:00.000Z'],
    ],
    ['of the team without one', {}, ['2026-03-07T14:00:00.000Z', '2026-03-08T14:00:00.000Z']],
  ])('keeps the wall time %s', async (_name, at, expected) => {
    const first = await make.appointment({
      ...at,
      startAt: '2026-03-07T14:00:00Z',
      endAt: '2026-03-07T15:00:00Z',
      recurrenceFrequency: 'daily',
      recurrenceCount: 2,
    });
    expect(
      (await seriesOf(first.recurrenceSeriesId as string)).map(({ startAt }: Series) => startAt),
    ).toEqual(expected);
  });
  test('with a series id, only one appointment is created', async () => {
    const recurrenceSeriesId = randomUUID();
    const given = {
      recurrenceSeriesId,
      recurrenceFrequency: 'daily',
      recurrenceCount: 1000,
    } as const;
    const answers = [await make.appointment(given), await make.appointment({ recurrenceSeriesId })];
    expect(answers[0]).toMatchObject(given);
    expect(await seriesOf(recurrenceSeriesId)).toHaveLength(2);
  });
  testTable(service, [
    create(
      'a count alone is none',
      { recurrenceCount: 3, recurrenceInterval: 2 },
      made({ recurrenceCount: 3, recurrenceInterval: 2, recurrenceSeriesId: null }),
    ),
    create(
      'refused as a whole',
      { recurrenceFrequency: 'daily', recurrenceCount: 3, eventType: 'drop_off' },
      refused('car_required'),
    ),
  ]);
});

describe('filters', async () => {
  const vehicle = await make.car();
  const at = (day: number) => ({
    startAt: `2031-01-0${day}T10:00:00Z`,
    endAt: `2031-01-0${day}T11:00:00Z`,
  });
  const first = await make.appointment(at(1));
  const second = await make.appointment({ ...at(2), carId: vehicle.id });
  const third = await make.appointment({ ...at(3), secondaryCarId: vehicle.id });
  testTable(service, [
    list(`/appointments?carId=${vehicle.id}`, second.id),
    list(
      '/appointments?startFrom=2031-01-01T10:00:00Z&startTo=2031-01-03T11:00:00%2B01:00',
      third.id,
      second.id,
      first.id,
    ),
    list(
      '/appointments?startFrom=2031-01-01T10:00:00.001Z&startTo=2031-01-03T09:59:59Z',
      second.id,
    ),
  ]);
});
