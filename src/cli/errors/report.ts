/** What went wrong: code, message, details, hint and exit code of any error. */
import { isLoopback } from '../../client/address.ts';
import { ApiError, CarStorageError, NetworkError, ProtocolError } from '../../client/errors.ts';
import {
  type CertificateFault,
  faultOf,
  systemCode,
  type TlsFailure,
  tlsFailureOf,
} from '../../client/failures.ts';
import { statusInfo } from './codes/status.ts';
import { codeInfo, codes, hintOf, isServiceCode } from './codes.ts';
import { Interrupted, UnwrittenResult } from './ended-run.ts';
import { CliError, type ExitCode } from './exit.ts';
import { exitCodeOf, isFailure } from './exit-code.ts';

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly hint: string | null;
  readonly exitCode: ExitCode;
}

export interface ErrorContext {
  /** The address of the server, when it is known. */
  readonly baseUrl?: string;
  /** The flag of a field in this command: `licensePlate` → `--license-plate`. */
  readonly flagOf?: (field: string) => string | undefined;
}

/** The hint when no answer tells the outcome of a write. */
export const checkFirst = 'it may have been carried out: check before you run it again';

/** The whole report when the person stopped a command before it did anything. */
const stopped = 'Stopped.';
const stoppedAtQuestion = 'Stopped. Nothing was changed.';
/** Whether the person ended the command without harm, so that its report isn't an error. */
export const isLeft = ({ exitCode, message }: ErrorReport): boolean =>
  exitCode === 13 || message === stopped || message === stoppedAtQuestion;

export function reportOf(error: unknown, context: ErrorContext = {}): ErrorReport {
  const exitCode = exitCodeOf(error);
  const base = { status: null, details: null, requestId: null, hint: null, exitCode };
  if (error instanceof CliError) {
    // Of the answer that it sums up.
    const { status, requestId } =
      error.cause instanceof CarStorageError || error.cause instanceof CliError
        ? reportOf(error.cause)
        : base;
    return {
      ...base,
      code: error.code,
      message: error.message,
      status,
      details: error.details,
      requestId,
      hint: error.hint ?? null,
    };
  }
  if (error instanceof ProtocolError && isFailure(error)) {
    const { status, contentType } = error;
    const what = contentType?.split(';', 1)[0] ?? 'no content type';
    return {
      ...base,
      code: `http_${status}`,
      // JSON comes from the server, and says why.
      message: /json/i.test(what)
        ? sentence(error.message)
        : `The server, or a gateway in front of it, answered ${status} with ${what}.`,
      status,
      requestId: error.requestId ?? null,
      hint: hintFor(error, context) ?? null,
    };
  }
  if (error instanceof CarStorageError) {
    const api = error instanceof ApiError ? error : undefined;
    const answered =
      error instanceof ApiError || error instanceof ProtocolError ? error : undefined;
    return {
      ...base,
      code: error.code,
      message: api ? error.message : sentence(error.message),
      status: answered?.status ?? null,
      details: api?.details ?? null,
      requestId: answered?.requestId ?? null,
      hint: hintFor(error, context) ?? null,
    };
  }
  if (error instanceof UnwrittenResult)
    return {
      ...base,
      code: 'output_not_written',
      message: error.message,
      hint: hintOf(codes.output_not_written),
    };
  if (exitCode === 130 || exitCode === 143)
    return {
      ...base,
      code: 'interrupted',
      message: error instanceof Interrupted && error.atQuestion ? stoppedAtQuestion : stopped,
    };
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, code: 'unexpected', message, hint: hintOf(codes.unexpected) };
}

/** With a capital and a full stop, which messages of the client lack. A leading address stays as it is. */
export function sentence(message: string): string {
  const capitalized = /^[a-z]+:\/\//.test(message)
    ? message
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return capitalized.replace(/\.?$/, '.');
}

