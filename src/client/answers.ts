/** Reads an answer: its JSON, its error, or a protocol error when it isn't an answer of this interface. */
import type { Answer, Operation } from '../contract/operations.ts';
import { checkAnswer, isObject } from './check-answer.ts';
import type { AnswerHeaders, WireAnswer } from './connection.ts';
import { ApiError, type ErrorPlace, ProtocolError, type ProtocolErrorCode } from './errors.ts';
import { parseJson } from './json.ts';
import { isAmbiguous, parseRetryAfter } from './retry.ts';

export interface JsonAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: unknown;
  readonly requestId: string | undefined;
  /** Whether the server repeats the answer to an earlier call with the same Idempotency-Key. False when this call's own retry may be the cause. */
  readonly replayed: boolean;
}

export interface BytesAnswer extends Omit<JsonAnswer, 'body' | 'replayed'> {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** In bytes, if the server sends it. */
  readonly size: number | undefined;
}

export interface AnswerContext extends ErrorPlace {
  url: URL;
  /** The required shape of a success (default: any JSON). */
  expect?: Answer | undefined;
  /** The id that the answer's record must have. */
  recordId?: string | undefined;
  /** The body of a write, which its record must not contradict. */
  sent?: unknown;
  /** The operation of the interface; absent for any other request. */
  operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'> | undefined;
  /** Whether the server announces the operation; undefined where it announces none, or nobody has asked. */
  hasOperation?: boolean | undefined;
  /** Gets the sent fields that the record of the answer doesn't show, or shows otherwise. */
  onNotShown?: (fields: readonly string[]) => void;
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
  await refuseCompression(answer, context);
  const { status, headers } = answer;
  const facts = factsOf(answer, context);
  const { expect, method, recordId } = context;
  const bytes = await bytesOf(withSizeLimit(answer, context.maxAnswerBytes, facts, context));
  const answered = { status, headers, requestId: facts.requestId, replayed: false };
  const isGone = { ...answered, body: { data: { id: recordId, deleted: true } } };
  if (status === 204 && bytes.length === 0) {
    if (expect === undefined) return { ...answered, body: null };
    if (expect === 'deleted') return isGone;
  }
  if (status === 202 && method !== 'GET' && expect !== undefined)
    throw unexpectedAnswer('the promise to carry it out later', facts, context);
  if (status >= 400 && isMissing(facts, context) && !isJson(facts.contentType))
    throw unexpectedAnswer('', facts, context, { code: 'operation_missing' });
  if (!isJson(facts.contentType))
    throw unexpectedAnswer(
      `${facts.contentType ?? 'no content type'} instead of JSON`,
      facts,
      context,
    );
  const body = parse(bytes, facts, context);
  if (status >= 300) {
    const error = toError(body, facts, context);
    // The delete whose answer was lost: the server has carried out the first try, so it has the operation.
    if (status === 404 && expect === 'deleted' && context.maybeCarriedOut) return isGone;
    throw error;
  }
  const replayed = header(answer, 'idempotent-replayed') === 'true' && !context.maybeCarriedOut;
  if (!expect || expect === 'bytes') return { ...answered, replayed, body };
  const checked = checkAnswer(body, { ...context, expect, status });
  if ('wrong' in checked)
    throw unexpectedAnswer(checked.wrong, facts, context, { contradicts: checked.contradicts });
  if (checked.notShown.length > 0) context.onNotShown?.(checked.notShown);
  return { ...answered, replayed, body: checked.body };
}

/** Like `readJson`, but streams a success. */
export async function readBytes(answer: WireAnswer, context: AnswerContext): Promise<BytesAnswer> {
  if (answer.status >= 300) await readJson(answer, context);
  await refuseCompression(answer, context);
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
    requestId: header(answer, 'x-request-id'),
    retryAfter: parseRetryAfter(header(answer, 'retry-after'), context.now()),
  };
}

/** The first one, where it is repeated. */
export const header = ({ headers }: WireAnswer, name: string): string | undefined =>
  [headers[name]].flat()[0];

const isJson = (contentType: string | undefined) =>
  /^(application\/([\w.+-]+\+)?|text\/)json\s*(;|$)/i.test(contentType ?? '');

