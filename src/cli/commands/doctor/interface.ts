/** The finding from the server's API description. */
import { pluralize } from '../../terminal/text.ts';
import { groupByPath } from './abilities.ts';
import { compareDescriptions, isDescription, isSame } from './drift.ts';
import { ok, skipped, warning } from './finding.ts';
import type { Drift, Finding, PartDrift } from './shape.ts';

interface InterfaceCheck {
  readonly finding: Finding;
  /** Null if the server has no API description. */
  readonly drift: Drift | null;
}

export async function checkDescription(description: unknown): Promise<InterfaceCheck> {
  if (!isDescription(description))
    return { finding: skipped('interface', 'the server has no API description'), drift: null };
  const { openApiDocument } = await import('../../../openapi/document.ts');
  const drift = compareDescriptions(openApiDocument(), description);
  const same = isSame(drift) ? ok('interface', 'same as in this cs') : driftFinding(drift);
  return { finding: same, drift };
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
