import { expect, test } from 'vitest';
import { firstSeed } from './random-walks/random.ts';
import { walk } from './random-walks/walk.ts';

const walks = 100;
const atOnce = 3;

test(`a hundred random walks store nothing, or exactly what their summaries said (CS_SEED=${firstSeed})`, {
  timeout: 1_800_000,
}, async () => {
  const ends: string[] = [];
  const failures: unknown[] = [];
  let next = firstSeed;
  const lane = async () => {
    while (next < firstSeed + walks)
      await walk(next++).then(
        (end) => ends.push(end),
        (error) => failures.push(error),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  expect(failures).toEqual([]);
  // Each end occurs, so that none is asserted in vain.
  expect(new Set(ends)).toEqual(new Set(['nothing', 'dropoff', 'pickup', 'move', 'appointments']));
});
