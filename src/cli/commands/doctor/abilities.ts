/** What the server announces of itself, compared with what commands need. */
import type { Abilities } from '../../../client/abilities.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import type { CommandNeeds } from '../../terminal/run.ts';
import { pluralize } from '../../terminal/text.ts';
import { announced, missingOperations } from '../connection/abilities.ts';
import { note, ok, skipped, warning } from './finding.ts';
import type { Finding } from './shape.ts';

/** `needs`: what each command needs beyond the specification. `tried`: operations that requests found missing, such as `GET /contacts`. */
export function checkAbilities(
  abilities: Abilities,
  needs: readonly CommandNeeds[],
  tried: readonly string[],
): Finding[] {
  const missing = missingOperations(abilities);
  return [
    announcedFinding(abilities),
    missing || tried.length > 0
      ? {
          ...commandsFinding([...new Set([...(missing ?? []), ...tried])], needs),
          ...(!missing && { unknown: "whether it has the operations that weren't tried" }),
        }
      : skipped(
          'commands',
          'unknown: docs/other-servers.md lists what each command needs beyond the specification',
        ),
  ];
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
function commandsFinding(
  missingOperations: readonly string[],
  needs: readonly CommandNeeds[],
): Finding {
  const specified = new Set(
    Array.from(walk(contract), (one) =>
      one.source === 'specification' ? `${one.method} ${one.path}` : undefined,
    ),
  );
  const broken = missingOperations.filter((operation) => specified.has(operation));
  const missing = new Set(missingOperations.map((operation) => `\`${operation}\``));
  const affected = needs.flatMap(({ name, needs: own }) => {
    const lacking = own.filter(({ text }) => missing.has(text));
    return lacking.length > 0 ? [{ name, lacking }] : [];
  });
  if (affected.length + broken.length === 0)
    return ok('commands', 'the server has every operation that the commands need');
  const useless = affected.filter(({ lacking }) =>
    lacking.some(({ otherwise }) => otherwise.startsWith('exit ')),
  );
  const others = affected.filter((one) => !useless.includes(one));
  const lines = [
    ...(broken.length > 0
      ? [`missing, though the specification (section 4) has it: ${groupByPath(broken)}`]
      : []),
    ...(useless.length > 0 ? [`not possible: ${useless.map(({ name }) => name).join(', ')}`] : []),
    ...others.flatMap(({ name, lacking }) =>
      lacking.map(
        ({ text, otherwise }) => `${name} without ${text.replaceAll('`', '')}: ${otherwise}`,
      ),
    ),
  ];
  if (broken.length > 0)
    return warning(
      'commands',
      `the server lacks ${pluralize(broken.length, 'operation', 'operations')} of the specification`,
      {
        lines,
        hint: 'tell the operator of the server',
      },
    );
  return note(
    'commands',
    `${pluralize(affected.length, 'command lacks', 'commands lack')} an operation on this server`,
    { lines },
  );
}

/** `GET POST /cars, GET /cars/{id}`. */
export function groupByPath(operations: readonly string[]): string {
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ', 2);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return Array.from(methods, ([path, some]) => `${some.join(' ')} ${path}`).join(', ');
}
