/**
 * Fields that were sent and that the answer of a write leaves open, since a server may drop a field that it doesn't know: the record is
 * read again. What it doesn't tell either is a warning when the command ends.
 */
import type { Client, ProtocolError, WriteResult } from '../../client/client.ts';
import {
  absentFields,
  contradictionOf,
  keptFields,
  notAsSent,
  rewrittenFields,
  untoldFields,
  writeOf,
} from '../../client/contradictions.ts';
import { isSameId } from '../../client/ids.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import { operationsOf } from '../../contract/operations.ts';
import type { Resource } from '../../contract/resource.ts';
import { isObject } from '../input/plain-object.ts';
import type { Io } from '../terminal/io.ts';
import { joinList } from '../terminal/text.ts';
import { recordIn } from './ledger.ts';
import { checkShownElsewhere } from './shown-elsewhere.ts';

/** The error of a write whose record, read again, isn't as it was sent; undefined where nothing speaks against it. */
export async function findContradiction(
  io: Io,
  client: Client,
  result: WriteResult,
): Promise<ProtocolError | undefined> {
  const { method, path, body: sent, resource: name } = result;
  if (
    !('answer' in result) ||
    !isObject(sent) ||
    name === undefined ||
    !Object.hasOwn(contract, name)
  )
    return undefined;
  const resource: Resource = contract[name as ResourceName];
  const answered: Record<string, unknown> | undefined = recordIn(result.answer);
  // Of a car event the specification promises its session alone: such an answer isn't the record.
  if (typeof answered?.id !== 'string') return undefined;
  const { untold, rewritten, kept } = io.run;
  const { status } = result.answer;
  const write = writeOf(resource, { method, sent, status });
  for (const text of rewrittenFields(write, answered)) rewritten.add(text);
  const keptValues = keptFields(write, answered);
  if (keptValues.length > 0) kept.set(answered.id, keptValues);
  const elsewhere = await checkShownElsewhere(client, resource, { sent, record: answered });
  if (elsewhere.wrong) return notAsSent({ method, path, status }, elsewhere.wrong);
  for (const field of elsewhere.untold) untold.add(field);
  const open = untoldFields(write, answered);
  const cleared = method === 'PATCH' ? absentFields(write, answered) : [];
  if ([...open, ...cleared].every((field) => untold.has(field))) return undefined;
  const read = await readAgain(
    client,
    resource,
    method === 'POST' ? `${path}/${encodeURIComponent(answered.id)}` : path,
  );
  // Another record tells nothing about this one.
  const found = read && isSameId(read.id, answered.id) ? read : answered;
  const wrong = contradictionOf(write, found, { isFinal: true });
  if (!wrong) {
    const left = untoldFields(write, found);
    const told =
      method === 'POST' ? await toldAbove(client, resource, { path, sent, fields: left }) : [];
    for (const field of left) if (!told.includes(field)) untold.add(field);
    return undefined;
  }
  return notAsSent(
    { method, path, status },
    wrong,
    found === read ? 'the record, read again,' : undefined,
  );
}

interface Untold {
  readonly path: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
}

/** Those whose value the record above has: a car tells where its event parked it. Another value there may be newer, so it proves nothing. */
async function toldAbove(
  client: Client,
  { parent, fields }: Resource,
  untold: Untold,
): Promise<readonly string[]> {
  const above: Resource | undefined = parent && contract[parent.resource as ResourceName];
  const isShared = (name: string) => {
    const to = fields[name]?.references;
    return to !== undefined && above?.fields[name]?.references === to;
  };
  const shared = untold.fields.filter(isShared);
  if (!above || shared.length === 0) return [];
  const record = await readAgain(client, above, untold.path.slice(0, untold.path.lastIndexOf('/')));
  return shared.filter((name) => isSameId(record?.[name], untold.sent[name]));
}

/** Undefined where the server doesn't show it: the write was answered, so its command goes on. */
async function readAgain(
  client: Client,
  resource: Resource,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const operation = [...operationsOf(resource)].find(({ verb }) => verb === 'get');
  if (!operation) return undefined;
  try {
    const { body } = await client.transport.request({
      method: 'GET',
      path,
      expect: 'record',
      operation,
      retries: 0,
    });
    return (body as { data: Record<string, unknown> }).data;
  } catch {
    return undefined;
  }
}

/** A sentence about the values that the server stored in another form. */
export function rewrittenWarning({ run }: Io): string {
  const values = [...run.rewritten];
  run.rewritten.clear();
  return `The server stored a value in another form: ${firstOf(values)}.`;
}

/** A sentence about creates that were answered with records that existed before. */
export function keptWarning({ run }: Io): string {
  const values = [...run.kept.values()].flat();
  run.kept.clear();
  return `The server had this record already and kept it as it was: ${firstOf(values)}.`;
}

const firstOf = ([first, ...more]: readonly string[]): string =>
  `${first}${more.length > 0 ? `, and ${more.length} more like it` : ''}`;

/** A sentence about the fields of this run; each is mentioned once. */
export function untoldWarning({ run }: Io): string {
  const fields = [...run.untold];
  run.untold.clear();
  const which = fields.length === 1 ? 'it was' : 'they were';
  return `The server's answer doesn't show ${joinList(fields)}, and neither does the record. Nothing tells whether ${which} stored.`;
}
