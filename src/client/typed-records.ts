/**
 * The values of a record in the types of their fields. Some servers send true, false and numbers as text, 0 and 1 for false and true,
 * text such as the name of a spot as a number, empty text for no id and no time, the zero time of their language for a time that they
 * don't know, or the words of the specification in capitals. A value that can't be read as its type stays as it is.
 */
import { z } from 'zod';
import { memoize } from '../contract/memoize.ts';
import { type Resource, spec } from '../contract/resource.ts';
import { choicesOf, kindOf, shownFields } from '../contract/schemas.ts';
import { isIdField } from './ids.ts';
import { foldWord } from './values.ts';

type Row = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

/** Returns the same record where every value has its type already. */
export const typedRecords = memoize((resource: Resource): ((record: Row) => Row) => {
  const convert = convertFields(shownFields(resource), resource);
  return (record) => convert(record) as Row;
});

const convertFields = (
  fields: Readonly<Record<string, z.ZodType>>,
  resource?: Resource,
): Convert => {
  const converters = Object.entries(fields).flatMap(([name, schema]): [string, Convert][] => {
    const steps = [
      emptyConverter(name, schema),
      resource && wordConverter(name, resource),
      converterOf(schema),
    ].filter((step) => step !== undefined);
    return steps.length > 0
      ? [[name, (value) => steps.reduce((converted, step) => step(converted), value)]]
      : [];
  });
  return (value) => {
    if (!isRow(value)) return value;
    const changes = converters.flatMap(([name, convert]) => {
      const converted = convert(value[name]);
      return converted === value[name] ? [] : [[name, converted]];
    });
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
  };
};

/** Empty text names no record and no moment, and is no number, yes or list. The zero time may stand for none or for an unknown one, so it counts as not sent. */
function emptyConverter(name: string, schema: z.ZodType): Convert | undefined {
  const kind = kindOf(schema);
  const isTime = kind === 'timestamp';
  if (kind === 'text' && !(isIdField(name) && name !== 'id')) return undefined;
  return (value) => (value === '' ? null : isTime && isZeroTime(value) ? undefined : value);
}

/** The year 1 of .NET and Go, the year 0 of others, and the start of 1970, however written. */
const isZeroTime = (value: unknown): boolean =>
  value === 0 ||
  (typeof value === 'string' && (/^000[01]-/.test(value) || Date.parse(value) === 0));

/** The words of the specification. Those of other fields are the server's own. */
function wordConverter(name: string, { fields }: Resource): Convert | undefined {
  const field = fields[name];
  const choices = field?.source === spec ? choicesOf(field.schema) : undefined;
  return (
    choices &&
    ((value) =>
      (typeof value === 'string' &&
        choices.find((choice) => foldWord(choice) === foldWord(value))) ||
      value)
  );
}

function converterOf(schema: z.ZodType): Convert | undefined {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return converterOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return convertFields(schema.shape);
  if (schema instanceof z.ZodArray) {
    const convert = converterOf(schema.element as z.ZodType);
    return (
      convert && ((value) => (Array.isArray(value) ? unchanged(value, value.map(convert)) : value))
    );
  }
  switch (kindOf(schema)) {
    case 'boolean':
      return (value) =>
        typeof value === 'string' || typeof value === 'number'
          ? (booleans.get(String(value).toLowerCase()) ?? value)
          : value;
    case 'integer':
      return (value) =>
        typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case 'timestamp':
      return asTime;
    case 'text':
      return schema.safeParse({}).success ? undefined : asText;
    default:
      return undefined;
  }
}

/** An object, such as a name in several languages, is its JSON: no name is equal to it. */
const asText: Convert = (value) => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** ISO 8601 has more forms than JSON Schema: without seconds, `+0000`, and small letters. */
const asTime: Convert = (value) => {
  const [, date, clock, seconds = ':00', offset = ''] =
    (typeof value === 'string' &&
      /^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(z|[+-]\d\d(?::?\d\d)?)$/i.exec(value)) ||
    [];
  if (date === undefined) return value;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return `${date}T${clock}${seconds}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
};

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

const unchanged = (before: unknown[], after: unknown[]) =>
  after.every((value, index) => value === before[index]) ? before : after;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
