/** The seed of random values: the same in every run, so that no run fails by chance. CS_SEED sets another, and CS_LONG=1 draws one. */
const given =
  process.env.CS_SEED ?? (process.env.CS_LONG ? Math.floor(Math.random() * 2 ** 31) : 1);

export const seed = Number(given);
if (!Number.isInteger(seed)) throw new Error(`CS_SEED must be an integer, not ${given}`);
