/**
 * Compares the API description of a server with the one of this cs. A pure function of two OpenAPI documents.
 * Parts without a schema, or with a schema without properties, aren't compared.
 */
import { isObject } from '../../input/plain-object.ts';
import {
  type Field,
  type Fields,
  type OperationFields,
  readOperations,
} from './openapi-operations.ts';
import type { Drift, FieldDrift, PartDrift } from './shape.ts';

export function compareDescriptions(here: unknown, there: unknown): Drift {
  const [ours, theirs] = [readOperations(here), readOperations(there)];
  const parts = new Map<string, PartDrift & { operations: string[] }>();
  for (const [key, own] of ours) {
    const other = theirs.get(key);
    for (const [part, drift] of other ? comparePart(own, other) : []) {
      const same = `${part} ${JSON.stringify(drift)}`;
      const known = parts.get(same);
      if (known) known.operations.push(own.name);
      else parts.set(same, { operations: [own.name], part, ...drift });
    }
  }
  return {
    missingOperations: [...ours].flatMap(([key, { name }]) => (theirs.has(key) ? [] : [name])),
    unknownOperations: [...theirs].flatMap(([key, { name }]) => (ours.has(key) ? [] : [name])),
    parts: [...parts.values()],
  };
}

export const isSame = ({ missingOperations, unknownOperations, parts }: Drift): boolean =>
  missingOperations.length + unknownOperations.length + parts.length === 0;

/** Whether the document is an API description. */
export const isDescription = (document: unknown): boolean =>
  isObject(document) && isObject(document.paths) && Object.keys(document.paths).length > 0;

function comparePart(
  own: OperationFields,
  other: OperationFields,
): [PartDrift['part'], FieldDrift][] {
  return (['record', 'body', 'query'] as const).flatMap((part) => {
    const drift = compareFields(own[part], other[part]);
    return drift ? [[part, drift] as [PartDrift['part'], FieldDrift]] : [];
  });
}

/** Undefined if they are the same, or if one side isn't described. */
function compareFields(own: Fields, other: Fields): FieldDrift | undefined {
  if (!own || !other) return undefined;
  const both = [...own].flatMap(([name, field]) => {
    const there = other.get(name);
    return there ? [{ name, here: field, there }] : [];
  });
  const drift: FieldDrift = {
    missingFields: outermost([...own.keys()].filter((name) => !other.has(name))),
    unknownFields: outermost([...other.keys()].filter((name) => !own.has(name))),
    requiredFields: both
      .filter(({ here, there }) => there.required && !here.required)
      .map(({ name }) => name),
    types: both.flatMap(({ name, here, there }) =>
      typesFit(here, there)
        ? []
        : [{ field: name, here: here.types.join(' or '), there: there.types.join(' or ') }],
    ),
    values: both.flatMap(({ name, here, there }) => valueDrift(name, here, there)),
  };
  return Object.values(drift).some((list) => list.length > 0) ? drift : undefined;
}

/** Without fields of an object that is listed itself. */
const outermost = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));

function typesFit({ types: here }: Field, { types: there }: Field): boolean {
  if (here.length === 0 || there.length === 0) return true;
  const wide = (types: readonly string[]) =>
    types.map((type) => (type === 'integer' ? 'number' : type));
  return wide(here).some((type) => wide(there).includes(type));
}

function valueDrift(
  field: string,
  { values: here }: Field,
  { values: there }: Field,
): FieldDrift['values'] {
  if (!here || !there) return [];
  const missing = here.filter((value) => !there.includes(value));
  const unknown = there.filter((value) => !here.includes(value));
  return missing.length + unknown.length > 0 ? [{ field, missing, unknown }] : [];
}
