/** How long the next try to sign in waits after wrong passwords. Nobody is locked out: a link always works. */

/** Wrong passwords before each next one waits. */
const freeFailures = 5;
const longestWaitMs = 15 * 60_000;

/** 1 s after the fifth wrong password, doubled each time up to 15 min. */
export const waitAfter = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestWaitMs, 1000 * 2 ** (failures - freeFailures));
