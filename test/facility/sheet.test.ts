/** Which events of a car a hand-over sheet shows, and how their photos are paired. */
import { expect, test } from 'vitest';
import type { RecordFor } from '../../src/contract/contract.ts';
import { eventOf } from '../../src/facility/sheet.ts';

const events = [
  ['a', ''],
  ['b', 'two keys'],
  ['c', 'Takes back the drop-off b'],
].map(([id, notes], at) => ({ id, notes, occurredAt: `2026-03-0${at + 1}T08:00:00Z` }));

test.each([
  [undefined, 'a', []],
  ['b', 'b', ['a']],
  ['c', 'c', ['a']],
  ['x', undefined, []],
])('of %s: without what was taken back', (id, of, before) => {
  const found = eventOf(events as RecordFor<'carEvents'>[], id);
  expect([found.event?.id, found.before.map((one) => one.id)]).toEqual([of, before]);
});
