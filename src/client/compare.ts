/** How a field of a record compares with the value that was sent for it. */
import { z } from 'zod';
import { phone } from '../contract/fields.ts';
import { type Resource, spec } from '../contract/resource.ts';
import { choicesOf, kindOf } from '../contract/schemas.ts';
import { isIdField, isSameId } from './ids.ts';
import { fold, foldWord, isSameMoment, isSamePhone, lettersOf, momentOf } from './values.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * `rewritten`: the same in another form, such as a phone number with its prefix, or a value that servers may adjust. `unsure`: null or a
 * word of the server's own, where a record may be shown in part. `untold`: the record doesn't tell.
 */
export type Match = 'same' | 'rewritten' | 'untold' | 'unsure' | 'other';
const byWeight: readonly Match[] = ['same', 'rewritten', 'untold', 'unsure', 'other'];

/** `record` has the types of the contract (`typedRecords`). */
export function compareField(
  { fields, recordSource }: Resource,
  name: string,
  { wanted, found, isNew }: Compared,
): Match {
  const field = fields[name];
  if (!field?.read || wanted === undefined) return 'same';
  const isNullable = field.schema.safeParse(null).success;
  const isStated = field.source === spec && recordSource === spec;
  // Null in the place of a value that is never null leaves the choice to the server.
  if (wanted === null && !isNullable) return 'same';
  if (found === undefined) return 'untold';
  // Where the specification has no null, or doesn't show the record, a server may say by null that it doesn't tell.
  if (found === null && !isEmpty(wanted))
    return !isNullable ? 'untold' : isStated ? 'other' : 'unsure';
  const match = compare(wanted, found, {
    name,
    schema: field.schema,
    lettersOnly: field.lettersOnly,
  });
  const isAdjusted = field.adjusts === 'always' || (field.adjusts === 'on_create' && isNew);
  return isAdjusted && (match === 'other' || match === 'unsure') ? 'rewritten' : match;
}

interface Compared {
  readonly wanted: unknown;
  readonly found: unknown;
  /** Whether the record was created by this write. */
  readonly isNew: boolean;
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

interface Kind {
  readonly name: string;
  /** Undefined for a value of any type. */
  readonly schema: z.ZodType | undefined;
  readonly lettersOnly?: boolean | undefined;
}

function compare(wanted: unknown, found: unknown, kind: Kind): Match {
  const schema = kind.schema && unwrapped(kind.schema);
  if (isEmpty(wanted)) return isEmpty(found) ? 'same' : 'other';
  if (Array.isArray(wanted))
    return Array.isArray(found) ? compareLists(wanted, found, { ...kind, schema }) : 'unsure';
  if (isRow(wanted)) return isRow(found) ? compareRows(wanted, found, schema) : 'unsure';
  if (isIdField(kind.name)) return isSameId(wanted, found) ? 'same' : 'other';
  if (typeof wanted === 'number')
    return found !== '' && Number(found) === wanted ? 'same' : 'other';
  if (schema && kindOf(schema) === 'timestamp') return compareTimes(wanted, found);
  return compareTexts(wanted, found, { ...kind, schema });
}

function compareTimes(wanted: unknown, found: unknown): Match {
  const [a, b] = [momentOf(wanted), momentOf(found)];
  if (a === undefined || b === undefined) return 'untold';
  return isSameMoment(a, b) ? 'same' : 'other';
}

function compareTexts(wanted: unknown, found: unknown, { schema, lettersOnly }: Kind): Match {
  if (isRow(found) || Array.isArray(found)) return 'unsure';
  if (String(wanted) === String(found)) return 'same';
  const choices = schema && choicesOf(schema);
  if (choices) {
    if (foldWord(wanted) === foldWord(found)) return 'same';
    return choices.some((choice) => foldWord(choice) === foldWord(found)) ? 'other' : 'unsure';
  }
  const normalized = schema?.safeParse(wanted);
  if (normalized?.success && normalized.data === found) return 'same';
  return isRewritten(wanted, found, { schema, lettersOnly }) ? 'rewritten' : 'other';
}

function isRewritten(
  wanted: unknown,
  found: unknown,
  { schema, lettersOnly }: Omit<Kind, 'name'>,
): boolean {
  if (linesOf(wanted) === linesOf(found)) return true;
  if (schema instanceof z.ZodEmail) return fold(wanted) === fold(found);
  if (schema === phone) return isSamePhone(wanted, found);
  return lettersOnly === true && lettersOf(wanted) === lettersOf(found);
}

const linesOf = (value: unknown) => String(value).normalize('NFC').replace(/\r\n?/g, '\n').trim();

/** Another order, or a value once instead of twice, is the same list in another form. */
function compareLists(
  wanted: readonly unknown[],
  found: readonly unknown[],
  { name, schema }: Kind,
): Match {
  const item = {
    name,
    schema: schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined,
  };
  if (wanted.length === found.length) {
    const inOrder = worst(wanted.map((one, index) => compare(one, found[index], item)));
    if (inOrder !== 'other' && inOrder !== 'unsure') return inOrder;
  }
  const has = (list: readonly unknown[], one: unknown, isSent: boolean) =>
    list.some((other) =>
      ['same', 'rewritten'].includes(
        isSent ? compare(one, other, item) : compare(other, one, item),
      ),
    );
  return wanted.every((one) => has(found, one, true)) &&
    found.every((one) => has(wanted, one, false))
    ? 'rewritten'
    : 'other';
}

/** What a server adds doesn't count. */
function compareRows(wanted: Row, found: Row, schema: z.ZodType | undefined): Match {
  const shape: Readonly<Record<string, z.ZodType>> =
    schema instanceof z.ZodObject ? schema.shape : {};
  return worst(
    Object.entries(wanted).map(([name, one]) => {
      if (found[name] === undefined) return isEmpty(one) ? 'same' : 'untold';
      return compare(one, found[name], { name, schema: shape[name] });
    }),
  );
}

const worst = (matches: readonly Match[]): Match =>
  matches.reduce((a, b) => (byWeight.indexOf(b) > byWeight.indexOf(a) ? b : a), 'same' as Match);

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unwrapped(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}
