/** Reads an answer: its JSON, its error, or a protocol error when it isn't an answer of this interface. */
import type { Answer, Operation } from '../contract/operations.ts';
import type { AnswerHeaders, WireAnswer } from './connection.ts';
import { contradictionOf, writeOf } from './contradictions.ts';
import { ApiError, type ErrorPlace, ProtocolError, type ProtocolErrorCode } from './errors.ts';
import { parseExactly, withTextIntegers } from './json.ts';
import { parseLimits } from './pacing.ts';
import { isAmbiguous, parseRetryAfter } from './retry.ts';
import { isObject, parentProblem, type Row, shapeProblem, tellsFailure } from './shapes.ts';
import { type Frame, hasNumberIds, typedAnswer } from './typed-answers.ts';

export interface JsonAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: unknown;
  readonly requestId: string | undefined;
  /** Whether the server repeats the answer to an earlier call with the same Idempotency-Key. False when this call's own retry may be the cause. */
  readonly replayed: boolean;
  /** Whether the server's ids are numbers, which became text here. Only for an answer with an expected shape. */
  readonly numberIds?: true;
}

export interface BytesAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** In bytes, if the server sends it. */
  readonly size: number | undefined;
  readonly requestId: string | undefined;
}

export interface AnswerContext extends ErrorPlace {
  url: URL;
  /** The required shape of a success (default: any JSON). */
  expect?: Answer;
  /** The id that the answer's record must have; another record means that the server read the request otherwise, or didn't carry it out. */
  recordId?: string;
  /** The fields of a write. */
  sent?: Readonly<Record<string, unknown>>;
  /** The operation of the interface; absent for any other request. */
  operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'>;
  /** Whether an earlier try of this call may have been carried out. */
  maybeCarriedOut?: boolean;
  /** The size limit of JSON, errors included, in bytes. */
  maxAnswerBytes: number;
  /** The size limit of a byte stream, in bytes. */
  maxStreamBytes: number;
  /** Milliseconds since 1970, to read a Retry-After date. */
  now: () => number;
}

/**
 * @throws ApiError for an error in the shape of the interface
 * @throws ProtocolError for any other answer without the expected JSON
 * @throws the cause when the connection breaks while the body is read
 */
export async function readJson(answer: WireAnswer, context: AnswerContext): Promise<JsonAnswer> {
  await refuseRedirect(answer, context);
  const facts = factsOf(answer, context);
  const bytes = await bytesOf(withSizeLimit(answer, context.maxAnswerBytes, facts, context));
  const { status, headers } = answer;
  if (bytes.length === 0 && (status === 200 || status === 204)) {
    const nothing = { status, headers, requestId: facts.requestId, replayed: false, body: null };
    if (status === 204 && context.expect === undefined) return nothing;
    // The specification leaves the status of a delete open.
    if (context.expect === 'deleted')
      return { ...nothing, body: { data: { id: context.recordId, deleted: true } } };
    if (isReadBack(context)) return nothing;
  }
  if (isAccepted(status, context)) {
    const told =
      bytes.length > 0 && isJson(facts.contentType) ? parse(bytes, facts, context) : null;
    if (tellsFailure(told)) throw unexpectedAnswer(`an error, ${excerptOf(told)}`, facts, context);
    if (context.expect === 'record' && !isReadBack(context))
      throw unexpectedAnswer('the promise to carry it out later', facts, context);
    return { status, headers, requestId: facts.requestId, replayed: false, body: null };
  }
  if (isMissingPage(facts, context))
    throw unexpectedAnswer('', facts, context, { code: 'operation_missing' });
  if (!isJson(facts.contentType))
    throw unexpectedAnswer(
      `${facts.contentType ?? 'no content type'} instead of JSON`,
      facts,
      context,
    );
  const parsed = parse(bytes, facts, context);
  const numberIds = hasNumberIds(parsed);
  const body = withTextIntegers(parsed);
  if (status >= 300) throw toApiError(body, facts, context);
  checkShape(body, facts, context);
  const replayed = header(answer, 'idempotent-replayed') === 'true' && !context.maybeCarriedOut;
  const answered = { status, headers, requestId: facts.requestId, replayed };
  if (!context.expect) return { ...answered, body };
  if (context.expect === 'bytes') return { ...answered, body };
  const typed = typedAnswer(body as Frame, {
    operation: context.operation,
    expect: context.expect,
    numberIds,
  });
  requireAsSent(typed as { data: Row }, facts, context);
  return { ...answered, body: typed, ...(numberIds && { numberIds }) };
}

