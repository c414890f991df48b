/**
 * The next step after an error of the server or of the connection; commands give their own errors a
 * hint where they throw them.
 */
import { isLoopback } from '../../client/address.ts';
import {
  ApiError,
  type CarStorageError,
  NetworkError,
  ProtocolError,
} from '../../client/errors.ts';
import { type TlsFailure, tlsFailureOf } from '../../client/failures.ts';
import { isServiceCode, serviceHints, statusInfo } from './codes.ts';

/** The hint when no answer tells the outcome of a write. */
export const checkFirst = 'it may have been carried out: check before you run it again';

const clientHints: Readonly<Record<string, string>> = {
  invalid_key: 'sign in again with `cs auth login`',
  invalid_base_url: 'give it with --base-url, or sign in again with `cs auth login`',
  invalid_path: '`cs schema` shows the paths',
  invalid_ca: 'give a PEM file, with its BEGIN CERTIFICATE lines',
  invalid_proxy: 'correct or unset HTTPS_PROXY and HTTP_PROXY',
  unsafe_address: 'use an https address, or allow this one with --allow-insecure-http',
  connection_failed: 'check the address with --base-url, and the network',
  connection_lost: 'check the network and try again',
  timeout: 'check the network, or allow more time with --timeout',
  filter_ignored:
    'leave out the filter, or name the records by their ids; `cs doctor` asks the server again what it promises',
  unsteady_list:
    'try again when the list changes less, or name the records by their ids; if that never helps, the server breaks the specification: tell its operator',
};

/** `fromGateway`: the page of a gateway in front of the server. */
export function hintFor(
  error: CarStorageError,
  { baseUrl, fromGateway }: { readonly baseUrl: string | undefined; readonly fromGateway: boolean },
): string | undefined {
  const { code } = error;
  const answered = error instanceof ApiError || error instanceof ProtocolError;
  if (error.unknownOutcome && (answered || error instanceof NetworkError)) return checkFirst;
  if ((code === 'route_not_found' || code === 'operation_missing') && pathOf(baseUrl) !== '/')
    return `the address has the path ${pathOf(baseUrl)}: leave it out, or correct it with --base-url`;
  if (fromGateway || (error instanceof ApiError && code === `http_${error.status}`))
    return statusInfo((error as ApiError | ProtocolError).status).hint;
  if (code === 'operation_missing' || (error instanceof ProtocolError && !clientHints[code])) {
    const checkAddress = `check that ${baseUrl ?? 'the address'} is a car storage service; change it with --base-url`;
    return code !== 'operation_missing' && isJson(error)
      ? `${checkAddress}; if it is one, it breaks the specification: tell its operator`
      : checkAddress;
  }
  if (error instanceof ApiError) return isServiceCode(code) ? hintOfCode(error) : ofReason(error);
  if (code === 'connection_failed' && isOfThisMachine(baseUrl))
    return 'start the service with `cs serve`, or check the address with --base-url';
  if (
    error instanceof NetworkError &&
    error.proxy !== undefined &&
    (code !== 'tls_failed' || error.proxy.startsWith('https:'))
  )
    return 'correct or unset HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY';
  const failure = code === 'tls_failed' ? tlsFailureOf(error.cause) : undefined;
  return failure ? tlsHints[failure] : clientHints[code];
}

/** Of the message of a missing scope. */
export const scopeIn = (message: string): string | undefined =>
  /^Missing scope: (\S+)$/.exec(message)?.[1];

export const scopeHint = (scopes: string): string =>
  `sign in with a key that has ${scopes}: \`cs auth login\`; \`cs auth status\` shows the scopes of yours`;

/** Whether a server of JSON answered, and not a page in its place. */
const isJson = (error: CarStorageError): boolean =>
  error instanceof ProtocolError && /json/i.test(error.contentType ?? '');

function hintOfCode({ code, path, message }: ApiError): string {
  if (code === 'missing_scope') return scopeHint(scopeIn(message) ?? 'the missing scope');
  if (code === 'resource_in_use' && path.startsWith('/locations/'))
    return 'leave out --hard to deactivate it instead; the records that use it stay as they are';
  return serviceHints[code as keyof typeof serviceHints];
}

/**
 * The next step after a reason in the server's own words. A 404 may be about any record of the
 * request.
 */
function ofReason({ status }: ApiError): string | undefined {
  if (status === 404) return undefined;
  return [401, 403, 429].includes(status) || status >= 500
    ? statusInfo(status).hint
    : 'correct what the server names; -v shows the request';
}

const tlsHints: Readonly<Record<TlsFailure, string>> = {
  certificate: '`cs doctor` shows the certificate, and what to do',
  no_tls: 'the port speaks plain http, or is the wrong one: check the address with --base-url',
  handshake:
    'ask the operator of the server which versions of TLS and which certificates it accepts',
};

/** The part of a server's address before `/api/v1`, most often `/`. */
const pathOf = (baseUrl: string | undefined): string =>
  baseUrl !== undefined && URL.canParse(baseUrl)
    ? new URL(baseUrl).pathname.replace(/\/api\/v1\/?$/, '/')
    : '/';

/** The person can start a service on this machine. */
const isOfThisMachine = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
