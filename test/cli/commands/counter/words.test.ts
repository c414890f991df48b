/** What is told of refusals, appointments and times, and which answer a refusal is about. */
import { expect, test } from 'vitest';
import { describeAppointment } from '../../../../src/cli/commands/counter/appointment.ts';
import {
  asParkingChanged,
  describeFailure,
  questionAbout,
  troubleOf,
} from '../../../../src/cli/commands/counter/failures.ts';
import { StepFailed } from '../../../../src/cli/commands/counter/journal.ts';
import { customerIn, plateIn } from '../../../../src/cli/commands/counter/new-car.ts';
import { asRefusedTime, causeOf } from '../../../../src/cli/commands/counter/refusal.ts';
import {
  differsInZone,
  timeInZone,
  timeZoneNote,
} from '../../../../src/cli/commands/counter/time-zones.ts';
import { dropoffAction } from '../../../../src/cli/commands/dropoff/action.ts';
import { pickupAction } from '../../../../src/cli/commands/pickup/action.ts';
import { CliError } from '../../../../src/cli/errors/exit.ts';
import { ApiError, NetworkError } from '../../../../src/client/errors.ts';

const at = (second: number, date = 1) => new Date(2026, 2, date, 14, 30, second).toISOString();
const place = { method: 'POST', path: '/car-events' };
const api = (code: string, status: number, details: unknown = null) =>
  new ApiError('No.', { code, status, details, ...place });

test.each([
  [null, ''],
  [{ activityType: 'pick_up' }, ''],
  [{ at: at(5) }, ''],
  [{ at: at(5), activityType: 'pick_up' }, ': pick_up at 2026-03-01 14:30:05'],
  [
    { at: at(5), kind: 'released', key: 'K 2' },
    ': released at 2026-03-01 14:30:05 with the key K 2',
  ],
  [{ at: at(5), activityType: 'pick_up', kind: 'x', key: 7 }, ': pick_up at 2026-03-01 14:30:05'],
])('the cause %j: "%s"', (change, words) => {
  expect(causeOf(change)).toBe(words);
});

test.each([
  [
    api('occurred_at_conflict', 422, { at: at(5), latest: at(9) }),
    '2026-03-01 14:30:05 is before the latest parking change of this car or spot, at 2026-03-01 14:30:09. Nothing was stored.',
  ],
  [
    api('occurred_at_in_future', 422, { at: at(9), now: at(5) }),
    "2026-03-01 14:30:09 is in the future: the server's time is 2026-03-01 14:30:05. Nothing was stored.",
  ],
  [api('occurred_at_conflict', 422, { at: at(5) }), undefined],
  [api('occurred_at_conflict', 422, { latest: at(5) }), undefined],
  [api('occurred_at_conflict', 422), undefined],
  [api('other', 422, { at: at(5), latest: at(9) }), undefined],
  [new Error('other'), undefined],
])('a refused time in local time: %j', (error, message) => {
  expect(asRefusedTime(error)?.message).toBe(message);
});

test.each([
  [api('car_archived', 422), 'car'],
  [api('parking_not_allowed', 422), 'eventType'],
  [api('parking_zone_full', 422), 'place'],
  [api('session_mismatch', 422), 'appointment'],
  [api('validation_failed', 422, [{ path: 'parkingSpotId' }]), 'place'],
  [api('validation_failed', 422, [{ path: 'notes' }]), 'notes'],
  [api('odd', 422), undefined],
  [api('car_archived', 500), undefined],
  [new Error('parking_zone_full'), undefined],
])('the answer that %j is about: %s', (error, question) => {
  expect(questionAbout(error)).toBe(question);
});

const fresh = { kind: 'new', searched: '' };
const saab = { car: fresh, make: 'Saab', year: 2099 };
const ofIda = { ...saab, owner: fresh, lastName: 'Lang', email: 'x' };
test.each([
  [{ car: { id: 'c' } }, ['customerId'], [], undefined],
  [{ ...saab, owner: { id: 'o' } }, ['customerId'], [], 'owner'],
  [{ ...saab, owner: { id: 'o' } }, ['year'], [], 'year'],
  [saab, [], [], 'licensePlate'],
  [ofIda, ['email'], [], 'email'],
  [ofIda, [], [], 'firstName'],
  [ofIda, ['year'], ['owner'], 'year'],
  [ofIda, ['year'], ['owner', 'car'], undefined],
])('the drop-off %j, refused for %j after %j is stored: %s', (plan, fields, done, question) => {
  const refusal = api(
    'validation_failed',
    422,
    fields.map((path) => ({ path })),
  );
  expect(dropoffAction.about?.(plan as never, refusal, new Set(done))).toBe(question);
});

