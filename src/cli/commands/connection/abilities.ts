/** What a server announces of itself beyond the specification, in words. */
import { type Abilities, hasOperation } from '../../../client/abilities.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import { joinList, pluralize } from '../../terminal/text.ts';

/** The operations that commands use and the server lacks: `GET /contacts`. Undefined where it has no interface description. */
export function missingOperations(abilities: Pick<Abilities, 'operations'>): string[] | undefined {
  if (abilities.operations.length === 0) return undefined;
  return [...walk(contract)]
    .filter((operation) => !hasOperation(abilities, operation))
    .map(({ method, path }) => `${method} ${path}`);
}

/** As JSON: the operations that it lacks, of the 150 that it has. Null without an interface description. */
export const abilitiesValue = ({ operations, team, ...others }: Abilities) => ({
  ...others,
  missingOperations: missingOperations({ operations }) ?? null,
});

interface Ability {
  readonly name: string;
  readonly has: (abilities: Abilities) => boolean;
  /** What the command does without it. */
  readonly otherwise: string;
}

const described: Readonly<Record<keyof Omit<Abilities, 'operations' | 'team'>, Ability>> = {
  promisesLists: {
    name: 'complete lists',
    has: ({ promisesLists }) => promisesLists,
    otherwise: 'lists: cs reads them whole and filters them itself',
  },
  idempotencyKeys: {
    name: 'idempotency keys',
    has: ({ idempotencyKeys }) => idempotencyKeys,
    otherwise: "creates aren't retried after a lost answer",
  },
  preconditions: {
    name: 'preconditions',
    has: ({ preconditions }) => preconditions.includes('if-parked-in'),
    otherwise: 'parking: a car that is moved right before a write goes unnoticed',
  },
};

/** `complete lists, idempotency keys and preconditions`, and what the command does without those that it lacks. */
export function announced(abilities: Abilities): { text: string; otherwise: string[] } {
  const [has, lacks] = [true, false].map((has) =>
    Object.values(described).filter((ability) => ability.has(abilities) === has),
  ) as [Ability[], Ability[]];
  return {
    text: joinList(has.map(({ name }) => name)) || 'nothing beyond the specification',
    otherwise: lacks.map(({ otherwise }) => otherwise),
  };
}

/** Two lines: what it announces, and which operations it has. */
export function describeAbilities(abilities: Abilities): [announced: string, operations: string] {
  const missing = missingOperations(abilities);
  return [
    announced(abilities).text,
    missing === undefined
      ? 'no interface description: a missing operation shows on use'
      : missing.length === 0
        ? 'every operation that commands need'
        : `${pluralize(missing.length, 'operation', 'operations')} missing: \`cs doctor\` names the commands`,
  ];
}
