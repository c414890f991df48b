/** What a person sees before a car is handed over. */
import { expect, test } from 'vitest';
import { type PickupPlan, pickupAction } from '../../../../src/cli/commands/pickup/action.ts';

const now = new Date('2026-03-01T12:00:00Z');
const context = { io: { now: () => now }, settings: { find: () => undefined } } as never;
const appointment = (id: string, title: string) => ({
  id,
  title,
  status: 'scheduled',
  startAt: '2026-03-01T14:00:00Z',
  endAt: '2026-03-01T14:30:00Z',
});
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

function summary(parking: object, plan: object = {}): string[] {
  const about = {
    car: { id: 'c1', make: 'Audi', model: 'A2' },
    eventType: { id: 't1', value: 'pick_up' },
    parking: { place: undefined, openToday: [], ...parking },
    ...plan,
  } as unknown as PickupPlan;
  return pickupAction
    .summary(context, about)
    .flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []));
}

test.each([
  [23, undefined],
  [24, '(1 day)'],
  [49, '(2 days)'],
])('after %d hours: %s', (hours, days) => {
  const since = summary({ since: hoursAgo(hours) }).find((line) => line.startsWith('Since'));
  expect(/\(.*\)/.exec(since ?? '')?.[0]).toBe(days);
});

test('the appointment that it fulfils is not among those that stay open', () => {
  const [wash, winter] = [appointment('a1', 'Wash'), appointment('a2', 'Winter')];
  const lines = summary({ openToday: [wash, winter] }, { appointment: wash });
  expect(lines.filter((line) => line.includes('Wash'))).toEqual([
    expect.stringMatching(/^Fulfils: /),
  ]);
  expect(lines.filter((line) => line.includes('Winter'))).toEqual([
    expect.stringMatching(/^Open: .*\(scheduled\)$/),
  ]);
});
