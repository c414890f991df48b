/**
 * What the record in the answer to a write says about each field that was sent: a server can answer 200 and leave out or change a field
 * that it doesn't know.
 */
import type { Resource } from '../contract/resource.ts';
import { compareField, isEmpty, type Match } from './compare.ts';
import { ProtocolError } from './errors.ts';
import { isIdField } from './ids.ts';

type Row = Readonly<Record<string, unknown>>;

interface Write {
  readonly resource: Resource;
  readonly sent: Row;
  readonly isNew: boolean;
  /** Whether the server may have answered with a record that existed before. */
  readonly mayExist: boolean;
}

/** The facts of a write that was answered with this status. */
export const writeOf = (
  resource: Resource,
  { method, sent, status }: { method: string; sent: Row; status: number },
): Write => ({
  resource,
  sent,
  isNew: method === 'POST',
  mayExist:
    method === 'POST' && status === 200 && resource.operations.create?.existing !== undefined,
});

/**
 * `"status" is "scheduled", not "cancelled"`. `isFinal`: nothing else will tell. Then null and words of the server's own count as other
 * values, but for a new record, whose id proves that it was stored.
 */
export function contradictionOf(
  write: Write,
  record: Row,
  { isFinal = false } = {},
): string | undefined {
  const isProof = isFinal && !write.isNew;
  const name = fieldsThat(
    write,
    record,
    (match) => match === 'other' || (isProof && match === 'unsure'),
  )[0];
  return name && difference(write, record, name);
}

/** The error of a write whose record is another one than was sent. */
export const notAsSent = (
  { method, path, status }: Answered,
  wrong: string,
  which = 'its record',
): ProtocolError =>
  new ProtocolError(
    `the server answered ${method} ${path} with ${status}, but ${which} isn't as it was sent: ${wrong}`,
    {
      ...{ method, path, status, unknownOutcome: true, contradicts: true },
    },
  );

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** The fields whose values the record leaves open. A field that was cleared may be absent. */
export const untoldFields = (write: Write, record: Row): string[] =>
  fieldsThat(
    write,
    record,
    (match, sent) => match === 'unsure' || (match === 'untold' && !isEmpty(sent)),
  );

/** The fields that were cleared and that the record doesn't have: absent, or not shown. */
export const absentFields = (write: Write, record: Row): string[] =>
  fieldsThat(write, record, (match, sent) => match === 'untold' && isEmpty(sent));

/** The fields that the server stored in another form, in the words of `contradictionOf`. */
export const rewrittenFields = (write: Write, record: Row): string[] =>
  write.mayExist ? [] : differing(write, record);

/** The fields of a record that existed before, and that the server kept. */
export const keptFields = (write: Write, record: Row): string[] =>
  write.mayExist ? differing(write, record) : [];

const differing = (write: Write, record: Row): string[] =>
  fieldsThat(write, record, (match) => match === 'rewritten').map((name) =>
    difference(write, record, name),
  );

function fieldsThat(
  { resource, sent, isNew, mayExist }: Write,
  record: Row,
  holds: (match: Match, sent: unknown) => boolean,
): string[] {
  return Object.keys(sent).filter((name) => {
    const match = compareField(resource, name, { wanted: sent[name], found: record[name], isNew });
    const isKept = mayExist && !isIdField(name) && (match === 'other' || match === 'unsure');
    return holds(isKept ? 'rewritten' : match, sent[name]);
  });
}

const difference = ({ sent }: Write, record: Row, name: string) =>
  `"${name}" is ${shown(record[name])}, not ${shown(sent[name])}`;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
