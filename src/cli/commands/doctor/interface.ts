/** What the server announces of itself: its operations compared with those of this cs, and what commands need. */
import type { Abilities } from '../../../client/abilities.ts';
import { contract } from '../../../contract/contract.ts';
import { matchesPath, walk } from '../../../contract/operations.ts';
import type { CommandNeeds } from '../../terminal/run.ts';
import { pluralize } from '../../terminal/text.ts';
import { announced, missingOperations } from '../connection/abilities.ts';
import { note, ok, skipped, warning } from './finding.ts';
import type { Drift, Finding } from './shape.ts';

/** Null if the server has no API description. */
export function driftOf({ operations }: Pick<Abilities, 'operations'>): Drift | null {
  const missing = missingOperations({ operations });
  if (!missing) return null;
  const own = [...walk(contract)];
  return {
    missingOperations: missing,
    unknownOperations: operations.filter((operation) => {
      const [method = '', path = ''] = operation.split(' ', 2);
      const isOwn = own.some((one) => one.method === method && matchesPath(path, one.path));
      return !isOwn && path !== '/openapi.json';
    }),
  };
}

export const countOf = ({ missingOperations, unknownOperations }: Drift): number =>
  missingOperations.length + unknownOperations.length;

/** `needs`: what each command needs beyond the specification. */
export const checkInterface = (
  abilities: Abilities,
  drift: Drift | null,
  needs: readonly CommandNeeds[],
): Finding[] => [
  interfaceFinding(drift),
  announcedFinding(abilities),
  drift
    ? commandsFinding(drift, needs)
    : skipped('commands', 'unknown: docs/reference/other-servers.md lists what each command needs'),
];

function interfaceFinding(drift: Drift | null): Finding {
  const name = 'interface';
  if (!drift) return skipped(name, 'the server has no API description');
  const count = countOf(drift);
  if (count === 0) return ok(name, 'same operations as in this cs');
  const lines = [
    ['missing', drift.missingOperations] as const,
    ['unknown', drift.unknownOperations] as const,
  ].flatMap(([what, some]) => (some.length > 0 ? [`${what}: ${some.join(', ')}`] : []));
  const differ = pluralize(count, 'operation differs', 'operations differ');
  const hint = 'use matching versions of cs and the server';
  return warning(name, `${differ} between the server and this cs`, { lines, hint });
}

function announcedFinding(abilities: Abilities): Finding {
  const { text, otherwise: lines } = announced(abilities);
  const found = `the server announces ${text}`;
  return lines.length > 0 ? note('abilities', found, { lines }) : ok('abilities', found);
}

/** Commands that lack an operation on this server, with what they do without it. */
function commandsFinding({ missingOperations }: Drift, needs: readonly CommandNeeds[]): Finding {
  const name = 'commands';
  const lacking = needs.flatMap(({ name: command, needs: own }) =>
    own
      .filter(({ text }) => missingOperations.includes(text.replaceAll('`', '')))
      .map((need) => ({ command, ...need })),
  );
  if (lacking.length === 0)
    return ok(name, 'the server has every operation that the commands need');
  const commands = new Set(lacking.map(({ command }) => command));
  const useless = new Set(
    lacking.flatMap(({ command, otherwise }) => (otherwise.startsWith('exit ') ? [command] : [])),
  );
  const lines = lacking
    .filter(({ command }) => !useless.has(command))
    .map(
      ({ command, text, otherwise }) =>
        `${command} without ${text.replaceAll('`', '')}: ${otherwise}`,
    );
  if (useless.size > 0) lines.unshift(`not possible: ${[...useless].join(', ')}`);
  const found = pluralize(commands.size, 'command lacks', 'commands lack');
  return note(name, `${found} an operation on this server`, { lines });
}
