/** Which events of a car a hand-over sheet shows, and how their photos are paired. */
import { expect, test } from 'vitest';
import type { RecordFor } from '../../src/contract/contract.ts';
import { eventOf, sheetHtml } from '../../src/facility/sheet.ts';

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

test('photos of one name stand beside each other, in any case and format', () => {
  const visits = [
    ['front.jpg', 'IMG_1.jpg'],
    ['FRONT.HEIC', 'IMG_2.jpg'],
  ].map((names) => ({
    title: '',
    facts: [],
    photos: names.map((name) => ({ name, src: undefined })),
  }));
  const html = sheetHtml({ title: '', facility: [], facts: [], foot: '', visits });
  const shown = [...html.matchAll(/<figcaption>(.+?)<|no photo/g)].map(
    ([all, name]) => name ?? all,
  );
  expect(shown).toEqual([
    ...['front.jpg', 'FRONT.HEIC', 'IMG_1.jpg', 'no photo', 'no photo', 'IMG_2.jpg'],
  ]);
});
