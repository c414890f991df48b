/** Random numbers that can be repeated: the same for the same seed. */

export { seed as firstSeed } from '../../../../helpers/seed.ts';

export interface Random {
  /** An integer from 0. */
  below(limit: number): number;
  oneOf<T>(choices: readonly T[]): T;
  /** True as many times of a hundred. */
  chance(percent: number): boolean;
}

/** The generator mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)] as never,
    chance: (percent) => below(100) < percent,
  };
}
