import type { Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Row } from './records.ts';

/** The one form in which times are kept, compared and answered. */
export const toUtc = (timestamp: string): string => new Date(timestamp).toISOString();

/** A checked body as its columns hold it: times in UTC, fields that are not kept left out. */
export function toColumns(resource: Resource, body: Row): Row {
  const columns: Row = {};
  for (const [name, value] of Object.entries(body)) {
    const field = resource.fields[name];
    if (!field?.read || value === undefined) continue;
    columns[name] = kindOf(field.schema) === 'timestamp' && typeof value === 'string' ? toUtc(value) : value;
  }
  return columns;
}

const initial = new WeakMap<Resource, Row>();

/** What a create stores for the fields that its body leaves out. */
export function initialColumns(resource: Resource): Readonly<Row> {
  const known = initial.get(resource) ?? findInitial(resource);
  initial.set(resource, known);
  return known;
}

function findInitial(resource: Resource): Row {
  const columns: Row = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.read) continue;
    if (field.initial !== undefined) columns[name] = field.initial;
    else if (field.create === 'optional') columns[name] = null;
  }
  return columns;
}
