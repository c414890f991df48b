/** What a server announces of itself beyond the specification, in words. */
import { type Abilities, hasOperation } from '../../../client/abilities.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import { joinList, pluralize } from '../../terminal/text.ts';

/** The operations that commands use and the server lacks: `GET /contacts`. Undefined where it has no interface description. */
export function missingOperations(abilities: Abilities): string[] | undefined {
  if (abilities.operations.length === 0) return undefined;
  return [...walk(contract)]
    .filter((operation) => !hasOperation(abilities, operation))
    .map(({ method, path }) => `${method} ${path}`);
}

/** As JSON: the operations that it lacks, of the 150 that it has. Null without an interface description. */
export const abilitiesValue = (abilities: Abilities) => ({
  promisesLists: abilities.promisesLists,
  idempotencyKeys: abilities.idempotencyKeys,
  preconditions: abilities.preconditions,
  missingOperations: missingOperations(abilities) ?? null,
});

/** `complete lists, idempotency keys and preconditions` */
export function announced({ promisesLists, idempotencyKeys, preconditions }: Abilities): string {
  const parts = [
    ...(promisesLists ? ['complete lists'] : []),
    ...(idempotencyKeys ? ['idempotency keys'] : []),
    ...(preconditions.length > 0 ? ['preconditions'] : []),
  ];
  return joinList(parts) || 'nothing beyond the specification';
}

/** Two lines: what it announces, and which operations it has. */
export function describeAbilities(abilities: Abilities): [announced: string, operations: string] {
  const missing = missingOperations(abilities);
  return [
    announced(abilities),
    missing === undefined
      ? 'no interface description: a missing operation shows on use'
      : missing.length === 0
        ? 'every operation that commands need'
        : `${pluralize(missing.length, 'operation', 'operations')} missing: \`cs doctor\` names the commands`,
  ];
}
