import { expect, test } from 'vitest';
import { appointmentStatuses } from '../../src/contract/appointments.ts';
import {
  type DayLists,
  type DayNames,
  dueOn,
  latenessOf,
  nameDay,
  sectionsOf,
  sessionsToName,
} from '../../src/facility/day.ts';
import { type PlaceRecords, placesOf } from '../../src/facility/places.ts';

const byId = <R extends { id: string }>(...rows: R[]) => new Map(rows.map((row) => [row.id, row]));

const day = { from: '2026-05-05T00:00:00.000Z', to: '2026-05-05T23:59:59.999Z' };
const now = new Date('2026-05-05T12:00:00Z');
const types = byId(
  { id: 'in', name: 'Drop-off', config: { requiresParkingSpot: true } },
  { id: 'out', name: 'Pick-up', config: { requiresParkingSpot: false, releasesParkingSpot: true } },
);
const session = (id: string, carId: string, more: object = {}) => ({
  id,
  carId,
  eventTypeId: 'in',
  appointmentId: null,
  carEventId: `e${id}`,
  photoCount: 0,
  status: 'open',
  startedAt: `2026-05-05T0${id}:00:00Z`,
  ...more,
});
const visit = (id: string, appointmentTypeId: string, carId: string, more: object = {}) => ({
  id,
  appointmentTypeId,
  carId,
  customerId: null,
  locationId: null,
  status: 'completed',
  startAt: '2026-05-05T09:00:00Z',
  endAt: '2026-05-05T09:30:00Z',
  ...more,
});
const sections = (lists: object) =>
  sectionsOf({ types, appointments: [], sessions: [], ...lists } as unknown as DayLists, {
    day,
    now,
  });
const cameIn = (lists: object) =>
  sections(lists).walkIns.map(({ session }) => [session.carId, session.id]);

test('a walk-in came on the day without an appointment: one line for each car, with its first drop-off', () => {
  const sessions = [
    session('3', 'twice'),
    session('2', 'twice'),
    session('4', 'linked', { appointmentId: 'a' }),
    session('5', 'forgotten'),
    session('6', 'leaves', { eventTypeId: 'out' }),
    session('7', 'yesterday', { startedAt: '2026-05-04T10:00:00Z' }),
  ];
  // Its appointment wasn't linked, and yet it was expected.
  const appointments = [visit('a', 'in', 'forgotten')];
  expect(cameIn({ sessions, appointments })).toEqual([['twice', '2']]);
});

test("nobody is called a walk-in by a server whose sessions don't show their appointment", () => {
  expect(cameIn({ sessions: [session('1', 'car', { appointmentId: undefined })] })).toEqual([]);
});

test('photos are missing of a car without any, and of one that lacks some of the list of its event type', () => {
  const sessions = [
    session('1', 'bare'),
    session('2', 'some', { photoCount: 1 }),
    session('3', 'some', { eventTypeId: 'out', photoCount: 1 }),
    session('4', 'all', { photoCount: 2 }),
    session('5', 'free', { eventTypeId: 'other', photoCount: 1 }),
  ];
  const photos: Record<string, string[]> = { 2: ['front.jpg'], 3: ['rear.jpg'], 4: ['a.jpg'] };
  const lists = {
    sessions,
    types: byId(...types.values(), { id: 'other', config: { requiresParkingSpot: true } } as never),
    checklistOf: ({ id }: { id: string }) => (id === 'in' ? ['front', 'rear', 'damage'] : []),
  };
  const found = (more: object) =>
    sections({ ...lists, ...more }).withoutPhotos.map(({ session, missing }) => [
      session.carId,
      missing.join(),
    ]);
  expect(sessionsToName(lists as unknown as DayLists, day).map(({ id }) => id)).toEqual([
    ...['2', '3', '4'],
  ]);
  expect(found({ photosIn: ({ id }: { id: string }) => photos[id] ?? [] })).toEqual([
    ['bare', 'front,rear,damage'],
    ['some', 'damage'],
    ['all', 'front,rear,damage'],
  ]);
  // Where nobody reads the names.
  expect(found({})).toEqual([['bare', 'front,rear,damage']]);
});

test('a day has its appointments, except those that wait for approval, were declined or cancelled, or that nobody came to', () => {
  const appointments = appointmentStatuses.map((status) => visit(status, 'in', 'car', { status }));
  const left = ['pending_approval', 'declined', 'cancelled', 'no_show'];
  expect(sections({ appointments }).arrivals.map(({ appointment }) => appointment.id)).toEqual(
    appointmentStatuses.filter((status) => !left.includes(status)).toSorted(),
  );
});

test.each([
  ['scheduled', 0, undefined],
  ['scheduled', 1, { reason: 'not_checked_in', lateMinutes: 1 }],
  ['accepted', 90, { reason: 'not_checked_in', lateMinutes: 90 }],
  ['checked_in', 0, undefined],
  ['in_progress', 1, { reason: 'not_completed', lateMinutes: 1 }],
  ['completed', 90, undefined],
] as const)('%s, %i minutes after its start or end: %j', (status, minutes, late) => {
  const ended = ['checked_in', 'in_progress'].includes(status);
  const [startAt, endAt] = ended
    ? ['2026-05-05T09:00:00Z', '2026-05-05T10:00:00Z']
    : ['2026-05-05T10:00:00Z', '2026-05-05T11:00:00Z'];
  const appointment = visit('a', 'in', 'car', { status, startAt, endAt });
  const now = new Date(Date.parse('2026-05-05T10:00:00Z') + minutes * 60_000);
  expect(latenessOf(appointment as never, now)).toEqual(late);
});

test('work is for an open appointment of the day, or for a late one of the week before whose work has not begun', () => {
  const open = ['scheduled', 'accepted', 'checked_in', 'in_progress'];
  const due = (startAt: string | null) =>
    appointmentStatuses.flatMap((status) => {
      const when = dueOn(day, { status, startAt });
      return when ? [`${status} ${when}`] : [];
    });
  const ofToday = appointmentStatuses
    .filter((status) => open.includes(status))
    .map((status) => `${status} today`);
  expect(due('2026-05-05T23:59:00+00:00')).toEqual(ofToday);
  expect(due(null)).toEqual(ofToday);
  expect(due('2026-05-04T23:59:00Z').toSorted()).toEqual([
    'accepted late',
    'checked_in late',
    'scheduled late',
  ]);
  expect(due('2026-04-28T00:00:00Z')).toHaveLength(3);
  expect(due('2026-04-27T23:59:00Z')).toEqual([]);
  expect(due('2026-05-06T00:00:00Z')).toEqual([]);
});

test('a departure has the customer of its appointment, otherwise the owner, and the place of its car', () => {
  const places = {
    zones: byId({ id: 'hall', name: 'Hall A' }),
    spots: byId({ id: 's1', name: 'A1', zoneId: 'hall' }),
  };
  const names = {
    types,
    cars: byId({ id: 'car', customerId: 'owner', parkingSpotId: 's1' }),
    customers: byId({ id: 'owner', firstName: 'Ann' }, { id: 'friend', firstName: 'Bo' }),
    locations: byId(),
    placeOf: placesOf(places as unknown as PlaceRecords),
  };
  const appointments = [
    visit('a', 'out', 'car'),
    visit('b', 'out', 'car', { customerId: 'friend', startAt: '2026-05-05T10:00:00Z' }),
  ];
  const { departures } = nameDay(sections({ appointments }), names as unknown as DayNames);
  expect(departures.map(({ customer, place }) => [customer?.firstName, place?.name])).toEqual([
    ['Ann', 'A1'],
    ['Bo', 'A1'],
  ]);
});