async function refuseRedirect(answer: WireAnswer, context: AnswerContext): Promise<void> {
  const location = header(answer, 'location');
  if (answer.status < 300 || answer.status >= 400) return;
  await answer.discard();
  const target = location && URL.parse(location, context.url.href);
  // Without the query: sign-in pages put tokens there.
  const where = target ? ` to ${target.origin}${target.pathname}` : '';
  const what = `a redirect${where}; redirects aren't followed, so that the key stays with this server`;
  throw unexpectedAnswer(what, factsOf(answer, context), context);
}

/** fetch unpacks, and requests over undici ask for the bytes as they are: a gateway that compresses anyway would damage a photo. */
async function refuseCompression(answer: WireAnswer, context: AnswerContext): Promise<void> {
  const encoding = header(answer, 'content-encoding') ?? 'identity';
  if (encoding === 'identity' || answer.isUnpacked) return;
  await answer.discard();
  const what = `a body in ${encoding}, which wasn't asked for`;
  throw unexpectedAnswer(what, factsOf(answer, context), context);
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
  const pieces = await Array.fromAsync(body);
  if (pieces.length === 1) return pieces[0] as Uint8Array;
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
    return parseJson(utf8.decode(bytes));
  } catch (cause) {
    const isTooDeep = cause instanceof RangeError;
    const unreadable = bytes.length === 0 ? 'an empty body' : 'truncated or invalid JSON';
    throw unexpectedAnswer(isTooDeep ? cause.message : unreadable, facts, context, { cause });
  }
}

function toError(body: unknown, facts: Facts, context: AnswerContext): ApiError | ProtocolError {
  const { status, requestId, retryAfter } = facts;
  const { method, path, url } = context;
  if (!isObject(body) || typeof body.error !== 'string') {
    if (isUnsupported(status, context))
      return unexpectedAnswer('', facts, context, { code: 'operation_missing' });
    const text = JSON.stringify(body);
    const start = text.length > 200 ? `${text.slice(0, 199)}…` : text;
    const what = `JSON without an error message, ${start}. The specification has { error, code, details } (section 7)`;
    return unexpectedAnswer(what, facts, context);
  }
  const code = typeof body.code === 'string' ? body.code : `http_${status}`;
  const missing = isMissing(facts, context, code);
  const told =
    body.error.trim() || `${url.origin} answered ${method} ${path} with ${status} and no message`;
  return new ApiError(missing ? `${missingText(context)}: ${told}` : told, {
    code: missing ? 'operation_missing' : (specifiedCode(status, told) ?? code),
    status,
    details: body.details ?? null,
    requestId,
    method,
    path,
    retryAfter,
    unknownOutcome: method !== 'GET' && isAmbiguous(status, retryAfter),
  });
}

/** By a status that is about the method, never about a record. */
const isUnsupported = (status: number, { operation }: AnswerContext) =>
  operation !== undefined && (status === 405 || status === 501);

/**
 * Whether the server lacks the operation. A 404 in JSON may also mean a record that the path or the body names; a list names none. Of an
 * operation beyond the specification it does so only where the server announces the operation, or has the code of this interface. A page
 * in place of the error of a missing record means a wrong address, where the specification has the operation.
 */
function isMissing({ status, contentType }: Facts, context: AnswerContext, code?: string): boolean {
  const { operation, method } = context;
  if (isUnsupported(status, context)) return true;
  if (!operation || (status !== 404 && status !== 410)) return false;
  if (!isJson(contentType)) return operation.source === 'decision';
  if (code === 'route_not_found' || (method === 'GET' && !operation.path.includes('{')))
    return true;
  if (operation.source !== 'decision' || context.hasOperation) return false;
  return context.hasOperation === false || code !== 'not_found';
}

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

interface More {
  readonly code?: ProtocolErrorCode;
  readonly cause?: unknown;
  readonly contradicts?: boolean | undefined;
}

function unexpectedAnswer(
  what: string,
  facts: Facts,
  context: AnswerContext,
  more: More = {},
): ProtocolError {
  const { method, path, url } = context;
  const { status, retryAfter } = facts;
  const isMissing = more.code === 'operation_missing';
  const text = `${url.origin} answered ${method} ${path} with ${status} and ${what}`;
  // Statuses that are possible after a write was carried out.
  const mayFollowSuccess = status < 300 || status === 302 || status === 303;
  return new ProtocolError(isMissing ? missingText(context) : text, {
    ...facts,
    method,
    path,
    unknownOutcome: method !== 'GET' && (mayFollowSuccess || isAmbiguous(status, retryAfter)),
    ...more,
  });
}