/** Whether the record of a write with an empty answer can be read. */
export const isReadBack = ({
  method,
  expect,
  recordId,
}: Pick<AnswerContext, 'method' | 'expect' | 'recordId'>): boolean =>
  method === 'PATCH' && expect === 'record' && recordId !== undefined;

/** Whether a write may be carried out later: the answer tells nothing of the record, whatever it shows. */
const isAccepted = (
  status: number,
  { expect, method }: Pick<AnswerContext, 'expect' | 'method'>,
): boolean => status === 202 && method !== 'GET' && (expect === 'deleted' || expect === 'record');

/** Like `readJson`, but streams a success. */
export async function readBytes(answer: WireAnswer, context: AnswerContext): Promise<BytesAnswer> {
  if (answer.status >= 300) {
    await readJson(answer, context);
  }
  const facts = factsOf(answer, context);
  const { status, contentType, requestId } = facts;
  const length = header(answer, 'content-length');
  return {
    status,
    headers: answer.headers,
    body: withSizeLimit(answer, context.maxStreamBytes, facts, context),
    contentType: contentType ?? 'application/octet-stream',
    size: length === undefined ? undefined : Number(length),
    requestId,
  };
}

export const requestIdOf = (answer: WireAnswer) => header(answer, 'x-request-id');
export const preconditionsOf = (answer: WireAnswer) => header(answer, 'accept-preconditions');
export const limitsOf = (answer: WireAnswer) =>
  parseLimits(header(answer, 'ratelimit'), header(answer, 'ratelimit-policy'));
/** Undefined in an answer that a cache kept: its date is of the past. */
export const dateOf = (answer: WireAnswer) =>
  Number(header(answer, 'age') ?? 0) > 0 ? undefined : header(answer, 'date');

interface Facts {
  status: number;
  contentType: string | undefined;
  requestId: string | undefined;
  retryAfter: number | undefined;
}

function factsOf(answer: WireAnswer, context: AnswerContext): Facts {
  return {
    status: answer.status,
    contentType: header(answer, 'content-type'),
    requestId: requestIdOf(answer),
    retryAfter: parseRetryAfter(header(answer, 'retry-after'), context.now()),
  };
}

function header(answer: WireAnswer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const isJson = (contentType: string | undefined) =>
  /^(application\/([\w.+-]+\+)?|text\/)json\s*(;|$)/i.test(contentType ?? '');

async function refuseRedirect(answer: WireAnswer, context: AnswerContext): Promise<void> {
  const location = header(answer, 'location');
  if (answer.status < 300 || answer.status >= 400) return;
  await answer.discard();
  const target =
    location && URL.canParse(location, context.url.href)
      ? new URL(location, context.url)
      : undefined;
  // Without the query: sign-in pages put tokens there.
  const where = target ? ` to ${target.origin}${target.pathname}` : '';
  throw unexpectedAnswer(
    `a redirect${where}; redirects aren't followed, so that the key stays with this server`,
    factsOf(answer, context),
    context,
  );
}

/** Streams the body. Above the limit it ends with an error and closes the connection. */
async function* withSizeLimit(
  { body }: WireAnswer,
  limit: number,
  facts: Facts,
  context: AnswerContext,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit)
      throw unexpectedAnswer(`more than ${limit} bytes`, facts, context, {
        code: 'answer_too_large',
      });
    yield piece;
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array, facts: Facts, context: AnswerContext): unknown {
  try {
    return parseExactly(utf8.decode(bytes));
  } catch (cause) {
    const what =
      cause instanceof RangeError
        ? cause.message
        : bytes.length === 0
          ? 'an empty body'
          : 'truncated or invalid JSON';
    throw unexpectedAnswer(what, facts, context, { cause });
  }
}

function toApiError(body: unknown, facts: Facts, context: AnswerContext): ApiError | ProtocolError {
  if (
    isUnsupported(facts.status, context.operation) &&
    !(isObject(body) && typeof body.error === 'string')
  )
    return unexpectedAnswer('', facts, context, { code: 'operation_missing' });
  if (!isObject(body) || typeof body.error !== 'string')
    return unexpectedAnswer(
      `JSON without an error message, ${excerptOf(body)}. The specification has { error, code, details } (section 7)`,
      facts,
      context,
    );
  const { method, path } = context;
  const { status, requestId, retryAfter } = facts;
  const code = typeof body.code === 'string' ? body.code : `http_${status}`;
  const missing = isMissingOperation(status, code, context);
  const told =
    body.error.trim() === ''
      ? `${context.url.origin} answered ${method} ${path} with ${status} and no message`
      : body.error;
  return new ApiError(missing ? `${missingText(context)}: ${told}` : told, {
    code: missing ? 'operation_missing' : (specifiedCode(status, body.error) ?? code),
    status,
    details: body.details ?? null,
    requestId,
    method,
    path,
    retryAfter,
    unknownOutcome: method !== 'GET' && isAmbiguous(status, retryAfter),
  });
}

