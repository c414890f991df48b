/**
 * The columns of a file: the names of fields, or of the flags of `create`, in any case and with
 * spaces, hyphens or underscores, such as `First name`. An unknown column is an error: its data
 * would be lost, or every row would fail.
 */

import { z } from 'zod';
import { withArticle } from '../../../contract/article.ts';
import type { Resource } from '../../../contract/resource.ts';
import { givenSchema, shownFields } from '../../../contract/schemas.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { parseJson } from '../../input/json.ts';
import { listIn } from '../../input/list.ts';
import { isObject } from '../../input/plain-object.ts';
import { parseWhen } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { type FlagField, flagFields } from '../../resources/fields.ts';
import { nameBeside, referencesIn } from '../../resources/operation.ts';
import { nearest, pluralize, quote } from '../../terminal/text.ts';

/** Names that differ only here are the same. */
export const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

export interface Columns {
  /** Exit 3 with all unknown columns and the closest fields, and for a field with two columns. */
  check(names: readonly string[]): void;
  /** A row by the names of its fields. */
  rename(row: Row): Row;
}

/** `given`: `--map FIELD=COLUMN`. `skipNames`: leaves out the names that an export wrote beside ids. */
export function columnsOf(
  resource: Resource,
  given: readonly string[],
  skipNames = false,
): Columns {
  const { known, isKnown } = pathsOf(resource);
  const byName = namesOf(resource, known);
  const map = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    const [typed, column] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    const field = byName.get(folded(typed));
    if (typed === '' || column === '')
      throw usage(
        `Invalid --map "${text}".`,
        'write it like lastName=Surname, once for each field',
      );
    if (field === undefined)
      throw usage(
        `--map: ${typed} isn't a field of ${resource.plural}${suggestion(typed, known) || '.'}`,
        byName.has(folded(column))
          ? `the field comes first: --map ${quote(`${column}=${typed}`)}`
          : `\`cs schema ${resource.name} create\` shows the fields`,
      );
    if ([...map.values()].includes(field) || map.has(column))
      throw usage(
        `--map names ${map.has(column) ? column : field} twice.`,
        'map each field and each column once',
      );
    map.set(column, field);
  }
  const fieldOf = (name: string): string =>
    map.get(name) ?? (isKnown(name) ? name : byName.get(folded(name))) ?? name;
  const beside = new Set(Object.keys(referencesIn(resource)).map(nameBeside));
  const isName = (name: string) => beside.has(name) && fieldOf(name) === name && !isKnown(name);
  return {
    check(all) {
      const names = all.filter((name) => !(skipNames && isName(name)));
      const fields = names.map(fieldOf);
      const absent = [...map.keys()].filter((name) => !names.includes(name));
      const issues = [
        ...absent.map((path) => ({ path, rule: 'absent', message: "isn't a column of the file" })),
        ...names.flatMap((path, at) => {
          if (!isKnown(fieldOf(path)))
            return [{ path, rule: 'unknown', message: `is unknown${suggestion(path, known)}` }];
          const first = fields.indexOf(fieldOf(path));
          const message = `is the same field as ${names[first]}`;
          return first === at ? [] : [{ path, rule: 'twice', message }];
        }),
      ];
      if (issues.length === 0) return;
      throw new CliError({
        code: 'invalid_file',
        message: `${pluralize(issues.length, "column doesn't", "columns don't")} fit the fields of ${withArticle(resource.singular)}; nothing was sent.`,
        hint:
          absent.length > 0
            ? `the file has ${names.join(', ')}; repeat --map for each field`
            : `${names.some(isName) ? 'leave the names beside ids out with --skip-read-only, or ' : ''}rename or remove them; \`cs schema ${resource.name} create\` shows the fields`,
        details: { issues },
      });
    },
    rename(row) {
      const renamed: Row = {};
      const left: [string, unknown][] = [];
      for (const [name, value] of Object.entries(row)) {
        if (skipNames && isName(name)) continue;
        const field = fieldOf(name);
        const isFree =
          field === name || !(Object.hasOwn(row, field) || Object.hasOwn(renamed, field));
        // The check calls a second name of a field unknown.
        if (isFree && isKnown(field)) renamed[field] = value;
        else left.push([name, value]);
      }
      return { ...renamed, ...Object.fromEntries(left) };
    },
  };
}

