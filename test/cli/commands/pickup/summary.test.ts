/** What a person sees before a car is handed over. */
import { expect, test } from 'vitest';
import { type PickupPlan, pickupAction } from '../../../../src/cli/commands/pickup/action.ts';

const now = new Date('2026-03-01T12:00:00Z');
const context = { io: { now: () => now }, settings: { find: () => undefined } } as never;
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

function summary(parking: object): string[] {
  const plan = {
    car: { id: 'c1', make: 'Audi', model: 'A2' },
    eventType: { id: 't1', value: 'pick_up' },
    parking: { place: undefined, open: [], ...parking },
  } as unknown as PickupPlan;
  return pickupAction
    .summary(context, plan)
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
