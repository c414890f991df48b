/** What a successful answer lacks of its shape, and whether its records are those that the path names. */
import type { Answer, Operation } from '../contract/operations.ts';
import { isEmpty } from './compare.ts';
import { idKey, isSameId } from './ids.ts';

export type Row = Record<string, unknown>;
type Expected = Exclude<Answer, 'bytes'>;

interface Asked {
  readonly method: string;
  readonly expect: Expected;
  readonly recordId?: string;
  readonly operation?: Pick<Operation, 'resource'>;
}

/** The shape of each answer, with the place in the specification. */
const shapes: Readonly<Record<Expected, string>> = {
  record: '{ data: record } (section 4)',
  list: '{ data: [records], page, limit, total } (section 8)',
  deleted: '{ data: { id, deleted: true } } (section 4)',
};

/** Names what a success lacks, and the sentence of the specification. */
export function shapeProblem(body: unknown, asked: Asked): string | undefined {
  const wrong =
    frameProblem(body, asked.expect) ??
    recordMismatch(body as { data: object }, asked) ??
    idProblem(body as { data: Row[] }, asked) ??
    newRecordProblem((body as { data: Row }).data, asked);
  return wrong && `${wrong}. The specification has ${shapes[asked.expect]}`;
}

/** Only the frame is checked: a record may have more or fewer fields than this version knows. */
function frameProblem(body: unknown, expected: Expected): string | undefined {
  if (!isObject(body)) return "it isn't an object";
  if (expected !== 'list') return isObject(body.data) ? undefined : '"data" isn\'t a record';
  return Array.isArray(body.data) && body.data.every(isObject)
    ? undefined
    : '"data" isn\'t a list of records';
}

/** Records of a list that can't be told apart: what is done to one of them could reach another. */
function idProblem({ data }: { data: Row[] }, { expect, operation }: Asked): string | undefined {
  if (expect !== 'list' || !operation?.resource.operations.get) return undefined;
  const at = data.findIndex(({ id }) => !isUsable(id));
  return at < 0
    ? undefined
    : `"data.${at}" has no id. In the specification every identifier is a string (section 2)`;
}

const isUsable = (id: unknown) =>
  (typeof id === 'string' && id.trim() !== '') || Number.isSafeInteger(id);

/** A status alone doesn't prove that the record was stored. */
function newRecordProblem(data: Row, { method, expect, operation }: Asked): string | undefined {
  const { operations, recordSource, fields } = operation?.resource ?? {};
  if (method !== 'POST' || expect !== 'record' || !operations?.get || isUsable(data.id))
    return undefined;
  if (operations.create?.source !== 'specification' || recordSource === 'specification')
    return '"data" has no id';
  // The specification has the request and leaves its record open, but for fields that it names, such as the session of a car event.
  const promised = Object.keys(fields ?? {}).filter(
    (name) => fields?.[name]?.source === 'specification' && fields[name].create === 'never',
  );
  if (promised.length === 0)
    return Object.values(data).some((value) => !isEmpty(value)) ? undefined : '"data" is empty';
  return promised.some((name) => isUsable(data[name]))
    ? undefined
    : `"data" has no ${promised.join(' and no ')}`;
}

/** Whether an answer tells a failure beside or instead of its data, whatever its status. */
export function tellsFailure(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { error, success } = body;
  return (
    String(success) === 'false' ||
    (typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : Boolean(error))
  );
}

/** A status alone doesn't prove that the request was carried out. */
function recordMismatch(
  { data }: { data: { id?: unknown; deleted?: unknown } },
  { recordId, expect }: Asked,
): string | undefined {
  if (recordId !== undefined && !isSameId(data.id, recordId)) return `"data.id" isn't ${recordId}`;
  return expect === 'deleted' && String(data.deleted) !== 'true'
    ? '"data.deleted" isn\'t true'
    : undefined;
}

interface Place {
  readonly path: string;
  readonly operation?: Pick<Operation, 'path' | 'resource'>;
}

/** Names a record that belongs to another car, campaign … than the one in the path: a server may have one list for all of them. */
export function parentProblem(
  data: Row | readonly Row[],
  { path, operation }: Place,
): string | undefined {
  const field = operation?.resource.parent?.field;
  const at = operation?.path.split('/').findIndex((part) => part.startsWith('{'));
  const id = field && at !== undefined && path.split('/')[at];
  if (!id) return undefined;
  const wanted = decodeURIComponent(id);
  const tells = (told: unknown) =>
    typeof told === 'number' ||
    typeof told === 'bigint' ||
    (typeof told === 'string' && told !== '');
  const stray = [data].flat().find((row) => tells(row[field]) && !isSameId(row[field], wanted));
  return (
    stray &&
    `a record whose ${field} is ${idKey(stray[field])}, so the server ignores the id in the path`
  );
}

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
