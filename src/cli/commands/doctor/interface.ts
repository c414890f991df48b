/** What the server announces of itself: its operations compared with those of this cs, and what commands need. */
import { type Abilities, hasOperation } from '../../../client/abilities.ts';
import { contract } from '../../../contract/contract.ts';
import { matchesPath, walk } from '../../../contract/operations.ts';
import type { CommandNeeds } from '../../terminal/run.ts';
import { pluralize } from '../../terminal/text.ts';
import { announced } from '../connection/abilities.ts';
import { note, ok, skipped, warning } from './finding.ts';
import type { Drift, Finding } from './shape.ts';

/** Null if the server has no API description. */
export function driftOf({ operations }: Pick<Abilities, 'operations'>): Drift | null {
  if (operations.length === 0) return null;
  const own = [...walk(contract)];
  return {
    missingOperations: own
      .filter((operation) => !hasOperation({ operations }, operation))
      .map(({ method, path }) => `${method} ${path}`),
    unknownOperations: operations.filter((operation) => {
      const [method = '', path = ''] = operation.split(' ', 2);
      const isOwn = own.some((one) => one.method === method && matchesPath(path, one.path));
      return !isOwn && path !== '/openapi.json';
    }),
  };
}

export const isSame = ({ missingOperations, unknownOperations }: Drift): boolean =>
  missingOperations.length + unknownOperations.length === 0;

/** `needs`: what each command needs beyond the specification. */
export function checkInterface(
  abilities: Abilities,
  drift: Drift | null,
  needs: readonly CommandNeeds[],
): Finding[] {
  return [
    interfaceFinding(drift),
    announcedFinding(abilities),
    drift
      ? commandsFinding(drift, needs)
      : skipped(
          'commands',
          'unknown: docs/other-servers.md lists what each command needs beyond the specification',
        ),
  ];
}

function interfaceFinding(drift: Drift | null): Finding {
  const name = 'interface';
  if (!drift) return skipped(name, 'the server has no API description');
  if (isSame(drift)) return ok(name, 'same operations as in this cs');
  const { missingOperations, unknownOperations } = drift;
  const lines = [
    ...(missingOperations.length > 0 ? [`missing: ${groupByPath(missingOperations)}`] : []),
    ...(unknownOperations.length > 0 ? [`unknown: ${groupByPath(unknownOperations)}`] : []),
  ];
  const count = pluralize(
    missingOperations.length + unknownOperations.length,
    'operation differs',
    'operations differ',
  );
  return warning(name, `${count} between the server and this cs`, {
    lines,
    hint: 'use matching versions of cs and the server',
  });
}

function announcedFinding(abilities: Abilities): Finding {
  const { promisesLists, idempotencyKeys, preconditions } = abilities;
  const lines = [
    ...(promisesLists ? [] : ['lists: cs reads them whole and filters them itself']),
    ...(idempotencyKeys ? [] : ["creates aren't retried after a lost answer"]),
    ...(preconditions.includes('if-parked-in')
      ? []
      : ['parking: a car that is moved right before a write goes unnoticed']),
  ];
  const found = `the server announces ${announced(abilities)}`;
  return lines.length > 0 ? note('abilities', found, { lines }) : ok('abilities', found);
}

/** Commands that lack an operation on this server, with what they do without it. */
function commandsFinding({ missingOperations }: Drift, needs: readonly CommandNeeds[]): Finding {
  const name = 'commands';
  const missing = new Set(missingOperations.map((operation) => `\`${operation}\``));
  const affected = needs.flatMap(({ name: command, needs: own }) => {
    const lacking = own.filter(({ text }) => missing.has(text));
    return lacking.length > 0 ? [{ command, lacking }] : [];
  });
  if (affected.length === 0)
    return ok(name, 'the server has every operation that the commands need');
  const useless = affected.filter(({ lacking }) =>
    lacking.some(({ otherwise }) => otherwise.startsWith('exit ')),
  );
  const lines = [
    ...(useless.length > 0
      ? [`not possible: ${useless.map(({ command }) => command).join(', ')}`]
      : []),
    ...affected
      .filter((one) => !useless.includes(one))
      .flatMap(({ command, lacking }) =>
        lacking.map(
          ({ text, otherwise }) => `${command} without ${text.replaceAll('`', '')}: ${otherwise}`,
        ),
      ),
  ];
  const found = pluralize(affected.length, 'command lacks', 'commands lack');
  return note(name, `${found} an operation on this server`, { lines });
}

/** `GET POST /cars, GET /cars/{id}`. */
function groupByPath(operations: readonly string[]): string {
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ', 2);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return Array.from(methods, ([path, some]) => `${some.join(' ')} ${path}`).join(', ');
}