test.each([
  [api('car_archived', 422), 'refused', 'No.'],
  [api('internal_error', 500), 'failed', 'No.'],
  [api('unavailable', 503), 'unreachable', 'No.'],
  [api('unauthorized', 401), 'signed_out', 'No.'],
  [api('missing_scope', 403), 'signed_out', 'No.'],
  [new NetworkError('no answer', { code: 'timeout', ...place }), 'unreachable', 'No answer.'],
])('why work stays open after %j: %s', (error, kind, message) => {
  expect(troubleOf(error, false)).toEqual({ kind, message });
  expect(troubleOf(error, true).kind).toBe('stopped');
});

test.each([
  [{ startAt: at(0), endAt: at(0), title: 'Van' }, 'today 14:30–14:30 · Van'],
  [{ startAt: at(0), endAt: null, title: null }, 'today 14:30'],
  [{ startAt: at(0, 2), endAt: at(0, 2), title: null }, '2026-03-02 14:30–14:30'],
])('the appointment %j: %s', (appointment, words) => {
  expect(describeAppointment(appointment as never, new Date(2026, 2, 1, 9))).toBe(words);
});

test.each([
  [
    { step: 'event', stored: ['owner', 'car'] },
    "Nobody. The new owner is stored, the new car HH-RS 73 is stored. The drop-off isn't stored.",
    'fix the cause, then `cs pending resume w`; or forget the rest with `cs pending discard w`',
  ],
  [
    { step: 'photo-1', stored: ['event'] },
    "Nobody. The drop-off is stored. The photo 1 isn't stored.",
    'fix the cause, then `cs pending resume w`; or forget the rest with `cs pending discard w`',
  ],
  [
    { step: 'car', stored: ['owner'], uncertain: true, file: {} },
    'Nobody. The new owner is stored. The new car may be stored; no photo was sent.',
    'finish it with `cs pending resume w`, or run the same line again',
  ],
  [
    { step: 'event', stored: [], uncertain: true, knowsKeys: false },
    'Nobody. The drop-off may be stored.',
    "look on the server whether it is stored. If it isn't: `cs pending resume w --send`; if it is: `cs pending discard w`",
  ],
  [
    { step: 'event', stored: ['car'], isStopped: true },
    "Stopped while sending. The new car HH-RS 73 is stored. The drop-off isn't stored.",
    'fix the cause, then `cs pending resume w`; or forget the rest with `cs pending discard w`',
  ],
  [{ step: 'event', stored: [] }, 'Nobody', undefined],
])('a request that failed, after what is stored: %j', async (how, message, hint) => {
  const {
    step,
    stored,
    uncertain = false,
    knowsKeys = true,
    isStopped = false,
    file,
  } = {
    ...{ uncertain: undefined, knowsKeys: undefined, isStopped: undefined, file: undefined },
    ...how,
  };
  const cause = new CliError({ code: 'not_tried', message: 'Nobody' });
  const abort = new AbortController();
  if (isStopped) abort.abort(cause);
  const answers = (name: string) =>
    (stored as string[]).includes(name) ? { answer: { licensePlate: 'HH-RS 73' } } : undefined;
  const error = await describeFailure(
    { io: { signal: abort.signal }, settings: {} } as never,
    {
      failure: new StepFailed(step, cause, uncertain),
      work: { id: 'w' },
      requests: ['owner', 'car', 'event'].map((name) => ({ name, file })),
      shown: { what: 'drop-off' },
      journal: { step: answers },
      knowsKeys,
    } as never,
  );
  expect([(error as CliError).message, (error as CliError).hint]).toEqual([message, hint]);
});

