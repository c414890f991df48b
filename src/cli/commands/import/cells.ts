/** The cells of a csv file as the values of fields. What cannot be read stays as it is, for the check. */
import type { Resource } from '../../../contract/resource.ts';
import { flagFields } from '../../crud/fields.ts';
import { parseWhen } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';

/** `address.city` is a field within another. A list is written as JSON or with commas, an object as JSON. */
export function valuesOf(resource: Resource, cells: Readonly<Record<string, string>>, now: Date): Row {
  const known = new Map(flagFields(resource.fields).map((field) => [field.name, field]));
  const value: Row = {};
  for (const [name, cell] of Object.entries(cells)) {
    const field = known.get(name);
    if (field?.list) value[name] = asList(cell);
    else if (field?.kind === 'integer') value[name] = /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
    else if (field?.kind === 'boolean') value[name] = truths.get(cell.toLowerCase()) ?? cell;
    else if (field?.kind === 'timestamp') value[name] = asTime(cell, now);
    else if (field || !Object.hasOwn(resource.fields, name)) put(value, field ? [name] : name.split('.'), cell);
    else value[name] = asJson(cell);
  }
  return value;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

function asList(cell: string): unknown {
  if (cell.startsWith('[')) return asJson(cell);
  return cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function asJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function asTime(cell: string, now: Date): string {
  try {
    return parseWhen(cell, now, 'time');
  } catch {
    return cell;
  }
}

function put(into: Row, [name = '', ...below]: readonly string[], cell: string): void {
  if (below.length === 0) {
    into[name] = cell;
    return;
  }
  const inner: unknown = Object.hasOwn(into, name) ? into[name] : undefined;
  const object: Row = typeof inner === 'object' && inner !== null ? (inner as Row) : {};
  into[name] = object;
  put(object, below, cell);
}
