import { expect, test } from 'vitest';
import { firstSeed } from './random-walks/random.ts';
import { walk } from './random-walks/walk.ts';

test.each(Array.from({ length: 5 }, (_, at) => firstSeed + at))(
  'a random walk stores nothing, or exactly what its summary said (CS_SEED=%i)',
  { timeout: 240_000 },
  async (seed) => {
    expect(await walk(seed)).toBeDefined();
  },
);