function hintFor(error: CarStorageError, { baseUrl, flagOf }: ErrorContext): string | undefined {
  const { code, message } = error;
  const answered = error instanceof ApiError || error instanceof ProtocolError;
  if (error.unknownOutcome && (answered || error instanceof NetworkError)) return checkFirst;
  if ((code === 'route_not_found' || code === 'operation_missing') && pathOf(baseUrl) !== '/')
    return `the address has the path ${pathOf(baseUrl)}: leave it out, or correct it with --base-url`;
  if (code === 'unsteady_list' && message.includes('specification'))
    return 'the server breaks the specification: tell its operator, and name the records by their ids meanwhile';
  if (code === 'filter_ignored') return 'leave out the filter, or name the records by their ids';
  if (code === 'operation_missing' || (error instanceof ProtocolError && !isFailure(error))) {
    const checkAddress = `check that ${baseUrl ?? 'the address'} is a car storage service; change it with --base-url`;
    return /\bspecification\b/.test(message)
      ? `${checkAddress}; if it is one, it breaks the specification: tell its operator`
      : checkAddress;
  }
  if (
    error instanceof ProtocolError ||
    (error instanceof ApiError && code === `http_${error.status}`)
  )
    return hintOf(statusInfo(error.status));
  if (code === 'missing_scope') {
    const scope = /^Missing scope: (\S+)$/.exec(message)?.[1] ?? 'the missing scope';
    return `sign in with a key that has ${scope}: \`cs auth login\`; \`cs auth status\` shows the scopes of yours`;
  }
  if (
    code === 'resource_in_use' &&
    error instanceof ApiError &&
    error.path.startsWith('/locations/')
  )
    return 'leave out --hard to deactivate it instead; the records that use it stay as they are';
  if (code === 'connection_failed' && isOfThisMachine(baseUrl))
    return 'start the service with `cs serve`, or check the address with --base-url';
  if (
    error instanceof NetworkError &&
    error.proxy !== undefined &&
    (code !== 'tls_failed' || error.proxy.startsWith('https:'))
  )
    return 'correct or unset HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY';
  if (code === 'tls_failed') {
    const failure = tlsFailureOf(error.cause);
    const hint =
      failure === 'certificate'
        ? certificateHint([faultOf(systemCode(error.cause)) ?? 'unusable'])
        : tlsHints[failure];
    if (hint) return hint.replace('{https}', baseUrl?.replace(/^http:/, 'https:') ?? 'https');
  }
  if (error instanceof ApiError && !isServiceCode(code)) return hintOfReason(error.status);
  const info = codeInfo(code);
  // Without a flag, as in an import, a field goes by its own name.
  return info && hintOf(info).replace(/\{(\w+)\}/g, (_, field: string) => flagOf?.(field) ?? field);
}

/** The next step after a reason in the server's own words. A 404 may be about any record of the request. */
function hintOfReason(status: number): string | undefined {
  if (status === 404) return undefined;
  return [401, 403, 429].includes(status) || status >= 500
    ? hintOf(statusInfo(status))
    : 'correct what the server names; -v shows the request';
}

const tlsHints: Readonly<Record<Exclude<TlsFailure, 'certificate'>, string>> = {
  no_tls: 'the port speaks plain http, or is the wrong one: check the address with --base-url',
  handshake:
    'ask the operator of the server which versions of TLS and which certificates it accepts',
};

/** The next steps for everything that is wrong with a certificate. */
export const certificateHint = (faults: readonly CertificateFault[]): string =>
  [...new Set(faults.map((fault) => certificateHints[fault]))].join('; ');

const trustHint =
  'if you are sure that it is the right server, trust its certificate with --ca-file';
const certificateHints: Readonly<Record<CertificateFault, string>> = {
  self_signed: trustHint,
  unknown_issuer: trustHint,
  expired: "ask the operator of the server to renew it, or check this machine's clock",
  not_yet_valid: "check this machine's clock",
  revoked: 'ask the operator of the server for a new one',
  unusable: 'ask the operator of the server for another one',
  other_name:
    'use a host name of the certificate with --base-url, or ask the operator of the server',
};

/** The part of a server's address before `/api/v1`, most often `/`. */
const pathOf = (baseUrl: string | undefined): string =>
  baseUrl !== undefined && URL.canParse(baseUrl)
    ? new URL(baseUrl).pathname.replace(/\/api\/v1\/?$/, '/')
    : '/';

/** The person can start a service on this machine. */
const isOfThisMachine = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