/** Fields by their names and flags, folded: `spot` for parkingSpotId, and for its parent `car`. */
function namesOf(resource: Resource, known: readonly string[]): ReadonlyMap<string, string> {
  const { parent, fields } = resource;
  const above = parent && {
    [parent.field]: { schema: z.string(), about: '', references: parent.resource },
  };
  return new Map([
    ...flagFields({ ...above, ...fields }).map(({ flag, name }) => [folded(flag), name] as const),
    ...known.map((field) => [folded(field), field] as const),
  ]);
}

/** All fields, with nested ones such as `address.city`. */
export function pathsOf({ parent, fields, ...resource }: Resource) {
  const schemas = Object.entries({
    ...(parent && { [parent.field]: z.string() }),
    ...shownFields({ ...resource, fields }),
    ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, givenSchema(one)])),
    id: z.string(),
  });
  const known: string[] = [];
  /** Objects with values of any name. */
  const open: string[] = [];
  for (const [name, schema] of schemas) {
    known.push(name);
    const inner = unwrapped(schema);
    if (!(inner instanceof z.ZodObject)) continue;
    known.push(...Object.keys(inner.shape).map((below) => `${name}.${below}`));
    if (inner.def.catchall && !(inner.def.catchall instanceof z.ZodNever)) open.push(`${name}.`);
  }
  const isKnown = (name: string) =>
    known.includes(name) ||
    (open.some((start) => name.startsWith(start)) && !name.includes('__proto__'));
  return { known, isKnown };
}

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

/** `; did you mean lastName?`, for the end of a message. */
export function suggestion(name: string, known: readonly string[]): string {
  // Of a nested field, only the last part is compared.
  const within = name.slice(0, name.lastIndexOf('.') + 1);
  const siblings = known.filter((field) => field.slice(0, field.lastIndexOf('.') + 1) === within);
  const last = (field: string) => folded(field.slice(within.length));
  const [close] = nearest(last(name), siblings.map(last));
  const found = siblings.find((field) => last(field) === close);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/**
 * Values of renamed rows: `address.city` becomes a value in an object. A cell of a list is JSON or
 * comma-separated, one of an object is JSON; spaces around numbers, booleans and times don't count.
 * Unreadable cells stay text; the check reports them. `now`: what times such as `1 hour ago` are
 * counted from.
 */
export function rowReader(resource: Resource, hasCells: boolean): (row: Row, now: Date) => Row {
  const known = new Map(flagFields(resource.fields).map((field) => [field.name, field]));
  const valueIn = ({ list, kind }: FlagField, text: string, now: Date): unknown => {
    const cell = kind === 'text' ? text : text.trim();
    if (list) return cell.startsWith('[') ? asJson(cell) : listIn(cell);
    if (kind === 'integer') return /^-?\d{1,15}$/.test(cell) ? Number(cell) : text;
    if (kind === 'boolean') return booleanWords.get(cell.toLowerCase()) ?? text;
    return kind === 'timestamp' ? orText(text, () => parseWhen(cell, now, 'time')) : text;
  };
  const read = (name: string, value: unknown, now: Date): unknown => {
    const field = known.get(name);
    if (!hasCells || typeof value !== 'string') return value;
    if (field) return valueIn(field, value, now);
    return Object.hasOwn(resource.fields, name) ? asJson(value) : value;
  };
  const { isKnown } = pathsOf(resource);
  return (row, now) => {
    const values = Object.entries(row).map(
      ([name, value]) => [name, read(name, value, now)] as const,
    );
    const isNested = ([name]: readonly [string, unknown]) => name.includes('.') && isKnown(name);
    const flat: Row = Object.fromEntries(values.filter((one) => !isNested(one)));
    for (const [name, value] of values.filter(isNested)) setPath(flat, name.split('.'), value);
    return flat;
  };
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

const asJson = (cell: string): unknown => orText(cell, () => parseJson(cell));

function orText(cell: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return cell;
  }
}

function setPath(into: Row, [name = '', ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) {
    into[name] = value;
    return;
  }
  // A copy: the row may be read again.
  into[name] = isObject(into[name]) ? { ...into[name] } : {};
  setPath(into[name], below, value);
}
