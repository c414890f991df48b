/**
 * The columns of a file: the names of fields, or of the flags of `create`. An unknown column is an error: its data would be lost, or
 * every row would fail.
 */
import { z } from 'zod';
import { withArticle } from '../../../contract/article.ts';
import type { Resource } from '../../../contract/resource.ts';
import { givenSchema, shownFields } from '../../../contract/schemas.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { parseJson } from '../../input/json.ts';
import { parseWhen } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { type FlagField, fieldNamed, flagFields } from '../../resources/fields.ts';
import { nameBeside, referencesIn } from '../../resources/operation.ts';
import { nearest, pluralize, quote } from '../../terminal/text.ts';

export interface Columns {
  /** Exit 3 with all unknown columns and the closest fields, and for a field with two columns. */
  check(names: readonly string[]): void;
  /** A row by the names of its fields. `nested`: a mapped `address.city` becomes a value in an object, as in JSON. */
  rename(row: Row, nested: boolean): Row;
}

/** `given`: `--map FIELD=COLUMN`. `skipNames`: leaves out the names that an export wrote beside ids. */
export function columnsOf(
  resource: Resource,
  given: readonly string[],
  skipNames = false,
): Columns {
  const schemas = schemasOf(resource);
  const known = fieldPaths(resource);
  const flags = flagsOf(resource);
  const map = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    const [field, column] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    if (field === '' || column === '')
      throw usage(`Invalid --map "${text}".`, 'write it like lastName=Surname');
    if (!known.includes(field))
      throw usage(
        `--map: ${field} isn't a field of ${resource.plural}${suggestion(field, known)}.`,
        known.includes(column)
          ? `the field comes first: --map ${quote(`${column}=${field}`)}`
          : `\`cs schema ${resource.name} create\` shows the fields`,
      );
    if ([...map.values()].includes(field) || map.has(column))
      throw usage(
        `--map names ${map.has(column) ? column : field} twice.`,
        'map each field and each column once',
      );
    map.set(column, field);
  }
  const beside = new Set(skipNames ? Object.keys(referencesIn(resource)).map(nameBeside) : []);
  const isName = (name: string) => beside.has(name) && !map.has(name) && !schemas.has(name);
  const fieldOf = (name: string): string =>
    map.get(name) ?? (schemas.has(name) ? name : fieldNamed(flags, name));
  return {
    check(all) {
      const names = all.filter((name) => !isName(name));
      const fields = names.map(fieldOf);
      const problems = [
        ...[...map.keys()]
          .filter((name) => !names.includes(name))
          .map((path) => ({ path, rule: 'absent', message: "isn't a column of the file" })),
        ...fields
          .filter((field, at) => fields.indexOf(field) !== at)
          .map((path) => ({ path, rule: 'twice', message: 'is filled by two columns' })),
      ];
      if (problems.length > 0)
        throw new CliError({
          code: 'invalid_file',
          message: "The columns of the file don't fit the fields; nothing was sent.",
          hint: [...map.keys()].some((column) => /,\s*[\w.]+=/.test(column))
            ? 'repeat --map for each field: --map year=Year --map make=Make'
            : `the file has ${names.join(', ')}`,
          details: { issues: problems },
        });
      const unknown = names.filter((_, at) => !isKnown(schemas, fields[at]?.split('.') ?? []));
      if (unknown.length === 0) return;
      throw new CliError({
        code: 'invalid_file',
        message: `${pluralize(unknown.length, "column isn't a field", "columns aren't fields")} of ${withArticle(resource.singular)}; nothing was sent.`,
        hint: `rename or remove them; \`cs schema ${resource.name} create\` shows the fields`,
        details: {
          issues: unknown.map((path) => ({
            path,
            rule: 'unknown',
            message: `is unknown${suggestion(path, known)}`,
          })),
        },
      });
    },
    rename(row, nested) {
      const renamed: Row = Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => {
          if (isName(name)) return [];
          const field = fieldOf(name);
          // The check calls the flag of a field that is given as well unknown.
          return [[field !== name && Object.hasOwn(row, field) ? name : field, value]];
        }),
      );
      for (const field of nested ? map.values() : []) {
        if (!field.includes('.') || !Object.hasOwn(renamed, field)) continue;
        const value = renamed[field];
        delete renamed[field];
        setPath(renamed, field.split('.'), value);
      }
      return renamed;
    },
  };
}

/** Those of the parent's name as well: `car` for carId. */
function flagsOf({ parent, fields }: Resource): FlagField[] {
  const above = parent && {
    [parent.field]: { schema: z.string(), about: '', references: parent.resource },
  };
  return flagFields({ ...above, ...fields });
}

/** All fields, with nested ones such as `address.city`. */
export const fieldPaths = (resource: Resource): string[] =>
  [...schemasOf(resource)].flatMap(([name, schema]) => {
    const inner = unwrapped(schema);
    if (!(inner instanceof z.ZodObject)) return [name];
    return [name, ...Object.keys(inner.shape).map((below) => `${name}.${below}`)];
  });

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

/** Whether a field, or a value within it, can have the name. */
function isKnown(
  schemas: ReadonlyMap<string, z.ZodType>,
  [name = '', ...below]: readonly string[],
): boolean {
  const schema = schemas.get(name);
  if (schema === undefined || below.length === 0) return schema !== undefined;
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject)) return false;
  const shape = new Map(Object.entries(inner.shape as Record<string, z.ZodType>));
  const { catchall } = inner.def;
  const takesOthers = catchall !== undefined && !(catchall instanceof z.ZodNever);
  return isKnown(shape, below) || (takesOthers && below[0] !== '__proto__');
}

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

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

/**
 * Values of renamed cells. A list is JSON or comma-separated, an object is JSON. Unreadable cells stay text; the check reports them.
 * `now`: what times such as `1 hour ago` are counted from.
 */
export function cellParser(resource: Resource): (cells: Row, now: Date) => Row {
  const known = new Map(flagFields(resource.fields).map((field) => [field.name, field]));
  const valueIn = (field: FlagField, cell: string, now: Date): unknown => {
    if (field.list) return cell.startsWith('[') ? asJson(cell) : listIn(cell);
    switch (field.kind) {
      case 'integer':
        return /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
      case 'boolean':
        return booleanWords.get(cell.toLowerCase()) ?? cell;
      case 'timestamp':
        return orText(cell, () => parseWhen(cell, now, 'time'));
      default:
        return cell;
    }
  };
  return (cells, now) => {
    const value: Row = {};
    for (const [name, cell] of Object.entries(cells)) {
      const field = known.get(name);
      if (field) value[name] = valueIn(field, cell, now);
      else if (Object.hasOwn(resource.fields, name)) value[name] = asJson(cell);
      else setPath(value, name.split('.'), cell);
    }
    return value;
  };
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

const listIn = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const asJson = (cell: string): unknown => orText(cell, () => parseJson(cell));

function orText(cell: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return cell;
  }
}

/** `address.city` becomes a value in an object. */
function setPath(into: Row, [name = '', ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) {
    into[name] = value;
    return;
  }
  const inner: unknown = Object.hasOwn(into, name) ? into[name] : undefined;
  const object: Row = typeof inner === 'object' && inner !== null ? (inner as Row) : {};
  into[name] = object;
  setPath(object, below, value);
}
