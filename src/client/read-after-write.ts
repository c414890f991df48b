/** Reads the record after a write whose answer doesn't tell what became of it. */
import { operationsOf } from '../contract/operations.ts';
import { isReadBack, type JsonAnswer } from './answers.ts';
import { contradictionOf, writeOf } from './contradictions.ts';
import { ApiError, CarStorageError, ProtocolError } from './errors.ts';
import { isSameId } from './ids.ts';
import type { ServerWarning } from './options.ts';
import type { TransportRequest } from './requests.ts';

type Row = Readonly<Record<string, unknown>>;

interface Server {
  readonly baseUrl: string;
  readonly warn: (warning: ServerWarning) => void;
  readonly read: (request: TransportRequest) => Promise<JsonAnswer>;
}

/**
 * The answer, as the record tells it where it tells nothing itself: a change answered with nothing, or a change or delete that the server has accepted for later.
 * @throws ProtocolError with `unknownOutcome` where the record isn't as it was sent, or can't be read
 */
export async function readAfterWrite(
  request: TransportRequest,
  answer: JsonAnswer,
  server: Server,
): Promise<JsonAnswer> {
  if (answer.body !== null) return answer;
  if (request.expect === 'deleted') return readDeleted(request, answer, server);
  return isReadBack(request) ? readChanged(request, answer, server) : answer;
}

async function readChanged(
  { body: _, ...request }: TransportRequest,
  answer: JsonAnswer,
  { read, baseUrl }: Server,
): Promise<JsonAnswer> {
  const { status } = answer;
  const error = (why: string, cause?: unknown) =>
    unproven(
      `${baseUrl} answered ${request.method} ${request.path} with ${status}${status === 202 ? ', so it changes the record later' : ' and nothing else'}, and ${why}`,
      {
        ...request,
        status,
        cause,
      },
    );
  const found = await read({ ...request, sent: undefined, method: 'GET' }).catch(
    (cause: unknown) => {
      if (cause instanceof CarStorageError)
        throw error(`its record can't be read: ${cause.message}`, cause);
      throw cause;
    },
  );
  const { operation, sent } = request;
  const wrong =
    operation &&
    sent &&
    contradictionOf(writeOf(operation.resource, { ...request, sent, status }), recordOf(found), {
      isFinal: true,
    });
  if (wrong) throw error(`the record isn't as it was sent: ${wrong}`);
  return { ...found, status };
}

async function readDeleted(
  request: TransportRequest,
  answer: JsonAnswer,
  server: Server,
): Promise<JsonAnswer> {
  const { status } = answer;
  const left = await recordLeft(request, server);
  if (left === 'gone' || left === 'done')
    return { ...answer, body: { data: { id: request.recordId, deleted: true } } };
  const why =
    left === 'there'
      ? 'the record is still there as it was'
      : `nothing tells whether it has: ${left.unknown}`;
  throw unproven(
    `${server.baseUrl} answered ${request.method} ${request.path} with ${status}, so it deletes the record later, and ${why}`,
    { ...request, status },
  );
}

/**
 * A delete whose repeat finds no record: the try before it has deleted the record, or somebody else has. Gone is what was asked for.
 * @throws the error itself for any other failure, and where the record may still be there
 */
export async function readAfterLostDelete(
  request: TransportRequest,
  error: unknown,
  server: Server,
): Promise<JsonAnswer> {
  // A 404 leaves nothing open of its own.
  const isRepeat =
    error instanceof ApiError &&
    error.unknownOutcome &&
    error.status === 404 &&
    error.code !== 'operation_missing';
  if (!isRepeat || request.expect !== 'deleted') throw error;
  const left = await recordLeft(request, server);
  // Of an operation that the specification has, the 404 means the record.
  const isGone =
    left === 'gone' || (typeof left === 'object' && request.operation?.source === 'specification');
  if (!isGone) throw error;
  const { method, path } = request;
  const message = `the first answer to ${method} ${path} was lost and the second one is 404, so the record is gone: deleted by the first try, or by somebody else`;
  server.warn({ kind: 'deleted_before', message });
  const { status, requestId } = error;
  return {
    status,
    requestId,
    headers: {},
    replayed: false,
    body: { data: { id: request.recordId, deleted: true } },
  };
}

type Left = 'gone' | 'done' | 'there' | { readonly unknown: string };

/** A 404 alone doesn't tell that a record is gone, since the specification leaves open whether it can be read: its list has to lack it, too. */
async function recordLeft(request: TransportRequest, { read }: Server): Promise<Left> {
  const { operation, path, recordId, query, signal, timeoutMs } = request;
  const operations = operation ? [...operationsOf(operation.resource)] : [];
  const [get, list] = ['get', 'list'].map((verb) => operations.find((one) => one.verb === verb));
  const leaves = operations.find(({ verb }) => verb === 'delete')?.leaves;
  const state = (record: Row): Left => {
    if (!leaves || query?.[leaves.unless]) return 'there';
    if (record[leaves.field] === leaves.is) return 'done';
    return record[leaves.field] === undefined
      ? { unknown: `its record doesn't tell ${leaves.field}` }
      : 'there';
  };
  const options = { method: 'GET', signal, timeoutMs } as const;
  try {
    if (get)
      return state(
        recordOf(await read({ ...options, path, recordId, expect: 'record', operation: get })),
      );
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    if (!isMissing(error)) return { unknown: `it can't be read: ${error.message}` };
  }
  if (!list || recordId === undefined) return { unknown: "it can't be read" };
  try {
    const listPath = path.slice(0, path.lastIndexOf('/'));
    const { body } = await read({
      ...options,
      path: listPath,
      query: { ids: recordId },
      expect: 'list',
      operation: list,
    });
    const record = (body as { data: Row[] }).data.find(({ id }) => isSameId(id, recordId));
    return record ? state(record) : 'gone';
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    return { unknown: `its list can't be read: ${error.message}` };
  }
}

const isMissing = (error: CarStorageError) =>
  (error instanceof ApiError || error instanceof ProtocolError) &&
  [404, 405, 410, 501].includes(error.status);

const recordOf = ({ body }: JsonAnswer): Row => (body as { data: Row }).data;

function unproven(
  message: string,
  {
    method,
    path,
    status,
    cause,
  }: Pick<TransportRequest, 'method' | 'path'> & { status: number; cause?: unknown },
): ProtocolError {
  return new ProtocolError(message, {
    method,
    path,
    status,
    unknownOutcome: true,
    ...(cause !== undefined && { cause }),
  });
}
