/** The one check of an answer: its shape by the specification, the record that was named, and the fields that were sent. */
import type { Answer, Operation } from '../contract/operations.ts';
import type { Field, Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import { isIdField, isSameId } from './ids.ts';
import { lettersOf, momentOf } from './values.ts';

export type Row = Record<string, unknown>;

interface Asked {
  readonly method: string;
  readonly status: number;
  readonly expect: Exclude<Answer, 'bytes'>;
  readonly recordId?: string | undefined;
  /** The body of a write. */
  readonly sent?: unknown;
  readonly operation?: Pick<Operation, 'path' | 'source' | 'resource'> | undefined;
}

type Checked =
  | {
      readonly body: Row;
      /** Sent fields that the record doesn't show, or shows otherwise. */
      readonly notShown: readonly string[];
    }
  | {
      readonly wrong: string;
      /** The record isn't the one that was sent. */
      readonly contradicts?: true;
    };

/** The shape of each answer, with the place in the specification. */
const shapes = {
  record: '{ data: record } (section 4)',
  list: '{ data: [records], page, limit, total } (section 8)',
  deleted: '{ data: { id, deleted: true } } (section 4)',
};
/** The specification shows the response of this list without numbers (section 4). */
const unnumbered: ReadonlySet<string> = new Set(['/event-types']);

export function checkAnswer(body: unknown, asked: Asked): Checked {
  const wrong = shapeProblem(body, asked);
  if (wrong)
    return {
      wrong: `JSON of another shape: ${wrong}. The specification has ${shapes[asked.expect]}`,
    };
  const frame = body as Row & { data: Row | Row[] };
  const data = Array.isArray(frame.data) ? frame.data.map(withTextIds) : withTextIds(frame.data);
  const { operation, sent } = asked;
  const compared =
    operation && isObject(sent) && !Array.isArray(data) && asked.expect === 'record'
      ? compareSent(operation.resource, { ...asked, sent, record: data })
      : { notShown: [] };
  return 'wrong' in compared ? compared : { body: { ...frame, data }, notShown: compared.notShown };
}

function shapeProblem(
  body: unknown,
  { expect, recordId, method, operation }: Asked,
): string | undefined {
  if (!isObject(body)) return "it isn't an object";
  const { data } = body;
  if (expect === 'list') {
    if (!Array.isArray(data) || !data.every(isObject)) return '"data" isn\'t a list of records';
    const at = operation ? data.findIndex((row) => !isId(row.id)) : -1;
    if (at >= 0)
      return `"data.${at}" has no id. In the specification every identifier is a string (section 2)`;
    const numbers = [body.page, body.limit, body.total];
    if (operation && unnumbered.has(operation.path) && numbers.every((one) => one === undefined))
      return undefined;
    return numbers.every((one) => Number.isSafeInteger(one))
      ? undefined
      : '"page", "limit" and "total" aren\'t whole numbers';
  }
  if (!isObject(data)) return '"data" isn\'t a record';
  if (recordId !== undefined && !isSameId(data.id, recordId)) return `"data.id" isn't ${recordId}`;
  if (expect === 'deleted') return data.deleted === true ? undefined : '"data.deleted" isn\'t true';
  if (method !== 'POST' || !operation || isId(data.id)) return undefined;
  // The specification has the request, and leaves the record open: of a car event it promises the session alone.
  const { resource, source } = operation;
  const isOpen = source === 'specification' && resource.recordSource !== 'specification';
  return isOpen && Object.values(data).some((value) => !isEmpty(value))
    ? undefined
    : '"data" has no id';
}

const isId = (id: unknown) =>
  (typeof id === 'string' && id.trim() !== '') || Number.isSafeInteger(id);

/** An id that is a whole number becomes text. */
function withTextIds(record: Row): Row {
  let result = record;
  for (const name of Object.keys(record)) {
    const value = record[name];
    const isWrong = Array.isArray(value) ? value.some(Number.isInteger) : Number.isInteger(value);
    if (!isWrong || !isIdField(name)) continue;
    if (result === record) result = { ...record };
    result[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return result;
}

interface Written extends Pick<Asked, 'method' | 'status'> {
  readonly sent: Row;
  readonly record: Row;
}

/** Ids, times and the status that the record shows must be those sent. Absent and null are the same for a field that was cleared. */
export function compareSent(
  { fields, operations }: Resource,
  { method, status, sent, record }: Written,
): { notShown: string[] } | { wrong: string; contradicts: true } {
  const notShown: string[] = [];
  // A server may answer with a record that it has already, and keep it as it is.
  const mayExist = method === 'POST' && status === 200 && operations.create?.existing !== undefined;
  for (const [name, wanted] of Object.entries(sent)) {
    const field = fields[name];
    const found = record[name];
    if (!field?.read || field.adjusts || wanted === undefined) continue;
    // Null in the place of a value that is never null leaves the choice to the server.
    if (wanted === null && !field.schema.safeParse(null).success) continue;
    if ((isEmpty(wanted) && isEmpty(found)) || isSame(wanted, found, field, name)) continue;
    const isTime = kindOf(field.schema) === 'timestamp';
    const isDecisive =
      isIdField(name) ||
      (!mayExist &&
        (name === 'status' || (isTime && (found === null || momentOf(found) !== undefined))));
    if (isDecisive && found !== undefined) {
      const text = `"${name}" is ${shortened(found)}, not ${shortened(wanted)}`;
      const which = method === 'POST' ? `the record ${record.id}, which` : 'a record that';
      return { wrong: `${which} isn't as it was sent: ${text}`, contradicts: true };
    }
    notShown.push(name);
  }
  return { notShown };
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values are the same in the forms that servers write: another order, case or separator is. */
function isSame(wanted: unknown, found: unknown, field: Field, name: string): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((one) => found.some((other) => isSame(one, other, field, name)))
    );
  if (isObject(wanted))
    return (
      isObject(found) &&
      Object.entries(wanted).every(
        ([key, one]) =>
          (isEmpty(one) && isEmpty(found[key])) || isSame(one, found[key], field, key),
      )
    );
  if (isEmpty(wanted) || isEmpty(found) || typeof found === 'object')
    return isEmpty(wanted) && isEmpty(found);
  if (isIdField(name)) return isSameId(wanted, found);
  if (kindOf(field.schema) === 'timestamp') {
    const [a, b] = [momentOf(wanted), momentOf(found)];
    // Servers may store whole seconds.
    return a !== undefined && b !== undefined && Math.abs(a - b) < 1_000;
  }
  return (
    wanted === found ||
    String(wanted) === String(found) ||
    field.schema.safeParse(wanted).data === found ||
    (name !== 'status' && lettersOf(wanted) === lettersOf(found) && lettersOf(wanted) !== '')
  );
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