/** The beginning, which most often says why. */
function excerptOf(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

const absent: ReadonlySet<number> = new Set([404, 405, 410, 501]);
/** By a status that is about the method, never about a record. */
const isUnsupported = (status: number, operation: AnswerContext['operation']) =>
  operation !== undefined && (status === 405 || status === 501);

/** A page instead of the error of a missing record. Where the specification has the operation, the address is wrong instead. */
const isMissingPage = ({ status, contentType }: Facts, { operation }: AnswerContext): boolean =>
  absent.has(status) &&
  !isJson(contentType) &&
  (operation?.source === 'decision' || isUnsupported(status, operation));

/** A 404 in JSON may also mean a record that the path or the body names; a list names none. */
const isMissingOperation = (
  status: number,
  code: string,
  { operation, method }: AnswerContext,
): boolean =>
  isUnsupported(status, operation) ||
  (absent.has(status) &&
    operation !== undefined &&
    (code === 'route_not_found' || (method === 'GET' && !operation.path.includes('{'))));

const missingText = ({ url, method, operation }: AnswerContext) =>
  `${url.origin} has no ${method} ${operation?.path}`;

/** The specification (section 7) states these messages and leaves the codes open, so the message decides. */
const specifiedMessages = [
  { status: 401, text: 'API key expired', code: 'api_key_expired' },
  { status: 401, text: 'API key revoked', code: 'api_key_revoked' },
  { status: 403, text: 'API is disabled for this team', code: 'api_disabled' },
  { status: 403, text: 'Missing scope: ', code: 'missing_scope' },
];
const specifiedCode = (status: number, message: string): string | undefined =>
  specifiedMessages.find((known) => known.status === status && message.includes(known.text))?.code;

/** @throws ProtocolError that names the sentence of the specification */
function checkShape(body: unknown, facts: Facts, context: AnswerContext): void {
  const { expect } = context;
  if (expect === undefined || expect === 'bytes') return;
  if (tellsFailure(body)) throw unexpectedAnswer(`an error, ${excerptOf(body)}`, facts, context);
  const wrong = shapeProblem(body, { ...context, expect });
  if (wrong) throw unexpectedAnswer(`JSON of another shape: ${wrong}`, facts, context);
  const other = parentProblem((body as Frame).data, context);
  if (!other) return;
  throw unexpectedAnswer(
    other,
    facts,
    context,
    context.method === 'GET' ? { code: 'filter_ignored' } : { contradicts: true },
  );
}

/** @throws ProtocolError that names the field */
function requireAsSent({ data }: { data: Row }, facts: Facts, context: AnswerContext): void {
  const { method, operation, sent } = context;
  if (!operation || !sent) return;
  // An upload has no status by the contract; where a server adds one, it may tell that the bytes were refused.
  if (operation.upload && /^(failed|rejected|error)$/i.test(String(data.status)))
    throw unexpectedAnswer(
      `a record whose status is ${JSON.stringify(data.status)}`,
      facts,
      context,
      { unknownOutcome: false },
    );
  const contradiction = contradictionOf(
    writeOf(operation.resource, { method, sent, status: facts.status }),
    data,
  );
  const which = method === 'POST' ? `the record ${data.id}, which` : 'a record that';
  if (contradiction)
    throw unexpectedAnswer(`${which} isn't as it was sent: ${contradiction}`, facts, context, {
      contradicts: true,
    });
}

function unexpectedAnswer(
  what: string,
  facts: Facts,
  context: AnswerContext,
  more: {
    code?: ProtocolErrorCode;
    cause?: unknown;
    unknownOutcome?: boolean;
    contradicts?: boolean;
  } = {},
): ProtocolError {
  const { method, path, url } = context;
  const message =
    more.code === 'operation_missing'
      ? missingText(context)
      : `${url.origin} answered ${method} ${path} with ${facts.status} and ${what}`;
  return new ProtocolError(message, {
    ...facts,
    method,
    path,
    unknownOutcome:
      method !== 'GET' &&
      (mayFollowSuccess(facts.status) || isAmbiguous(facts.status, facts.retryAfter)),
    ...more,
  });
}

/** Statuses that are possible after a write was carried out. */
const mayFollowSuccess = (status: number) => status < 300 || status === 302 || status === 303;
