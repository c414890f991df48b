/** How the pages search what they have read. */
import { expect, test } from 'vitest';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const { matches } = await import(`${pages}/matches.ts`);

test.each([
  ['hhrs73', 'HH-RS 73', 'whole start part'],
  ['hh-rs', 'HH-RS 73', 'start part'],
  ['73', 'HH-RS 73', 'part'],
  ['73 hh', 'HH-RS 73', 'part'],
  ['porsche 73', ['Porsche', undefined, 'HH-RS 73'], 'part'],
  ['porsche 74', ['Porsche', null, 'HH-RS 73'], ''],
  ['müller', 'MÜLLER', 'whole start part'],
  ['', null, 'whole start part'],
  ['x', undefined, ''],
])('%s in %j: %s', (typed, texts, how) => {
  const found = [
    ...(matches(typed, texts, { how: 'whole' }) ? ['whole'] : []),
    ...(matches(typed, texts, { how: 'start' }) ? ['start'] : []),
    ...(matches(typed, texts) ? ['part'] : []),
  ];
  expect(found.join(' ')).toBe(how);
});
