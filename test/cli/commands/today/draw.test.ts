/** The picture of the day and its rows, from records as our service and others answer them. */
import { expect, test } from 'vitest';
import { dayLines } from '../../../../src/cli/commands/today/draw.ts';
import { reportOf, rowsOf, rowView } from '../../../../src/cli/commands/today/report.ts';
import { dayOf } from '../../../../src/cli/input/day.ts';
import { noStyles } from '../../../../src/cli/terminal/style.ts';
import { ApiError } from '../../../../src/client/errors.ts';
import { markedStyles } from '../../../helpers/marked-styles.ts';

const day = dayOf(new Date(2026, 4, 5, 12));
const at = (hour: number, minute = 0, date = 5) =>
  new Date(2026, 4, date, hour, minute).toISOString();
const visit = (id: string, appointment: object = {}, named: object = {}) => ({
  appointment: {
    id,
    startAt: at(9),
    endAt: at(9, 30),
    status: 'scheduled',
    title: null,
    carId: null,
    customerId: null,
    ...appointment,
  },
  ...named,
});
const car = { id: 'c', licensePlate: 'HH-RS 73', year: 1973, make: 'Porsche', model: '911' };
const customer = { id: 'o', firstName: 'Tom', lastName: 'Brandt', phone: '+49 40 5550104' };
const mill = { id: 'l', name: 'Mill' };
const place = { kind: 'spot', name: 'A2', record: { id: 's', name: 'A2', locationId: 'l' } };
const arrival = (more: object = {}) => ({
  car,
  session: { id: 'session', startedAt: at(8, 5), carEventId: 'event' },
  ...more,
});
const empty = {
  arrivals: [] as object[],
  departures: [] as object[],
  other: [] as object[],
  late: [] as object[],
  walkIns: [] as object[],
  withoutPhotos: [] as object[],
  waitingForApproval: [] as object[],
};
const late = (minutes: number, one: object, reason = 'not_checked_in') => ({
  ...one,
  late: { reason, lateMinutes: minutes },
});
const lines = (found: Partial<typeof empty>, options: object = {}) =>
  dayLines({ ...empty, ...found } as never, {
    day,
    location: undefined,
    notRead: [],
    styles: noStyles,
    width: 120,
    ...options,
  });

const whole = {
  arrivals: [
    visit('1', { carId: 'c' }, { car, customer, location: { name: 'Mill' } }),
    visit('2', { carId: 'x', customerId: 'x', endAt: null }),
    visit('3', { title: 'Van\u001b' }, { location: { name: 'Mill' } }),
    visit('4', {}, { car: { id: 'n', nickname: 'Bus' } }),
  ],
  departures: [
    visit('5', { carId: 'c', status: 'accepted' }, { car, customer, place }),
    visit('6', { startAt: 'soon' }),
  ],
  other: [
    visit('7', { title: 'Wash' }, { type: { name: 'Inspection' }, car }),
    visit('8', { title: 'Wash' }),
    visit('9', { status: 'checked_in' }),
  ],
  late: [
    late(90, visit('7', { title: 'Wash' }, { type: { name: 'Inspection' }, car })),
    late(3 * 1_440, visit('10', { startAt: at(9, 0, 2) }, { car })),
  ],
  walkIns: [arrival({ place, customer })],
  withoutPhotos: [arrival({ place, missing: ['front', 're\u001bar'] })],
  waitingForApproval: [visit('11', { startAt: at(9, 0, 9) }, { type: { name: 'Pick-up' } })],
};

