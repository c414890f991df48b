/** What an appointment lacks, and its end, from the plan. */
import { expect, test } from 'vitest';
import {
  completeBody,
  defaultDuration,
  missingFlags,
} from '../../../../src/cli/commands/appointments/plan.ts';
import { startAtLocation } from '../../../../src/cli/commands/appointments/view.ts';

const type = (more: object = {}) =>
  ({ value: 'wash', durationMinutes: 30, options: [], scope: 'none', ...more }) as never;
const option = { id: 'o', name: 'Quick', durationMinutes: 10 };
const [startAt, later] = ['2026-03-01T09:00:00.000Z', '2026-03-01T11:00:00.000Z'];

test.each([
  [type(), {}, 30],
  [type({ options: [option] }), { optionId: 'o' }, 10],
  [type({ options: [{ ...option, durationMinutes: null }] }), { optionId: 'o' }, 30],
  [type({ options: [option] }), { optionId: 'x' }, 30],
  [type({ durationMinutes: 0 }), {}, undefined],
  [type({ durationMinutes: null }), {}, undefined],
  [undefined, {}, undefined],
])('the minutes of %j and its option in %j: %j', (type, body, minutes) => {
  expect(defaultDuration({ type, body })).toBe(minutes && minutes * 60_000);
});

test.each([
  [{ typeGiven: false, body: {} }, ['--type', '--at', '--for or --until']],
  [{ body: { startAt } }, ['--for or --until']],
  [{ body: { startAt, endAt: later } }, []],
  [{ body: { startAt }, duration: 0 }, []],
  [{ body: {}, type: type() }, ['--at']],
  [{ body: { startAt }, type: type({ scope: 'vehicle' }) }, ['--car']],
  [{ body: { startAt, carId: 'c' }, type: type({ scope: 'vehicle' }) }, []],
  [{ body: { startAt }, type: type({ scope: 'customer' }) }, ['--customer']],
  [{ body: { startAt, customerId: 'c' }, type: type({ scope: 'customer' }) }, []],
])('the missing flags of %j: %j', (plan, flags) => {
  expect(missingFlags({ typeGiven: true, ...plan })).toEqual(flags);
});

test.each([
  [{ body: { startAt }, duration: 3_600_000, type: type() }, '2026-03-01T10:00:00.000Z'],
  [{ body: { startAt }, type: type() }, '2026-03-01T09:30:00.000Z'],
  [{ body: { startAt, endAt: later }, type: type() }, later],
  [{ body: { startAt } }, undefined],
  [{ body: { startAt: 'soon' }, type: type() }, undefined],
  [{ body: {}, type: type() }, undefined],
])('the end of %j: %s', (plan, endAt) => {
  expect(completeBody({ typeGiven: true, ...plan })).toEqual({
    ...plan.body,
    ...(endAt && { endAt }),
  });
});

test('no location is asked for where an appointment has none, or no start', async () => {
  const context = { client: () => expect.unreachable() } as never;
  expect(await startAtLocation(context, { locationId: null, startAt })).toBeUndefined();
  expect(await startAtLocation(context, { locationId: 'l', startAt: null })).toBeUndefined();
});
