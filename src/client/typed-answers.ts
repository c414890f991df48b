/** A successful answer as the client's types have it. */
import type { Answer, Operation } from '../contract/operations.ts';
import { withTextIds } from './ids.ts';
import { typedRecords } from './typed-records.ts';

type Row = Record<string, unknown>;
export type Frame = Row & { data: Row | Row[] };

interface Expected {
  readonly expect: Exclude<Answer, 'bytes'>;
  readonly operation: Pick<Operation, 'resource'> | undefined;
  /** Whether the ids of the server are numbers. */
  readonly numberIds: boolean;
}

/** Whether the ids of an answer are numbers, told by its first record. */
export const hasNumberIds = (body: unknown): boolean =>
  isObject(body) && ['number', 'bigint'].includes(typeof [body.data].flat().find(isObject)?.id);

/** Ids as text, the other values in the types of their fields, and the numbers of a list as numbers. */
export function typedAnswer(body: Frame, { expect, operation, numberIds }: Expected): Frame {
  const typed = operation && typedRecords(operation.resource);
  const withIds = (record: Row) => (numberIds ? withTextIds(record) : record);
  const type = (record: Row) => (typed ? typed(withIds(record)) : withIds(record));
  const { data, page, limit, total, ...others } = body;
  if (expect === 'deleted') return { ...body, data: { ...withIds(data as Row), deleted: true } };
  if (expect !== 'list') return { ...body, data: type(data as Row) };
  // A number that the server doesn't send, or not as a whole number, is left out.
  const numbers = Object.entries({ page, limit, total }).flatMap(([name, value]) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    return Number.isInteger(number) ? [[name, number]] : [];
  });
  return { ...others, data: (data as Row[]).map(type), ...Object.fromEntries(numbers) };
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
