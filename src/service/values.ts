import { memoize } from '../contract/memoize.ts';
import type { Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import type { Row } from './records.ts';

/** The one format in which times are stored, compared and sent. */
export const toUtc = (timestamp: string): string => new Date(timestamp).toISOString();

/** Lower-case letters, digits and hyphens. */
export const slugOf = (name: string, maxLength?: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '');

/** A validated body as column values: times in UTC, without fields that aren't stored. */
export function toColumns(resource: Resource, body: Row): Row {
  const columns: Row = {};
  for (const [name, value] of Object.entries(body)) {
    const field = resource.fields[name];
    if (!field?.read || value === undefined) continue;
    columns[name] =
      kindOf(field.schema) === 'timestamp' && typeof value === 'string' ? toUtc(value) : value;
  }
  return columns;
}

/** Initial values of fields that a create leaves out. */
export const initialColumns = memoize((resource: Resource): Readonly<Row> => {
  const columns: Row = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.read) continue;
    if (field.initial !== undefined) columns[name] = field.initial;
    else if (field.create === 'optional') columns[name] = null;
  }
  return columns;
});
