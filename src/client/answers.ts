/** Reads an answer: its JSON, its error, or a protocol error when it isn't an answer of this interface. */
import { type Asked, checkAnswer, isObject, shortened } from './check-answer.ts';
import type { AnswerHeaders, WireAnswer } from './connection.ts';
import { ApiError, type ErrorPlace, ProtocolError, type ProtocolErrorCode } from './errors.ts';
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

export interface AnswerContext extends ErrorPlace, Asked {
  method: string;
  url: URL;
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

/** The first one, where it is repeated. */
export const header = ({ headers }: WireAnswer, name: string): string | undefined =>
  [headers[name]].flat()[0];

/**
 * @throws ApiError for an error in the shape of the interface
 * @throws ProtocolError for any other answer without the expected JSON
 * @throws the cause when the connection breaks while the body is read
 */
export async function readJson(answer: WireAnswer, context: AnswerContext): Promise<JsonAnswer> {
  const { expect, method, ids } = context;
  const read = reader(answer, context);
  const { status, contentType, requestId } = read.facts;
  if (status >= 300 && status < 400) {
    const target = URL.parse(header(answer, 'location') ?? '', context.url.href);
    // Without the query: sign-in pages put tokens there.
    const where = target ? ` to ${target.origin}${target.pathname}` : '';
    throw read.unexpected(
      `a redirect${where}; redirects aren't followed, so that the key stays with this server`,
    );
  }
  const text = await read.text();
  const answered = { status, headers: answer.headers, requestId, replayed: false };
  const deletion = { ...answered, body: { data: { id: ids?.id, deleted: true } } };
  if (status === 204 && text === '') {
    if (expect === undefined) return { ...answered, body: null };
    if (expect === 'deleted') return deletion;
  }
  if (status === 202 && method !== 'GET' && expect !== undefined)
    throw read.unexpected('the promise to carry it out later');
  if (!read.isJson) {
    if (isMissing(status, context)) throw read.lacking();
    throw read.unexpected(`${contentType ?? 'no content type'} instead of JSON`);
  }
  const body = read.parse(text);
  if (status >= 300) {
    // The delete whose answer was lost: the server has carried out the first try.
    if (status === 404 && expect === 'deleted' && context.maybeCarriedOut) return deletion;
    throw read.refusal(body);
  }
  const replayed = header(answer, 'idempotent-replayed') === 'true' && !context.maybeCarriedOut;
  const checked = checkAnswer(body, { ...context, status });
  if ('wrong' in checked)
    throw read.unexpected(checked.wrong, { contradicts: checked.contradicts });
  if (checked.notShown.length > 0) context.onNotShown?.(checked.notShown);
  return { ...answered, replayed, body: checked.body };
}

/** Like `readJson`, but streams a success. */
export async function readBytes(answer: WireAnswer, context: AnswerContext): Promise<BytesAnswer> {
  const { status, headers } = answer;
  if (status >= 300) await readJson(answer, context);
  const { facts, pieces } = reader(answer, context);
  const length = header(answer, 'content-length');
  return {
    status,
    headers,
    requestId: facts.requestId,
    body: pieces(context.maxStreamBytes),
    contentType: facts.contentType ?? 'application/octet-stream',
    size: length === undefined ? undefined : Number(length),
  };
}

interface More {
  readonly code?: ProtocolErrorCode;
  readonly cause?: unknown;
  readonly contradicts?: boolean | undefined;
}

/** @throws ProtocolError for a body that a gateway compressed */
function reader(answer: WireAnswer, context: AnswerContext) {
  const { status } = answer;
  const { method, path, url, operation } = context;
  const retryAfter = parseRetryAfter(header(answer, 'retry-after'), context.now());
  const facts = {
    status,
    method,
    path,
    retryAfter,
    contentType: header(answer, 'content-type'),
    requestId: header(answer, 'x-request-id'),
    unknownOutcome: method !== 'GET' && isAmbiguous(status, retryAfter),
  };
  const isJson = /^(application\/([\w.+-]+\+)?|text\/)json\s*(;|$)/i.test(facts.contentType ?? '');
  const answered = `${url.origin} answered ${method} ${path} with ${status} and`;

  function unexpected(what: string, more: More = {}): ProtocolError {
    // Statuses that are possible after a write was carried out.
    const mayFollowSuccess = method !== 'GET' && (status < 300 || status === 302 || status === 303);
    const unknownOutcome = mayFollowSuccess || facts.unknownOutcome;
    return new ProtocolError(`${answered} ${what}`, { ...facts, unknownOutcome, ...more });
  }

  const missingText = `${url.origin} has no ${method} ${operation?.path}`;
  const lacking = () => new ProtocolError(missingText, { ...facts, code: 'operation_missing' });

  function refusal(body: unknown): ApiError | ProtocolError {
    if (!isObject(body) || typeof body.error !== 'string') {
      const what = `JSON without an error message, ${shortened(body)}. The specification has { error, code, details } (section 7)`;
      return unexpected(what);
    }
    const { code = `http_${status}`, details = null } = body;
    const message = body.error.trim() || `${answered} no message`;
    const isGone = isMissing(status, context, String(code));
    return new ApiError(isGone ? `${missingText}: ${message}` : message, {
      ...facts,
      code: isGone ? 'operation_missing' : (specifiedCode(status, message) ?? String(code)),
      details,
    });
  }

  /** Above the limit the body ends with an error, and the connection is closed. */
  async function* pieces(limit: number): AsyncGenerator<Uint8Array, void> {
    let size = 0;
    for await (const piece of answer.body) {
      size += piece.length;
      if (size > limit) throw unexpected(`more than ${limit} bytes`, { code: 'answer_too_large' });
      yield piece;
    }
  }

  /** Decoded at once, which takes half the time of a decoder that is fed in pieces. */
  async function text(): Promise<string> {
    const found: Uint8Array[] = [];
    let size = 0;
    for await (const piece of pieces(context.maxAnswerBytes)) {
      found.push(piece);
      size += piece.length;
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (const piece of found) {
      whole.set(piece, at);
      at += piece.length;
    }
    return orInvalid(() => new TextDecoder('utf-8', { fatal: isJson }).decode(whole));
  }

  function parse(text: string): unknown {
    if (text === '') throw unexpected('an empty body');
    return orInvalid(() => JSON.parse(text));
  }

  function orInvalid<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      throw unexpected('truncated or invalid JSON', { cause });
    }
  }

  const encoding = header(answer, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') throw unexpected(`a body in ${encoding}, which wasn't asked for`);
  return { facts, isJson, unexpected, lacking, refusal, pieces, text, parse };
}

const missing: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * Whether the server lacks the operation: by the code of this interface, or since it is beyond the specification. There the code
 * `not_found` is about a record, where the request names one.
 */
function isMissing(status: number, { operation, method }: AnswerContext, code?: string): boolean {
  if (!operation || !missing.has(status)) return false;
  if (code === 'route_not_found') return true;
  if (operation.source === 'specification') return false;
  return code !== 'not_found' || (method === 'GET' && !operation.path.includes('{'));
}

/** The specification (section 7) states these messages and leaves the codes open, so the message decides. */
const specifiedMessages = [
  [401, 'API key expired', 'api_key_expired'],
  [401, 'API key revoked', 'api_key_revoked'],
  [403, 'API is disabled for this team', 'api_disabled'],
  [403, 'Missing scope: ', 'missing_scope'],
] as const;
const specifiedCode = (status: number, message: string): string | undefined =>
  specifiedMessages.find(([known, text]) => known === status && message.includes(text))?.[2];