test('every section, with its styles', () => {
  const options = { styles: markedStyles, location: { name: 'Mi\u001bll' } };
  expect(lines(whole, options)).toEqual([
    '<title>Tuesday, 5 May 2026 · Mi␛ll</title>',
    '',
    '<title>Arrivals</title>  <dim>4</dim>',
    '  09:00–09:30  HH-RS 73  1973 Porsche 911  scheduled                         Tom Brandt',
    '  09:00        –         a car             scheduled                         a customer',
    '  09:00–09:30  –         Van␛              scheduled                         Mill',
    '  09:00–09:30  Bus                         scheduled',
    '',
    '<title>Departures</title>  <dim>2</dim>',
    '  09:00–09:30  HH-RS 73  1973 Porsche 911  accepted',
    '    <dim>A2 · Tom Brandt · +49 40 5550104</dim>',
    '               –                           scheduled',
    '',
    '<title>Other appointments</title>  <dim>3</dim>',
    '  09:00–09:30  HH-RS 73  1973 Porsche 911  Inspection · 2 h, not checked in',
    '  09:00–09:30  –         Wash              Wash',
    '  09:00–09:30  –                           checked in',
    '',
    '<title>Late since earlier days</title>  <dim>1</dim>',
    '  2 May 09:00  HH-RS 73  1973 Porsche 911  3 days, not checked in',
    '',
    '<title>Without an appointment</title>  <dim>1</dim>',
    '  08:05        HH-RS 73  1973 Porsche 911',
    '    <dim>A2 · Tom Brandt · +49 40 5550104</dim>',
    '',
    '<title>Photos missing</title>  <dim>1</dim>',
    '  08:05        HH-RS 73  1973 Porsche 911  A2',
    '    <dim>front, re␛ar</dim>',
    '',
    '<title>Waiting for approval</title>  <dim>1</dim>',
    '  9 May 09:00  –                           Pick-up',
  ]);
});

test('a section that could not be read says why, and an empty one that it is empty', () => {
  const notRead = [{ sections: ['late', 'other'], code: 'x', message: 'a\u001b[2Jb' }];
  expect(lines({}, { notRead, styles: markedStyles }).filter((line) => line !== '')).toEqual([
    '<title>Tuesday, 5 May 2026</title>',
    '<title>Arrivals</title>  <dim>none</dim>',
    '<title>Departures</title>  <dim>none</dim>',
    "<title>Other appointments</title>  <warning>couldn't be read: a␛[2Jb</warning>",
    "<title>Late since earlier days</title>  <warning>couldn't be read: a␛[2Jb</warning>",
    '<title>Without an appointment</title>  <dim>none</dim>',
    '<title>Photos missing</title>  <dim>none</dim>',
    '<title>Waiting for approval</title>  <dim>none</dim>',
  ]);
});

test.each([
  [1, '1 min'],
  [89, '89 min'],
  [90, '2 h'],
  [35 * 60, '35 h'],
  [36 * 60, '2 days'],
  [7 * 1_440, '7 days'],
])('%i minutes late: %s', (minutes, words) => {
  const [one] = [visit('1', { startAt: at(9, 0, 2), title: 'Van' })];
  expect(lines({ late: [late(minutes, one, 'not_completed')] })).toContain(
    `  2 May 09:00  –  Van  ${words}, not completed`,
  );
});

test('columns that do not fit stand below, the last first, and the rest is cut', () => {
  const found = { arrivals: [visit('1', { carId: 'c' }, { car, customer })] };
  const row = (width: number) => lines(found, { width }).slice(3, -12);
  const first = '  09:00–09:30  HH-RS 73  1973 Porsche 911  scheduled';
  expect(row(64)).toEqual([`${first}  Tom Brandt`]);
  expect(row(63)).toEqual([first, '    Tom Brandt']);
  expect(row(52)).toEqual([first, '    Tom Brandt']);
  expect(row(51)).toEqual([first.slice(0, -11), '    scheduled · Tom Brandt']);
  expect(row(30)).toEqual(['  09:00–09:30  HH-RS 73  1973…', '    scheduled · Tom Brandt']);
});

