import { expect, test } from 'vitest';
import { nextEncoding } from '../../../../src/cli/commands/photos/shrink.ts';

const cases = [
  {
    name: 'a little too large: the next quality',
    from: { side: 4096, quality: 85 },
    share: 0.9,
    to: { side: 4096, quality: 80 },
  },
  {
    name: 'more too large: qualities are skipped',
    from: { side: 4096, quality: 85 },
    share: 0.7,
    to: { side: 4096, quality: 70 },
  },
  {
    name: 'the softest missed by little: smaller',
    from: { side: 4000, quality: 70 },
    share: 0.99,
    to: { side: 3780, quality: 70 },
  },
  {
    name: 'far too large: smaller, and sharper than the softest',
    from: { side: 4096, quality: 85 },
    share: 0.185,
    to: { side: 1945, quality: 75 },
  },
  {
    name: 'too small to be of use: nothing',
    from: { side: 330, quality: 75 },
    share: 0.5,
    to: undefined,
  },
];
test.for(cases)('$name', ({ from, share, to }) => {
  expect(nextEncoding(from, share)).toEqual(to);
});

test('ends even if the steps hardly help', () => {
  let steps = 0;
  for (
    let next: ReturnType<typeof nextEncoding> = { side: 4096, quality: 85 };
    next;
    next = nextEncoding(next, 0.999)
  )
    steps++;
  expect(steps).toBeLessThan(60);
});
