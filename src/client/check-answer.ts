/** The one check of an answer: its shape by the specification, the record that was named, and the fields that were sent. */
import type { Answer, Operation } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { kindOf } from '../contract/schemas.ts';
import { isIdField, isSameId } from './ids.ts';
import { momentOf } from './values.ts';

export type Row = Record<string, unknown>;

export interface Asked {
  readonly method: string;
  /** The required shape of a success (default: any JSON). */
  readonly expect?: Answer | undefined;
  /** The ids in the path, by the fields of the record that show them. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** The body of a write, which its record must not contradict. */
  readonly body?: unknown;
  /** The operation of the interface; absent for any other request. */
  readonly operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'> | undefined;
}

type Compared =
  /** Sent fields that the record doesn't show, or shows otherwise. */
  | { readonly notShown: readonly string[] }
  /** `contradicts`: the record isn't the one that was sent. */
  | { readonly wrong: string; readonly contradicts?: true };
type Checked = Compared & { readonly body?: unknown };

/** The ids of a path, outermost first, by the fields that show them: the parent's and the record's own. */
export const idsIn = ({ parent }: Resource, ids: readonly string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id, at) => [parent && at === 0 ? parent.field : 'id', id]));

/** The shape of each answer, with the place in the specification. */
const shapes: Readonly<Record<Answer, string>> = {
  record: '{ data: record } (section 4)',
  list: '{ data: [records], page, limit, total } (section 8)',
  deleted: '{ data: { id, deleted: true } } (section 4)',
  bytes: 'bytes',
};
/** The specification shows the response of this list without numbers (section 4). */
const unnumbered = '/event-types';

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

function shapeProblem(
  body: unknown,
  { expect, ids = {}, method, operation }: Asked,
): string | undefined {
  if (!isObject(body)) return "it isn't an object";
  const { data, page, limit, total } = body;
  if (expect === 'list') {
    if (!Array.isArray(data) || !data.every(isObject)) return '"data" isn\'t a list of records';
    const numbers = [page, limit, total];
    const isBare =
      operation?.path === unnumbered && numbers.every((number) => number === undefined);
    if (!isBare && !numbers.every(Number.isSafeInteger))
      return '"page", "limit" and "total" aren\'t whole numbers';
    const at = operation ? data.findIndex((row) => !isId(row.id)) : -1;
    if (at >= 0)
      return `"data.${at}" has no id. In the specification every identifier is a string (section 2)`;
    const names = Object.keys(ids);
    return names.length === 0
      ? undefined
      : data.map((row, index) => otherId(row, ids, `data.${index}`)).find(Boolean);
  }
  if (!isObject(data)) return '"data" isn\'t a record';
  if (ids.id !== undefined && !isId(data.id)) return `"data.id" isn't ${ids.id}`;
  const other = otherId(data, ids, 'data');
  if (other) return other;
  if (expect === 'deleted') return data.deleted === true ? undefined : '"data.deleted" isn\'t true';
  if (method !== 'POST' || !operation || isId(data.id)) return undefined;
  // The specification has the request, and leaves the record open: of a car event it promises the session alone.
  const { resource, source } = operation;
  return source === 'specification' && resource.recordSource !== 'specification'
    ? undefined
    : '"data" has no id';
}

/** Which id of the path the record shows otherwise. */
function otherId(row: Row, ids: Readonly<Record<string, string>>, at: string): string | undefined {
  const [name, id] = Object.entries(ids).find(([name, id]) => !isSameId(row[name] ?? id, id)) ?? [];
  return name && `"${at}.${name}" isn't ${id}`;
}

const isId = (id: unknown) =>
  (typeof id === 'string' && id.trim() !== '') || Number.isSafeInteger(id);

/** An id that is a whole number becomes text. */
function withTextIds(record: Row): Row {
  const text = (value: unknown) => (Number.isInteger(value) ? String(value) : value);
  let changed: Row | undefined;
  for (const name in record) {
    const value = record[name];
    const isNumber = Array.isArray(value) ? value.some(Number.isInteger) : Number.isInteger(value);
    if (!isNumber || !isIdField(name)) continue;
    changed ??= { ...record };
    changed[name] = Array.isArray(value) ? value.map(text) : text(value);
  }
  return changed ?? record;
}

interface Written {
  readonly method: string;
  readonly status: number;
  readonly sent: Row;
  readonly record: Row;
}

/** Ids, times and the status that the record shows must be those sent. Absent and null are the same for a field that was cleared. */
function compareSent(
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
    const stored = field.schema.safeParse(wanted);
    if (wanted === null && !stored.success) continue;
    const isTime = kindOf(field.schema) === 'timestamp';
    if (isSame(stored.success ? stored.data : wanted, found, isTime)) continue;
    const isTold = found === null || !isTime || momentOf(found) !== undefined;
    const isDecisive = isIdField(name) || (!mayExist && (name === 'status' || isTime));
    if (isDecisive && isTold && found !== undefined) {
      const text = `"${name}" is ${shortened(found)}, not ${shortened(wanted)}`;
      const which = method === 'POST' ? `the record ${record.id}, which` : 'a record that';
      return { wrong: `${which} isn't as it was sent: ${text}`, contradicts: true };
    }
    notShown.push(name);
  }
  return { notShown };
}

function isSame(wanted: unknown, found: unknown, isTime: boolean): boolean {
  const [a, b] = isTime ? [momentOf(wanted), momentOf(found)] : [];
  // Servers may store whole seconds.
  return a === undefined || b === undefined ? shows(found, wanted) : Math.abs(a - b) < 1_000;
}

/** Objects may have more than was sent, and a UUID another case. */
function shows(found: unknown, wanted: unknown): boolean {
  if (isObject(wanted) && isObject(found))
    return Object.entries(wanted).every(([name, value]) => shows(found[name], value));
  if (Array.isArray(wanted) && Array.isArray(found))
    return wanted.length === found.length && wanted.every((one, at) => shows(found[at], one));
  return typeof wanted === 'string'
    ? isSameId(wanted, found)
    : (wanted ?? null) === (found ?? null);
}

export const shortened = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
