/** Findings from the server's API description. */
import { documentsIdempotencyKey } from '../../../client/description.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import type { CommandNeeds } from '../../framework/run.ts';
import { pluralize } from '../../terminal/text.ts';
import { compareDescriptions, isDescription, isSame } from './drift.ts';
import { note, ok, skipped, warning } from './finding.ts';
import type { Drift, Finding, PartDrift } from './shape.ts';

interface InterfaceCheck {
  readonly findings: readonly Finding[];
  /** Null if the server has no API description. */
  readonly drift: Drift | null;
}

/** `needs`: what each command needs beyond the specification. `missing`: operations that requests found missing, such as `GET /contacts`. */
export async function checkDescription(
  description: unknown,
  needs: readonly CommandNeeds[],
  missing: readonly string[],
): Promise<InterfaceCheck> {
  if (!isDescription(description))
    return {
      findings: [
        skipped('interface', 'the server has no API description'),
        missing.length > 0
          ? {
              ...commandsFinding(missing, needs),
              unknown: "whether it has the operations that weren't tried",
            }
          : skipped(
              'commands',
              'unknown: docs/other-servers.md lists what each command needs beyond the specification',
            ),
        retryFinding(undefined),
      ],
      drift: null,
    };
  const { openApiDocument } = await import('../../../openapi/document.ts');
  const drift = compareDescriptions(openApiDocument(), description);
  const same = isSame(drift) ? ok('interface', 'same as in this cs') : driftFinding(drift);
  return {
    findings: [same, commandsFinding(drift.missingOperations, needs), retryFinding(description)],
    drift,
  };
}

function driftFinding(drift: Drift): Finding {
  const { missingOperations, unknownOperations, parts } = drift;
  const lines = [
    ...(missingOperations.length > 0 ? [`missing: ${groupByPath(missingOperations)}`] : []),
    ...(unknownOperations.length > 0 ? [`unknown: ${groupByPath(unknownOperations)}`] : []),
    ...parts.map(describePart),
  ];
  const count = missingOperations.length + unknownOperations.length + parts.length;
  const found = `${pluralize(count, 'difference', 'differences')} between the API of the server and this cs`;
  return warning('interface', found, {
    lines,
    hint: 'use matching versions of cs and the server; list all differences with `cs doctor --json`',
  });
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

function describePart({
  operations,
  part,
  missingFields,
  unknownFields,
  requiredFields,
  types,
  values,
}: PartDrift): string {
  const what = { record: 'field', body: 'field of the body', query: 'parameter' }[part];
  const named = (names: readonly string[], text: string) =>
    names.length > 0 ? [`${what} ${text}: ${names.join(', ')}`] : [];
  const differences = [
    ...named(missingFields, 'missing'),
    ...named(unknownFields, 'unknown'),
    ...named(requiredFields, 'required by the server'),
    ...types.map(({ field, here, there }) => `${field} is ${there} on the server, ${here} in cs`),
    ...values.flatMap(({ field, missing, unknown }) => [
      ...(missing.length > 0 ? [`values of ${field} missing: ${missing.join(', ')}`] : []),
      ...(unknown.length > 0 ? [`values of ${field} unknown: ${unknown.join(', ')}`] : []),
    ]),
  ];
  return `${groupByPath(operations)}: ${differences.join('; ')}`;
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

/** Whether a create can be retried after a lost answer. */
function retryFinding(description: unknown): Finding {
  const name = 'repeats';
  const creates = [...walk(contract)].filter(({ method }) => method === 'POST');
  const safe = creates.filter(({ path }) => documentsIdempotencyKey(description, path));
  if (safe.length === creates.length)
    return ok(name, 'creates are retried after a lost answer: the server supports Idempotency-Key');
  if (safe.length === 0)
    return note(
      name,
      "creates aren't retried after a lost answer: the server documents no Idempotency-Key",
    );
  const some = `the server documents the Idempotency-Key for ${safe.length} of ${creates.length} creates`;
  return note(name, `only some creates are retried after a lost answer: ${some}`);
}
