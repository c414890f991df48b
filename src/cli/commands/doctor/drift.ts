/**
 * How the interface description of a server differs from the one that this program was made with. Pure: two OpenAPI documents in,
 * plain data out. Where the other description says nothing (no schema, a schema without properties), nothing is compared.
 */
import { isObject } from '../../input/plain-object.ts';
import { type Described, operationsIn } from './described-operations.ts';
import { compareFields, type FieldDrift } from './field-drift.ts';

export interface PartDrift extends FieldDrift {
  /** `GET /cars`; those that share a record share an entry. */
  readonly operations: readonly string[];
  /** The record that is answered, the body that is sent, or the query. */
  readonly part: 'record' | 'body' | 'query';
}

export interface Drift {
  /** Known here and not there: `POST /cars`. */
  readonly missingOperations: readonly string[];
  /** There and not known here. */
  readonly unknownOperations: readonly string[];
  readonly parts: readonly PartDrift[];
}

export function compareDescriptions(here: unknown, there: unknown): Drift {
  const [ours, theirs] = [operationsIn(here), operationsIn(there)];
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

/** Whether a document describes an interface at all. */
export const isDescription = (document: unknown): boolean =>
  isObject(document) && isObject(document.paths) && Object.keys(document.paths).length > 0;

function comparePart(own: Described, other: Described): [PartDrift['part'], FieldDrift][] {
  return (['record', 'body', 'query'] as const).flatMap((part) => {
    const drift = compareFields(own[part], other[part]);
    return drift ? [[part, drift] as [PartDrift['part'], FieldDrift]] : [];
  });
}