const change = { at: at(5), activityType: 'pick_up', eventId: 'e' };
const events = 'see what happened: `cs cars events list c`';
test.each([
  [null, "isn't parked here any more", events],
  [{ expected: 'none', parkedIn: { name: 'A3' } }, 'is already parked in A3', events],
  [{ expected: 's', parkedIn: { name: 'A3' } }, 'has been moved to A3', events],
  [{ expected: 's', parkedIn: {} }, 'has been moved to another place', events],
  [{ change }, "isn't parked here any more: pick_up at 2026-03-01 14:30:05", events],
  [
    { change: { at: at(5), kind: 'released' } },
    "isn't parked here any more: released at 2026-03-01 14:30:05",
    'see what happened: `cs parking assignments list --car c`',
  ],
])('a car that was parked otherwise meanwhile: %j', (details, words, hint) => {
  const context = { settings: {} } as never;
  const car = { id: 'c', licensePlate: 'HH-RS 73' } as never;
  const error = asParkingChanged(api('parking_changed', 412, details), car, context);
  expect([error?.message, error?.hint]).toEqual([`HH-RS 73 ${words}. Nothing was stored.`, hint]);
  expect(asParkingChanged(api('other', 412, details), car, context)).toBeUndefined();
  expect(asParkingChanged(api('parking_changed', 412), undefined, context)).toBeUndefined();
});

test.each([
  ['HH-NEW 1', 'HH-NEW 1'],
  [' hh-new 1 ', 'HH-NEW 1'],
  ['AB12 CDE', 'AB12 CDE'],
  ['12-ABC-3', '12-ABC-3'],
  ['WÜ·E 61H', 'WÜ·E 61H'],
  ['Jaguar 3', undefined],
  ['new', undefined],
  ['1961', undefined],
  ['WP0ZZZ91ZES100001', undefined],
  ['', undefined],
])('a car that was looked for by %j has the plate %j', (sought, plate) => {
  expect(plateIn(sought)).toBe(plate);
});

test.each([
  [' ida@example.com ', { email: 'ida@example.com' }],
  ['+49 (0)40/55-12.3', { phone: '+49 (0)40/55-12.3' }],
  ['ida von lang', { firstName: 'Ida Von', lastName: 'Lang' }],
  ['lang 2', { firstName: 'Lang', lastName: '2' }],
])('a customer who was looked for by %j is added with %j', (sought, known) => {
  expect(customerIn(sought)).toEqual(known);
});

test.each([
  [23, undefined],
  [24, '(1 day)'],
  [49, '(2 days)'],
])('a car that is handed over after %d hours: %s', (hours, days) => {
  const now = new Date(at(0));
  const since = new Date(now.getTime() - hours * 3_600_000).toISOString();
  const rows = pickupAction.summary(
    { io: { now: () => now }, settings: { find: () => undefined } } as never,
    {
      car: { id: 'c', make: 'Audi', model: 'A2' },
      eventType: { id: 't', value: 'pick_up' },
      parking: { place: undefined, open: [], since },
    } as never,
  );
  const text = rows.find(([label]) => label === 'Since')?.[1];
  expect(/\(.*\)/.exec(String(text))?.[0]).toBe(days);
});

test.each([
  ['2026-12-01T23:30:00Z', 'Europe/Berlin', '2026-12-02 00:30'],
  ['2026-06-01T23:30:00Z', 'Europe/Berlin', '2026-06-02 01:30'],
  ['2026-03-01T02:00:00.000Z', 'America/New_York', '2026-02-28 21:00'],
  ['2026-03-01T00:00:00+14:00', 'Pacific/Kiritimati', '2026-03-01 00:00'],
  ['2026-03-01T02:00:00Z', 'Nowhere/Land', undefined],
  ['soon', 'Europe/Berlin', undefined],
])('%s in the zone %s is %s', (iso, zone, there) => {
  expect(timeInZone(zone, iso)).toBe(there);
});

test('zones differ where their clocks show another time, not by their names', () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const differ = [own, 'Nowhere/Land', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) =>
    differsInZone(zone, '2026-12-01T23:30:00Z'),
  );
  expect([differ.slice(0, 2), differ.includes(true)]).toEqual([[false, false], true]);
  const note = (count: number) =>
    timeZoneNote(
      ['A', 'B', 'C', 'D'].slice(0, count).map((name) => ({ name, timezone: 'Asia/Kathmandu' })),
      '2026-12-01T23:30:00Z',
    );
  const begin = `Times are in this machine's zone (${own}), not in that of A (Asia/Kathmandu)`;
  expect([0, 1, 3, 4].map(note)).toEqual([
    undefined,
    `${begin}.`,
    `${begin}, B (Asia/Kathmandu) or C (Asia/Kathmandu).`,
    `${begin}, B (Asia/Kathmandu) or 2 other locations.`,
  ]);
});
