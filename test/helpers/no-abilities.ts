import type { Abilities } from '../../src/client/abilities.ts';

/** No abilities: a server that keeps to the specification and announces nothing. */
export const noAbilities: Abilities = {
  promisesLists: false,
  idempotencyKeys: false,
  preconditions: [],
  operations: [],
  team: null,
};