test('the report for a script: ids with names, and null for what could not be read', () => {
  const [full, bare] = [
    visit('1', {}, { car, customer, place, type: { id: 't', value: 'wash' }, location: mill }),
    visit('2', {}, { customer: { id: 'o' }, location: { id: 'l' } }),
  ];
  const found = { ...empty, arrivals: [full, bare], late: [late(90, bare)] };
  const error = (status: number, path: string) =>
    new ApiError('No scope.', {
      code: 'missing_scope',
      status,
      details: null,
      method: 'GET',
      path,
    });
  const report = (gaps: object[], more: object = {}) =>
    reportOf({ ...found, ...more } as never, gaps as never, { day, location: undefined });
  const { arrivals, late: overdue } = report([]);
  expect(arrivals?.map(({ appointment: _, car, ...one }) => ({ ...one, car: car?.id }))).toEqual([
    {
      eventType: { id: 't', name: 'wash' },
      car: 'c',
      customer: { id: 'o', name: 'Tom Brandt', phone: '+49 40 5550104' },
      location: { id: 'l', name: 'Mill' },
      spot: { id: 's', name: 'A2', locationId: 'l' },
      zone: null,
    },
    {
      eventType: null,
      car: undefined,
      customer: { id: 'o', name: null, phone: null },
      location: { id: 'l', name: null },
      spot: null,
      zone: null,
    },
  ]);
  expect(overdue).toEqual([
    { ...arrivals?.[1], appointment: bare?.appointment, reason: 'not_checked_in', lateMinutes: 90 },
  ]);
  const came = {
    walkIns: [arrival({ customer })],
    withoutPhotos: [arrival({ missing: ['rear'] })],
  };
  const { walkIns, withoutPhotos } = report([], came);
  expect(walkIns).toEqual([
    {
      car: arrivals?.[0]?.car,
      customer: { id: 'o', name: 'Tom Brandt', phone: '+49 40 5550104' },
      spot: null,
      zone: null,
      droppedOffAt: at(8, 5),
      sessionId: 'session',
      eventId: 'event',
    },
  ]);
  expect(withoutPhotos).toEqual([{ ...walkIns?.[0], customer: null, missingPhotos: ['rear'] }]);
  const gaps = [
    { of: 'cars', error: error(403, '/cars') },
    { of: 'appointments', error: error(404, '/appointments') },
  ];
  const { notRead, date, from, to, location, ...sections } = report(gaps, came);
  expect(Object.values(sections)).toEqual(Array(7).fill(null));
  expect([date, from, to, location]).toEqual([day.date, day.from, day.to, null]);
  expect(notRead).toEqual([
    { sections: ['walkIns', 'withoutPhotos'], code: 'missing_scope', message: 'No scope.' },
    {
      sections: ['arrivals', 'departures', 'other', 'late', 'waitingForApproval'],
      code: 'missing_scope',
      message: 'this server has no /appointments, which is beyond the specification',
    },
  ]);
});

test('the rows of the report', () => {
  const one = visit(
    '1',
    { carId: 'c', title: 'Van' },
    { car, customer, place, type: { id: 't', value: 'wash' }, location: mill },
  );
  const inZone = { kind: 'zone', name: 'Hall', record: { id: 'z', name: 'Hall' } };
  const found = {
    ...empty,
    departures: [one],
    other: [visit('4')],
    late: [late(90, visit('2'))],
    walkIns: [arrival({ place: inZone })],
    withoutPhotos: [arrival({ missing: ['rear'] })],
    waitingForApproval: [visit('3')],
  };
  const rows = rowsOf(reportOf(found as never, [], { day, location: mill as never }));
  const cells = rows.map((row) => (rowView.fields ?? []).map((name) => row[name] ?? ''));
  const times = [at(9), at(9, 30)];
  const ofCar = ['HH-RS 73', '1973 Porsche 911'];
  expect(cells).toEqual([
    [
      ...['departures', ...times, ...ofCar, 'Tom Brandt', '+49 40 5550104', 'Mill', 'A2'],
      ...['wash', 'Van', 'scheduled', '', '', '', '1', 'c', ''],
    ],
    ['other', ...times, ...Array(8).fill(''), 'scheduled', '', '', '', '4', '', ''],
    ['late', ...times, ...Array(8).fill(''), 'scheduled', 'not_checked_in', 90, '', '2', '', ''],
    ['waitingForApproval', ...times, ...Array(8).fill(''), 'scheduled', '', '', '', '3', '', ''],
    ['walkIns', at(8, 5), '', ...ofCar, '', '', '', 'Hall', ...Array(7).fill(''), 'c', 'session'],
    [
      ...['withoutPhotos', at(8, 5), '', ...ofCar],
      ...[...Array(9).fill(''), ['rear'], '', 'c', 'session'],
    ],
  ]);
});
