/** The columns and cells of a csv file. An unknown column is an error: its data would be lost, or every row would fail. */
import { z } from 'zod';
import { parseJson } from '../../../client/json.ts';
import { withArticle } from '../../../contract/article.ts';
import type { Resource } from '../../../contract/resource.ts';
import { givenSchema, shownFields } from '../../../contract/schemas.ts';
import { CliError } from '../../errors/exit.ts';
import { parseWhen } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { flagFields } from '../../resources/fields.ts';
import { nearest, pluralize } from '../../terminal/text.ts';

/** Exit 3 with all unknown columns and the closest fields. */
export function checkColumns(resource: Resource, names: readonly string[]): void {
  const schemas = schemasOf(resource);
  const unknown = names.filter((name) => !isKnown(schemas, name.split('.')));
  if (unknown.length === 0) return;
  const known = fieldPaths(resource);
  throw new CliError({
    code: 'invalid_file',
    message: `${pluralize(unknown.length, "column isn't a field", "columns aren't fields")} of ${withArticle(resource.singular)}; nothing was sent.`,
    hint: `rename or remove them; \`cs schema ${resource.name} create\` shows the fields`,
    details: {
      issues: unknown.map((name) => ({
        path: name,
        rule: 'unknown',
        message: `is unknown${suggestion(name, known)}`,
      })),
    },
  });
}

/** All fields, with nested ones such as `address.city`. */
export const fieldPaths = (resource: Resource): string[] =>
  [...schemasOf(resource)].flatMap(([name, schema]) => pathsIn(name, schema));

function schemasOf(resource: Resource): Map<string, z.ZodType> {
  const given = Object.entries(resource.fields).map(
    ([name, field]) => [name, givenSchema(field)] as const,
  );
  const parent = resource.parent ? [[resource.parent.field, z.string()] as const] : [];
  return new Map([
    ...parent,
    ...Object.entries(shownFields(resource)),
    ...given,
    ['id', z.string()],
  ]);
}

function isKnown(
  schemas: ReadonlyMap<string, z.ZodType>,
  [name = '', ...below]: readonly string[],
): boolean {
  const schema = schemas.get(name);
  return schema !== undefined && accepts(schema, below);
}

/** Whether the value can have a nested field. */
function accepts(schema: z.ZodType, [name, ...below]: readonly string[]): boolean {
  if (name === undefined) return true;
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject)) return false;
  const shape = new Map(Object.entries(inner.shape as Record<string, z.ZodType>));
  const acceptsOthers =
    inner.def.catchall !== undefined && !(inner.def.catchall instanceof z.ZodNever);
  return isKnown(shape, [name, ...below]) || (acceptsOthers && name !== '__proto__');
}

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

function pathsIn(name: string, schema: z.ZodType): string[] {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject)) return [name];
  return [name, ...Object.keys(inner.shape).map((below) => `${name}.${below}`)];
}

/** `; did you mean lastName?`, for the end of a message. Ignores case and separators: `Last Name` is close to `lastName`. */
export function suggestion(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  // Of a nested field, only the last part is compared.
  const within = name.slice(0, name.lastIndexOf('.') + 1);
  const siblings = known.filter((field) => field.slice(0, field.lastIndexOf('.') + 1) === within);
  const last = (field: string) => plain(field.slice(within.length));
  const [close] = nearest(last(name), siblings.map(last));
  const found = siblings.find((field) => last(field) === close);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** Values by field. A list is JSON or comma-separated, an object is JSON. Unreadable cells stay text; the check reports them. */
export function createCellParser(
  resource: Resource,
): (cells: Readonly<Record<string, string>>, now: Date) => Row {
  const known = new Map(flagFields(resource.fields).map((field) => [field.name, field]));
  return (cells, now) => {
    const value: Row = {};
    for (const [name, cell] of Object.entries(cells)) {
      const field = known.get(name);
      if (field?.list) value[name] = asList(cell);
      else if (field?.kind === 'integer')
        value[name] = /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
      else if (field?.kind === 'boolean')
        value[name] = booleanWords.get(cell.toLowerCase()) ?? cell;
      else if (field?.kind === 'timestamp') value[name] = asTime(cell, now);
      else if (field || !Object.hasOwn(resource.fields, name))
        setPath(value, field ? [name] : name.split('.'), cell);
      else value[name] = asJson(cell);
    }
    return value;
  };
}

/** Whether a time such as `1 hour ago` means another one later. */
export function createRelativeCheck(
  resource: Resource,
): (cells: Readonly<Record<string, string>>, now: Date) => boolean {
  const times = flagFields(resource.fields).flatMap(({ name, kind, list }) =>
    kind === 'timestamp' && !list ? [name] : [],
  );
  return (cells, now) => {
    // Another minute, hour, weekday and year.
    const later = new Date(now.getTime() + 401 * 86_400_000 + 4_000_000);
    return times.some(
      (name) =>
        cells[name] !== undefined && asTime(cells[name], now) !== asTime(cells[name], later),
    );
  };
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
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
    return parseJson(cell);
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

export function setPath(into: Row, [name = '', ...below]: readonly string[], cell: unknown): void {
  if (below.length === 0) {
    into[name] = cell;
    return;
  }
  const inner: unknown = Object.hasOwn(into, name) ? into[name] : undefined;
  const object: Row = typeof inner === 'object' && inner !== null ? (inner as Row) : {};
  into[name] = object;
  setPath(object, below, cell);
}
