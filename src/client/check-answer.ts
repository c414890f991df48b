/** The one check of an answer: its shape by the specification, the record that was named, and the fields that were sent. */
import type { Answer, Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import { isIdField, isSameId } from './ids.ts';
import { lettersOf, momentOf } from './values.ts';

export type Row = Record<string, unknown>;

export interface Asked {
  readonly method: string;
  /** The required shape of a success (default: any JSON). */
  readonly expect?: Answer | undefined;
  /** The id that the answer's record must have. */
  readonly recordId?: string | undefined;
  /** The body of a write, which its record must not contradict. */
  readonly body?: unknown;
  /** The operation of the interface; absent for any other request. */
  readonly operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'> | undefined;
}

export type Compared =
  /** Sent fields that the record doesn't show, or shows otherwise. */
  | { readonly notShown: readonly string[] }
  /** `contradicts`: the record isn't the one that was sent. */
  | { readonly wrong: string; readonly contradicts?: true };
type Checked = Compared & { readonly body?: unknown };

/** The shape of each answer, with the place in the specification. */
const shapes: Readonly<Record<Answer, string>> = {
  record: '{ data: record } (section 4)',
  list: '{ data: [records], page, limit, total } (section 8)',
  deleted: '{ data: { id, deleted: true } } (section 4)',
  bytes: 'bytes',
};
/** The specification shows the response of this list without numbers (section 4). */
const unnumbered: ReadonlySet<string> = new Set(['/event-types']);

export function checkAnswer(body: unknown, asked: Asked & { readonly status: number }): Checked {
  const { expect, operation, body: sent } = asked;
  if (!expect) return { body, notShown: [] };
  const wrong = shapeProblem(body, asked);
  if (wrong)
    return { wrong: `JSON of another shape: ${wrong}. The specification has ${shapes[expect]}` };
  const frame = body as { data: Row | Row[] };
  if (Array.isArray(frame.data))
    return { body: { ...frame, data: frame.data.map(withTextIds) }, notShown: [] };
  const data = withTextIds(frame.data);
  const compared =
    operation && isObject(sent) && expect === 'record'
      ? compareSent(operation.resource, { ...asked, sent, record: data })
      : { notShown: [] };
  return { body: { ...frame, data }, ...compared };
}

function shapeProblem(body: unknown, { expect, recordId, method, operation }: Asked) {
  if (!isObject(body)) return "it isn't an object";
  const { data, page, limit, total } = body;
  if (expect === 'list') {
    if (!Array.isArray(data) || !data.every(isObject)) return '"data" isn\'t a list of records';
    const at = operation ? data.findIndex((row) => !isId(row.id)) : -1;
    if (at >= 0)
      return `"data.${at}" has no id. In the specification every identifier is a string (section 2)`;
    const numbers = [page, limit, total];
    const isBare =
      unnumbered.has(operation?.path ?? '') && numbers.every((one) => one === undefined);
    return isBare || numbers.every(Number.isSafeInteger)
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
  const wrong = Object.keys(record).filter(
    (name) => isIdField(name) && [record[name]].flat().some(Number.isInteger),
  );
  const text = (value: unknown) => (Number.isInteger(value) ? String(value) : value);
  const changed = wrong.map((name) => {
    const value = record[name];
    return [name, Array.isArray(value) ? value.map(text) : text(value)];
  });
  return wrong.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

interface Written {
  readonly method: string;
  readonly status: number;
  readonly sent: Row;
  readonly record: Row;
}

/** Ids, times and the status that the record shows must be those sent. Absent and null are the same for a field that was cleared. */
export function compareSent(
  { fields, operations }: Resource,
  { method, status, sent, record }: Written,
): Compared {
  const notShown: string[] = [];
  // A server may answer with a record that it has already, and keep it as it is.
  const mayExist = method === 'POST' && status === 200 && operations.create?.existing !== undefined;
  for (const [name, wanted] of Object.entries(sent)) {
    const field = fields[name];
    const found = record[name];
    if (!field?.read || field.adjusts || wanted === undefined) continue;
    // Null in the place of a value that is never null leaves the choice to the server.
    if (wanted === null && !field.schema.safeParse(null).success) continue;
    if (isSame(wanted, found, name) || field.schema.safeParse(wanted).data === found) continue;
    const isTime =
      kindOf(field.schema) === 'timestamp' && (found === null || momentOf(found) !== undefined);
    const isDecisive = isIdField(name) || (!mayExist && (name === 'status' || isTime));
    if (isDecisive && found !== undefined) {
      const text = `"${name}" is ${shortened(found)}, not ${shortened(wanted)}`;
      const which = method === 'POST' ? `the record ${record.id}, which` : 'a record that';
      return { wrong: `${which} isn't as it was sent: ${text}`, contradicts: true };
    }
    notShown.push(name);
  }
  return { notShown };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values are the same in the forms that servers write: another order, case or separator is. */
function isSame(wanted: unknown, found: unknown, name: string): boolean {
  if (isEmpty(wanted) || isEmpty(found)) return isEmpty(wanted) && isEmpty(found);
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((one) => found.some((other) => isSame(one, other, name)))
    );
  if (isObject(wanted))
    return (
      isObject(found) && Object.entries(wanted).every(([key, one]) => isSame(one, found[key], key))
    );
  if (isIdField(name)) return isSameId(wanted, found);
  const [a, b] = [momentOf(wanted), momentOf(found)];
  // Servers may store whole seconds.
  if (a !== undefined && b !== undefined) return Math.abs(a - b) < 1_000;
  if (String(wanted) === String(found)) return true;
  return typeof wanted === 'string' && name !== 'status' && lettersOf(wanted) === lettersOf(found);
}

export const shortened = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
