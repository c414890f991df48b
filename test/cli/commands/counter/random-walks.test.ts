/** People who type anything at the counter. CS_LONG=1 has a hundred of them, drawn anew. */
import { expect, test } from 'vitest';
import { long } from '../../../helpers/property.ts';
import { firstSeed } from './random-walks/random.ts';
import { walk } from './random-walks/walk.ts';

const walks = long ? 100 : 24;
const atOnce = 3;

test(`random walks store nothing, or exactly what their summaries said (CS_SEED=${firstSeed})`, {
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
